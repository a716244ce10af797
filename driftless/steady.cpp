#include "driftless/steady.hpp"

#include <algorithm>

#include <Eigen/Dense>

#include "driftless/choose/linearization.hpp"
#include "driftless/prepared_run.hpp"

namespace driftless {
namespace {

constexpr std::size_t largest = 600;  // slots, up to which the modes are computed: by dense matrices

// Of motions that satisfy the constraints: J, the slope of the underlying ordinary differential equation, maps their
// tangent space into itself at a point where nothing moves.
bool find_modes(const Analysis& analysis, SteadyState& state) {
  const auto levels =
      analysis.base->implicit || std::ranges::none_of(analysis.shape.offsets.c, [](int c) { return c > 0; })
          ? analysis.base
          : std::make_shared<const Reduced>(reduce(analysis.model, analysis.shape, {.keep_constraints = true}));
  if (levels->implicit || levels->slots.size() > largest) return false;
  std::vector<double> y, yp(levels->slots.size(), 0.0);
  for (const Slot& slot : levels->slots)
    y.push_back(slot.quantity.order == 0 ? state.point.values[index(slot.quantity.variable)] : 0.0);
  System system(levels, Backend::Interpreter);
  choose::Linearization linearization(system);
  if (!linearization.evaluate({state.point.t, y, yp})) return false;
  const Eigen::MatrixXd normal = linearization.levels().transpose();
  Eigen::MatrixXd tangent = Eigen::MatrixXd::Identity(linearization.size(), linearization.size());
  if (normal.cols() > 0) {
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(normal);
    const Eigen::MatrixXd q = qr.householderQ() * tangent;
    tangent = q.rightCols(linearization.size() - qr.rank());
  }
  if (tangent.cols() == 0) return true;
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(tangent.transpose() * linearization.jacobian() * tangent, false);
  if (solver.info() != Eigen::Success) return false;
  state.modes.assign(solver.eigenvalues().begin(), solver.eigenvalues().end());
  std::ranges::stable_sort(state.modes, [](const auto& a, const auto& b) { return a.real() > b.real(); });
  return true;
}

}  // namespace

double SteadyState::rounding() const {
  double largest = 0.0;
  for (const std::complex<double>& mode : modes) largest = std::max(largest, std::abs(mode));
  return 1e-9 * largest;
}

int SteadyState::growing() const {
  return static_cast<int>(std::ranges::count_if(modes, [&](const auto& mode) { return mode.real() > rounding(); }));
}

int SteadyState::neutral() const {
  return static_cast<int>(
      std::ranges::count_if(modes, [&](const auto& mode) { return std::abs(mode.real()) <= rounding(); }));
}

Stability SteadyState::stability() const {
  if (!has_modes) return Stability::NotExamined;
  if (modes.empty()) return Stability::NothingMoves;
  return growing() > 0 ? Stability::Unstable : neutral() > 0 ? Stability::Marginal : Stability::Stable;
}

SteadyState find_steady_state(const Analysis& known, std::optional<double> t) {
  const Analysis analysis = growable(without_events(known));
  SteadyState state;
  state.point = find_steady_point(*analysis.base, t.value_or(analysis.model->experiment.start));
  if (state.point.found) state.has_modes = find_modes(analysis, state);
  return state;
}

}  // namespace driftless
