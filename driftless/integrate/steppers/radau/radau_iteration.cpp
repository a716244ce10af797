#include "driftless/integrate/steppers/radau/radau_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/steppers/radau/stage_acceptance.hpp"

namespace driftless {

RadauIteration::RadauIteration(Problem& problem, StageSolver& solver, StagesOnRows& on_rows, NewtonTest newton)
    : problem_(problem), solver_(solver), on_rows_(on_rows), newton_(newton), weights_(problem.size()) {}

void RadauIteration::set_weights(const RadauFormula& formula, double h, std::span<const double> y) {
  const std::vector<Slot>& slots = problem_.reduced().slots;
  const std::vector<int>& index = solver_.grading().index;
  const double felt = std::min(1.0, h);
  for (std::size_t k = 0; k < y.size(); ++k) {
    double share = 1.0;
    for (int i = 1; i < index[k]; ++i) share *= felt;
    weights_[k] = share / (formula.tolerance * slots[k].allowance * (std::abs(y[k]) + slots[k].nominal));
  }
}

newton::Report RadauIteration::operator()(const Step& step, Counts& counts) {
  StageAcceptance test({.most_iterations = step.formula.most_iterations,
                        .tolerance = step.formula.newton_tolerance,
                        .may_accept_first = newton_ == NewtonTest::One,
                        .contraction = contraction_});
  const newton::Report report = newton::iterate(
      step.formula.most_iterations, [&] { return correct(step, counts); }, test);
  contraction_ = test.contraction();
  rate_ = test.rate();
  iterations_ = test.iterations();
  cut_ = test.foretold_cut();
  return report;
}

newton::Correction RadauIteration::correct(const Step& step, Counts& counts) {
  Stages& stages = step.formula.stages;
  const std::size_t n = step.y.size(), size = static_cast<std::size_t>(stages.size());
  const std::span<double> z = step.z.first(size), residual = step.residual.first(size);
  ++counts.newton_iterations;
  counts.residual_evaluations += step.formula.size();
  if (!stages.residual(z, residual)) return newton::End::Undefined;
  solver_.solve(residual);
  for (std::size_t i = 0; i < size; ++i) z[i] -= residual[i];
  if (step.by_rows && !on_rows_.put(stages, step.t, step.h, step.y, z, residual)) return newton::End::Diverged;
  double sum = 0.0;
  for (std::size_t i = 0; i < size; i += n)
    for (std::size_t k = 0; k < n; ++k) {
      const double part = residual[i + k] * weights_[k];
      sum += part * part;
    }
  return std::sqrt(sum / static_cast<double>(size));
}

}  // namespace driftless
