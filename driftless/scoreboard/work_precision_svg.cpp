#include "driftless/scoreboard/work_precision_svg.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/solution/comparison.hpp"
#include "driftless/solution/frame.hpp"

namespace driftless::scoreboard {
namespace {

constexpr double page_width = 860.0, page_margin = 16.0, left = 52.0, right = 24.0, panel_height = 360.0;

struct Trace {
  std::string method, style, tint;
  std::vector<const Entry*> entries;
};

// Colours distinguish methods; where they repeat, dashes do.
std::vector<Trace> traces_of(const Sheet& sheet) {
  std::vector<Trace> traces;
  for (const Entry& entry : sheet.entries) {
    if (!entry.succeeded() || !std::isfinite(entry.digits) || entry.seconds <= 0.0) continue;
    if (traces.empty() || traces.back().method != entry.method) {
      const std::size_t k = traces.size();
      traces.push_back({entry.method, curve_style(k, k / curve_colours), curve_tint(k), {}});
    }
    traces.back().entries.push_back(&entry);
  }
  return traces;
}

Frame frame_of(const std::vector<Trace>& traces, const Box& box) {
  double fastest = std::numeric_limits<double>::infinity(), slowest = 0.0, fewest = fastest, most = -fastest;
  for (const Trace& trace : traces)
    for (const Entry* entry : trace.entries) {
      fastest = std::min(fastest, 1e3 * entry->seconds);
      slowest = std::max(slowest, 1e3 * entry->seconds);
      fewest = std::min(fewest, entry->digits);
      most = std::max(most, entry->digits);
    }
  return {box, make_logarithmic_axis(fastest, slowest, static_cast<int>(box.width / 60.0)),
          make_axis(std::floor(fewest), std::floor(most) + 1.0, static_cast<int>(box.height / 24.0))};
}

void draw_marker(Svg& svg, const std::string& tint, double x, double y, const std::string& tooltip) {
  constexpr double radius = 3.5;
  svg.path(tint,
           fmt::format("M{0},{1}a{2},{2} 0 1,0 {3},0a{2},{2} 0 1,0 -{3},0", coordinate(x - radius), coordinate(y),
                       radius, 2 * radius),
           tooltip);
}

// Straight between the tolerances.
std::string broken_line(const Frame& frame, const Trace& trace) {
  std::string path;
  for (const Entry* entry : trace.entries)
    path += fmt::format("{}{},{}", path.empty() ? "M" : "L", coordinate(frame.to_x(1e3 * entry->seconds)),
                        coordinate(frame.to_y(entry->digits)));
  return path;
}

}  // namespace

std::string work_precision_svg(const Sheet& sheet, Theme theme) {
  const std::vector<Trace> traces = traces_of(sheet);
  const std::string title = fmt::format("{}, digits at t = {:g}", sheet.model, sheet.stop);
  Svg svg;
  svg.text("dl-title", page_margin, 26, Anchor::Start, title);
  if (traces.empty()) return svg.finish(page_width, 40.0, title, theme, curve_tints());

  std::vector<LegendEntry> names;
  for (const Trace& trace : traces) names.push_back({trace.method, trace.style});
  const double baseline = 52.0;
  const double top = baseline + draw_legend(svg, names, page_margin, page_width - page_margin, baseline) * legend_row;
  const Box box{left, top, page_width - left - right, panel_height};
  const Frame frame = frame_of(traces, box);
  draw_frame(svg, frame, true);
  for (const Trace& trace : traces) {
    svg.path(trace.style, broken_line(frame, trace), trace.method);
    for (const Entry* entry : trace.entries)
      draw_marker(svg, trace.tint, frame.to_x(1e3 * entry->seconds), frame.to_y(entry->digits),
                  fmt::format("{}, tolerance {}: {:.1f} digits, {:.3g} ms", trace.method,
                              tolerance_text(entry->tolerance), entry->digits, 1e3 * entry->seconds));
  }
  svg.text("dl-text", box.left + box.width / 2, box.bottom() + 38, Anchor::Middle, "time of the integration [ms]");
  return svg.finish(page_width, box.bottom() + 54, title, theme, curve_tints());
}

}  // namespace driftless::scoreboard
