// The head of the page: what was run, how it ended, what it cost.
#include <fmt/format.h>

#include <algorithm>

#include "driftless/report/html.hpp"
#include "driftless/report/sections.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

std::string chip(std::string_view paint, std::string_view text) {
  return fmt::format("<span class=\"chip {}\">{}</span>", paint, text);
}

std::string outcome_chip(const Solution& solution) {
  const bool good = solution.outcome == Outcome::Success, half = solution.outcome == Outcome::NotKept;
  return chip(good ? "good" : half ? "warn" : "bad", to_string(solution.outcome));
}

std::string verdict_chip(const Solution& solution) {
  if (solution.certificate.empty()) return chip("plain", "no constraints");
  const bool kept = solution.verdict() == Verdict::Kept;
  const auto lost = std::ranges::count_if(solution.certificate,
                                          [&](const CertificateEntry& entry) { return !entry.kept(solution.bound); });
  return kept ? chip("good", fmt::format("certificate: kept within {:g}", solution.bound))
              : chip("warn", fmt::format("certificate: {} of {} not kept within {:g}", lost,
                                         solution.certificate.size(), solution.bound));
}

std::string fact(std::string_view value, std::string_view label) {
  return fmt::format("<div class=\"fact\"><b>{}</b><span>{}</span></div>", value, label);
}

std::string facts(const Solution& solution) {
  const StructureSummary& s = solution.structure;
  std::string html = fact(fmt::format("{}", s.structural_index), "index") +
                     fact(fmt::format("{}", s.degrees_of_freedom),
                          s.degrees_of_freedom == 1 ? "degree of freedom" : "degrees of freedom") +
                     fact(fmt::format("{}", s.equations), s.equations == 1 ? "equation" : "equations");
  if (s.unknowns != s.equations) html += fact(fmt::format("{}", s.unknowns), "unknowns");
  html += fact(fmt::format("{:.6g} … {:.6g}", solution.start, solution.reached),
               solution.reached == solution.stop ? "time" : fmt::format("time, of {:.6g}", solution.stop));
  if (!solution.boundary) html += fact(fmt::format("{}", solution.statistics.steps), "steps");
  if (solution.statistics.events > 0) html += fact(fmt::format("{}", solution.statistics.events), "events");
  const Statistics::Seconds& t = solution.statistics.seconds;
  html += fact(duration(t.parse + t.analyze + t.compile + t.initialize + t.integrate), "of CPU time");
  return "<div class=\"facts\">" + html + "</div>";
}

std::string statistics(const Solution& solution) {
  const Statistics& s = solution.statistics;
  std::string rows;
  const auto count = [&](std::string_view name, long value) {
    if (value != 0) rows += table_row({name, fmt::format("{}", value)});
  };
  count("steps", s.steps), count("rejected steps", s.rejected_steps);
  count("residuals", s.residual_evaluations), count("Jacobians", s.jacobian_evaluations);
  count("factorizations", s.factorizations), count("Newton iterations", s.newton_iterations);
  count("Newton failures", s.convergence_failures), count("projections", s.projections);
  count("changes of states", s.pivots), count("events", s.events), count("event iterations", s.event_iterations);
  count("modes of the equations", s.modes);
  if (s.mean_order > 0.0) rows += table_row({"order on average", fmt::format("{:.1f}", s.mean_order)});
  if (s.largest_step > 0.0)
    rows += table_row({"step sizes", fmt::format("{:.2g} … {:.2g}", s.smallest_step, s.largest_step)});
  const Statistics::Seconds& t = s.seconds;
  const std::pair<const char*, double> stages[] = {{"parse", t.parse},
                                                   {"analyze", t.analyze},
                                                   {"compile", t.compile},
                                                   {"initialize", t.initialize},
                                                   {"integrate", t.integrate}};
  std::string times;
  for (const auto& [name, seconds] : stages)
    if (seconds > 0.0) times += table_row({name, duration(seconds)});
  return "<details class=\"work\"><summary>Work and times</summary><div class=\"columns\">" +
         table({"work", ""}, rows) + table({"CPU time of", ""}, times) + "</div></details>";
}

std::string method_line(const Solution& solution) {
  std::string html = "<b>" + xml_escaped(solution.method) + "</b>";
  if (!solution.formulation.empty()) html += ", formulation " + xml_escaped(solution.formulation);
  if (!solution.projection.empty() && solution.projection != "none")
    html += ", projection " + xml_escaped(solution.projection);
  if (solution.step)
    html += fmt::format(", step size {:g}", *solution.step);
  else if (solution.tolerance > 0.0)
    html += fmt::format(", tolerance {:g}", solution.tolerance);
  if (solution.statistics.evaluation != Evaluation::Unknown)
    html += fmt::format(", {}", to_string(solution.statistics.evaluation));
  return "<p class=\"method\">Method " + html + "</p>";
}

std::string invariants(const Solution& solution) {
  if (solution.invariants.empty()) return {};
  std::string rows;
  for (const InvariantEntry& one : solution.invariants)
    rows +=
        table_row({xml_escaped(one.name), fmt::format("{:.6g}", one.start), fmt::format("{:.1e}", one.max_deviation),
                   fmt::format("{:.5g}", one.at_time), fmt::format("{:.1e}", one.final_deviation)});
  return table({"invariant", "at the start", "largest change", "at t", "final change"}, rows);
}

}  // namespace

std::string header_section(const Subject& subject, const Solution& solution) {
  return fmt::format("<header id=\"top\"><h1>{}</h1><p class=\"chips\">{}{}</p>{}{}{}{}{}</header>",
                     xml_escaped(solution.model), outcome_chip(solution), verdict_chip(solution), facts(solution),
                     method_line(solution), notes_section(subject, solution), invariants(solution),
                     statistics(solution));
}

}  // namespace driftless::reporting
