#include "driftless/solution/frame.hpp"

#include <fmt/format.h>

#include <string_view>

#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

// After Okabe and Ito (2008): distinguishable with any kind of colour vision, and on white as on black.
constexpr Tint tints[] = {
    {"dl-c0", "stroke", "#0068a8", "#58a9e8"},
    {"dl-c1", "stroke", "#d1550a", "#f0803c"},
    {"dl-c2", "stroke", "#008b66", "#2fc39a"},
    {"dl-c3", "stroke", "#b8578f", "#e08abb"},
    {"dl-c4", "stroke", "#c98a00", "#edb740"},
    {"dl-c5", "stroke", "#4aa5da", "#8fd0f5"},
    {"dl-c6", "stroke", "#6b4fa0", "#a78be0"},
    {"dl-c7", "stroke", "#6f7780", "#aab2bb"},
    {"dl-curve", "fill", "none", "none"},
    {"dl-curve", "stroke-width", "1.6", "1.6"},
    {"dl-curve", "stroke-linejoin", "round", "round"},
    {"dl-curve", "stroke-linecap", "round", "round"},
    {"dl-d1", "stroke-dasharray", "7 3", "7 3"},
    {"dl-d2", "stroke-dasharray", "2 3", "2 3"},
    {"dl-d3", "stroke-dasharray", "9 3 2 3", "9 3 2 3"},
    {"dl-d4", "stroke-dasharray", "4 2", "4 2"},
    {"dl-d5", "stroke-dasharray", "12 3 2 3 2 3", "12 3 2 3 2 3"},
    {"dl-pivot", "fill", "#5c6670", "#9aa4af"},
};

}  // namespace

void draw_frame(Drawing& drawing, const Frame& frame, bool label_x) {
  const Box& box = frame.box;
  for (const Tick& tick : frame.y.ticks) {
    drawing.line("dl-grid", box.left, frame.to_y(tick.value), box.right(), frame.to_y(tick.value));
    drawing.text("dl-faint", box.left - 8, frame.to_y(tick.value) + 4, Anchor::End, tick.label);
  }
  for (const Tick& tick : frame.x.ticks) {
    const double x = frame.to_x(tick.value);
    drawing.line("dl-grid", x, box.top, x, box.bottom());
    drawing.line("dl-frame", x, box.bottom(), x, box.bottom() + 4);
    if (label_x) drawing.text("dl-faint", x, box.bottom() + 18, Anchor::Middle, tick.label);
  }
  drawing.line("dl-frame", box.left, box.top, box.left, box.bottom());
  drawing.line("dl-frame", box.left, box.bottom(), box.right(), box.bottom());
}

std::span<const Tint> curve_tints() { return tints; }

std::string curve_tint(std::size_t k) { return fmt::format("dl-curve dl-c{}", k % curve_colours); }

std::string curve_style(std::size_t colour, std::size_t dash) {
  return dash % curve_dashes == 0 ? curve_tint(colour)
                                  : fmt::format("{} dl-d{}", curve_tint(colour), dash % curve_dashes);
}

std::string marker_path(std::size_t shape, double x, double y) {
  constexpr std::string_view outlines[marker_shapes] = {
      "m-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0",  // circle
      "m-3.2,-3.2h6.4v6.4h-6.4z",                      // square
      "m0,-4.2l4,7h-8z",                               // triangle
      "m0,-4.6l4.2,4.6l-4.2,4.6l-4.2,-4.6z",           // diamond
      "m-3.4,-3.4l6.8,6.8m0,-6.8l-6.8,6.8",            // cross
      "m0,4.2l4,-7h-8z",                               // triangle, point down
  };
  return fmt::format("M{},{}{}", coordinate(x), coordinate(y), outlines[shape % marker_shapes]);
}

int draw_legend(Drawing& drawing, const std::vector<std::string>& names, double left, double right, double baseline) {
  std::vector<LegendEntry> entries;
  for (const std::string& name : names) entries.push_back({name, curve_tint(entries.size())});
  return draw_legend(drawing, entries, left, right, baseline);
}

int draw_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, double left, double right, double baseline) {
  double x = left;
  int rows = 1;
  for (const LegendEntry& entry : entries) {
    const std::string label = shortened(entry.name, 40);
    const double width = 24 + 1.12 * text_width(label) + 18;  // some fonts are wider than the estimate
    if (x > left && x + width > right) {
      x = left;
      ++rows;
    }
    const double y = baseline + (rows - 1) * legend_row;
    drawing.path(entry.style, fmt::format("M{},{}h18", coordinate(x), coordinate(y - 4)));
    if (!entry.marker_tint.empty()) drawing.path(entry.marker_tint, marker_path(entry.marker, x + 9, y - 4));
    drawing.text("dl-text", x + 24, y, Anchor::Start, label);
    x += width;
  }
  return rows;
}

}  // namespace driftless
