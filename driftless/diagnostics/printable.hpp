// Makes untrusted text, such as names and strings of a model, safe to show: characters that a terminal might interpret
// (escape sequences, marks of the writing direction), and bytes that are not UTF-8, become U+FFFD. Line breaks and tabs
// stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

std::string printable(std::string_view text);

// Bytes of the UTF-8 sequence that begins here; 0 if none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace driftless
