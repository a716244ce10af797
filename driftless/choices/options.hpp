// A choice with parameters, as people type it: "name", "name:key=value", "name:key=value,flag".
//
//   Options options("baumgarte:alpha=5,beta=5");
//   if (options.name() == "baumgarte") ... options.number("alpha") ...
//   if (!options.all_used()) the text is wrong: something in it was not asked for or has no meaning
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

  // Each takes its parameter out of the text. Nothing if it is not there, or if it is not of this kind.
  std::optional<std::string> word(const std::string& key);
  std::optional<double> number(const std::string& key);
  std::optional<int> integer(const std::string& key);
  std::optional<std::vector<double>> numbers(const std::string& key);  // "1/-0.5/2"
  bool flag(const std::string& key);                                   // a key without a value
  template <class T>
  std::optional<T> choice(const std::string& key, const std::map<std::string, T>& meanings);

  // Everything was taken and had a meaning.
  bool all_used() const { return well_formed_ && parameters_.empty(); }

 private:
  std::string name_;
  std::map<std::string, std::optional<std::string>> parameters_;  // flags have no value
  bool well_formed_ = true;
};

// A list of such choices. Commas separate them, and also the parameters of one: "a,b:x=1,y=2,c" are a, b:x=1,y=2 and c.
// What follows a choice with a colon belongs to it if it has an equals sign before any colon of its own, or is one of
// the flags.
std::vector<std::string> split_choices(const std::string& text, const std::vector<std::string>& flags = {});

// "1", "-0.5", "1e-3"; nothing for anything else, infinity and NaN included.
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
