#include "driftless/solution/picture/lettering.hpp"

#include <algorithm>
#include <array>

namespace driftless {
namespace {

// Thousandths of the font's size, of the characters 32 ... 126 and 160 ... 255: Adobe, Font Metrics of the 14 standard
// fonts of PDF.
constexpr std::array<short, 191> regular_widths = {
    278, 278,  355, 556, 556, 889, 667, 191, 333, 333, 389,  584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
    556, 556,  556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667,
    556, 833,  722, 778, 667, 778, 722, 667, 611, 722, 667,  944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556,
    556, 500,  556, 556, 278, 556, 556, 222, 222, 500, 222,  833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722,
    500, 500,  500, 334, 260, 334, 584, 278, 333, 556, 556,  556, 556, 260, 556, 333, 737, 370, 556, 584, 333, 737,
    333, 400,  584, 333, 333, 333, 556, 537, 278, 333, 333,  365, 556, 834, 834, 834, 611, 667, 667, 667, 667, 667,
    667, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278,  722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722,
    722, 722,  667, 667, 611, 556, 556, 556, 556, 556, 556,  889, 500, 556, 556, 556, 556, 278, 278, 278, 278, 556,
    556, 556,  556, 556, 556, 556, 584, 611, 556, 556, 556,  556, 500, 556, 500};
constexpr std::array<short, 191> bold_widths = {
    278, 333,  474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556,
    556, 556,  556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722,
    611, 833,  722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556,
    611, 556,  611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778,
    556, 556,  500, 389, 280, 389, 584, 278, 333, 556, 556, 556, 556, 280, 556, 333, 737, 370, 556, 584, 333, 737,
    333, 400,  584, 333, 333, 333, 611, 556, 278, 333, 333, 365, 556, 834, 834, 834, 611, 722, 722, 722, 722, 722,
    722, 1000, 722, 667, 667, 667, 667, 278, 278, 278, 278, 722, 722, 778, 778, 778, 778, 778, 584, 778, 722, 722,
    722, 722,  667, 667, 611, 556, 556, 556, 556, 556, 556, 889, 556, 556, 556, 556, 556, 278, 278, 278, 278, 611,
    611, 611,  611, 611, 611, 611, 584, 611, 611, 611, 611, 611, 556, 611, 556};

struct Further {
  char32_t code;
  unsigned char byte;
  short regular, bold;
};
constexpr Further further[] = {
    {U'€', 0x80, 556, 556}, {U'…', 0x85, 1000, 1000}, {U'‘', 0x91, 222, 278}, {U'’', 0x92, 222, 278},
    {U'“', 0x93, 333, 500}, {U'”', 0x94, 333, 500},   {U'•', 0x95, 350, 350}, {U'–', 0x96, 556, 556},
    {U'−', 0x96, 584, 584}, {U'—', 0x97, 1000, 1000},
};

constexpr short width_of_others = 600;

// Digits and signs that are superscripts or subscripts.
struct Small {
  char32_t code;
  char32_t plain;
  double rise;  // in sizes of the font
};
constexpr double up = 0.35, down = -0.12;
constexpr Small small_letters[] = {
    {U'⁰', U'0', up},   {U'¹', U'1', up},   {U'²', U'2', up},   {U'³', U'3', up},   {U'⁴', U'4', up},
    {U'⁵', U'5', up},   {U'⁶', U'6', up},   {U'⁷', U'7', up},   {U'⁸', U'8', up},   {U'⁹', U'9', up},
    {U'⁻', U'−', up},   {U'⁺', U'+', up},   {U'ⁿ', U'n', up},   {U'₀', U'0', down}, {U'₁', U'1', down},
    {U'₂', U'2', down}, {U'₃', U'3', down}, {U'₄', U'4', down}, {U'₅', U'5', down}, {U'₆', U'6', down},
    {U'₇', U'7', down}, {U'₈', U'8', down}, {U'₉', U'9', down},
};
constexpr double small_size = 0.66;

bool is_latin(char32_t code) { return (code >= 32 && code <= 126) || (code >= 160 && code <= 255); }

double width_of(char32_t code, bool bold) {
  if (is_latin(code)) {
    const std::size_t at = code < 127 ? code - 32 : code - 160 + 95;
    return 1e-3 * (bold ? bold_widths : regular_widths)[at];
  }
  const auto* found = std::ranges::find(further, code, &Further::code);
  return 1e-3 * (found == std::end(further) ? width_of_others : bold ? found->bold : found->regular);
}

// Takes the next character of UTF-8; an invalid one is U+FFFD.
char32_t take_character(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (length == 0 || length > text.size()) {
    text.remove_prefix(1);
    return U'\uFFFD';
  }
  char32_t code = length == 1 ? first : first & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) code = code << 6 | (static_cast<unsigned char>(text[k]) & 0x3Fu);
  text.remove_prefix(length);
  return code;
}

}  // namespace

std::u32string characters_in(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) characters += take_character(text);
  return characters;
}

std::optional<unsigned char> windows_byte(char32_t code) {
  if (is_latin(code)) return static_cast<unsigned char>(code);
  const auto* found = std::ranges::find(further, code, &Further::code);
  if (found == std::end(further)) return {};
  return found->byte;
}

Lettering lettering_of(std::string_view text, double font_size, bool bold) {
  Lettering lettering;
  for (const char32_t code : characters_in(text)) {
    Letter letter{code, lettering.width, font_size, 0.0};
    if (const auto* found = std::ranges::find(small_letters, letter.code, &Small::code);
        found != std::end(small_letters))
      letter = {found->plain, lettering.width, small_size * font_size, found->rise * font_size};
    lettering.width += letter.size * width_of(letter.code, bold);
    lettering.letters.push_back(letter);
  }
  return lettering;
}

}  // namespace driftless
