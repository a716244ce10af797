#include "driftless/hybrid/numeric_equations.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 50;
constexpr int most_halvings = 20;
constexpr double converged = 1e-15;  // correction relative to the unknown
constexpr double stalled = 1e-9;     // a correction below this that no longer shrinks is a rounding error

double norm(const std::vector<double>& residual, const std::vector<int>& rows, const std::vector<double>& sizes) {
  double largest = 0.0;
  for (const int i : rows) {
    if (!std::isfinite(residual[i])) return HUGE_VAL;
    largest = std::max(largest, std::abs(residual[i]) / sizes[i]);
  }
  return largest;
}

}  // namespace

NumericEquations::NumericEquations(const std::shared_ptr<Pool>& pool, const InputLayout& layout,
                                   std::vector<NodeId> residuals, const std::vector<NumericUnknown>& unknowns) {
  NodeMap<int> column;
  for (const NumericUnknown& unknown : unknowns) {
    const Node& node = (*pool)[unknown.leaf];
    column.insert(unknown.leaf, cols());
    place_.push_back(layout.variable(VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)));
    nominal_.push_back(unknown.nominal);
  }
  KernelSource slopes{"jump_jacobian", {}};
  for (std::size_t i = 0; i < residuals.size(); ++i)
    for (const Partial& p : gradient(*pool, residuals[i]))
      if (const int* col = column.find(p.leaf)) {
        entries_.push_back({static_cast<int>(i), *col});
        slopes.outputs.push_back(p.derivative);
      }
  residual_.resize(residuals.size());
  outputs_.resize(entries_.size());
  kernels_ = compile(pool, std::vector{KernelSource{"jump", std::move(residuals)}, std::move(slopes)}, layout,
                     Backend::Interpreter)
                 .kernels;
  work_.resize(std::max(kernels_[0]->work_size(), kernels_[1]->work_size()));
}

double NumericEquations::size(int col, const std::vector<double>& inputs) const {
  return std::abs(inputs[place_[col]]) + nominal_[col];
}

const std::vector<double>& NumericEquations::residual(const std::vector<double>& inputs) {
  (*kernels_[0])(inputs.data(), residual_.data(), work_.data());
  return residual_;
}

const std::vector<NumericEquations::Entry>& NumericEquations::jacobian(const std::vector<double>& inputs) {
  (*kernels_[1])(inputs.data(), outputs_.data(), work_.data());
  for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k].value = outputs_[k];
  return entries_;
}

std::vector<double> NumericEquations::sizes(const std::vector<double>& inputs) const {
  std::vector<double> sizes(residual_.size(), 0.0);
  for (const Entry& entry : entries_) sizes[entry.row] += std::abs(entry.value) * size(entry.col, inputs);
  for (double& size : sizes)
    if (!(size > 0.0) || !std::isfinite(size)) size = 1.0;
  return sizes;
}

bool NumericEquations::is_rounding(int place, const std::vector<double>& inputs) const {
  constexpr double rounding = 1e-12;
  const auto col = static_cast<int>(std::ranges::find(place_, place) - place_.begin());
  std::vector<double> terms(residual_.size(), 0.0);
  for (const Entry& entry : entries_) terms[entry.row] += std::abs(entry.value * inputs[place_[entry.col]]);
  return std::ranges::none_of(entries_, [&](const Entry& entry) {
    return entry.col == col && std::abs(entry.value * inputs[place]) > rounding * terms[entry.row];
  });
}

NewtonOutcome solve(NumericEquations& equations, const std::vector<int>& rows, const std::vector<int>& cols,
                    std::vector<double>& inputs) {
  if (rows.empty()) return NewtonOutcome::Converged;
  std::vector<int> row_place(equations.rows(), -1), col_place(equations.cols(), -1);
  for (std::size_t k = 0; k < rows.size(); ++k) row_place[rows[k]] = static_cast<int>(k);
  for (std::size_t k = 0; k < cols.size(); ++k) col_place[cols[k]] = static_cast<int>(k);
  std::vector<linear::Coordinate> coordinates;
  std::vector<std::size_t> used;
  const std::vector<NumericEquations::Entry>& entries = equations.jacobian(inputs);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (row_place[entries[e].row] < 0 || col_place[entries[e].col] < 0) continue;
    coordinates.push_back({row_place[entries[e].row], col_place[entries[e].col]});
    used.push_back(e);
  }
  const linear::Assembly assembly = linear::assemble(static_cast<int>(rows.size()), coordinates);
  const auto factorization = linear::make_factorization(assembly.pattern);
  std::vector<double> values(assembly.pattern.rows.size()), step(rows.size());
  double before = HUGE_VAL;
  for (int iteration = 0; iteration < most_iterations; ++iteration) {
    equations.jacobian(inputs);
    const std::vector<double> sizes = equations.sizes(inputs);
    std::ranges::fill(values, 0.0);
    for (std::size_t k = 0; k < used.size(); ++k) values[assembly.position[k]] += entries[used[k]].value;
    const std::vector<double>& residual = equations.residual(inputs);
    const double missed = norm(residual, rows, sizes);
    for (std::size_t k = 0; k < rows.size(); ++k) step[k] = residual[rows[k]];
    if (!factorization->factorize(values)) return NewtonOutcome::Singular;
    factorization->solve(step);
    double size = 0.0;
    for (std::size_t k = 0; k < cols.size(); ++k)
      size = std::max(size, std::abs(step[k]) / equations.size(cols[k], inputs));
    if (!std::isfinite(size)) return NewtonOutcome::Diverged;
    const std::vector<double> from = inputs;
    double part = 1.0;
    for (int halving = 0;; ++halving, part *= 0.5) {
      for (std::size_t k = 0; k < cols.size(); ++k) {
        const int place = equations.place(cols[k]);
        inputs[place] = from[place] - part * step[k];
      }
      if (size <= stalled || norm(equations.residual(inputs), rows, sizes) < missed) break;
      if (halving == most_halvings) return NewtonOutcome::Diverged;
    }
    if (part == 1.0 && (size <= converged || (size <= stalled && size > 0.25 * before)))
      return NewtonOutcome::Converged;
    before = size;
  }
  return NewtonOutcome::Diverged;
}

}  // namespace driftless
