#include "driftless/scoreboard/scoreboard_table.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/solution/text_table.hpp"
#include "driftless/solution/comparison.hpp"

namespace driftless::scoreboard {
namespace {

// Three significant digits.
std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return fmt::format("{:.{}f}", ms, ms < 10.0 ? 2 : ms < 100.0 ? 1 : 0);
}

std::string digits_text(double digits) { return std::isnan(digits) ? "-" : fmt::format("{:.1f}", digits); }

std::string names_in_short(const std::vector<std::string>& names) {
  constexpr std::size_t most = 8;
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{} ... {} ({} variables)", names.front(), names.back(), names.size());
}

// Reasons, each written once, with the runs it applies to.
class Reasons {
 public:
  void add(const std::string& reason, const std::string& what) {
    auto known = std::ranges::find(all_, reason, &Reason::text);
    if (known == all_.end()) known = all_.insert(known, {reason, {}});
    if (std::ranges::find(known->what, what) == known->what.end()) known->what.push_back(what);
  }
  std::string text(const std::string& title, const char* separator = ", ") const {
    std::string text;
    for (const Reason& reason : all_) text += fmt::format("  {}: {}\n", fmt::join(reason.what, separator), reason.text);
    return text.empty() ? text : "\n" + title + "\n" + text;
  }

  struct Reason {
    std::string text;
    std::vector<std::string> what;
  };
  const std::vector<Reason>& all() const { return all_; }

 private:
  std::vector<Reason> all_;
};

std::string reason_of(const Entry& entry) { return entry.failure.empty() ? to_string(entry.outcome) : entry.failure; }

std::string failure_of(const Entry& entry) { return fmt::format("at t = {:.4g}, {}", entry.reached, reason_of(entry)); }

std::string way_of(const Entry& entry) {
  return entry.projection.empty() || entry.projection == "none" ? entry.formulation
                                                                : entry.formulation + " + " + entry.projection;
}

std::string head_of(const Sheet& sheet) {
  return fmt::format("{}   {:g} ... {:g}{}\n  digits of {}\n  reference: {}\n  condition: {:.2g}\n\n", sheet.model,
                     sheet.start, sheet.stop, sheet.degrees_of_freedom == 0 ? "; no states: solved point by point" : "",
                     names_in_short(sheet.measured), sheet.reference, sheet.condition);
}

double ratio(double one, double other) { return other > 0.0 ? one / other : std::numeric_limits<double>::quiet_NaN(); }
std::string ratio_text(double value) { return std::isfinite(value) ? fmt::format("{:.2f}", value) : "-"; }

double steps_of(const Entry& entry) { return static_cast<double>(entry.statistics.steps); }

bool has(const Board& board, const std::string& method) {
  return std::ranges::find(board.methods, method) != board.methods.end();
}

std::string against_ida(const Board& board) {
  if (!has(board, "bdf") || !has(board, "ida")) return {};
  std::vector<Line> lines{{""}, {"model"}};
  for (const double tolerance : board.tolerances) {
    lines[0].insert(lines[0].end(), {tolerance_text(tolerance), "", ""});
    lines[1].insert(lines[1].end(), {"steps", "time", "digits"});
  }
  for (const Sheet& sheet : board.sheets) {
    if (sheet.degrees_of_freedom == 0) continue;
    Line& line = lines.emplace_back(Line{sheet.model});
    for (const double tolerance : board.tolerances) {
      const Entry *ours = find(sheet, "bdf", tolerance), *ida = find(sheet, "ida", tolerance);
      if (!ours || !ida || !ours->succeeded() || !ida->succeeded()) {
        line.insert(line.end(), {"-", "-", "-"});
        continue;
      }
      line.push_back(ratio_text(ratio(steps_of(*ours), steps_of(*ida))));
      line.push_back(ratio_text(ratio(ours->seconds, ida->seconds)));
      line.push_back(fmt::format("{:+.1f}", ours->digits - ida->digits));
    }
  }
  return "\nbdf against ida: ratio of the steps, ratio of the times, digits more\n\n" + aligned(lines, 1);
}

std::string choice_against_best(const Board& board) {
  if (!has(board, "auto")) return {};
  std::vector<Line> lines{{"model"}};
  for (const double tolerance : board.tolerances) lines[0].insert(lines[0].end(), {tolerance_text(tolerance), "best"});
  for (const Sheet& sheet : board.sheets) {
    if (sheet.degrees_of_freedom == 0) continue;
    Line& line = lines.emplace_back(Line{sheet.model});
    for (const double tolerance : board.tolerances) {
      const Entry* chosen = find(sheet, "auto", tolerance);
      const Entry* best = chosen && chosen->succeeded() ? fastest(sheet, chosen->digits) : nullptr;
      line.push_back(best ? ratio_text(ratio(chosen->seconds, best->seconds)) : "-");
      line.push_back(best ? best->method : "-");
    }
  }
  return "\nauto against the best: its time by the least time of any run with no fewer digits, and who that is\n\n" +
         aligned(lines, 1);
}

// A success is right if its error is within 1,000 tolerances times the condition of the model.
std::string verdicts(const Board& board) {
  int successes = 0, failures = 0, false_ones = 0;
  std::string list;
  for (const Sheet& sheet : board.sheets)
    for (const Entry& entry : sheet.entries) {
      if (!entry.applies()) continue;
      ++(entry.succeeded() ? successes : failures);
      if (!sheet.is_false(entry)) continue;
      ++false_ones;
      list += fmt::format("  {} on {} at {}: error {:.2g}, {:.2g} tolerances, condition {:.2g}\n", entry.method,
                          sheet.model, tolerance_text(entry.tolerance), entry.error, entry.error / entry.tolerance,
                          sheet.condition);
    }
  return fmt::format(
      "\n{} successes, {} of them with an error beyond {:g} tolerances times the condition of the model; "
      "{} failures\n{}",
      successes, false_ones, most_tolerances, failures, list);
}

// By reason, then by method: "taylor on crane, kepler".
std::string all_reasons(const Board& board) {
  Reasons refusals, failures;
  for (const std::string& method : board.methods) {
    Reasons models_refused, models_failed;
    for (const Sheet& sheet : board.sheets)
      for (const Entry& entry : sheet.entries) {
        if (entry.method != method) continue;
        if (!entry.applies())
          models_refused.add(entry.not_applicable, sheet.model);
        else if (!entry.succeeded())
          models_failed.add(reason_of(entry), fmt::format("{} at {} (t = {:.4g})", sheet.model,
                                                          tolerance_text(entry.tolerance), entry.reached));
      }
    for (const auto& [text, models] : models_refused.all())
      refusals.add(text, fmt::format("{} on {}", method, fmt::join(models, ", ")));
    for (const auto& [text, models] : models_failed.all())
      failures.add(text, fmt::format("{} on {}", method, fmt::join(models, ", ")));
  }
  const std::string text = failures.text("failed", "; ") + refusals.text("does not apply", "; ");
  return text.empty() ? "\nnothing failed\n" : text;
}

}  // namespace

