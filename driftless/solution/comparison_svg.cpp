#include "driftless/solution/comparison_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/solution/characters.hpp"
#include "driftless/solution/frame.hpp"
#include "driftless/solution/polyline.hpp"

namespace driftless {
namespace {

// Smaller residuals and errors are drawn as this: they are rounding errors, and a logarithmic axis cannot show zero.
constexpr double rounding = std::numeric_limits<double>::epsilon();

constexpr double left = 64.0, right = 28.0;
constexpr std::size_t longest_end_label = 20;  // characters; names are written beside the panels over time
constexpr double end_label_width = 150.0;
constexpr double panel_height = 260.0;

// Runs that differ in their tolerances or step sizes only, ordered by these.
struct Group {
  std::string name, style = {}, tint = {};  // the tint is the style without dashes
  std::size_t marker = 0;
  std::vector<const ComparedRun*> runs = {};
};

// The place of a word among those seen so far.
std::size_t place_of(const std::string& word, std::vector<std::string>& seen) {
  const auto found = std::ranges::find(seen, word);
  if (found != seen.end()) return static_cast<std::size_t>(found - seen.begin());
  seen.push_back(word);
  return seen.size() - 1;
}

// Colours distinguish formulations and dashes the methods; if there is only one formulation, or one method, colours and
// dashes change together, so that coinciding curves and those with repeated colours remain visible. Each also has its
// own marker.
void set_styles(std::vector<Group>& groups, const Varying& varies) {
  std::vector<std::string> colours, dashes;
  for (Group& group : groups) {
    const ComparedRun& run = *group.runs[0];
    const std::string method = name_of(run, {.method = varies.method, .projection = varies.projection});
    const std::size_t colour = place_of(varies.formulation ? run.formulation : method, colours);
    const bool both = varies.formulation && (varies.method || varies.projection);
    const std::size_t dash = both ? place_of(method, dashes) : colour;
    const auto number = static_cast<std::size_t>(&group - groups.data());
    group.tint = curve_tint(colour);
    group.style = curve_style(colour, dash + colour / curve_colours);
    group.marker = number + number / curve_colours;
  }
}

std::vector<Group> groups_of(const Comparison& comparison) {
  const Varying varies = varying(comparison);
  std::vector<Group> groups;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    const std::string name = name_of(run, varies);
    if (groups.empty() || groups.back().name != name) groups.push_back({.name = name});
    groups.back().runs.push_back(&run);
  }
  set_styles(groups, varies);
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
  double high() const { return high_; }
  Axis axis(double pixels, double pixels_per_tick) const {
    return make_logarithmic_axis(low_, high_, std::max(2, static_cast<int>(pixels / pixels_per_tick)));
  }

 private:
  double low_ = std::numeric_limits<double>::infinity(), high_ = 0.0;
};

double drawn(double size) { return size < rounding ? rounding : size; }  // NaN stays: a gap

// The largest value within each stretch of a few pixels: the size of a residual without its many zeros.
void trace_envelope(const Frame& frame, const std::vector<double>& times, const std::vector<double>& sizes,
                    std::vector<double>& x, std::vector<double>& y) {
  const double stretches = std::ceil(frame.box.width / 6.0);
  double last = -1.0;
  for (std::size_t row = 0; row < sizes.size(); ++row) {
    const double at_x = frame.to_x(times[row]), at_y = std::min(frame.to_y(drawn(sizes[row])), frame.box.bottom());
    const double number = std::min(std::floor(frame.x.fraction(times[row]) * stretches), stretches - 1.0);
    if (number != last) {
      x.push_back(at_x), y.push_back(at_y);
    } else if (at_y < y.back() || std::isnan(at_y)) {
      x.back() = at_x, y.back() = at_y;
    }
    last = number;
  }
}

// Names at the right end of their curves, in the order of the ends and far enough apart to be read.
struct EndLabel {
  double y;
  std::string name, tint;
};
void draw_end_labels(Svg& svg, const Box& box, std::vector<EndLabel> labels) {
  constexpr double height = 13.0;
  std::ranges::stable_sort(labels, {}, &EndLabel::y);
  const double lowest = box.bottom() + 12.0 - height * static_cast<double>(labels.size() - 1);
  double next = box.top;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    const double y = std::min(std::max(labels[k].y, next), lowest + height * static_cast<double>(k));
    svg.path(labels[k].tint, fmt::format("M{},{}L{},{}", coordinate(box.right() + 2), coordinate(labels[k].y),
                                         coordinate(box.right() + 12), coordinate(y)));
    svg.text("dl-faint", box.right() + 16, y + 4, Anchor::Start, shortened(labels[k].name, longest_end_label));
    next = y + height;
  }
}

