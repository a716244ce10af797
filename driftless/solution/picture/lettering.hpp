// Text as letters at their places, by the widths of Helvetica, which PDF viewers have and which the letters of
// stroke_font.hpp keep to. Superscripts and subscripts are small digits, raised or lowered.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

struct Letter {
  char32_t code;
  double x;     // from the beginning of the text, in pixels
  double size;  // of the font, in pixels
  double rise;  // above the base line, in pixels
};

struct Lettering {
  std::vector<Letter> letters;
  double width = 0.0;
};

Lettering lettering_of(std::string_view text, double font_size, bool bold);

// Decodes UTF-8; invalid bytes become U+FFFD.
std::u32string characters_in(std::string_view text);

// The byte that stands for a character in the encoding of Windows (WinAnsi), which PDF calls by that name.
std::optional<unsigned char> windows_byte(char32_t code);

}  // namespace driftless
