#include "driftless/integrate/check_slopes.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double left_by_a_change = 0.25;  // of a residual that a change of the unknowns explains

}  // namespace

CheckSlopes::CheckSlopes(const Reduced& reduced, const std::vector<Constraint>& checks)
    : reduced_(reduced), checks_(checks), equations_(checks.size()) {
  const std::vector<Parameter>& parameters = reduced.model->parameters;
  const int first = 1 + static_cast<int>(parameters.size());
  layout_.parameters = static_cast<int>(parameters.size());
  layout_.inputs = first + static_cast<int>(reduced.quantities.size());
  layout_.variable = [&reduced, first](VarId v, int order) {
    const auto found = std::ranges::lower_bound(reduced.quantities, Quantity{v, order});
    return first + static_cast<int>(found - reduced.quantities.begin());
  };
  inputs_.assign(layout_.inputs, 0.0);
  for (std::size_t p = 0; p < parameters.size(); ++p) inputs_[1 + p] = parameters[p].value;
}

void CheckSlopes::set_point(double t, std::span<const double> quantities) {
  inputs_[0] = t;
  std::ranges::copy(quantities, inputs_.end() - static_cast<std::ptrdiff_t>(quantities.size()));
}

CheckSlopes::Equation& CheckSlopes::made(std::size_t check) {
  Equation& equation = equations_[check];
  if (equation.kernel) return equation;
  Pool& pool = *reduced_.model->pool;
  const NodeId residual = checks_[check].residual;
  KernelSource source{"slopes of a residual", {residual}};
  for (const Partial& p : gradient(pool, residual)) {
    const VarId variable{static_cast<int>(pool[p.leaf].a)};
    equation.unknowns.push_back(
        {static_cast<std::size_t>(layout_.variable(variable, static_cast<int>(pool[p.leaf].b))),
         std::abs((*reduced_.model)[variable].nominal)});
    source.outputs.push_back(p.derivative);
  }
  equation.kernel =
      std::move(compile(reduced_.model->pool, {&source, 1}, layout_, Backend::Interpreter).kernels.front());
  work_.resize(std::max(work_.size(), equation.kernel->work_size()));
  for (std::vector<double>* list : {&values_, &values_there_, &at_})
    list->resize(std::max(list->size(), source.outputs.size()));
  return equation;
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
  const auto& [kernel, unknowns] = equations_[check];
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
