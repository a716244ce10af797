// Text of others, such as names and strings of a model, made safe to show: what a terminal might act upon (escape
// sequences, marks that turn the direction of writing), and bytes that are no UTF-8, become U+FFFD. Line breaks and
// tabs stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

std::string printable(std::string_view text);

// Bytes of the UTF-8 sequence that begins here; 0 if none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

}  // namespace driftless
