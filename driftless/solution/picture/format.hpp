// The formats that pictures are written in, by file name extension.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

enum class PictureFormat { Svg, Pdf, Png };

std::optional<PictureFormat> picture_format(std::string_view file);  // .svg, .pdf or .png, in lower or upper case

std::string rendered(const Picture& picture, PictureFormat format);  // as bytes

}  // namespace driftless
