// A picture as PNG (ISO/IEC 15948), with smooth edges and letters of stroke_font.hpp. Two pixels for each pixel of the
// drawing, so that it is sharp on high-resolution screens.
#pragma once

#include <string>

#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

// As bytes. The theme Auto is drawn light.
std::string to_png(const Picture& picture);

}  // namespace driftless
