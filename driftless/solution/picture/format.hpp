// The formats that pictures are written in, by the ends of the names of files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

enum class PictureFormat { Svg, Pdf, Png };

std::optional<PictureFormat> picture_format(std::string_view file);  // .svg, .pdf or .png, in small letters or large

std::string rendered(const Picture& picture, PictureFormat format);  // as bytes

}  // namespace driftless
