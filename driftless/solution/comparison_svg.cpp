#include "driftless/solution/comparison_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/solution/frame.hpp"
#include "driftless/solution/polyline.hpp"

namespace driftless {
namespace {

// Residuals and errors below are rounding errors; zero has no place on a logarithmic axis.
constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr double left = 64.0, right = 28.0;
constexpr double panel_height = 260.0;

// The runs of one formulation, in the order of the tolerances.
struct Group {
  std::string formulation;
  std::vector<const ComparedRun*> runs;
};

std::vector<Group> groups_of(const Comparison& comparison) {
  std::vector<Group> groups;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    if (groups.empty() || groups.back().formulation != run.formulation) groups.push_back({run.formulation, {}});
    groups.back().runs.push_back(&run);
  }
  return groups;
}

class Extent {
 public:
  void see(double value) {
    if (!std::isfinite(value) || value <= 0.0) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool empty() const { return low_ > high_; }
  Axis axis(double pixels, double pixels_per_tick) const {
    return make_logarithmic_axis(low_, high_, std::max(2, static_cast<int>(pixels / pixels_per_tick)));
  }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = 0.0;
};

double drawn(double size) { return size < rounding ? rounding : size; }  // NaN stays: a gap

// The largest residual within each stretch of a few pixels: the size of the residual without its many zeros.
void trace_envelope(const Frame& frame, const ComparedRun& run, std::vector<double>& x, std::vector<double>& y) {
  const double stretches = std::ceil(frame.box.width / 6.0);
  double last = -1.0;
  for (std::size_t row = 0; row < run.residual.size(); ++row) {
    const double at_x = frame.to_x(run.times[row]), at_y = frame.to_y(drawn(run.residual[row]));
    const double number = std::min(std::floor(frame.x.fraction(run.times[row]) * stretches), stretches - 1.0);
    if (number != last) {
      x.push_back(at_x), y.push_back(at_y);
    } else if (at_y < y.back() || std::isnan(at_y)) {
      x.back() = at_x, y.back() = at_y;
    }
    last = number;
  }
}

struct Page {
  Svg svg{};
  double width = 0.0;
  double top = 0.0;

  Box box() const { return {left, top + 26, width - left - right, panel_height}; }
  void finish_panel(const std::string& title, const Box& box, const std::string& abscissa) {
    svg.text("dl-text", 16, top + 14, Anchor::Start, title);
    svg.text("dl-text", box.left + box.width / 2, box.bottom() + 38, Anchor::Middle, abscissa);
    top = box.bottom() + 58;
  }
};

void draw_drift(Page& page, const Comparison& comparison, const std::vector<Group>& groups) {
  Extent residuals;
  for (const Group& group : groups)
    for (const double residual : group.runs[0]->residual) residuals.see(drawn(residual));
  if (residuals.empty()) return;

  const Box box = page.box();
  const Axis time = make_axis(comparison.start, comparison.stop, std::max(2, static_cast<int>(box.width / 90.0)));
  const Frame frame{box, time, residuals.axis(box.height, 26.0)};
  draw_frame(page.svg, frame, true);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    std::vector<double> x, y;
    trace_envelope(frame, *groups[k].runs[0], x, y);
    page.svg.path(curve_tint(k), series_path(x, y), groups[k].formulation);
  }
  const std::string tolerance = tolerance_text(groups[0].runs[0]->tolerance);
  page.finish_panel("largest residual of the constraints as written, tolerance " + tolerance, box,
                    "time [s]" + (time.shared.empty() ? "" : "  " + time.shared));
}

void draw_marker(Svg& svg, std::size_t k, double x, double y, const std::string& tooltip) {
  constexpr std::string_view circle = "a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0";
  svg.path(curve_tint(k), fmt::format("M{},{}{}", coordinate(x - 3.5), coordinate(y), circle), tooltip);
}

void draw_work(Page& page, const std::vector<Group>& groups) {
  Extent work, errors;
  const auto has_place = [](const ComparedRun& run) {
    return run.succeeded() && std::isfinite(run.error) && run.statistics.residual_evaluations > 0;
  };
  for (const Group& group : groups) {
    for (const ComparedRun* run : group.runs) {
      if (!has_place(*run)) continue;
      work.see(static_cast<double>(run->statistics.residual_evaluations));
      errors.see(drawn(run->error));
    }
  }
  if (work.empty()) return;

  const Box box = page.box();
  const Frame frame{box, work.axis(box.width, 60.0), errors.axis(box.height, 26.0)};
  draw_frame(page.svg, frame, true);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    std::vector<double> x, y;
    for (const ComparedRun* run : groups[k].runs) {
      if (!has_place(*run)) continue;
      x.push_back(frame.to_x(static_cast<double>(run->statistics.residual_evaluations)));
      y.push_back(frame.to_y(drawn(run->error)));
      draw_marker(page.svg, k, x.back(), y.back(),
                  fmt::format("{}, tolerance {}", run->formulation, tolerance_text(run->tolerance)));
    }
    if (x.size() > 1) page.svg.path(curve_tint(k), orbit_path(x, y), groups[k].formulation);
  }
  page.finish_panel("error against the accurate run", box, "residual evaluations");
}

}  // namespace

std::string comparison_svg(const Comparison& comparison, const ComparisonPlotOptions& options) {
  const std::vector<Group> groups = groups_of(comparison);
  Page page;
  page.width = std::max(options.width, 480);
  page.svg.text("dl-title", 16, 26, Anchor::Start, comparison.model);
  std::vector<std::string> names;
  for (const Group& group : groups) names.push_back(group.formulation);
  const double baseline = 52.0;
  page.top = baseline + draw_legend(page.svg, names, 16, page.width - right, baseline) * legend_row;
  draw_drift(page, comparison, groups);
  draw_work(page, groups);
  return page.svg.finish(page.width, page.top, comparison.model, options.theme, curve_tints());
}

}  // namespace driftless
