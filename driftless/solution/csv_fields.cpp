#include "driftless/solution/csv_fields.hpp"

#include <charconv>
#include <cmath>

namespace driftless {

void append_field(std::string& line, std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += name;
    return;
  }
  line += '"';
  for (const char c : name) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void append_number(std::string& line, double value) {
  char digits[32];
  // The sign of a NaN is meaningless, and "-nan" confuses readers.
  const auto end = std::to_chars(digits, digits + sizeof digits, std::isnan(value) ? std::abs(value) : value).ptr;
  line.append(digits, end);
}

void append_whole_number(std::string& line, double value) {
  char digits[32];
  if (!(std::abs(value) < 1e15) || value != std::round(value)) return append_number(line, value);
  const auto end = std::to_chars(digits, digits + sizeof digits, std::llround(value)).ptr;
  line.append(digits, end);
}

}  // namespace driftless
