// A drawing as data: lines, rectangles, paths and texts, in the order in which they are drawn. Colours and strokes are
// given by named classes, each with a value for light and one for dark backgrounds. A picture is a drawing on a page;
// SVG, PDF and PNG are three ways to write the same picture (svg.hpp, pdf.hpp, png.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "driftless/solution/theme.hpp"

namespace driftless {

// One property of one class. Where an element has several classes that set the same property, the last Tint wins.
struct Tint {
  std::string_view name;      // "dl-grid"
  std::string_view property;  // of CSS: "stroke", "fill", "stroke-width", "stroke-dasharray", "font-size", ...
  std::string_view light, dark;
};

enum class Anchor { Start, Middle, End };

// Coordinates in pixels from the top left corner.
class Drawing {
 public:
  struct Line {
    std::string tint;  // one class or several, separated by blanks
    double x1, y1, x2, y2;
  };
  struct Rect {
    std::string tint;
    double x, y, width, height;
    std::string tooltip;
  };
  struct Path {
    std::string tint, data, tooltip;  // data of an SVG path
  };
  struct Text {
    std::string tint;
    double x, y;
    Anchor anchor;
    std::string content;
    bool upward;  // rotated by 90 degrees to the left about its anchor: reads upwards
  };
  using Element = std::variant<Line, Rect, Path, Text>;

  void line(std::string_view tint, double x1, double y1, double x2, double y2);
  void rect(std::string_view tint, double x, double y, double width, double height, std::string_view tooltip = {});
  void path(std::string_view tint, std::string_view data, std::string_view tooltip = {});
  void text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content);
  void upward_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content);

  const std::vector<Element>& elements() const { return elements_; }

 private:
  std::vector<Element> elements_;
};

// The classes dl-page, dl-text, dl-faint, dl-title, dl-grid and dl-frame exist always.
std::span<const Tint> common_tints();

struct Picture {
  Drawing drawing{};
  double width = 0.0, height = 0.0;
  std::string title{};
  Theme theme = Theme::Auto;  // Auto: light in formats that cannot adapt to the viewer
  std::vector<Tint> tints{};  // in addition to the common ones
};

}  // namespace driftless
