#include "driftless/solution/plot_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/panels.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/polyline.hpp"
#include "driftless/solution/time_marks.hpp"

namespace driftless {
namespace {

std::string with_unit(const std::string& name, const std::string& unit) {
  return unit.empty() ? name : name + " [" + unit + "]";
}

// A curve on the screen.
struct Drawn {
  std::vector<double> x, y;
};

Drawn on_screen(const Frame& frame, const std::vector<double>& x_values, const std::vector<double>& y_values,
                double base = 0.0) {
  Drawn drawn{std::vector<double>(x_values.size()), std::vector<double>(x_values.size())};
  for (std::size_t k = 0; k < x_values.size(); ++k) {
    drawn.x[k] = frame.to_x(x_values[k]);
    drawn.y[k] = frame.to_y(base + y_values[k]);
  }
  return drawn;
}

void draw_jumps(Svg& svg, const Drawn& drawn, const std::vector<std::size_t>& jumps, std::size_t colour) {
  if (!jumps.empty()) svg.path(curve_tint(colour) + " dl-jump", jump_path(drawn.x, drawn.y, jumps));
}

std::vector<std::string> names_of(const Panel& panel) {
  std::vector<std::string> names;
  for (const Curve& curve : panel.curves) names.push_back(curve.name);
  return names;
}

std::string axis_title(const std::string& name, const std::string& unit, const Axis& axis) {
  return with_unit(name, unit) + (axis.shared.empty() ? "" : "  " + axis.shared);
}

// At the left of a panel. Numbers always fit; names of values may be longer.
double room_for_labels(const Panel& panel) {
  double room = 0.0;
  if (panel.kind() == Column::Discrete::Enumeration)
    for (const Tick& tick : y_axis_of(panel, 100.0).ticks) room = std::max(room, 24 + text_width(tick.label));
  return room;
}

constexpr std::size_t most_jumps_of_an_orbit = 200;

class Plot {
 public:
  Plot(const Solution& solution, const PlotOptions& options)
      : solution_(solution),
        time_(curve_of(solution, "time")),
        options_(options),
        width_(std::max(options.width, 320)),
        has_events_(!event_times(solution).empty()) {}

  std::string draw(const std::vector<Panel>& panels) {
    const std::string title = options_.title.empty() ? solution_.model : options_.title;
    for (const Panel& panel : panels) left_ = std::max(left_, room_for_labels(panel));
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
    std::vector<Tint> tints(curve_tints().begin(), curve_tints().end());
    if (has_events_) tints.insert(tints.end(), event_tints().begin(), event_tints().end());
    return svg_.finish(used, top + 6, title, options_.theme, tints);
  }

 private:
  // Returns where the next panel may begin.
  double time_panel(const Panel& panel, double top, bool last) {
    const double height = height_of(panel, panel_height_);
    const Axis y_axis = y_axis_of(panel, height);
    const std::string& unit = panel.curves[0].unit;
    std::string head = unit.empty() ? "" : "[" + unit + "]";
    if (!y_axis.shared.empty()) head += (head.empty() ? "" : "  ") + y_axis.shared;

    const double baseline = top + 14;
    const double legend_left = std::max(left_, 16 + text_width(head) + (head.empty() ? 0 : 14));
    const int rows = draw_legend(svg_, names_of(panel), legend_left, width_ - right_, baseline);
    if (!head.empty()) svg_.text("dl-faint", 16, baseline, Anchor::Start, head);

    const Box box{left_, baseline + (rows - 1) * legend_row + 10, width_ - left_ - right_, height};
    const Frame frame{box, axis_of(time_.range, time_.power, box.width, 90.0, false), y_axis};
    draw_frame(svg_, frame, last);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) draw_over_time(frame, panel, k);
    if (!last) return box.bottom() + 12;

    const double caption = box.bottom() + 38;
    svg_.text("dl-text", box.left + box.width / 2, caption, Anchor::Middle, axis_title("time", "s", frame.x));
    draw_marks(frame, caption);
    return caption + 14;
  }

  // Discrete variables are staircases. A jump of another variable is a dashed line: it was not there in between.
  void draw_over_time(const Frame& frame, const Panel& panel, std::size_t k) {
    constexpr double apart = 3.0;  // pixels
    const Curve& curve = panel.curves[k];
    const Drawn drawn = on_screen(frame, time_.values, curve.values, panel.lane_base(k));
    const std::vector<std::size_t> jumps = visible_jumps(time_.values, drawn.x, drawn.y, apart);
    if (!curve.is_discrete()) draw_jumps(svg_, drawn, jumps, k);
    svg_.path(curve_tint(k),
              series_path(drawn.x, drawn.y, jumps, curve.is_discrete() ? AtBreak::Corner : AtBreak::Gap));
  }

  void draw_marks(const Frame& frame, double caption) {
    double right = frame.box.right();
    if (options_.pivots && !solution_.pivots.empty()) {
      constexpr std::string_view legend = "▲ change of states";
      draw_pivots(svg_, frame, solution_.pivots);
      svg_.text("dl-faint", right, caption, Anchor::End, legend);
      right -= text_width(legend) + 18;
    }
    if (!has_events_) return;
    draw_events(svg_, frame, solution_);
    svg_.text("dl-faint", right, caption, Anchor::End, "event");
    svg_.rect("dl-event", right - 1.12 * text_width("event") - 7, caption - 9, 1.2, 9);
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
    const Drawn drawn = on_screen(frame, x.values, y.values);
    std::vector<std::size_t> jumps = visible_jumps(solution_.times, drawn.x, drawn.y, 0.0);
    if (jumps.size() > most_jumps_of_an_orbit) jumps.clear();
    draw_jumps(svg_, drawn, jumps, 0);
    svg_.path(curve_tint(0), orbit_path(drawn.x, drawn.y, jumps));
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
  bool has_events_;
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
