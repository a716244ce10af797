// A choice with parameters, as typed by users: "name", "name:key=value", "name:key=value,flag".
//
//   Options options("baumgarte:alpha=5,beta=5");
//   if (options.name() == "baumgarte") ... options.number("alpha") ...
//   if (!options.all_used()) the text is wrong: something in it was not read or is malformed
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

class Options {
 public:
  explicit Options(const std::string& text);

  const std::string& name() const { return name_; }

  // Each function reads a parameter and removes it. Nothing if it is absent, or not of this kind.
  std::optional<std::string> word(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<int> integer(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key);  // "1/-0.5/2"
  bool flag(const std::string& key);                                   // a key without a value
  template <class T>
  std::optional<T> choice(const std::string& key, const std::map<std::string, T>& meanings);

  // True if everything was read and well-formed.
  bool all_used() const { return well_formed_ && parameters_.empty(); }

 private:
  std::string name_;
  std::map<std::string, std::optional<std::string>> parameters_;  // flags have no value
  bool well_formed_ = true;
};

// A list of such choices. Commas separate them, and also the parameters of one: "a,b:x=1,y=2,c" are a, b:x=1,y=2 and c.
// A part after a choice with a colon belongs to this choice if it has an equals sign before any colon, or is one of the
// flags.
std::vector<std::string> split_choices(const std::string& text, const std::vector<std::string>& flags = {});

// "1", "-0.5", "1e-3"; nothing for anything else, including infinity and NaN.
std::optional<double> parse_number(const std::string& text);

// ---- details

template <class T>
std::optional<T> Options::choice(const std::string& key, const std::map<std::string, T>& meanings) {
  const auto text = word(key);
  if (!text) return {};
  const auto found = meanings.find(*text);
  if (found != meanings.end()) return found->second;
  well_formed_ = false;
  return {};
}

}  // namespace driftless
