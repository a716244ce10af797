#include "driftless/array/derivative_array.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless {

DerivativeArray::DerivativeArray(std::shared_ptr<const Model> model, int differentiations)
    : model_(std::move(model)), differentiations_(differentiations), highest_(model_->variables.size(), 0) {
  Pool& pool = *model_->pool;
  // Replaced equations give no rows, but are evaluated.
  for (const std::vector<Equation>* equations : {&model_->equations, &model_->replaced})
    for (const Equation& equation : *equations)
      for (const NodeId leaf : variables_of(pool, equation.residual)) {
        int& highest = highest_[pool[leaf].a];
        highest = std::max(highest, static_cast<int>(pool[leaf].b));
      }
  for (std::size_t j = 0; j < highest_.size(); ++j) {
    first_.push_back(static_cast<int>(unknowns_.size()));
    for (int k = 0; k <= highest_[j] + differentiations; ++k) unknowns_.push_back({VarId{static_cast<int>(j)}, k});
  }
  TimeDerivative derivative(pool);
  for (int level = 0; level <= differentiations; ++level)
    for (std::size_t i = 0; i < model_->equations.size(); ++i)
      rows_.push_back({derivative(model_->equations[i].residual, level), EqnId{static_cast<int>(i)}, level, 0});
  for (std::size_t i = 0; i < model_->initial_equations.size() && beyond_ < 0; ++i)
    for (const NodeId leaf : variables_of(pool, model_->initial_equations[i].residual))
      if (static_cast<int>(pool[leaf].b) > highest_[pool[leaf].a] + differentiations) beyond_ = static_cast<int>(i);
  if (beyond_ < 0) compile_kernels();
}

ArrayPart DerivativeArray::part_of(Quantity q) const {
  const int highest = highest_order(q.variable);
  return q.order < highest ? ArrayPart::Below : q.order == highest ? ArrayPart::Top : ArrayPart::Above;
}

int DerivativeArray::count(ArrayPart part) const {
  return static_cast<int>(std::ranges::count_if(unknowns_, [&](Quantity q) { return part_of(q) == part; }));
}

void DerivativeArray::compile_kernels() {
  InputLayout layout;
  layout.parameters = static_cast<int>(model_->parameters.size());
  const int offset = 1 + layout.parameters;
  layout.inputs = offset + static_cast<int>(unknowns_.size());
  layout.variable = [this, offset](VarId v, int order) { return offset + unknown_of({v, order}); };
  KernelSource values{"derivative array", {}}, derivatives{"jacobian of the derivative array", {}};
  const auto add = [&](NodeId residual) {
    const int row = static_cast<int>(values.outputs.size());
    values.outputs.push_back(residual);
    for (const Partial& p : gradient(*model_->pool, residual)) {
      const Node& leaf = (*model_->pool)[p.leaf];
      entries_.push_back({row, unknown_of({VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b)})});
      derivatives.outputs.push_back(p.derivative);
    }
  };
  for (const DerivedEquation& row : rows_) add(row.residual);
  for (const Equation& equation : model_->initial_equations) add(equation.residual);
  const std::vector<KernelSource> sources{std::move(values), std::move(derivatives)};
  kernels_ = compile(model_->pool, sources, layout, Backend::Interpreter).kernels;
}

std::vector<double> DerivativeArray::inputs(const Model& numbers, double t, const Eigen::VectorXd& unknowns) const {
  std::vector<double> inputs{t};
  for (const Parameter& parameter : numbers.parameters) inputs.push_back(parameter.value);
  inputs.insert(inputs.end(), unknowns.begin(), unknowns.end());
  return inputs;
}

Eigen::VectorXd DerivativeArray::residual(const Model& numbers, double t, const Eigen::VectorXd& unknowns) const {
  const std::vector<double> at = inputs(numbers, t, unknowns);
  std::vector<double> work(kernels_[0]->work_size());
  Eigen::VectorXd out(static_cast<Eigen::Index>(kernels_[0]->outputs()));
  (*kernels_[0])(at.data(), out.data(), work.data());
  return out;
}

DerivativeArray::Values DerivativeArray::evaluate(const Model& numbers, double t,
                                                  const Eigen::VectorXd& unknowns) const {
  const std::vector<double> at = inputs(numbers, t, unknowns);
  std::vector<double> work(kernels_[1]->work_size()), entries(kernels_[1]->outputs());
  (*kernels_[1])(at.data(), entries.data(), work.data());
  Values values;
  values.residual = residual(numbers, t, unknowns);
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(entries.size());
  for (std::size_t k = 0; k < entries.size(); ++k) triplets.emplace_back(entries_[k].row, entries_[k].col, entries[k]);
  values.jacobian.resize(values.residual.size(), unknowns.size());
  values.jacobian.setFromTriplets(triplets.begin(), triplets.end());
  return values;
}

}  // namespace driftless
