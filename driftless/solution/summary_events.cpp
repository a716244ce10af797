#include "driftless/solution/summary_events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/event_text.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_causes = 5, longest_cause = 40;
constexpr std::size_t most_impulses = 6;

using Cause = std::pair<std::string, long>;

// The most frequent ones, and the rest as a number.
std::vector<std::string> causes_of(std::vector<Cause> causes) {
  std::ranges::stable_sort(causes, std::greater(), &Cause::second);
  std::vector<std::string> parts;
  const std::size_t shown = causes.size() <= most_causes ? causes.size() : most_causes - 1;
  for (std::size_t k = 0; k < shown; ++k)
    parts.push_back(fmt::format("{}: {}", shortened(printable(causes[k].first), longest_cause), causes[k].second));
  long rest = 0;
  for (std::size_t k = shown; k < causes.size(); ++k) rest += causes[k].second;
  if (shown < causes.size()) parts.push_back(fmt::format("{} other causes: {}", causes.size() - shown, rest));
  return parts;
}

// The impulses of one unknown: the largest, and their number.
struct Impulses {
  Impulse largest;
  double at_time = 0.0;
  long number = 0;
};

std::vector<Impulses> impulses_of(const std::vector<Event>& events) {
  std::vector<Impulses> all;
  for (const Event& event : events)
    for (const Impulse& impulse : event.impulses) {
      auto known = std::ranges::find(all, impulse.name, [](const Impulses& i) { return i.largest.name; });
      if (known == all.end()) known = all.insert(all.end(), {impulse, event.time, 0});
      ++known->number;
      if (std::abs(impulse.size) > std::abs(known->largest.size)) known->largest = impulse, known->at_time = event.time;
    }
  return all;
}

void show_impulses(Page& page, const Solution& solution) {
  const std::vector<Impulses> all = impulses_of(solution.events);
  if (all.empty()) return;
  const std::size_t shown = std::min(all.size(), most_impulses);
  std::vector<std::string> names{"unknown"}, sizes{"largest impulse"}, times{"at t"}, numbers{"impulses"};
  for (std::size_t k = 0; k < shown; ++k) {
    const Impulse& largest = all[k].largest;
    names.push_back(shortened(printable(largest.name), longest_cause));
    sizes.push_back(fmt::format("{:.6g}{}{}", largest.size, largest.unit.empty() ? "" : " ", printable(largest.unit)));
    times.push_back(fmt::format("{:.6g}", all[k].at_time));
    numbers.push_back(std::to_string(all[k].number));
  }
  const auto width = [](const std::vector<std::string>& cells) {
    std::size_t most = 0;
    for (const std::string& cell : cells) most = std::max(most, character_count(cell));
    return most;
  };
  page.label("impulse", Paint::Faint);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string line = padded(names[k], width(names)) + "   " + right_aligned(sizes[k], width(sizes)) + "   " +
                             right_aligned(times[k], width(times)) + "   " + right_aligned(numbers[k], width(numbers));
    page.line(k == 0 ? page.paint(Paint::Faint, line) : line);
  }
  if (all.size() > shown) page.line(fmt::format("and impulses of {} more unknowns", all.size() - shown));
}

}  // namespace

void show_events(Page& page, const Solution& solution) {
  if (!has_events(solution)) return;
  const Statistics& s = solution.statistics;
  page.label("events", Paint::Faint);
  std::vector<std::string> parts{s.events == 0 ? "none" : std::to_string(s.events)};
  if (std::vector<std::string> causes = causes_of(s.events_by_cause); !causes.empty()) {
    parts[0] += " (" + causes[0];
    parts.insert(parts.end(), std::next(causes.begin()), causes.end());
    parts.back() += ")";
  }
  if (s.modes > 1) parts.push_back(counted(s.modes, "mode", "modes"));
  if (s.event_iterations > 0) parts.push_back(counted(s.event_iterations, "iteration", "iterations"));
  page.list(std::move(parts));
  show_impulses(page, solution);
}

}  // namespace driftless
