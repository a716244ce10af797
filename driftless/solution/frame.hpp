// The coordinate system of one panel, from data to pixels, and the parts of every panel: grid, tick labels, legend and
// the colours of curves.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/axis.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless {

struct Box {
  double left, top, width, height;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
};

struct Frame {
  Box box;
  Axis x, y;

  double to_x(double value) const { return box.left + x.fraction(value) * box.width; }
  double to_y(double value) const { return box.bottom() - y.fraction(value) * box.height; }
};

void draw_frame(Drawing& drawing, const Frame& frame, bool label_x);

constexpr std::size_t curve_colours = 8, curve_dashes = 6;
std::span<const Tint> curve_tints();
std::string curve_tint(std::size_t k);                          // of the k-th curve: colours repeat after the last
std::string curve_style(std::size_t colour, std::size_t dash);  // dash 0 is solid

constexpr double legend_row = 18.0;  // pixels

// Draws the legend in as many rows as needed; returns their number.
int draw_legend(Drawing& drawing, const std::vector<std::string>& names, double left, double right, double baseline);

// Marker shapes that distinguish points independent of colour.
constexpr std::size_t marker_shapes = 6;
std::string marker_path(std::size_t shape, double x, double y);

// The same, with a style for each name, and a marker if it has a tint.
struct LegendEntry {
  std::string name, style;
  std::string marker_tint{};
  std::size_t marker = 0;
};
int draw_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, double left, double right, double baseline);

}  // namespace driftless
