#include "driftless/integrate/solve/step_equations.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "driftless/formulate/shape.hpp"
#include "driftless/linear/archive_values.hpp"
#include "driftless/linear/generalized_inverse.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {
namespace {

// A generalized inverse used instead of factors of the bordered matrix: (a1, a2) becomes (x, 0). Dense, for
// comparisons.
class GeneralizedInverse final : public linear::Factorization {
 public:
  GeneralizedInverse(const linear::Pattern& pattern, Correction kind, std::vector<int> stage_of_level,
                     std::vector<int> stage_of_unknown)
      : pattern_(pattern),
        unknowns_(static_cast<int>(stage_of_unknown.size())),
        kind_(kind),
        stage_of_level_(std::move(stage_of_level)),
        stage_of_unknown_(std::move(stage_of_unknown)),
        bordered_(pattern.size, pattern.size) {}

  bool factorize(std::span<const double> values) override {
    bordered_.setZero();
    for (int j = 0; j < pattern_.size; ++j)
      for (int k = pattern_.starts[j]; k < pattern_.starts[j + 1]; ++k) bordered_(pattern_.rows[k], j) = values[k];
    const int levels = pattern_.size - unknowns_;
    const Eigen::MatrixXd a1 = bordered_.topLeftCorner(unknowns_, unknowns_),
                          a2 = bordered_.bottomLeftCorner(levels, unknowns_);
    inverse_ = kind_ == Correction::SsfBasis
                   ? linear::ssf_inverse(a1, linear::by_stages(a2, stage_of_level_, stage_of_unknown_))
               : kind_ == Correction::ConstrainedLeastSquares ? linear::constrained_least_squares(a1, a2)
                                                              : linear::moore_penrose(a1, a2);
    return inverse_.allFinite();
  }

  void solve(std::span<double> b) const override {
    Eigen::Map<Eigen::VectorXd> x(b.data(), pattern_.size);
    const Eigen::VectorXd solution = inverse_ * x;
    x.head(unknowns_) = solution;
    x.tail(pattern_.size - unknowns_).setZero();
  }

  void solve_transposed(std::span<double> b) const override {
    Eigen::Map<Eigen::VectorXd> x(b.data(), pattern_.size);
    const Eigen::VectorXd solution = inverse_.transpose() * x.head(unknowns_);
    x = solution;
  }

  double pivot_ratio() const override { return 1.0; }

  void archive(Archive& archive) override { linear::archive_matrix(archive, inverse_); }

 private:
  linear::Pattern pattern_;
  int unknowns_;
  Correction kind_;
  std::vector<int> stage_of_level_, stage_of_unknown_;
  Eigen::MatrixXd bordered_, inverse_;
};

}  // namespace

StepEquations::StepEquations(Problem& problem) : problem_(problem) {
  find_mass();
  states_changed();
}

// The theorem concerns the state-space form inverse. A model that is not mechanical gets M = I, as in its formulation
// with multipliers, and so does one whose M is singular.
void StepEquations::find_mass() {
  const Reduced& reduced = problem_.reduced();
  weighed_.assign(problem_.size(), false);
  if (reduced.correction != Correction::SsfBordered && reduced.correction != Correction::SsfBasis) return;
  System& system = problem_.system();
  const auto base = growable(reduced.base ? reduced.base : system.compiled().shared_reduced());
  const auto mechanical = mechanical_shape(*base);
  if (!mechanical || !mechanical->regular_mass) return;
  KernelSource source{"mass", {}};
  for (const Mechanical::Entry& entry : mechanical->mass) {
    weights_.push_back({mechanical->coordinates[entry.row].velocity, mechanical->coordinates[entry.column].velocity});
    weighed_[weights_.back().row] = true;
    source.outputs.push_back(entry.value);
  }
  mass_kernel_ = system.compiled().compile(base->model->pool, {&source, 1}).front();
  mass_.assign(weights_.size(), 0.0);
  mass_inputs_ = system.inputs();
  mass_work_.assign(mass_kernel_->work_size(), 0.0);
  unweighed_.assign(problem_.size(), 0.0);
}

void StepEquations::weigh_at(double t, std::span<const double> y, std::span<const double> yp) {
  if (weights_.empty()) return;
  mass_inputs_[0] = t;
  if (const System& system = problem_.system(); mass_version_ != system.parameters_version()) {
    std::ranges::copy(system.parameters(), mass_inputs_.begin() + 1);
    mass_version_ = system.parameters_version();
  }
  std::ranges::copy(y, mass_inputs_.begin() + static_cast<std::ptrdiff_t>(problem_.system().y_offset()));
  std::ranges::copy(yp, mass_inputs_.begin() + static_cast<std::ptrdiff_t>(problem_.system().yp_offset()));
  (*mass_kernel_)(mass_inputs_.data(), mass_.data(), mass_work_.data());
  mass_known_ = true;
}

