// Letters drawn with a pen, for pictures in pixels and for characters that the fonts of PDF lack: ASCII, Latin letters
// with accents, Greek, a few signs. They keep to the widths of Helvetica (lettering.hpp).
#pragma once

#include <vector>

#include "driftless/solution/picture/outline.hpp"

namespace driftless {

// The centre lines of the strokes, x to the right, y upwards from the base line, for a font of the size 100. An unknown
// character is a box.
std::vector<Outline> letter_strokes(char32_t code);

constexpr double pen_width(bool bold) { return bold ? 11.5 : 8.2; }  // for the same size

}  // namespace driftless
