#include "driftless/integrate/system/check_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double left_by_a_change = 0.25;  // remaining part of a residual that a change of the unknowns explains

}  // namespace

CheckSlopes::CheckSlopes(const System& system)
    : system_(system.compiled()), equations_(system.checks().size()), inputs_(system.inputs()) {}

const CheckSlopes::Equation& CheckSlopes::made(std::size_t check) {
  if (!is_made(check)) make(std::span(&check, 1));
  return *equations_[check];
}

void CheckSlopes::make(std::span<const std::size_t> checks) {
  const Model& model = *system_.reduced().model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  const InputLayout& layout = system_.layout();
  std::vector<KernelSource> sources;
  std::vector<Equation> made(checks.size());
  for (std::size_t k = 0; k < checks.size(); ++k) {
    const NodeId residual = system_.checks()[checks[k]].residual;
    KernelSource& source = sources.emplace_back(KernelSource{"slopes of a residual", {residual}});
    for (const Partial& p : gradient(*pool, residual)) {
      const Node leaf = (*pool)[p.leaf];
      const VarId variable{static_cast<int>(leaf.a)};
      made[k].unknowns.push_back({static_cast<std::size_t>(layout.variable(variable, static_cast<int>(leaf.b))),
                                  std::abs(model[variable].nominal)});
      source.outputs.push_back(p.derivative);
    }
  }
  const auto kernels = compile(pool, sources, layout, Backend::Interpreter).kernels;
  for (std::size_t k = 0; k < checks.size(); ++k) {
    made[k].kernel = kernels[k];
    const int check = static_cast<int>(checks[k]);
    equations_[checks[k]] =
        system_.part<Equation>({check}, [&] { return std::make_shared<const Equation>(std::move(made[k])); });
    work_.resize(std::max(work_.size(), equations_[checks[k]]->kernel->work_size()));
    for (std::vector<double>* list : {&values_, &values_there_, &at_})
      list->resize(std::max(list->size(), equations_[checks[k]]->kernel->outputs()));
  }
}

double CheckSlopes::change(std::size_t check) {
  const Equation& equation = made(check);
  (*equation.kernel)(inputs_.data(), values_.data(), work_.data());
  double sum = 0.0;
  for (std::size_t k = 0; k < equation.unknowns.size(); ++k) {
    const auto& [input, nominal] = equation.unknowns[k];
    sum += std::abs(values_[1 + k]) * (std::abs(inputs_[input]) + nominal);
  }
  return sum;
}

double CheckSlopes::size(std::size_t check) {
  const double size = change(check), residual = values_[0];
  const auto& [kernel, unknowns] = *equations_[check];
  double of_values = 0.0;
  for (std::size_t k = 0; k < unknowns.size(); ++k) of_values += std::abs(values_[1 + k] * inputs_[unknowns[k].input]);
  if (!std::isfinite(size) || !(size > 0.0) || !std::isfinite(residual)) return 0.0;
  if (std::abs(residual) <= rounding_of_residuals * of_values) return size;
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    double& v = inputs_[unknowns[k].input];
    at_[k] = v;
    if (values_[1 + k] == 0.0) continue;
    const double way = (std::abs(v) + unknowns[k].nominal) * std::abs(residual) / size;
    v -= std::copysign(way, residual) * (values_[1 + k] < 0.0 ? -1.0 : 1.0);
  }
  (*kernel)(inputs_.data(), values_there_.data(), work_.data());
  for (std::size_t k = 0; k < unknowns.size(); ++k) inputs_[unknowns[k].input] = at_[k];
  return std::abs(values_there_[0]) <= left_by_a_change * std::abs(residual) ? size : 0.0;
}

}  // namespace driftless
