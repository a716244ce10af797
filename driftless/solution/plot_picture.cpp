#include "driftless/solution/plot_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/panels.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/polyline.hpp"
#include "driftless/solution/svg.hpp"
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

void draw_jumps(Drawing& drawing, const Drawn& drawn, const std::vector<std::size_t>& jumps, std::size_t colour) {
  if (!jumps.empty()) drawing.path(curve_tint(colour) + " dl-jump", jump_path(drawn.x, drawn.y, jumps));
}

Range range_of(const std::vector<Curve>& curves) {
  Range range;
  for (const Curve& curve : curves) range = range.joined(curve.range);
  return range;
}

// How the curves of a panel are distinguished.
struct Look {
  std::size_t colour, dash;
  std::string style() const { return curve_style(colour, dash); }
};
Look look_of(const Panel& panel, std::size_t k, std::size_t runs) {
  if (runs == 1) return {k, 0};
  const std::size_t run = panel.curves[k].run;
  if (panel.names() == 1) return {run, run + run / curve_colours};
  std::vector<std::string_view> seen;
  for (const Curve& curve : panel.curves) {
    if (std::ranges::find(seen, curve.name) == seen.end()) seen.push_back(curve.name);
    if (curve.name == panel.curves[k].name) break;
  }
  return {seen.size() - 1, run};
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
  Plot(const std::vector<PlottedRun>& runs, const PlotOptions& options)
      : runs_(runs), options_(options), width_(std::max(options.width, 320)) {
    for (const PlottedRun& run : runs) {
      times_.push_back(curve_of(*run.solution, "time"));
      has_events_ = has_events_ || !event_times(*run.solution).empty();
    }
    time_ = range_of(times_);
  }

  Picture draw(const std::vector<Panel>& panels) {
    const std::string title = options_.title.empty() ? runs_[0].solution->model : options_.title;
    for (const Panel& panel : panels) left_ = std::max(left_, room_for_labels(panel));
    double top = 14.0;
    if (!title.empty()) {
      drawing_.text("dl-title", 16, 26, Anchor::Start, title);
      top = 40.0;
    }
    const auto is_phase = [](const Panel& panel) { return !panel.abscissas.empty(); };
    const auto first_phase = std::find_if(panels.begin(), panels.end(), is_phase);
    const auto over_time = static_cast<std::size_t>(first_phase - panels.begin());
    panel_height_ = over_time <= 1 ? 300.0 : over_time == 2 ? 210.0 : over_time <= 5 ? 160.0 : 130.0;
    for (std::size_t k = 0; k < over_time; ++k) top = time_panel(panels[k], top, k + 1 == over_time);
    for (std::size_t k = over_time; k < panels.size(); ++k) top = phase_panel(panels[k], top);
    const double used = over_time > 0 ? width_ : std::max(phase_right_, 32 + 1.3 * text_width(title));
    std::vector<Tint> tints(curve_tints().begin(), curve_tints().end());
    if (has_events_) tints.insert(tints.end(), event_tints().begin(), event_tints().end());
    return {std::move(drawing_), used, top + 6, title, options_.theme, std::move(tints)};
  }

 private:
  int legend(const Panel& panel, double left, double baseline) {
    std::vector<LegendEntry> entries;
    for (std::size_t k = 0; k < panel.curves.size(); ++k) {
      const Curve& curve = panel.curves[k];
      const std::string& label = runs_[curve.run].label;
      entries.push_back({runs_.size() > 1 ? fmt::format("{} ({})", curve.name, label) : curve.name,
                         look_of(panel, k, runs_.size()).style()});
    }
    return draw_legend(drawing_, entries, left, width_ - right_, baseline);
  }

  // Returns where the next panel may begin.
  double time_panel(const Panel& panel, double top, bool last) {
    const double height = height_of(panel, panel_height_);
    const Axis y_axis = y_axis_of(panel, height);
    const std::string& unit = panel.curves[0].unit;
    std::string head = unit.empty() ? "" : "[" + unit + "]";
    if (!y_axis.shared.empty()) head += (head.empty() ? "" : "  ") + y_axis.shared;

    const double baseline = top + 14;
    const double legend_left = std::max(left_, 16 + text_width(head) + (head.empty() ? 0 : 14));
    const int rows = legend(panel, legend_left, baseline);
    if (!head.empty()) drawing_.text("dl-faint", 16, baseline, Anchor::Start, head);

    const Box box{left_, baseline + (rows - 1) * legend_row + 10, width_ - left_ - right_, height};
    const Frame frame{box, axis_of(time_, times_[0].power, box.width, 90.0, false), y_axis};
    draw_frame(drawing_, frame, last);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) draw_over_time(frame, panel, k);
    if (!last) return box.bottom() + 12;

    const double caption = box.bottom() + 38;
    drawing_.text("dl-text", box.left + box.width / 2, caption, Anchor::Middle, axis_title("time", "s", frame.x));
    draw_marks(frame, caption);
    return caption + 14;
  }

  // Discrete variables are staircases. A jump of another variable is a dashed line, as it has no values in between.
  void draw_over_time(const Frame& frame, const Panel& panel, std::size_t k) {
    constexpr double apart = 3.0;  // pixels
    const Curve& curve = panel.curves[k];
    const std::vector<double>& times = times_[curve.run].values;
    const Look look = look_of(panel, k, runs_.size());
    const Drawn drawn = on_screen(frame, times, curve.values, panel.lane_base(k));
    const std::vector<std::size_t> jumps = visible_jumps(times, drawn.x, drawn.y, apart);
    if (!curve.is_discrete()) draw_jumps(drawing_, drawn, jumps, look.colour);
    drawing_.path(look.style(),
                  series_path(drawn.x, drawn.y, jumps, curve.is_discrete() ? AtBreak::Corner : AtBreak::Gap));
  }

  void draw_marks(const Frame& frame, double caption) {
    double right = frame.box.right();
    const std::vector<Pivot>& pivots = runs_[0].solution->pivots;
    if (options_.pivots && !pivots.empty() && runs_.size() == 1) {
      constexpr std::string_view legend = "▲ change of states";
      draw_pivots(drawing_, frame, pivots);
      drawing_.text("dl-faint", right, caption, Anchor::End, legend);
      right -= text_width(legend) + 18;
    }
    if (!has_events_) return;
    for (const PlottedRun& run : runs_) draw_events(drawing_, frame, *run.solution);
    drawing_.text("dl-faint", right, caption, Anchor::End, "event");
    drawing_.rect("dl-event", right - 1.12 * text_width("event") - 7, caption - 9, 1.2, 9);
  }

  // If both axes have the same unit and similar extent, the plot is drawn true to scale.
  static void fit(Box& box, const Panel& panel, const Range& x_range) {
    const Curve &x = panel.abscissas[0], &y = panel.curves[0];
    const double ratio = x_range.span() > 0.0 ? panel.range.span() / x_range.span() : 0.0;
    if (x.unit == y.unit && x.power == y.power && ratio >= 0.2 && ratio <= 5.0) {
      const double scale = std::min(box.width / x_range.span(), box.height / panel.range.span());
      box.width = scale * x_range.span();
      box.height = scale * panel.range.span();
    } else {
      box.width = std::min(box.width, 560.0);
    }
  }

  double phase_panel(const Panel& panel, double top) {
    const Curve &x = panel.abscissas[0], &y = panel.curves[0];
    const Range x_range = range_of(panel.abscissas);
    const double legend_height = runs_.size() > 1 ? legend(panel, left_, top + 34) * legend_row + 2 : 0.0;
    Box box{left_, top + 26 + legend_height, width_ - left_ - right_, 380.0};
    fit(box, panel, x_range);
    const Frame frame{box, axis_of(x_range, x.power, box.width, 80.0, true),
                      axis_of(panel.range, y.power, box.height, 40.0, true)};
    drawing_.text("dl-text", 16, top + 14, Anchor::Start, axis_title(y.name, y.unit, frame.y));
    draw_frame(drawing_, frame, true);
    for (std::size_t k = 0; k < panel.curves.size(); ++k) draw_orbit(frame, panel, k);
    phase_right_ = std::max(phase_right_, box.right() + right_);
    const double caption = box.bottom() + 38;
    drawing_.text("dl-text", box.left + box.width / 2, caption, Anchor::Middle, axis_title(x.name, x.unit, frame.x));
    return caption + 14;
  }

  void draw_orbit(const Frame& frame, const Panel& panel, std::size_t k) {
    const Look look = look_of(panel, k, runs_.size());
    const Drawn drawn = on_screen(frame, panel.abscissas[k].values, panel.curves[k].values);
    std::vector<std::size_t> jumps = visible_jumps(runs_[k].solution->times, drawn.x, drawn.y, 0.0);
    if (jumps.size() > most_jumps_of_an_orbit) jumps.clear();
    draw_jumps(drawing_, drawn, jumps, look.colour);
    drawing_.path(look.style(), orbit_path(drawn.x, drawn.y, jumps));
  }

  const std::vector<PlottedRun>& runs_;
  std::vector<Curve> times_;  // of each run
  Range time_;
  const PlotOptions& options_;
  double width_, left_ = 64.0, right_ = 28.0;
  double panel_height_ = 300.0, phase_right_ = 0.0;
  bool has_events_ = false;
  Drawing drawing_;
};

