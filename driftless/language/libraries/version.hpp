// Versions of libraries, "4.0.0" or "4.2.0 dev" (Modelica 3.6, Section 18.8.2): numbers, and a qualifier that makes a
// version older than the one without it. Text after a + only identifies a build and is ignored.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::language {

struct Version {
  std::vector<std::int64_t> numbers;  // without zeros at the end: 4.0 and 4.0.0 are equal
  std::string qualifier;

  friend bool operator==(const Version&, const Version&) = default;
};

Version parse_version(std::string_view text);

// Numbers first; then no qualifier is the newest, and others are compared as text.
std::strong_ordering compare(const Version& a, const Version& b);

bool same_version(std::string_view a, std::string_view b);

}  // namespace driftless::language
