#include "driftless/choose/report.hpp"

#include <fmt/format.h>

namespace driftless::choose {
namespace {

const char* words_for(Case c) {
  switch (c) {
    case Case::None: return "-";
    case Case::Slow: return "1, nothing is stiff and the constraints turn slowly";
    case Case::FastConstraints: return "2, nothing is stiff, but the constraints turn fast";
    case Case::StiffFrozen: return "3, stiff even if the constraints are held";
    case Case::StiffVariable: return "4, stiff because the constraints move";
  }
  return "";
}

// Smaller values are rounding errors of difference quotients.
constexpr double negligible = 1e-6;

std::string line(const char* name, double value, const char* meaning) {
  return fmt::format("{:<19} {:>9.3g}   {}\n", name, value < negligible ? 0.0 : value, meaning);
}

std::string of_constraints(const Indicators& i) {
  return line("variable stiffness", i.variable_stiffness, "h min(|F C'|, |R' S|), large above 1") +
         line("constraint speed", i.constraint_speed, "h max(|C'| |C^+|, |F'| |F^+|), large above 1") +
         line("heterogeneity", i.heterogeneity, "|F| / |C^+|, large above 10") +
         line("conditioning", i.conditioning, "of C B, large above 1e+08") +
         line("rank margin", i.rank_margin, "smallest by largest singular value of C") + line("K1", i.K1, "|(CB)^-1|") +
         line("K2", i.K2, "|[R; C]^-1|") + line("K3", i.K3, "bound of B, C, R and their derivatives");
}

}  // namespace

std::string report(const Choice& choice) {
  const Indicators& i = choice.indicators;
  std::string text = fmt::format("{:<19} {}\n", "kind", to_string(i.kind));
  text += line("decay", i.decay,
               fmt::format("of the fastest mode at the start, times the interval; stiff above {:.0f}",
                           largest_decay(i.tolerance))
                   .c_str());
  text += line("oscillation", i.oscillation, "of the fastest mode at the start, times the interval");
  if (i.measured) {
    text += line("accuracy step h", i.accuracy_step, "at which the solution can be foretold within the tolerance");
    text += line("frozen stiffness", i.frozen_stiffness, "h rho(R A S), large above 1");
    if (i.constraints > 0) text += of_constraints(i);
    if (i.K4) text += line("K4", *i.K4, "growth of perturbations over the trial run");
    if (i.constraints > 0) text += fmt::format("{:<19} {}\n", "case", words_for(i.problem_case()));
  }
  return text + fmt::format("{:<19} {}\n", "recommended", to_string(choice.recommendation));
}

}  // namespace driftless::choose
