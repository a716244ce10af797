#include "driftless/integrate/solve/force_projection.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/expr/calculus.hpp"
#include "driftless/newton/iterate.hpp"

namespace driftless {
namespace {
constexpr int most_iterations = 10;
constexpr double cautious = 3.0;  // the rate of convergence may be this much worse at the next point
constexpr double stalled = 1e-9;  // a correction below this that no longer shrinks is rounding
}  // namespace

std::unique_ptr<ForceProjection> ForceProjection::of(Problem& problem, LinearRows& rows) {
  System& system = problem.system();
  const Reduced& r = problem.reduced();
  std::map<EqnId, int> highest;
  for (std::size_t i = 0; i < r.rows.size(); ++i)
    if (const int equation = rows.equation_of_row(static_cast<int>(i)); equation >= 0 && r.rows[i].stage == 0)
      highest[r.rows[i].equation] = equation;
  std::map<int, std::vector<int>> invariants_of_stage;
  for (std::size_t i = 0; i < r.invariants.size(); ++i) {
    const Invariant& invariant = r.invariants[i];
    if (invariant.of_model() || invariant.stage >= 0) continue;
    if (!highest.contains(invariant.equation)) return nullptr;
    invariants_of_stage[invariant.stage].push_back(static_cast<int>(i));
  }
  if (invariants_of_stage.empty()) return nullptr;

  auto result = std::unique_ptr<ForceProjection>(new ForceProjection(problem, rows));
  for (const auto& [stage, invariants] : invariants_of_stage) {
    Level& level = result->levels_.emplace_back();
    for (const int i : invariants) level.rows.push_back(highest.at(r.invariants[i].equation));
    for (int s = 0; s < problem.size(); ++s)
      if (r.slots[s].stage == stage && problem.is_state(s)) level.slots.push_back(s);
  }
  struct Made {
    Kernels kernels;
  };
  const CompiledSystem& compiled = system.compiled();
  const auto make = [&] {
    std::vector<KernelSource> sources{{"directions", {}}};
    for (const int e : result->propagation_.entries()) sources[0].outputs.push_back(compiled.jacobian_expressions()[e]);
    for (const auto& [stage, invariants] : invariants_of_stage) {
      KernelSource& source = sources.emplace_back(KernelSource{"level", {}});
      for (const int i : invariants) source.outputs.push_back(r.invariants[i].residual);
    }
    return std::make_shared<const Made>(compiled.compile(compiled.pool(), sources));
  };
  const Kernels& kernels = compiled.part<Made>(problem.active(), make)->kernels;
  std::size_t work = 0;
  for (const auto& kernel : kernels) work = std::max(work, kernel->work_size());
  result->work_.resize(work);
  result->directions_ = kernels[0];
  std::size_t largest = 0;
  for (std::size_t k = 0; k < result->levels_.size(); ++k) {
    result->levels_[k].residual = kernels[k + 1];
    largest = std::max(largest, result->levels_[k].rows.size());
  }
  result->residual_.resize(largest);
  result->z_.resize(rows.unknowns().size());
  result->y_offset_ = system.y_offset();
  for (const Slot& slot : r.slots) result->nominal_.push_back(slot.nominal);
  return result;
}

bool ForceProjection::operator()(double t, std::span<double> y, double accuracy) {
  const std::span<double> inputs = rows_.inputs();
  (*directions_)(inputs.data(), propagation_.values().data(), work_.data());
  inputs[0] = t;
  std::ranges::copy(y, inputs.begin() + static_cast<std::ptrdiff_t>(y_offset_));
  for (Level& level : levels_) {
    double size = 0.0, before = 0.0;
    int made = 0;
    const auto go = [&] { return newton::Correction(size = correct(level, y)); };
    const auto test = [&](double) {
      if (made++ > 0) {
        if (size <= stalled && size > 0.5 * before) return newton::Verdict::Converged;
        rate_ = std::min(1.0, cautious * size / before);
      }
      before = size;
      return rate_ * size <= accuracy ? newton::Verdict::Converged : newton::Verdict::GoOn;
    };
    if (!newton::iterate(most_iterations, go, test).converged() && !(size <= stalled)) return false;
  }
  return true;
}

// How far y moves, relative to its size.
double ForceProjection::correct(Level& level, std::span<double> y) {
  const std::span<double> inputs = rows_.inputs();
  (*level.residual)(inputs.data(), residual_.data(), work_.data());
  std::ranges::fill(z_, 0.0);
  for (std::size_t i = 0; i < level.rows.size(); ++i) z_[level.rows[i]] = residual_[i];
  rows_.solve(z_);
  propagation_.run(rows_.unknowns(), z_);
  double size = 0.0;
  for (const int s : level.slots) {
    const double change = propagation_.of_slots()[s];
    y[s] -= change;
    inputs[y_offset_ + s] = y[s];
    const double scale = std::abs(y[s]) + nominal_[s];
    if (!(std::abs(change) <= size * scale)) size = std::abs(change) / scale;
  }
  return size;
}

}  // namespace driftless
