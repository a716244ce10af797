#include "driftless/choices/options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace driftless {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char ch : text) {
    if (ch == separator)
      parts.emplace_back();
    else
      parts.back() += ch;
  }
  return parts;
}

}  // namespace

std::optional<double> parse_number(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

Options::Options(const std::string& text) {
  const std::size_t colon = text.find(':');
  name_ = text.substr(0, colon);
  if (colon == std::string::npos) return;
  for (const std::string& item : split(text.substr(colon + 1), ',')) {
    const std::size_t equals = item.find('=');
    std::optional<std::string> value;
    if (equals != std::string::npos) value = item.substr(equals + 1);
    const bool is_new = parameters_.emplace(item.substr(0, equals), value).second;
    well_formed_ = well_formed_ && is_new && !item.empty() && equals != 0;
  }
}

std::optional<std::string> Options::word(const std::string& key) {
  const auto found = parameters_.find(key);
  if (found == parameters_.end() || !found->second) return {};
  std::string value = *found->second;
  parameters_.erase(found);
  return value;
}

std::optional<double> Options::number(const std::string& key) {
  const auto text = word(key);
  if (!text) return {};
  const auto value = parse_number(*text);
  well_formed_ = well_formed_ && value;
  return value;
}

std::optional<int> Options::integer(const std::string& key) {
  const auto value = number(key);
  if (!value) return {};
  const bool whole = std::abs(*value) < 1e9 && *value == std::floor(*value);
  well_formed_ = well_formed_ && whole;
  return whole ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

std::optional<std::vector<double>> Options::numbers(const std::string& key) {
  const auto text = word(key);
  if (!text) return {};
  std::vector<double> values;
  for (const std::string& part : split(*text, '/')) {
    const auto value = parse_number(part);
    if (!value) {
      well_formed_ = false;
      return {};
    }
    values.push_back(*value);
  }
  return values;
}

bool Options::flag(const std::string& key) {
  const auto found = parameters_.find(key);
  if (found == parameters_.end() || found->second) return false;
  parameters_.erase(found);
  return true;
}

std::vector<std::string> split_choices(const std::string& text, const std::vector<std::string>& flags) {
  std::vector<std::string> choices;
  for (const std::string& part : split(text, ',')) {
    const bool is_parameter = part.find('=') < part.find(':') || std::ranges::find(flags, part) != flags.end();
    if (!choices.empty() && choices.back().find(':') != std::string::npos && is_parameter)
      choices.back() += "," + part;
    else
      choices.push_back(part);
  }
  std::erase(choices, "");
  return choices;
}

}  // namespace driftless