struct Page {
  Svg svg{};
  double width = 0.0;
  double top = 0.0;

  Box box() const { return {left, top + 26, width - left - right, panel_height}; }
  Box box_with_labels() const { return {left, top + 26, width - left - end_label_width, panel_height}; }
  void finish_panel(const std::string& title, const Box& box, const std::string& abscissa) {
    svg.text("dl-text", 16, top + 14, Anchor::Start, title);
    svg.text("dl-text", box.left + box.width / 2, box.bottom() + 38, Anchor::Middle, abscissa);
    top = box.bottom() + 58;
  }
};

// Draws a deviation from zero over time, for the first run of every group. `series` may be empty for a run. The zero at
// the start cannot be drawn on the axis. If it is zero everywhere nothing is drawn.
template <class Series>
void draw_over_time(Page& page, const Comparison& comparison, const std::vector<Group>& groups,
                    const std::string& title, Series series) {
  Extent sizes;
  for (const Group& group : groups) {
    const std::vector<double>& all = series(*group.runs[0]);
    for (std::size_t row = 1; row < all.size(); ++row) sizes.see(drawn(all[row]));
  }
  if (sizes.empty() || sizes.high() <= rounding) return;

  const Box box = page.box_with_labels();
  const Axis time = make_axis(comparison.start, comparison.stop, std::max(2, static_cast<int>(box.width / 90.0)));
  const Frame frame{box, time, sizes.axis(box.height, 26.0)};
  draw_frame(page.svg, frame, true);
  std::vector<EndLabel> ends;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    std::vector<double> x, y;
    trace_envelope(frame, groups[k].runs[0]->times, series(*groups[k].runs[0]), x, y);
    page.svg.path(groups[k].style, series_path(x, y), groups[k].name);
    if (!x.empty() && std::isfinite(y.back()) && x.back() > box.right() - 8.0)
      ends.push_back({y.back(), groups[k].name, groups[k].tint});
  }
  if (!ends.empty()) draw_end_labels(page.svg, box, std::move(ends));
  page.finish_panel(fmt::format("{}, {}", title, setting_text(*groups[0].runs[0])), box,
                    "time [s]" + (time.shared.empty() ? "" : "  " + time.shared));
}

void draw_drift(Page& page, const Comparison& comparison, const std::vector<Group>& groups) {
  draw_over_time(page, comparison, groups, "largest residual of the constraints as written",
                 [](const ComparedRun& run) -> const std::vector<double>& { return run.residual; });
}

void draw_invariants(Page& page, const Comparison& comparison, const std::vector<Group>& groups) {
  static const std::vector<double> nothing;
  for (std::size_t k = 0; k < comparison.invariants.size(); ++k)
    draw_over_time(page, comparison, groups, "change of " + comparison.invariants[k],
                   [k](const ComparedRun& run) -> const std::vector<double>& {
                     return k < run.changes.size() ? run.changes[k].over_time : nothing;
                   });
}

void draw_marker(Svg& svg, const Group& group, double x, double y, const std::string& tooltip) {
  svg.path(group.tint, marker_path(group.marker, x, y), tooltip);
}

void draw_work(Page& page, const Comparison& comparison, const std::vector<Group>& groups) {
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
      draw_marker(page.svg, groups[k], x.back(), y.back(), fmt::format("{}, {}", groups[k].name, setting_text(*run)));
    }
    if (x.size() > 1) page.svg.path(groups[k].style, orbit_path(x, y), groups[k].name);
  }
  const std::string& file = comparison.reference_file;
  page.finish_panel("error against " + (file.empty() ? "the accurate run" : file), box, "residual evaluations");
}

}  // namespace

std::string comparison_svg(const Comparison& comparison, const ComparisonPlotOptions& options) {
  const std::vector<Group> groups = groups_of(comparison);
  Page page;
  page.width = std::max(options.width, 480);
  page.svg.text("dl-title", 16, 26, Anchor::Start, comparison.model);
  std::vector<LegendEntry> names;
  for (const Group& group : groups) names.push_back({group.name, group.style, group.tint, group.marker});
  const double baseline = 52.0;
  page.top = baseline + draw_legend(page.svg, names, 16, page.width - right, baseline) * legend_row;
  draw_drift(page, comparison, groups);
  draw_invariants(page, comparison, groups);
  draw_work(page, comparison, groups);
  return page.svg.finish(page.width, page.top, comparison.model, options.theme, curve_tints());
}

}  // namespace driftless
