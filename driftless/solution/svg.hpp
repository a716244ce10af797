// A self-contained picture in SVG 1.1: no fonts, no scripts, no links. Its colours follow the surroundings if the theme
// is Auto.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "driftless/solution/picture/drawing.hpp"
#include "driftless/solution/theme.hpp"

namespace driftless {

std::string to_svg(const Picture& picture);

// A drawing that is written as SVG only.
class Svg : public Drawing {
 public:
  std::string finish(double width, double height, std::string_view title, Theme theme,
                     std::span<const Tint> tints) const;
};

std::string xml_escaped(std::string_view text);  // also drops control characters, which XML forbids
std::string coordinate(double value);            // two decimals at most: "12", "12.5", "12.25"
double text_width(std::string_view text);        // estimate at the base size of 12 pixels

}  // namespace driftless