const Entry* find(const Sheet& sheet, const std::string& method, double tolerance) {
  const auto found = std::ranges::find_if(sheet.entries, [&](const Entry& entry) {
    return entry.method == method && (entry.tolerance == tolerance || !entry.applies());
  });
  return found == sheet.entries.end() ? nullptr : &*found;
}

const Entry* fastest(const Sheet& sheet, double digits) {
  const Entry* best = nullptr;
  for (const Entry& entry : sheet.entries)
    if (entry.succeeded() && entry.digits >= digits && (!best || entry.seconds < best->seconds)) best = &entry;
  return best;
}

std::string sheet_table(const Sheet& sheet, const Board& board) {
  std::vector<Line> lines{{"", ""}, {"method", "formulation"}};
  for (const double tolerance : board.tolerances) {
    lines[0].insert(lines[0].end(), {tolerance_text(tolerance), "", ""});
    lines[1].insert(lines[1].end(), {"digits", "ms", "steps"});
  }
  Reasons choices, failures, refusals;
  for (const std::string& method : board.methods) {
    const Entry* first = find(sheet, method, board.tolerances.front());
    if (!first) continue;
    if (!first->applies()) {
      refusals.add(first->not_applicable, method);
      continue;
    }
    Line line{method, way_of(*first)};
    for (const double tolerance : board.tolerances) {
      const Entry* entry = find(sheet, method, tolerance);
      if (!entry || !entry->applies()) {
        if (entry) refusals.add(entry->not_applicable, method);
        line.insert(line.end(), {"-", "-", "-"});
        continue;
      }
      if (!entry->succeeded())
        failures.add(failure_of(*entry), fmt::format("{} at {}", method, tolerance_text(tolerance)));
      line.push_back(!entry->succeeded() ? "failed" : digits_text(entry->digits) + (sheet.is_false(*entry) ? "!" : ""));
      line.push_back(milliseconds(entry->seconds));
      line.push_back(std::to_string(entry->statistics.steps));
      if (!entry->chosen.empty()) choices.add(entry->chosen, tolerance_text(tolerance));
    }
    lines.push_back(std::move(line));
  }
  return head_of(sheet) + aligned(lines, 2) + choices.text("auto") + failures.text("failed") +
         refusals.text("does not apply");
}

std::string summary(const Board& board) {
  return against_ida(board) + choice_against_best(board) + verdicts(board) + all_reasons(board);
}

std::string verdict_table(const Sheet& sheet, const Board& board) {
  std::vector<Line> lines{{"method"}};
  for (const double tolerance : board.tolerances) lines[0].push_back(tolerance_text(tolerance));
  for (const std::string& method : board.methods) {
    Line line{method};
    for (const double tolerance : board.tolerances) {
      const Entry* entry = find(sheet, method, tolerance);
      if (!entry || !entry->applies())
        line.push_back("-");
      else if (!entry->succeeded())
        line.push_back("failed");
      else
        line.push_back(
            fmt::format("{:.1e}{}", entry->error / (tolerance * sheet.condition), sheet.is_false(*entry) ? "!" : ""));
    }
    lines.push_back(std::move(line));
  }
  return fmt::format("{}, condition {:.2g}\n", sheet.model, sheet.condition) + aligned(lines, 1);
}

std::string verdict_summary(const Board& board) { return verdicts(board) + all_reasons(board); }

}  // namespace driftless::scoreboard
