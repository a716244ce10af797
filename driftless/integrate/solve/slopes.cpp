#include "driftless/integrate/solve/slopes.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/system/incidence.hpp"
#include "driftless/integrate/system/part_of_states.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {

Slopes::Slopes(Problem& problem, SolveRows how)
    : problem_(problem),
      known_states_(problem),
      how_(how),
      solve_(problem),
      residual_(problem.size()),
      rates_(problem.system().rows() == 0 ? problem.system().candidates() : 0) {
  states_changed();
}

void Slopes::states_changed() {
  solve_.states_changed();
  take_states();
}

void Slopes::take_states() {
  known_states_.update();
  if (how_ == SolveRows::LinearWherePossible) linear_ = LinearRows::of(problem_);
  states_.clear();
  for (int s = 0; s < problem_.size(); ++s)
    if (problem_.is_state(s)) states_.push_back(s);
}

void Slopes::prepare(double t, std::span<const double> y) {
  if (linear_) linear_->prepare(t, y);
}

bool Slopes::operator()(double t, std::span<double> y, std::span<double> yp) {
  if (linear_) {
    undefined_ = false;
    return (*linear_)(t, y, yp) || explain(t, y, yp);
  }
  const bool nothing_to_solve = problem_.system().rows() == 0;
  if (!nothing_to_solve && !solve_(t, y, yp)) return explain(t, y, yp);
  const std::span<const double> rates = nothing_to_solve ? rates_alone(t, y, yp) : solve_.rates();
  if (!linear::all_finite(rates)) return explain(t, y, yp);
  const std::vector<Kinematic>& kinematics = problem_.reduced().kinematics;
  for (std::size_t k = 0; k < kinematics.size(); ++k) yp[kinematics[k].slot] = rates[k];
  undefined_ = false;
  return true;
}

std::span<const int> Slopes::spread(std::span<double> error) {
  if (linear_ || !problem_.system().guard() || problem_.system().rows() == 0) return {};
  solve_.spread(error);
  return solve_.determined_slots();
}

// For ordinary differential equations, where only rates are evaluated.
std::span<const double> Slopes::rates_alone(double t, std::span<const double> y, std::span<const double> yp) {
  ++evaluations_alone_;
  problem_.system().rows_and_rates({t, y, yp}, rates_);
  return rates_;
}

bool Slopes::explain(double t, std::span<const double> y, std::span<const double> yp) {
  undefined_ = !problem_.residual(t, y, yp, residual_);
  return false;
}

void Slopes::archive(Archive& archive) {
  archive.section("slopes");
  known_states_.archive(archive, [this] { take_states(); });
  archive(solve_, evaluations_alone_, undefined_);
  if (linear_) archive(*linear_);
}

Counts Slopes::counts() const {
  Counts counts = solve_.counts();
  counts.residual_evaluations += evaluations_alone_;
  if (linear_)
    for (long* count : {&counts.residual_evaluations, &counts.jacobian_evaluations, &counts.factorizations})
      *count += linear_->evaluations();
  return counts;
}

namespace {

// Why the states do not determine the rest, or nothing.
struct LeftOver {
  std::optional<std::string> reason;
};

std::optional<std::string> left_over(const Problem& problem) {
  const Reduced& reduced = problem.reduced();
  if (reduced.implicit) return "the model is integrated as F(t, y, y') = 0, without states";
  const DependentUnknowns dependent = dependent_unknowns(problem);
  const structure::Matching matching =
      structure::maximum_matching(incidence_of(dependent.equations, dependent.unknowns.size(), dependent.coordinates));
  for (int i = 0; i < problem.system().rows(); ++i)
    if (matching.col_of_row[i] == structure::no_col)
      return fmt::format("holding the states, {} determines no unknown", problem.name_of_equation(i));
  for (int k = 0; k < dependent.unknowns.size(); ++k)
    if (const auto [slot, rate] = dependent.unknowns.all()[k]; !rate && matching.row_of_col[k] == structure::no_row)
      return fmt::format("holding the states, no equation determines {}", reduced.name(reduced.slots[slot].quantity));
  if (matching.is_perfect()) return {};
  return "holding the states, the equations do not determine every derivative";
}

}  // namespace

std::optional<std::string> leaves_more_than_states(const Problem& problem) {
  return part_of_states<LeftOver>(problem, [&] { return LeftOver{left_over(problem)}; })->reason;
}

}  // namespace driftless
