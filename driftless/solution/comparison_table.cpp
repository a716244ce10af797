#include "driftless/solution/comparison_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

using Line = std::vector<std::string>;

constexpr std::size_t left_aligned_columns = 3;  // words; numbers follow
constexpr std::size_t first_drift_column = 8;

std::string scientific(double value) { return fmt::format("{:.1e}", value); }

std::string milliseconds(double seconds) {
  const double ms = 1e3 * seconds;
  return fmt::format("{:.{}f} ms", ms, ms < 10.0 ? 1 : 0);
}

// Reasons are told once, below the table.
class Footnotes {
 public:
  std::string mark(const std::string& reason) {
    auto known = std::ranges::find(reasons_, reason);
    if (known == reasons_.end()) known = reasons_.insert(known, reason);
    return fmt::format("({})", known - reasons_.begin() + 1);
  }

  std::string text() const {
    std::string text;
    for (std::size_t k = 0; k < reasons_.size(); ++k)
      text += fmt::format("{}({}) {}\n", k == 0 ? "\n" : "", k + 1, reasons_[k]);
    return text;
  }

 private:
  std::vector<std::string> reasons_;
};

std::string outcome_of(const ComparedRun& run, Footnotes& notes) {
  if (!run.applies()) return "- " + notes.mark("does not apply: " + run.not_applicable);
  if (run.outcome == Outcome::Success) return to_string(run.outcome);
  return fmt::format("stopped at t = {:.3g} {}", run.reached, notes.mark(to_string(run.outcome)));
}

std::string level_head(std::size_t level) {
  if (level == 0) return "as written";
  constexpr const char* heads[] = {"1st der.", "2nd der.", "3rd der."};
  return level <= std::size(heads) ? heads[level - 1] : fmt::format("{}th der.", level);
}

Line head(std::size_t levels) {
  Line line{"formulation", "tol", "outcome", "steps", "residuals", "Jacobians", "time", "error"};
  for (std::size_t level = 0; level < levels; ++level) line.push_back(level_head(level));
  return line;
}

Line line_of(const ComparedRun& run, std::size_t levels, Footnotes& notes) {
  const Statistics& s = run.statistics;
  Line line{run.formulation, "-", outcome_of(run, notes)};
  if (run.applies()) {
    line[1] = tolerance_text(run.tolerance);
    for (const long count : {s.steps, s.residual_evaluations, s.jacobian_evaluations})
      line.push_back(std::to_string(count));
    line.insert(line.end(), {milliseconds(s.seconds.integrate), std::isnan(run.error) ? "-" : scientific(run.error)});
    for (const double drift : run.drift) line.push_back(scientific(drift));
  }
  line.resize(first_drift_column + levels, "-");
  return line;
}

// Two blanks between columns, none at the end of a line.
std::string aligned(const std::vector<Line>& lines, std::vector<std::size_t>& ends) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const Line& line : lines)
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], character_count(line[k]));
  ends.clear();
  for (std::size_t end = 0; const std::size_t width : widths) ends.push_back(end += width + (ends.empty() ? 0 : 2));

  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string blanks(widths[k] - character_count(line[k]), ' ');
      row += (k == 0 ? "" : "  ") + (k < left_aligned_columns ? line[k] + blanks : blanks + line[k]);
    }
    text += row + '\n';
  }
  return text;
}

std::string measured_against(const Comparison& comparison) {
  std::string text = fmt::format("{}   {:.6g} … {:.6g}; error: against dummy derivatives at the tolerance {}",
                                 comparison.model, comparison.start, comparison.stop,
                                 tolerance_text(comparison.reference_tolerance));
  if (comparison.reference_outcome != Outcome::Success)
    text += fmt::format(", which stopped at t = {:.6g}: {}", comparison.reference_reached,
                        to_string(comparison.reference_outcome));
  return text;
}

}  // namespace

std::string comparison_table(const Comparison& comparison) {
  std::size_t levels = 0;
  for (const ComparedRun& run : comparison.runs) levels = std::max(levels, run.drift.size());
  Footnotes notes;
  std::vector<Line> lines{head(levels)};
  for (const ComparedRun& run : comparison.runs) lines.push_back(line_of(run, levels, notes));

  std::vector<std::size_t> ends;
  const std::string table = aligned(lines, ends);
  std::string text = measured_against(comparison) + "\n\n";
  if (levels > 0) text += std::string(ends[first_drift_column - 1] + 2, ' ') + "largest residual\n";
  return text + table + notes.text();
}

}  // namespace driftless
