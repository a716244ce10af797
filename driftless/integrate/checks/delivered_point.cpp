#include "driftless/integrate/checks/delivered_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double rounding = 1e-11;     // of derived equations, in units of their terms
constexpr double end_of_step = 1e3;    // Newton's iteration solves for multipliers less accurately
constexpr double least_at_end = 1e-3;  // this accurately at every tolerance
constexpr double between_steps = 1e3;  // derivatives of polynomials lose digits
constexpr double unresolved = 1e3 * std::numeric_limits<double>::min();  // the terms of such a small sum lose digits
constexpr double largest_number = std::numeric_limits<double>::max();
constexpr double far_below = 1e-6;          // of the bound at the end of a step: a residual, by an earlier measure,
constexpr long ends_between_measures = 32;  // which is used this long
constexpr double growth_of_terms = 1e4;     // since the first point; beyond it they may hide a residual

// True almost always: the residual is at most the bound times the terms, which are of usual size. Then nothing is NaN
// or infinite. At the first point `usual` is NaN and the result false.
inline bool clear(double residual, double terms, double bound, double usual) {
  return residual <= bound * terms && terms <= usual;
}

double relative_to_terms(double residual, double terms) { return residual < unresolved ? 0.0 : residual / terms; }

// For each check: is its level of the constraint among the equations that are solved?
std::vector<bool> imposed_levels(const System& system) {
  const Reduced& r = system.reduced();
  std::vector<bool> imposed;
  for (const Constraint& check : system.checks()) {
    const auto is_check = [&](const auto& row) { return row.equation == check.equation && row.level == check.level; };
    if (r.base && index(check.equation) >= std::ssize(r.model->equations)) {  // it follows from levels that may drift
      imposed.push_back(false);
      continue;
    }
    if (!r.base) {  // only the minimal formulation omits differentiations
      imposed.push_back(r.standard || check.level == 0 || std::ranges::any_of(r.rows, is_check));
      continue;
    }
    const auto row = std::ranges::find_if(r.base->rows, is_check);
    const bool solved = row == r.base->rows.end() || std::ranges::any_of(r.rows, [&](const DerivedEquation& other) {
                          return other.residual == row->residual;
                        });
    const bool solved_besides = r.correction != Correction::Square && std::ranges::any_of(r.invariants, is_check);
    imposed.push_back(solved || solved_besides);
  }
  return imposed;
}

}  // namespace

DeliveredPoint::DeliveredPoint(System& system, double tolerance, bool constant_steps)
    : system_(system),
      bound_(std::max(tolerance, rounding)),
      bound_of_ends_(constant_steps ? std::numeric_limits<double>::infinity()
                                    : std::max(end_of_step * tolerance, least_at_end)),
      bound_between_(constant_steps ? std::numeric_limits<double>::infinity() : between_steps * bound_),
      imposed_(imposed_levels(system)),
      residuals_and_sizes_(2 * system.checks().size()),
      relative_(system.checks().size()),
      usual_(system.checks().size(), std::numeric_limits<double>::quiet_NaN()),
      measured_(system.checks().size()) {}

double DeliveredPoint::limit(Origin origin) const {
  return origin == Origin::Solved ? bound_ : origin == Origin::StepEnd ? bound_of_ends_ : bound_between_;
}

std::optional<DeliveredPoint::Violation> DeliveredPoint::operator()(const System::Point& at, Origin origin,
                                                                    std::span<double> quantities) {
  system_.inspect(at, quantities, residuals_and_sizes_);
  return judge(at, origin);
}

DeliveredPoint::EndOfStep DeliveredPoint::look_at_end(const System::Point& at) {
  system_.inspect(at, residuals_and_sizes_);
  ++ends_;
  return {system_.quantities_exist(), judge(at, Origin::StepEnd)};
}

// Judges the point by its residuals and sizes.
std::optional<DeliveredPoint::Violation> DeliveredPoint::judge(const System::Point& at, Origin origin) {
  const std::size_t n = relative_.size();
  slopes_have_point_ = false;
  if (origin == Origin::StepEnd && all_clear(bound_of_ends_)) return {};
  const double allowed = limit(origin);
  // A check that passes at the end of a step is not measured further, as it is not recorded.
  const double passes = origin == Origin::StepEnd ? allowed : bound_;
  std::optional<Violation> worst;
  double excess = 0.0;
  for (std::size_t k = 0; k < n; ++k) {
    const double residual = std::abs(residuals_and_sizes_[k]);
    if (const double terms = residuals_and_sizes_[n + k]; clear(residual, terms, passes, usual_[k])) {
      if (origin != Origin::StepEnd) relative_[k] = relative_to_terms(residual, terms);
      continue;
    }
    if (origin == Origin::StepEnd && was_far_from_limit(k, allowed)) continue;
    const double size = measure(k, passes);
    if (std::isnan(usual_[k])) usual_[k] = std::min(growth_of_terms * std::max(size, 1.0), largest_number);
    if (relative_[k] <= allowed && is_hidden(k, residual, size, allowed)) {
      relative_[k] = 1.0;
      return Violation{k, at.t, residuals_and_sizes_[k], size, true};
    }
    if (!imposed_[k] || relative_[k] <= allowed || relative_[k] <= excess) continue;
    excess = relative_[k];
    worst = Violation{k, at.t, residuals_and_sizes_[k], size, false};
  }
  return worst;
}

