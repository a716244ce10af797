#include "driftless/solution/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/polyline.hpp"

namespace driftless {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return empty() ? 0.0 : high - low; }
  Range joined(const Range& other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
};

// Beyond this a difference of two values may overflow: such curves are divided by a power of ten.
constexpr double largest_drawable = 1e300;
constexpr int power_of_huge_curves = 20;

// Points without a value count as gaps.
Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double v : values) {
    if (std::isfinite(v)) range = range.joined({v, v});
  }
  return range;
}

struct Curve {
  std::string name, unit;
  std::vector<double> values;
  Range range;
  int power = 0;  // the values were divided by 10^power
};

// A panel has curves over time, or one curve over `abscissa`.
struct Panel {
  std::optional<Curve> abscissa;
  std::vector<Curve> curves;
  Range range;
};

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

Curve curve_of(const Solution& solution, const std::string& name) {
  const auto k = solution.find(name);
  const std::string_view unit = k ? std::string_view(solution.columns[*k].unit) : "s";  // only time is no column
  Curve curve{name, std::string(unit), solution.column(name), {}};
  curve.range = range_of(curve.values);
  if (std::max(std::abs(curve.range.low), std::abs(curve.range.high)) > largest_drawable && !curve.range.empty()) {
    curve.power = power_of_huge_curves;
    for (double& v : curve.values) v /= std::pow(10.0, curve.power);
    curve.range = range_of(curve.values);
  }
  return curve;
}

// Does the variation of every curve stay visible if these share a panel? Curves that hardly move are
// judged by their place alone.
bool comparable(const Panel& panel, const Curve& curve) {
  constexpr double largest_ratio = 50.0;
  const double whole = panel.range.joined(curve.range).span();
  const auto visible = [&](const Curve& c) {
    const double magnitude = std::max(std::abs(c.range.low), std::abs(c.range.high));
    const double size = c.range.span() > 1e-6 * magnitude ? c.range.span() : magnitude;
    return c.range.empty() || size == 0.0 || whole <= largest_ratio * size;
  };
  return visible(curve) && std::all_of(panel.curves.begin(), panel.curves.end(), visible);
}

std::vector<Panel> panels_of(const Solution& solution, const std::vector<CurveNames>& curves) {
  std::vector<Panel> over_time, phase;
  for (const CurveNames& names : curves) {
    Curve curve = curve_of(solution, names.y);
    if (!names.over_time()) {
      const Range range = curve.range;
      phase.push_back({curve_of(solution, names.x), {std::move(curve)}, range});
      continue;
    }
    const auto home = std::find_if(over_time.begin(), over_time.end(), [&](const Panel& panel) {
      return panel.curves.size() < curve_colours && panel.curves[0].unit == curve.unit &&
             panel.curves[0].power == curve.power && comparable(panel, curve);
    });
    Panel& panel = home != over_time.end() ? *home : over_time.emplace_back();
    panel.range = panel.range.joined(curve.range);
    panel.curves.push_back(std::move(curve));
  }
  std::move(phase.begin(), phase.end(), std::back_inserter(over_time));
  return over_time;
}

Axis axis_of(const Range& range, int power, double pixels, double pixels_per_tick, bool padded) {
  const int most = std::max(2, static_cast<int>(pixels / pixels_per_tick));
  const Range shown = range.empty() ? Range{0.0, 1.0} : range;
  return padded ? make_padded_axis(shown.low, shown.high, most, power) : make_axis(shown.low, shown.high, most, power);
}

void draw_curve(Svg& svg, const Frame& frame, const std::vector<double>& x_values, const Curve& curve,
                std::size_t colour, bool ascending) {
  std::vector<double> x(x_values.size()), y(x_values.size());
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = frame.to_x(x_values[k]);
    y[k] = frame.to_y(curve.values[k]);
  }
  svg.path(curve_tint(colour), ascending ? series_path(x, y) : orbit_path(x, y));
}

std::vector<std::string> names_of(const Panel& panel) {
  std::vector<std::string> names;
  for (const Curve& curve : panel.curves) names.push_back(curve.name);
  return names;
}

void draw_pivots(Svg& svg, const Frame& frame, const std::vector<Pivot>& pivots) {
  double last = -1.0;
  for (const Pivot& pivot : pivots) {
    const double x = frame.to_x(pivot.time);
    // One mark per three pixels is all that can be told apart.
    if (!(x >= frame.box.left && x <= frame.box.right()) || (last >= 0.0 && x - last < 3.0)) continue;
    last = x;
    svg.path("dl-pivot", fmt::format("M{},{}l-3.5,6h7z", coordinate(x), coordinate(frame.box.bottom() - 6)),
             fmt::format("t = {:.6g}: {} instead of {}", pivot.time, pivot.in, pivot.out));
  }
}

std::string axis_title(const std::string& name, const std::string& unit, const Axis& axis) {
  return with_unit(name, unit) + (axis.shared.empty() ? "" : "  " + axis.shared);
}

class Plot {
 public:
  Plot(const Solution& solution, const PlotOptions& options)
      : solution_(solution),
        time_(curve_of(solution, "time")),
        options_(options),
        width_(std::max(options.width, 320)) {}

