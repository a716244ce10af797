#include "driftless/solution/characters.hpp"

#include <algorithm>

namespace driftless {
namespace {

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shortened(std::string_view text, std::size_t characters) {
  std::size_t seen = 0, cut = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (starts_character(text[k]) && ++seen == characters) cut = k;
  }
  return seen <= characters ? std::string(text) : std::string(text.substr(0, cut)) + "…";
}

std::string superscript(int number) {
  constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : digits[c - '0'];
  return text;
}

}  // namespace driftless
