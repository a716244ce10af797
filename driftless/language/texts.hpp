// The contents of Strings. Equal texts have the same number, which represents the text in expressions: a choice between
// two texts is a choice between two numbers, and texts are equal if their numbers are. A text that contains values of
// the run is indefinite: it is stored with their expressions, which is sufficient for messages only.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless::language {

class Texts {
 public:
  Texts() : texts_(1) { number(""); }  // 1, the default of a String: numbers begin at 1, as those of enumerations

  double number(std::string_view text) {
    const auto known = numbers_.find(text);
    if (known != numbers_.end()) return known->second;
    texts_.emplace_back(text);
    return numbers_.emplace(texts_.back(), static_cast<double>(texts_.size() - 1)).first->second;
  }
  double indefinite(std::string_view text) { return number(mark + std::string(text)); }
  bool is_definite(double number) const { return !(*this)[number].starts_with(mark); }
  // The text without the mark of indefinite ones.
  std::string shown(double number) const {
    return is_definite(number) ? (*this)[number] : (*this)[number].substr(mark.size());
  }
  const std::string& operator[](double number) const { return texts_[static_cast<std::size_t>(number)]; }
  // All texts as the literals of an enumeration.
  std::vector<std::string> literals() const {
    std::vector<std::string> list;
    for (std::size_t k = 1; k < texts_.size(); ++k) list.push_back(shown(static_cast<double>(k)));
    return list;
  }

 private:
  static inline const std::string mark = "\x01";  // no text of a model begins with this

  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, double> numbers_;
};

}  // namespace driftless::language
