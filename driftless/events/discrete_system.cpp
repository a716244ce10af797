#include "driftless/events/discrete_system.hpp"

#include <algorithm>

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

DiscreteOrder order_in(const Model& model, const std::shared_ptr<Pool>& pool) {
  Model with_pool = model;
  with_pool.pool = pool;
  Diagnostics none;
  return order_of(with_pool, none);
}

}  // namespace

DiscreteSystem::DiscreteSystem(const CompiledSystem& system)
    : model_(*system.reduced().model), pool_(growable(model_.pool)) {
  const DiscreteOrder order = order_in(model_, pool_);
  const DiscretePart& part = model_.discrete;
  std::vector<NodeId> values, start, conditions;
  for (const DiscreteAssignment& assignment : order.assignments) {
    assigned_.push_back(assignment.variable);
    values.push_back(assignment.explicit_value);
  }
  for (const DiscreteAssignment& assignment : order.at_start) {
    assigned_at_start_.push_back(assignment.variable);
    start.push_back(assignment.explicit_value);
  }
  for (const DiscreteAssignment& assignment : order.pre_at_start) {
    pre_at_start_.push_back(assignment.variable);
    start.push_back(assignment.explicit_value);
  }
  for (const Reinit& reinit : part.reinits) conditions.push_back(reinit.condition);
  for (const Reinit& reinit : part.reinits) conditions.push_back(reinit.value);
  for (const Termination& termination : part.terminations) conditions.push_back(termination.condition);
  for (const EventAssertion& assertion : part.assertions) conditions.push_back(assertion.condition);
  values_ = compile(system, "discrete values", std::move(values));
  start_ = compile(system, "discrete start", std::move(start));
  conditions_ = compile(system, "event conditions", std::move(conditions));
}

std::shared_ptr<const Kernel> DiscreteSystem::compile(const CompiledSystem& system, const char* name,
                                                      std::vector<NodeId> outputs) {
  const std::vector<Quantity>& known = system.reduced().quantities;
  for (const NodeId output : outputs)
    for (const NodeId leaf : variables_of(*pool_, output)) {
      const Node node = (*pool_)[leaf];
      const Quantity q{VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b)};
      if (missing_.empty() && !std::ranges::binary_search(known, q))
        missing_ = derivative_name(model_[q.variable].name, q.order);
    }
  if (!missing_.empty()) return nullptr;
  KernelSource source{name, std::move(outputs)};
  const InputLayout layout = system.layout_of_quantities();
  auto kernel = driftless::compile(pool_, {&source, 1}, layout, Backend::Interpreter).kernels.front();
  inputs_.resize(static_cast<std::size_t>(layout.inputs));
  outputs_.resize(std::max(outputs_.size(), kernel->outputs()));
  work_.resize(std::max(work_.size(), kernel->work_size()));
  return kernel;
}

// An event iteration may return to the same point: equal inputs reuse the outputs.
void DiscreteSystem::run(const Kernel& kernel, const Point& at) {
  // Equations of a contact have additional parameters after those of the model, which no discrete equation contains.
  const std::span<double> parameters = std::span(inputs_).subspan(1, at.parameters.size());
  const std::span<double> quantities = std::span(inputs_).last(at.quantities.size());
  if (evaluated_ == &kernel && inputs_[0] == at.t && std::ranges::equal(parameters, at.parameters) &&
      std::ranges::equal(quantities, at.quantities))
    return;
  inputs_[0] = at.t;
  std::ranges::copy(at.parameters, parameters.begin());
  std::ranges::copy(at.quantities, quantities.begin());
  kernel(inputs_.data(), outputs_.data(), work_.data());
  evaluated_ = &kernel;
}

void DiscreteSystem::values(const Point& at, std::span<double> out) {
  run(*values_, at);
  for (std::size_t k = 0; k < assigned_.size(); ++k) out[assigned_[k]] = outputs_[k];
}

void DiscreteSystem::values_at_start(const Point& at, std::span<double> values, std::span<double> pre) {
  run(*start_, at);
  for (std::size_t k = 0; k < assigned_at_start_.size(); ++k) values[assigned_at_start_[k]] = outputs_[k];
  for (std::size_t k = 0; k < pre_at_start_.size(); ++k)
    pre[pre_at_start_[k]] = outputs_[assigned_at_start_.size() + k];
}

void DiscreteSystem::conditions(const Point& at, Conditions& out) {
  run(*conditions_, at);
  auto from = outputs_.begin();
  const auto take = [&](std::vector<double>& to, std::size_t count) {
    to.assign(from, from + static_cast<std::ptrdiff_t>(count));
    from += static_cast<std::ptrdiff_t>(count);
  };
  const DiscretePart& part = model_.discrete;
  take(out.reinit, part.reinits.size());
  take(out.reinit_value, part.reinits.size());
  take(out.terminate, part.terminations.size());
  take(out.assertion, part.assertions.size());
}

}  // namespace driftless
