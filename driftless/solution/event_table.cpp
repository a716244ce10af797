#include "driftless/solution/event_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/event_text.hpp"
#include "driftless/solution/page.hpp"

namespace driftless {
namespace {

constexpr std::size_t widest_cause = 40;

struct EventLine {
  std::string time, cause;
  std::vector<std::string> changes;
};

// "a, b," and "c" below it; at least one line.
std::vector<std::string> wrapped(const std::vector<std::string>& parts, std::size_t width) {
  std::vector<std::string> lines(1);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const std::string part = shortened(printable(parts[k]), width - 1) + (k + 1 < parts.size() ? "," : "");
    if (!lines.back().empty() && character_count(lines.back()) + 1 + character_count(part) > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + part;
  }
  return lines;
}

std::string aligned(const std::vector<EventLine>& lines, std::size_t width) {
  std::size_t time_width = 0, cause_width = 0;
  for (const EventLine& line : lines) {
    time_width = std::max(time_width, character_count(line.time));
    cause_width = std::max(cause_width, character_count(line.cause));
  }
  const std::size_t left = time_width + cause_width + 6;
  std::string table;
  for (const EventLine& line : lines) {
    std::string before = right_aligned(line.time, time_width) + "   " + padded(line.cause, cause_width) + "   ";
    for (const std::string& part : wrapped(line.changes, std::max<std::size_t>(30, width - std::min(width, left)))) {
      table += before + part;
      table.erase(table.find_last_not_of(' ') + 1);
      table += '\n';
      before.assign(left, ' ');
    }
  }
  return table;
}

}  // namespace

std::string event_table(const Solution& solution, std::size_t most, int width) {
  if (solution.events.empty()) return has_events(solution) ? "no events\n" : "no events: the model has none\n";
  const EventText text(solution.columns);
  const std::size_t shown = std::min(most, solution.events.size());
  std::vector<EventLine> lines{{"at t", "cause", {"what changed"}}};
  for (std::size_t k = 0; k < shown; ++k) {
    const Event& event = solution.events[k];
    lines.push_back({fmt::format("{:.9g}", event.time), shortened(printable(joined(event.causes, ", ")), widest_cause),
                     text.what_happened(event)});
  }
  std::string table = aligned(lines, static_cast<std::size_t>(std::max(width, 60)));
  const std::size_t all = std::max(solution.events.size(), static_cast<std::size_t>(solution.statistics.events));
  if (all > shown) table += fmt::format("… and {} more\n", all - shown);
  return table;
}

}  // namespace driftless
