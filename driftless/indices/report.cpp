#include "driftless/indices/report.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

constexpr std::size_t most_listed = 12;

std::string row(const char* definition, const std::string& index, const std::string& basis) {
  return fmt::format("{:<16} {:<15} {}\n", definition, index, basis);
}

std::string continued(const std::string& text) { return fmt::format("{:<32} {}\n", "", text); }

std::string listed(const std::vector<std::string>& names) {
  if (names.size() <= most_listed) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, ... and {} more", fmt::join(names.begin(), names.begin() + most_listed, ", "),
                     names.size() - most_listed);
}

std::string gap_text(const RankGap& gap) {
  return fmt::format("singular values that count {:.0e} and above, that do not {:.0e} and below{}", gap.smallest_kept,
                     gap.largest_dropped, gap.is_clear ? "" : ": not clear, another rank comes near");
}

std::string mode_text(const std::complex<double>& mode) {
  if (mode.imag() == 0.0) return fmt::format("{:.4g}", mode.real());
  return fmt::format("{:.4g} {} {:.4g}i", mode.real(), mode.imag() < 0 ? "-" : "+", std::abs(mode.imag()));
}

std::string lines_of(const NilpotencyIndex& n) {
  std::string text = row("nilpotency", fmt::format("{}", n.index),
                         n.block_sizes.empty() ? std::string("no nilpotent block: B is regular")
                                               : fmt::format("blocks of size {}", fmt::join(n.block_sizes, ", ")));
  text += continued(gap_text(n.narrowest));
  text += continued(fmt::format("{} free at the start",
                                n.free_values == 1 ? "1 value is" : fmt::format("{} values are", n.free_values)));
  std::vector<std::string> modes;
  for (const std::complex<double>& mode : n.modes) modes.push_back(mode_text(mode));
  if (!modes.empty()) text += continued("modes e^(st) with s = " + listed(modes));
  if (!n.algebraic.empty()) text += continued("no initial value changes " + listed(n.algebraic));
  return text;
}

std::string lines_of(const SingularModel& s) {
  std::string text = row("nilpotency", "none",
                         fmt::format("the pencil A + sB is singular: rank {} of {} for every s", s.rank, s.size));
  text += continued("these equations and their derivatives depend on each other: " + listed(s.equations));
  return text + continued("not determined are " + listed(s.unknowns));
}

std::string lines_of(const NotApplicable& n) {
  return row("nilpotency", "-", "only of linear models with constant coefficients: " + n.reason);
}

std::string lines_of(const DifferentiationIndex& d) {
  if (!d.index) return row("differentiation", "not determined", d.reason);
  std::string text = row("differentiation", to_string(d.index),
                         "the derivative array is 1-full at " + fmt::format("{}", fmt::join(d.points, "; ")));
  text += continued(gap_text(d.narrowest));
  if (d.has_dependent_rows) text += continued("some equations follow from derivatives of others");
  return text;
}

std::string meaning(const FrequencySweep& sweep) {
  const std::string of_amplitude =
      sweep.p == 1 ? std::string("constant amplitude") : fmt::format("amplitude ~ w^-{}", sweep.p - 1);
  const double exponent = std::round(10.0 * sweep.exponent) / 10.0 + 0.0;  // 0, not -0
  return fmt::format("disturbances of {} ({:.0e}): deviation ~ w^{:.1f} (+-{:.1f}), most in {}", of_amplitude,
                     sweep.amplitude, exponent, sweep.misfit, sweep.variable);
}

std::string lines_of(const PerturbationProbe& probe) {
  std::string text;
  if (!probe.index) text += row("perturbation", to_string(probe.index), probe.reason);
  for (const FrequencySweep& sweep : probe.sweeps)
    text += text.empty() ? row("perturbation", to_string(probe.index), meaning(sweep)) : continued(meaning(sweep));
  return text;
}

}  // namespace

std::string to_string(const std::optional<int>& index) {
  return index ? fmt::format("{}", *index) : std::string("not determined");
}

std::string report(const Indices& indices) {
  std::string text = row("structural", fmt::format("{}", indices.structural), "how often equations are differentiated");
  text += std::visit([](const auto& nilpotency) { return lines_of(nilpotency); }, indices.nilpotency);
  return text + lines_of(indices.differentiation) + lines_of(indices.perturbation);
}

}  // namespace driftless