// Without a branch for each check, so that several are computed at once.
bool DeliveredPoint::all_clear(double bound) const {
  constexpr std::size_t lanes = 4;
  const std::size_t n = relative_.size();
  const double *const residuals = residuals_and_sizes_.data(), *const terms = residuals + n,
                      *const usual = usual_.data();
  const auto unclear = [&](std::size_t k) {
    return (std::abs(residuals[k]) <= bound * terms[k]) & (terms[k] <= usual[k]) ? 0.0 : 1.0;
  };
  double found[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) found[lane] += unclear(k + lane);
  for (; k < n; ++k) found[0] += unclear(k);
  return found[0] + found[1] + found[2] + found[3] == 0.0;
}

// For a check whose terms are small, but of usual size.
bool DeliveredPoint::was_far_from_limit(std::size_t check, double allowed) const {
  const Measured& measured = measured_[check];
  return measured.end >= 0 && ends_ - measured.end < ends_between_measures &&
         residuals_and_sizes_[relative_.size() + check] <= usual_[check] &&
         std::abs(residuals_and_sizes_[check]) <= far_below * allowed * measured.size;
}

bool DeliveredPoint::is_clear(std::span<const double> residuals_and_sizes) {
  std::ranges::copy(residuals_and_sizes, residuals_and_sizes_.begin());
  const std::size_t n = relative_.size();
  for (std::size_t k = 0; k < n; ++k) {
    const double residual = std::abs(residuals_and_sizes_[k]), terms = residuals_and_sizes_[n + k];
    if (!clear(residual, terms, bound_, usual_[k])) return false;
    relative_[k] = relative_to_terms(residual, terms);
  }
  return true;
}

double DeliveredPoint::measure(std::size_t check, double passes) {
  const double residual = std::abs(residuals_and_sizes_[check]);
  double size = residuals_and_sizes_[relative_.size() + check], &relative = relative_[check];
  if (residual < unresolved) {
    relative = 0.0;
  } else if (residual <= passes * size) {  // an infinite or missing size proves nothing
    relative = size > 0.0 && std::isfinite(size) ? residual / size : std::isfinite(residual) ? 0.0 : HUGE_VAL;
  } else {
    CheckSlopes& slopes = slopes_at_point();
    if (!slopes.is_made(check)) make_slopes_from(check, passes);
    size = std::max(size, slopes.size(check));
    measured_[check] = {std::isfinite(size) ? size : 0.0, ends_};
    relative = std::isfinite(residual) && std::isfinite(size) ? residual / size : HUGE_VAL;
  }
  return size;
}

// Makes the slopes of all checks from this one on that will need them at this point.
void DeliveredPoint::make_slopes_from(std::size_t first, double passes) {
  const std::size_t n = relative_.size();
  std::vector<std::size_t> asking;
  for (std::size_t k = first; k < n; ++k)
    if (const double residual = std::abs(residuals_and_sizes_[k]);
        residual >= unresolved && !(residual <= passes * residuals_and_sizes_[n + k]) &&
        !system_.check_slopes().is_made(k))
      asking.push_back(k);
  system_.check_slopes().make(asking);
}

CheckSlopes& DeliveredPoint::slopes_at_point() {
  CheckSlopes& slopes = system_.check_slopes();
  if (!std::exchange(slopes_have_point_, true)) slopes.set_point(system_.inputs());
  return slopes;
}

bool DeliveredPoint::is_hidden(std::size_t check, double residual, double size, double allowed) {
  if (!imposed_[check] || !(size > usual_[check]) || !std::isfinite(size)) return false;
  const double change = slopes_at_point().change(check);
  const double rounding_of_size = rounding_of_residuals * size;
  return change < rounding_of_size || (residual > allowed * change && residual > rounding_of_size);
}

std::string DeliveredPoint::describe(const Violation& violation) const {
  const Constraint& check = system_.checks()[violation.check];
  const Model& model = *system_.reduced().model;
  const Equation& equation = model[check.equation];
  const int line = model.sources->line_of(equation.range);
  std::string where = equation.label;
  if (line > 0 && where != fmt::format("line {}", line)) where += fmt::format(" (line {})", line);
  const std::string level = check.level == 0   ? ""
                            : check.level == 1 ? " (differentiated once)"
                            : check.level == 2 ? " (differentiated twice)"
                                               : fmt::format(" (differentiated {} times)", check.level);
  if (!std::isfinite(violation.residual))
    return fmt::format("{}: {}{} has no finite residual at t = {:.9g}", where, equation.text, level, violation.t);
  if (violation.hidden)
    return fmt::format(
        "{}: {}{} says too little at t = {:.9g}: terms of the size {:.3g} cancel in it for all values of "
        "its unknowns",
        where, equation.text, level, violation.t, violation.size);
  return fmt::format("{}: {}{} has the residual {:.3g} at t = {:.9g}, and its terms have the size {:.3g}", where,
                     equation.text, level, violation.residual, violation.t, violation.size);
}

}  // namespace driftless