// The curves of the first run; without names, only those that all runs have.
std::vector<CurveNames> common_curves(const std::vector<PlottedRun>& runs, const std::vector<std::string>& names) {
  const auto curves = curves_of(runs[0].solution->columns, names);
  if (const auto* problem = std::get_if<std::string>(&curves)) throw std::invalid_argument(*problem);
  std::vector<CurveNames> common = std::get<std::vector<CurveNames>>(curves);
  const auto has = [](const PlottedRun& run, const std::string& name) {
    return name == "time" || run.solution->find(name).has_value();
  };
  for (const PlottedRun& run : runs) {
    if (names.empty()) std::erase_if(common, [&](const CurveNames& curve) { return !has(run, curve.y); });
    for (const CurveNames& curve : common)
      for (const std::string& name : {curve.x, curve.y})
        if (!has(run, name))
          throw std::invalid_argument(run.label + ": " +
                                      plot_problem(*run.solution, {name}).value_or("no variable '" + name + "'"));
  }
  if (common.empty() && runs.size() > 1) throw std::invalid_argument("the runs have no variable in common");
  return common;
}

}  // namespace

std::optional<std::string> plot_problem(const Solution& solution, const std::vector<std::string>& names) {
  const auto curves = curves_of(solution.columns, names);
  if (const auto* problem = std::get_if<std::string>(&curves)) return *problem;
  return std::nullopt;
}

Picture plot_picture(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options) {
  return plot_picture(std::vector<PlottedRun>{{"", &solution}}, names, options);
}

Picture plot_picture(const std::vector<PlottedRun>& runs, const std::vector<std::string>& names,
                     const PlotOptions& options) {
  const std::vector<CurveNames> curves = common_curves(runs, names);
  std::vector<const Solution*> solutions;
  for (const PlottedRun& run : runs) solutions.push_back(run.solution);
  return Plot(runs, options).draw(panels_of(solutions, curves));
}

}  // namespace driftless
