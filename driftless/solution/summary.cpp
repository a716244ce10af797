#include "driftless/solution/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "driftless/diagnostics/catalogue.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/page.hpp"
#include "driftless/solution/summary_events.hpp"

namespace driftless {
namespace {

constexpr std::size_t longest_certificate = 12;  // more entries are condensed to the worst per level

std::string duration(double seconds) {
  if (seconds >= 100.0) return fmt::format("{:.0f} s", seconds);
  if (seconds >= 1.0) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-2) return fmt::format("{:.0f} ms", 1e3 * seconds);
  if (seconds >= 1e-4) return fmt::format("{:.2g} ms", 1e3 * seconds);
  return fmt::format("{:.0f} µs", 1e6 * seconds);
}

std::string level_name(int level) {
  if (level == 0) return "as written";
  const int tens = level % 100;
  const char* suffix = tens >= 11 && tens <= 13 ? "th"
                       : level % 10 == 1        ? "st"
                       : level % 10 == 2        ? "nd"
                       : level % 10 == 3        ? "rd"
                                                : "th";
  return fmt::format("{}{} derivative", level, suffix);
}

void show_structure(Page& page, const Solution& solution) {
  const StructureSummary& structure = solution.structure;
  page.label(solution.model.empty() ? "model" : printable(solution.model), Paint::Bold);
  std::vector<std::string> parts{
      fmt::format("index {}{}", structure.index_is_bound ? "at most " : "", structure.structural_index),
      counted(structure.degrees_of_freedom, "degree of freedom", "degrees of freedom"),
      counted(structure.equations, "equation", "equations")};
  if (structure.unknowns != structure.equations) parts.push_back(counted(structure.unknowns, "unknown", "unknowns"));
  page.list(std::move(parts));
}

void show_failure(Page& page, const Solution& solution) {
  page.label(solution.outcome == Outcome::Interrupted ? "stopped"
             : solution.outcome == Outcome::NotKept   ? "drifted"
                                                      : "failed",
             Paint::Bad);
  const std::string message = solution.message.empty() ? to_string(solution.outcome) : printable(solution.message);
  page.paragraph(solution.code ? fmt::format("{}: {}", to_string(*solution.code), message) : message, Paint::Bad);
  for (const std::string& detail : solution.details) page.paragraph(printable(detail));
  if (!solution.code || solution.outcome == Outcome::Interrupted) return;
  page.label("advice", Paint::Faint);
  page.paragraph(std::string(entry_of(*solution.code).cure));
}

// Describes the form in which the constraints are solved; empty if there is no choice worth mentioning.
std::string described_formulation(const Solution& solution) {
  const std::string& name = solution.formulation;
  if (solution.method.starts_with("taylor") && name == "dummy") return "";  // series solve the model as written
  const auto is_differentiated = [](const auto& equation) { return equation.second > 0; };
  if (name == "dummy")
    return std::ranges::any_of(solution.structure.differentiations, is_differentiated)
               ? "with hidden constraints (dummy derivatives)"
               : "";
  if (name == "index1") return "constraints differentiated (index1)";
  if (name == "index2") return "constraints differentiated less (index2)";
  if (name == "original") return "constraints as written (original)";
  return name.empty() ? "" : "formulation " + name;
}

void show_work(Page& page, const Solution& solution) {
  const Statistics& s = solution.statistics;
  const Statistics::Seconds& t = s.seconds;
  const double total = t.parse + t.analyze + t.compile + t.initialize + t.integrate;

  std::string span = fmt::format("{:.6g} … {:.6g}", solution.start, solution.reached);
  if (solution.reached != solution.stop) span += fmt::format(" (of {:.6g})", solution.stop);
  std::vector<std::string> parts;
  parts.push_back(fmt::format("{} in {} of CPU time", span, duration(total)));
  if (solution.boundary) {
    const BoundarySummary& boundary = *solution.boundary;
    if (boundary.intervals > 0)
      parts.push_back(counted(static_cast<long>(boundary.intervals), "mesh interval", "mesh intervals"));
    parts.push_back(counted(boundary.newton_iterations, "Newton iteration", "Newton iterations") + " on " +
                    counted(boundary.meshes, "mesh", "meshes"));
    page.label("solve", Paint::Faint);
    page.list(std::move(parts));
    return;
  }
  std::string steps = counted(s.steps, "step", "steps");
  if (s.rejected_steps > 0) steps += fmt::format(" ({} rejected)", s.rejected_steps);
  parts.push_back(std::move(steps));
  parts.push_back(counted(s.residual_evaluations, "residual", "residuals"));
  parts.push_back(counted(s.jacobian_evaluations, "Jacobian", "Jacobians"));
  if (s.pivots > 0) parts.push_back("states changed " + counted(s.pivots, "time", "times"));
  if (s.convergence_failures > 0) {
    parts.push_back(counted(s.convergence_failures, "Newton failure", "Newton failures"));
  }
  page.label("run", Paint::Faint);
  page.list(std::move(parts));
}

void show_run(Page& page, const Solution& solution) {
  show_work(page, solution);
  const Statistics& s = solution.statistics;
  const Statistics::Seconds& t = s.seconds;

  std::vector<std::string> how;
  if (!solution.method.empty()) how.push_back(solution.method);
  if (s.mean_order > 0.0) how.push_back(fmt::format("order {:.1f} on average", s.mean_order));
  if (const std::string form = described_formulation(solution); !form.empty()) how.push_back(form);
  if (!solution.projection.empty() && solution.projection != "none") how.push_back("projection " + solution.projection);
  if (solution.step)
    how.push_back(fmt::format("step size {:g}", *solution.step));
  else if (solution.tolerance > 0.0)
    how.push_back(fmt::format("tolerance {:g}", solution.tolerance));
  if (s.evaluation != Evaluation::Unknown) how.emplace_back(to_string(s.evaluation));
  if (!how.empty()) {
    page.label("method", Paint::Faint);
    page.list(std::move(how));
  }

  page.label("CPU time", Paint::Faint);
  page.list({"parse " + duration(t.parse), "analyze " + duration(t.analyze), "compile " + duration(t.compile),
             "initialize " + duration(t.initialize),
             (solution.boundary ? "solve " : "integrate ") + duration(t.integrate)});
}

// The entry with the largest residual of each level, NaN counting as largest; levels ascending.
std::vector<CertificateEntry> worst_per_level(const std::vector<CertificateEntry>& certificate) {
  std::vector<CertificateEntry> worst;
  for (const CertificateEntry& entry : certificate) {
    auto place = std::find_if(worst.begin(), worst.end(), [&](const auto& w) { return w.level >= entry.level; });
    if (place == worst.end() || place->level != entry.level) {
      worst.insert(place, entry);
    } else if (!std::isnan(place->max_residual) && !(entry.max_residual <= place->max_residual)) {
      *place = entry;
    }
  }
  return worst;
}

struct DriftRow {
  std::string constraint, level, residual, time;
  Paint paint;
};

// An entry does not repeat the label or the text of the entry above it.
std::vector<DriftRow> drift_rows(const std::vector<CertificateEntry>& entries, double bound) {
  std::vector<DriftRow> rows;
  const CertificateEntry* above = nullptr;
  for (const CertificateEntry& entry : entries) {
    const bool same_label = above && above->constraint == entry.constraint;
    const bool same_text = same_label && above->text == entry.text;
    std::string name = same_label ? std::string(character_count(entry.constraint), ' ') : printable(entry.constraint);
    if (!same_text && !entry.text.empty()) name += "  " + printable(entry.text);
    rows.push_back({std::move(name), level_name(entry.level), fmt::format("{:.1e}", entry.max_residual),
                    fmt::format("{:.4g}", entry.at_time), entry.kept(bound) ? Paint::Good : Paint::Warning});
    above = &entry;
  }
  return rows;
}

// Shows whether the constraints were kept and within which bound; if not, the worst violation and their number.
void show_verdict(Page& page, const Solution& solution) {
  const std::vector<CertificateEntry>& certificate = solution.certificate;
  if (solution.verdict() == Verdict::Kept) {
    page.paragraph(fmt::format("kept: every residual is within {:g} of the size of its terms", solution.bound),
                   Paint::Good);
    return;
  }
  const auto lost = std::count_if(certificate.begin(), certificate.end(),
                                  [&](const CertificateEntry& entry) { return !entry.kept(solution.bound); });
  const bool imposed = std::any_of(certificate.begin(), certificate.end(), [&](const CertificateEntry& entry) {
    return !entry.kept(solution.bound) && entry.imposed;
  });
  page.paragraph(
      fmt::format("not kept: {} of {} residuals exceed {:g} of the size of their terms{}", lost, certificate.size(),
                  solution.bound, imposed ? "" : "; the formulation does not impose these"),
      Paint::Warning);
}

void show_drift(Page& page, const Solution& solution) {
  const std::vector<CertificateEntry>& certificate = solution.certificate;
  page.label("drift", Paint::Faint);
  if (certificate.empty()) {
    page.line("none possible: the model has no constraints");
    return;
  }
  const bool condensed = certificate.size() > longest_certificate;
  const auto rows = drift_rows(condensed ? worst_per_level(certificate) : certificate, solution.bound);

  const DriftRow head{condensed ? "worst constraint" : "constraint", "level",
                      page.text_width() < 60 ? "residual" : "largest residual", "at t", Paint::Plain};
  const std::size_t residual_width = character_count(head.residual);
  std::size_t name_width = character_count(head.constraint), level_width = character_count(head.level);
  std::size_t time_width = character_count(head.time);
  for (const DriftRow& row : rows) {
    name_width = std::max(name_width, character_count(row.constraint));
    level_width = std::max(level_width, character_count(row.level));
    time_width = std::max(time_width, character_count(row.time));
  }
  const std::size_t others = level_width + residual_width + time_width + 9;
  name_width = std::min(name_width, page.text_width() - std::min(page.text_width(), others));

  const auto cells = [&](const DriftRow& row) {
    return padded(shortened(row.constraint, name_width), name_width) + "   " + padded(row.level, level_width) + "   " +
           page.paint(row.paint, right_aligned(row.residual, residual_width)) + "   " +
           right_aligned(row.time, time_width);
  };
  page.line(page.paint(Paint::Faint, cells(head)));
  for (const DriftRow& row : rows) page.line(cells(row));

  show_verdict(page, solution);
}

void show_boundary(Page& page, const BoundarySummary& boundary) {
  page.label("error", Paint::Faint);
  if (boundary.error && boundary.defect)
    page.line(fmt::format("estimated {:.1e}, defect between collocation points {:.1e}, relative to |x| + nominal",
                          *boundary.error, *boundary.defect));
  else
    page.line("not known: the mesh is constant");
  if (boundary.conditions.empty()) return;
  std::size_t width = character_count("condition");
  for (const auto& condition : boundary.conditions) width = std::max(width, character_count(printable(condition.text)));
  width = std::min(width, page.text_width() - 25);
  page.label("condition", Paint::Faint);
  page.line(page.paint(Paint::Faint, padded("", width) + "   at      residual"));
  for (const auto& condition : boundary.conditions)
    page.line(padded(shortened(printable(condition.text), width), width) +
              fmt::format("   {:<5}   {:>8.1e}", condition.at_stop ? "stop" : "start", condition.residual));
}

void show_invariants(Page& page, const Solution& solution) {
  if (solution.invariants.empty() || solution.times.empty()) return;
  page.label("invariant", Paint::Faint);
  std::size_t width = character_count("name");
  for (const InvariantEntry& entry : solution.invariants) width = std::max(width, character_count(entry.name));
  width = std::min(width, page.text_width() - 50);
  page.line(
      page.paint(Paint::Faint, padded("name", width) + "      at the start   largest change    at t   final change"));
  for (const InvariantEntry& entry : solution.invariants)
    page.line(fmt::format("{}   {:>15.9g}   {:>14.1e}   {:>5.4g}   {:>12.1e}",
                          padded(shortened(printable(entry.name), width), width), entry.start, entry.max_deviation,
                          entry.at_time, entry.final_deviation));
}

}  // namespace

std::string summary(const Solution& solution, SummaryOptions options) {
  Page page(options.colour, options.width);
  show_structure(page, solution);
  if (solution.outcome != Outcome::Success) show_failure(page, solution);
  show_run(page, solution);
  show_events(page, solution);
  if (!reached_end(solution.outcome)) {
    page.label("computed", Paint::Faint);
    page.line(solution.boundary && solution.times.empty() ? "nothing: no solution was found"
              : solution.times.empty()                    ? "nothing: the run did not start"
                                       : counted(static_cast<long>(std::max(solution.points, solution.times.size())),
                                                 "output point", "output points") +
                                             fmt::format(", the last at t = {:.6g}", solution.times.back()));
  }
  if (solution.boundary && reached_end(solution.outcome)) show_boundary(page, *solution.boundary);
  if (reached_end(solution.outcome) || (!solution.certificate.empty() && !solution.times.empty()))
    show_drift(page, solution);
  show_invariants(page, solution);
  for (const std::string& remark : solution.remarks) {
    page.label("note", Paint::Warning);
    page.paragraph(printable(remark));
  }
  return page.take();
}

}  // namespace driftless
