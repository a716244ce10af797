#include "driftless/language/libraries/version.hpp"

#include <algorithm>
#include <charconv>

namespace driftless::language {

Version parse_version(std::string_view text) {
  text = text.substr(0, text.find('+'));
  Version version;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || number < 0) break;
    version.numbers.push_back(number);
    at = next;
    if (at == end || *at != '.') break;
    ++at;
  }
  while (!version.numbers.empty() && version.numbers.back() == 0) version.numbers.pop_back();
  while (at != end && *at == ' ') ++at;
  version.qualifier.assign(at, end);
  return version;
}

std::strong_ordering compare(const Version& a, const Version& b) {
  const auto by_numbers =
      std::lexicographical_compare_three_way(a.numbers.begin(), a.numbers.end(), b.numbers.begin(), b.numbers.end());
  if (by_numbers != 0) return by_numbers;
  if (a.qualifier.empty() != b.qualifier.empty())
    return a.qualifier.empty() ? std::strong_ordering::greater : std::strong_ordering::less;
  return a.qualifier.compare(b.qualifier) <=> 0;
}

bool same_version(std::string_view a, std::string_view b) { return parse_version(a) == parse_version(b); }

}  // namespace driftless::language
