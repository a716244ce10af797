// Fields of comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace driftless {

void append_field(std::string& line, std::string_view text);  // in quotation marks if it needs them
void append_number(std::string& line, double value);          // the shortest decimal that reads back as the same double
// The shortest decimal of 100000 is 1e+05, which readers of integers do not take.
void append_whole_number(std::string& line, double value);

}  // namespace driftless
