// UTF-8 text measured in characters (code points), which is how people and terminals see it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace driftless {

std::size_t character_count(std::string_view text);
std::string shortened(std::string_view text, std::size_t characters);  // ends with … if it had to be cut
std::string superscript(int number);                                   // ⁻¹²

}  // namespace driftless
