#include "driftless/scoreboard/choice_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "driftless/scoreboard/scoreboard_table.hpp"
#include "driftless/solution/comparison.hpp"
#include "driftless/solution/text_table.hpp"

namespace driftless::scoreboard {
namespace {

constexpr double enough = 10.0;         // tolerances
constexpr double demanded_of_us = 1.5;  // of the ratio

bool is_candidate(const Entry& entry) {
  return entry.succeeded() && entry.method != "auto" && entry.method != "ida" && !std::isnan(entry.digits);
}

template <class Suffices>
const Entry* cheapest(const Sheet& sheet, Cost cost, const Suffices& suffices) {
  const Entry* best = nullptr;
  for (const Entry& entry : sheet.entries)
    if (is_candidate(entry) && suffices(entry) && (!best || cost_of(entry, cost) < cost_of(*best, cost))) best = &entry;
  return best;
}

struct Comparison {
  const char* title;
  const Entry* (*best)(const Sheet&, const Entry&, Cost);
  Cost cost;
  std::vector<double> ratios = {};
};

std::string name_of(const Entry& entry, double tolerance) {
  return entry.tolerance == tolerance ? entry.method
                                      : fmt::format("{} {}", entry.method, tolerance_text(entry.tolerance));
}

std::string in_short(double ratio) { return fmt::format("{:.2f}{}", ratio, ratio > demanded_of_us ? "!" : ""); }

std::string summary_of(const Comparison& comparison) {
  if (comparison.ratios.empty()) return {};
  double logarithms = 0.0;
  for (const double ratio : comparison.ratios) logarithms += std::log(ratio);
  const double n = static_cast<double>(comparison.ratios.size());
  return fmt::format("{:28} {:4} of {} within {:g}, geometric mean {:.2f}, worst {:.2f}\n", comparison.title,
                     std::ranges::count_if(comparison.ratios, [](double r) { return r <= demanded_of_us; }), n,
                     demanded_of_us, std::exp(logarithms / n), std::ranges::max(comparison.ratios));
}

}  // namespace

double cost_of(const Entry& entry, Cost cost) {
  return cost == Cost::Work ? entry.statistics.operations : entry.seconds;
}

const Entry* best_for_digits(const Sheet& sheet, const Entry& chosen, Cost cost) {
  return cheapest(sheet, cost, [&](const Entry& entry) { return entry.digits >= chosen.digits; });
}

const Entry* best_as_asked(const Sheet& sheet, const Entry& chosen, Cost cost) {
  const double allowed = std::max(enough * chosen.tolerance * sheet.condition, chosen.error);
  return cheapest(sheet, cost,
                  [&](const Entry& entry) { return entry.tolerance == chosen.tolerance && entry.error <= allowed; });
}

std::string choice_table(const Board& board, const std::vector<double>& tolerances) {
  std::array comparisons{Comparison{"work for equal digits", best_for_digits, Cost::Work},
                         Comparison{"time for equal digits", best_for_digits, Cost::Time},
                         Comparison{"work for what is asked", best_as_asked, Cost::Work},
                         Comparison{"time for what is asked", best_as_asked, Cost::Time}};
  std::vector<Line> lines{{"", "", "auto", "", "", "", "for equal digits", "", "", "", "", "", "for what is asked"},
                          {"model", "tolerance", "began with", "digits", "kops", "ms", "by work", "digits", "ratio",
                           "by time", "digits", "ratio", "by work", "ratio", "by time", "ratio"}};
  for (const Sheet& sheet : board.sheets) {
    if (sheet.degrees_of_freedom == 0) continue;
    for (const double tolerance : tolerances) {
      const Entry* chosen = find(sheet, "auto", tolerance);
      if (!chosen) continue;
      Line line{sheet.model, tolerance_text(tolerance)};
      if (!chosen->succeeded()) {
        line.push_back("failed");
        lines.push_back(std::move(line));
        continue;
      }
      line.insert(line.end(), {chosen->begun_with, fmt::format("{:.1f}", chosen->digits),
                               fmt::format("{:.0f}", 1e-3 * chosen->statistics.operations),
                               fmt::format("{:.3f}", 1e3 * chosen->seconds)});
      for (Comparison& comparison : comparisons) {
        const Entry* best = comparison.best(sheet, *chosen, comparison.cost);
        const bool with_digits = comparison.best == best_for_digits;
        if (!best || !(cost_of(*best, comparison.cost) > 0.0)) {
          line.insert(line.end(), with_digits ? 3 : 2, "-");
          continue;
        }
        const double ratio = cost_of(*chosen, comparison.cost) / cost_of(*best, comparison.cost);
        comparison.ratios.push_back(ratio);
        line.push_back(name_of(*best, tolerance));
        if (with_digits) line.push_back(fmt::format("{:.1f}", best->digits));
        line.push_back(in_short(ratio));
      }
      lines.push_back(std::move(line));
    }
  }
  std::string text = aligned(lines, 3) + "\n";
  for (const Comparison& comparison : comparisons) text += summary_of(comparison);
  return text;
}

}  // namespace driftless::scoreboard
