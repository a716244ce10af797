// A picture as PDF 1.4, one page: lines stay lines and text stays text, which can be searched and copied. Letters are
// Helvetica, which every viewer has; characters that it lacks (Greek, ▲) are drawn (stroke_font.hpp).
#pragma once

#include <string>

#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

// As bytes, without dates: the same picture gives the same file. The theme Auto is drawn light.
std::string to_pdf(const Picture& picture);

}  // namespace driftless
