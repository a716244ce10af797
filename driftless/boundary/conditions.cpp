#include "driftless/boundary/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless::boundary {
namespace {

Quantity quantity_of(const Pool& pool, NodeId leaf) {
  return {VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
}

}  // namespace

Conditions::Conditions(const Reduced& reduced) : pool_(reduced.model->pool) {
  const Model& model = *reduced.model;
  for (std::size_t j = 0; j < model.variables.size(); ++j) {
    const Variable& variable = model.variables[j];
    if (!variable.fixed) continue;
    start_.push_back({.end = End::Start,
                      .fixed = static_cast<int>(j),
                      .residual = reduced.value_of({VarId{static_cast<int>(j)}, 0}),
                      .range = variable.range,
                      .text = fmt::format("the fixed start {} = {:.6g}", variable.name, variable.start.value_or(0.0))});
  }
  Substitution substitute(*pool_, [&](NodeId leaf) -> std::optional<NodeId> {
    if ((*pool_)[leaf].op != Op::Variable) return {};
    const Quantity q = quantity_of(*pool_, leaf);
    if (q.order > reduced.offsets.d[static_cast<std::size_t>(index(q.variable))]) return {};  // refused later
    if (reduced.place(q) != Place::Defined) return {};
    return reduced.value_of(q);
  });
  const auto take = [&](const std::vector<Equation>& from, End end, std::vector<Condition>& to) {
    for (const Equation& equation : from)
      to.push_back({.end = end,
                    .residual = substitute(equation.residual),
                    .range = equation.range,
                    .text = fmt::format("{}: {}", equation.label, equation.text)});
  };
  take(model.initial_equations, End::Start, start_);
  take(model.final_equations, End::Stop, stop_);
  for (auto* list : {&start_, &stop_}) differentiate(*list);
}

void Conditions::differentiate(std::vector<Condition>& conditions) {
  for (Condition& condition : conditions)
    for (const Partial& p : gradient(*pool_, condition.residual))
      condition.gradient.emplace_back(quantity_of(*pool_, p.leaf), p.derivative);
}

void Conditions::compile(const CompiledSystem& system) {
  std::vector<KernelSource> sources;
  for (const auto* list : {&start_, &stop_}) {
    KernelSource values{"conditions", {}}, derivatives{"derivatives of conditions", {}};
    for (const Condition& condition : *list) {
      values.outputs.push_back(condition.residual);
      for (const auto& [quantity, derivative] : condition.gradient) derivatives.outputs.push_back(derivative);
    }
    sources.push_back(std::move(values));
    sources.push_back(std::move(derivatives));
  }
  kernels_ = driftless::compile(pool_, sources, system.layout(), Backend::Interpreter).kernels;
}

bool Conditions::evaluate(PointEquations& equations, End end, double t, const Eigen::VectorXd& u,
                          Eigen::VectorXd& residuals, Eigen::MatrixXd* gradient) const {
  System& system = equations.system();
  std::vector<double> inputs = system.inputs(), y, yp, work, values;
  equations.split(u, y, yp);
  inputs[0] = t;
  std::ranges::copy(y, inputs.begin() + static_cast<std::ptrdiff_t>(system.y_offset()));
  std::ranges::copy(yp, inputs.begin() + static_cast<std::ptrdiff_t>(system.yp_offset()));
  const auto call = [&](const Kernel& kernel) {
    work.resize(kernel.work_size());
    values.resize(kernel.outputs());
    kernel(inputs.data(), values.data(), work.data());
  };
  const std::vector<Condition>& list = at(end);
  const std::size_t first = end == End::Start ? 0 : 2;
  call(*kernels_[first]);
  residuals = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].fixed >= 0)
      residuals[static_cast<Eigen::Index>(i)] -=
          system.model().variables[static_cast<std::size_t>(list[i].fixed)].start.value_or(0.0);
  if (!gradient) return residuals.allFinite();
  call(*kernels_[first + 1]);
  *gradient = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(list.size()), equations.unknowns());
  const Reduced& reduced = equations.reduced();
  std::size_t k = 0;
  for (std::size_t i = 0; i < list.size(); ++i)
    for (const auto& [quantity, derivative] : list[i].gradient) {
      const int slot = reduced.slot_of(quantity);
      const int column = reduced.place(quantity) == Place::Rate ? equations.place_of_rate(slot) : slot;
      (*gradient)(static_cast<Eigen::Index>(i), column) += values[k++];
    }
  return residuals.allFinite() && gradient->allFinite();
}

}  // namespace driftless::boundary
