// A drawing in SVG 1.1 that needs nothing from outside: no fonts, no scripts, no links. Colours are
// named classes, each with a value for light and one for dark surroundings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "driftless/solution/theme.hpp"

namespace driftless {

// One class of a drawing and its colour.
struct Tint {
  std::string_view name;      // "dl-grid"
  std::string_view property;  // "stroke" or "fill"
  std::string_view light, dark;
};

enum class Anchor { Start, Middle, End };

// Coordinates in pixels from the top left corner.
class Svg {
 public:
  void line(std::string_view tint, double x1, double y1, double x2, double y2);
  void rect(std::string_view tint, double x, double y, double width, double height, std::string_view tooltip = {});
  void path(std::string_view tint, std::string_view data, std::string_view tooltip = {});
  void text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content);
  // Turned by 90 degrees to the left about its anchor: reads upwards.
  void upward_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content);

  // The document. The classes dl-text, dl-faint, dl-title, dl-grid and dl-frame exist always.
  std::string finish(double width, double height, std::string_view title, Theme theme,
                     std::span<const Tint> tints) const;

 private:
  void turned_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content, bool turned);

  std::string body_;
};

std::string xml_escaped(std::string_view text);  // also drops control characters, which XML forbids
std::string coordinate(double value);            // two decimals at most: "12", "12.5", "12.25"
double text_width(std::string_view text);        // estimate at the base size of 12 pixels

}  // namespace driftless
