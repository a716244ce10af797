#include "driftless/reproduce/figure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/polyline.hpp"

namespace driftless::reproduce {
namespace {

constexpr double page_width = 860.0, margin = 16.0, axis_room = 52.0, gap = 24.0;
constexpr double panel_height = 260.0, head = 26.0, foot = 50.0;

// A logarithmic axis cannot show zero, and smaller values are rounding errors.
constexpr double rounding = std::numeric_limits<double>::epsilon();

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void see(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

int ticks(double pixels, double pixels_per_tick) { return std::max(2, static_cast<int>(pixels / pixels_per_tick)); }

Frame frame_of(const Panel& panel, const Box& box) {
  Extent x, y;
  for (const Curve& curve : panel.curves) {
    for (const double value : curve.x) x.see(value);
    for (const double value : curve.y) y.see(panel.ordinate == Scale::Logarithmic ? std::max(value, rounding) : value);
  }
  if (panel.orbit) {
    const double reach = 1.05 * std::max({-x.low, x.high, -y.low, y.high});
    const double wide = box.width / box.height;
    return {box, make_axis(-reach * wide, reach * wide, ticks(box.width, 60.0)),
            make_axis(-reach, reach, ticks(box.height, 40.0))};
  }
  const Axis abscissa = make_axis(x.low, x.high, ticks(box.width, 90.0));
  return {box, abscissa,
          panel.ordinate == Scale::Logarithmic
              ? make_logarithmic_axis(std::max(y.low, rounding), y.high, ticks(box.height, 26.0))
              : make_padded_axis(y.low, y.high, ticks(box.height, 40.0))};
}

void draw_panel(Svg& svg, const Panel& panel, const Box& box) {
  const Frame frame = frame_of(panel, box);
  draw_frame(svg, frame, true);
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const Curve& curve = panel.curves[k];
    std::vector<double> x, y;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      x.push_back(frame.to_x(curve.x[i]));
      y.push_back(frame.to_y(panel.ordinate == Scale::Logarithmic ? std::max(curve.y[i], rounding) : curve.y[i]));
    }
    svg.path(curve_tint(k), panel.orbit ? orbit_path(x, y) : series_path(x, y), curve.name);
  }
  svg.text("dl-text", box.left, box.top - 10, Anchor::Start,
           panel.title + (frame.y.shared.empty() ? "" : "  " + frame.y.shared));
  svg.text("dl-text", box.left + box.width / 2, box.bottom() + 36, Anchor::Middle, panel.abscissa);
}

std::vector<std::string> names_of(const Figure& figure) {
  std::vector<std::string> names;
  for (const Curve& curve : figure.panels.front().curves) names.push_back(curve.name);
  return names;
}

}  // namespace

std::string figure_svg(const Figure& figure, Theme theme) {
  Svg svg;
  svg.text("dl-title", margin, 26, Anchor::Start, figure.title);
  double top = 40.0;
  if (const auto names = names_of(figure); names.size() > 1)
    top += draw_legend(svg, names, margin, page_width - margin, 52.0) * legend_row;
  const double columns = figure.columns;
  const double width = (page_width - 2 * margin - columns * axis_room - (columns - 1) * gap) / columns;
  const double height = figure.panels.front().orbit && figure.columns > 1 ? width : panel_height;
  for (std::size_t k = 0; k < figure.panels.size(); ++k) {
    const auto column = static_cast<double>(k % static_cast<std::size_t>(figure.columns));
    const auto row = static_cast<double>(k / static_cast<std::size_t>(figure.columns));
    const double left = margin + axis_room + column * (width + axis_room + gap);
    draw_panel(svg, figure.panels[k], {left, top + head + row * (head + height + foot), width, height});
  }
  const auto rows = std::ceil(static_cast<double>(figure.panels.size()) / columns);
  return svg.finish(page_width, top + rows * (head + height + foot), figure.title, theme, curve_tints());
}

}  // namespace driftless::reproduce
