#include "driftless/solution/time_marks.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

#include "driftless/solution/characters.hpp"
#include "driftless/solution/event_text.hpp"

namespace driftless {
namespace {

constexpr Tint event_tint_table[] = {
    {"dl-event", "fill", "#a3324c", "#ef8298"},
    {"dl-jump", "stroke-width", "1", "1"},
    {"dl-jump", "stroke-dasharray", "2.5 2.5", "2.5 2.5"},
    {"dl-jump", "stroke-linecap", "butt", "butt"},
    {"dl-jump", "stroke-opacity", "0.75", "0.75"},
};

constexpr double closest = 3.0;  // pixels: closer marks cannot be distinguished

// Events [first, last] whose marks touch.
struct Group {
  std::size_t first, last;
};

std::string tooltip(const Solution& solution, const EventText& text_of, const std::vector<double>& times,
                    const Group& group) {
  constexpr std::size_t longest = 200;
  if (group.last > group.first)
    return fmt::format("{} events, t = {:.6g} … {:.6g}", group.last - group.first + 1, times[group.first],
                       times[group.last]);
  std::string text = fmt::format("t = {:.6g}", times[group.first]);
  if (group.first >= solution.events.size()) return text;
  const Event& event = solution.events[group.first];
  if (!event.causes.empty()) text += ": " + joined(event.causes, ", ");
  for (const std::string& part : text_of.what_happened(event)) text += "; " + part;
  return shortened(text, longest);
}

}  // namespace

std::span<const Tint> event_tints() { return event_tint_table; }

void draw_pivots(Drawing& drawing, const Frame& frame, std::span<const Pivot> pivots) {
  double last = -1.0;
  for (const Pivot& pivot : pivots) {
    const double x = frame.to_x(pivot.time);
    if (!(x >= frame.box.left && x <= frame.box.right()) || (last >= 0.0 && x - last < closest)) continue;
    last = x;
    drawing.path("dl-pivot", fmt::format("M{},{}l-3.5,6h7z", coordinate(x), coordinate(frame.box.bottom() - 6)),
                 fmt::format("t = {:.6g}: {} instead of {}", pivot.time, pivot.in, pivot.out));
  }
}

std::vector<double> event_times(const Solution& solution) {
  std::vector<double> times;
  for (const Event& event : solution.events) times.push_back(event.time);
  const double known = times.empty() ? -std::numeric_limits<double>::infinity() : times.back();
  for (std::size_t k = 1; k < solution.times.size(); ++k) {
    const double t = solution.times[k];
    if (t == solution.times[k - 1] && t > known && (times.empty() || t > times.back())) times.push_back(t);
  }
  return times;
}

void draw_events(Drawing& drawing, const Frame& frame, const Solution& solution) {
  const std::vector<double> times = event_times(solution);
  const EventText text_of(solution.columns);
  const double bottom = frame.box.bottom(), air = 0.5;
  for (std::size_t k = 0; k < times.size(); ++k) {
    Group group{k, k};
    while (k + 1 < times.size() && frame.to_x(times[k + 1]) - frame.to_x(times[k]) < closest) group.last = ++k;
    const double left = frame.to_x(times[group.first]), right = frame.to_x(times[group.last]);
    if (!(left >= frame.box.left - air && right <= frame.box.right() + air)) continue;
    const double height = group.last > group.first ? 4.0 : 8.0;
    drawing.rect("dl-event", left - 0.6, bottom - height, right - left + 1.2, height,
                 tooltip(solution, text_of, times, group));
  }
}

}  // namespace driftless