  std::string draw(const std::vector<Panel>& panels) {
    const std::string title = options_.title.empty() ? solution_.model : options_.title;
    double top = 14.0;
    if (!title.empty()) {
      svg_.text("dl-title", 16, 26, Anchor::Start, title);
      top = 40.0;
    }
    const auto is_phase = [](const Panel& panel) { return panel.abscissa.has_value(); };
    const auto first_phase = std::find_if(panels.begin(), panels.end(), is_phase);
    const auto over_time = static_cast<std::size_t>(first_phase - panels.begin());
    panel_height_ = over_time <= 1 ? 300.0 : over_time == 2 ? 210.0 : over_time <= 5 ? 160.0 : 130.0;
    for (std::size_t k = 0; k < over_time; ++k) top = time_panel(panels[k], top, k + 1 == over_time);
    for (std::size_t k = over_time; k < panels.size(); ++k) top = phase_panel(panels[k], top);
    const double used = over_time > 0 ? width_ : std::max(phase_right_, 32 + 1.3 * text_width(title));
    return svg_.finish(used, top + 6, title, options_.theme, curve_tints());
  }

 private:
  // Returns where the next panel may begin.
  double time_panel(const Panel& panel, double top, bool last) {
    const Axis y_axis = axis_of(panel.range, panel.curves[0].power, panel_height_, 26.0, true);
    const std::string& unit = panel.curves[0].unit;
    std::string head = unit.empty() ? "" : "[" + unit + "]";
    if (!y_axis.shared.empty()) head += (head.empty() ? "" : "  ") + y_axis.shared;

    const double baseline = top + 14;
    const double legend_left = std::max(left_, 16 + text_width(head) + (head.empty() ? 0 : 14));
    const int rows = draw_legend(svg_, names_of(panel), legend_left, width_ - right_, baseline);
    if (!head.empty()) svg_.text("dl-faint", 16, baseline, Anchor::Start, head);

    const Box box{left_, baseline + (rows - 1) * legend_row + 10, width_ - left_ - right_, panel_height_};
    const Frame frame{box, axis_of(time_.range, time_.power, box.width, 90.0, false), y_axis};
    draw_frame(svg_, frame, last);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      draw_curve(svg_, frame, time_.values, panel.curves[k], k, true);
    }
    if (!last) return box.bottom() + 12;

    const bool pivots = options_.pivots && !solution_.pivots.empty();
    if (pivots) draw_pivots(svg_, frame, solution_.pivots);
    const double caption = box.bottom() + 38;
    svg_.text("dl-text", box.left + box.width / 2, caption, Anchor::Middle, axis_title("time", "s", frame.x));
    if (pivots) svg_.text("dl-faint", box.right(), caption, Anchor::End, "▲ change of states");
    return caption + 14;
  }

  double phase_panel(const Panel& panel, double top) {
    const Curve& x = *panel.abscissa;
    const Curve& y = panel.curves[0];
    Box box{left_, top + 26, width_ - left_ - right_, 380.0};

    // Same unit and similar extent: a picture in space, drawn true to scale.
    const double ratio = x.range.span() > 0.0 ? y.range.span() / x.range.span() : 0.0;
    if (x.unit == y.unit && x.power == y.power && ratio >= 0.2 && ratio <= 5.0) {
      const double scale = std::min(box.width / x.range.span(), box.height / y.range.span());
      box.width = scale * x.range.span();
      box.height = scale * y.range.span();
    } else {
      box.width = std::min(box.width, 560.0);
    }
    const Frame frame{box, axis_of(x.range, x.power, box.width, 80.0, true),
                      axis_of(y.range, y.power, box.height, 40.0, true)};
    svg_.text("dl-text", 16, top + 14, Anchor::Start, axis_title(y.name, y.unit, frame.y));
    draw_frame(svg_, frame, true);
    draw_curve(svg_, frame, x.values, y, 0, false);
    phase_right_ = std::max(phase_right_, box.right() + right_);
    const double caption = box.bottom() + 38;
    svg_.text("dl-text", box.left + box.width / 2, caption, Anchor::Middle, axis_title(x.name, x.unit, frame.x));
    return caption + 14;
  }

  const Solution& solution_;
  const Curve time_;
  const PlotOptions& options_;
  double width_, left_ = 64.0, right_ = 28.0;
  double panel_height_ = 300.0, phase_right_ = 0.0;
  Svg svg_;
};

}  // namespace

std::optional<std::string> plot_problem(const Solution& solution, const std::vector<std::string>& names) {
  const auto curves = curves_of(solution.columns, names);
  if (const auto* problem = std::get_if<std::string>(&curves)) return *problem;
  return std::nullopt;
}

std::string plot_svg(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options) {
  const auto curves = curves_of(solution.columns, names);
  if (const auto* problem = std::get_if<std::string>(&curves)) throw std::invalid_argument(*problem);
  return Plot(solution, options).draw(panels_of(solution, std::get<std::vector<CurveNames>>(curves)));
}

}  // namespace driftless