void StepEquations::states_changed() {
  const Reduced& reduced = problem_.reduced();
  levels_.clear();
  if (reduced.correction == Correction::Square) return;
  const System& system = problem_.system();
  const int n = problem_.size(), rows = system.rows();
  level_of_invariant_.assign(reduced.invariants.size(), -1);
  for (std::size_t k = 0; k < reduced.invariants.size(); ++k) {
    if (reduced.invariants[k].of_model()) continue;
    level_of_invariant_[k] = levels();
    levels_.push_back(static_cast<int>(k));
  }

  place_.assign(n, -1);
  std::vector<bool> taken(n, false);
  for (std::size_t k = 0; k < problem_.states().size(); ++k) {
    assert(problem_.states()[k].size() == 1);
    const int slot = reduced.kinematics[problem_.states()[k][0].candidate].slot;
    place_[rows + k] = slot;
    taken[slot] = true;
  }
  for (int row = 0, slot = 0; row < rows; ++row, ++slot) {
    while (taken[slot]) ++slot;
    place_[row] = slot;
  }

  const linear::Pattern& pattern = problem_.pattern();
  divided_.assign(n, false);
  parts_.clear();
  std::vector<std::vector<int>> weights_of(n);  // per column of M
  for (std::size_t w = 0; w < weights_.size(); ++w) weights_of[weights_[w].column].push_back(static_cast<int>(w));
  std::vector<linear::Coordinate> coordinates;
  for (int j = 0; j < n; ++j)
    for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) {
      if (problem_.rate_enters()[k]) divided_[pattern.rows[k]] = true;
      const int place = place_[pattern.rows[k]];
      if (!weighed_[place]) parts_.push_back({k, -1}), coordinates.push_back({place, j});
      for (const int w : weights_of[place]) parts_.push_back({k, w}), coordinates.push_back({weights_[w].row, j});
    }
  for (const System::Entry& entry : system.invariant_entries()) {
    const int level = level_of_invariant_[entry.row];
    if (level < 0) continue;
    coordinates.push_back({n + level, entry.slot});
    coordinates.push_back({entry.slot, n + level});
  }
  assembly_ = linear::assemble(n + levels(), coordinates);
  square_.assign(pattern.rows.size(), 0.0);
  gradient_.assign(system.invariant_entries().size(), 0.0);
  invariants_.assign(reduced.invariants.size(), 0.0);
  phi_.assign(n, 0.0);
}

std::unique_ptr<linear::Factorization> StepEquations::factorization() const {
  const Correction kind = problem_.reduced().correction;
  if (!overdetermined() || kind == Correction::SsfBordered) return linear::make_factorization(pattern());
  std::vector<int> stage_of_level, stage_of_unknown;
  for (const int k : levels_) stage_of_level.push_back(problem_.reduced().invariants[k].stage);
  for (const Slot& slot : problem_.reduced().slots) stage_of_unknown.push_back(slot.stage);
  return std::make_unique<GeneralizedInverse>(pattern(), kind, std::move(stage_of_level), std::move(stage_of_unknown));
}

void StepEquations::level_residuals(double t, std::span<const double> y, std::span<const double> yp,
                                    std::span<double> out) {
  problem_.system().invariants({t, y, yp}, invariants_);
  for (std::size_t k = 0; k < levels_.size(); ++k) out[k] = invariants_[levels_[k]];
}

void StepEquations::arrange(std::span<const double> of_problem, double alpha, std::span<double> out) {
  for (std::size_t i = 0; i < place_.size(); ++i) out[place_[i]] = divided_[i] ? of_problem[i] / alpha : of_problem[i];
  if (weights_.empty()) return;
  std::copy_n(out.begin(), place_.size(), unweighed_.begin());
  for (const Weight& weight : weights_) out[weight.row] = 0.0;
  for (std::size_t w = 0; w < weights_.size(); ++w) out[weights_[w].row] += mass_[w] * unweighed_[weights_[w].column];
}

bool StepEquations::residual(double t, std::span<const double> y, std::span<const double> yp, double alpha,
                             std::span<double> out) {
  if (!overdetermined()) return problem_.residual(t, y, yp, out);
  if (!problem_.residual(t, y, yp, phi_)) return false;
  if (!mass_known_) weigh_at(t, y, yp);
  arrange(phi_, alpha, out);
  const std::span<double> levels = out.subspan(problem_.size());
  level_residuals(t, y, yp, levels);
  return linear::all_finite(levels);
}

bool StepEquations::matrix(double t, std::span<const double> y, std::span<const double> yp, double alpha,
                           std::span<double> values) {
  if (!overdetermined()) return problem_.matrix(t, y, yp, alpha, values);
  if (!problem_.matrix(t, y, yp, alpha, square_)) return false;
  problem_.system().invariant_gradient({t, y, yp}, gradient_);
  weigh_at(t, y, yp);
  std::ranges::fill(values, 0.0);
  const std::vector<int>& rows = problem_.pattern().rows;
  std::size_t k = 0;
  for (; k < parts_.size(); ++k) {
    const auto [value, weight] = parts_[k];
    const double mass = weight < 0 ? 1.0 : mass_[weight];
    values[assembly_.position[k]] += mass * square_[value] / (divided_[rows[value]] ? alpha : 1.0);
  }
  const std::vector<System::Entry>& entries = problem_.system().invariant_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (level_of_invariant_[entries[e].row] < 0) continue;
    const double value = entries[e].rate ? alpha * gradient_[e] : gradient_[e];
    values[assembly_.position[k++]] += value;
    values[assembly_.position[k++]] += value;
  }
  return linear::all_finite(values);
}

}  // namespace driftless
