#include "driftless/sensitivity/variational_array.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/sensitivity/directions.hpp"
#include "driftless/sensitivity/parameters_in_programs.hpp"

namespace driftless::sensitivity {

VariationalArray::VariationalArray(const std::shared_ptr<const Model>& model, const structure::Offsets& offsets,
                                   const std::vector<bool>& moves, int extra, Backend backend)
    : model_(growable(model)) {
  expect_none_in_programs(*model_, moves);
  add_quantities(offsets, extra);
  find_switches(offsets);
  Pool& pool = *model_->pool;
  TimeDerivative derivative(pool);
  const int parameters = static_cast<int>(model_->parameters.size());
  KernelSource slopes{"variations", {}}, residuals{"array", {}};
  std::vector<NodeId> of_parameters, of_time;
  for (std::size_t i = 0; i < model_->equations.size(); ++i)
    for (int level = 0; level <= offsets.c[i] + extra; ++level) {
      const NodeId f = derivative(model_->equations[i].residual, level);
      residuals.outputs.push_back(f);
      for (const Partial& p : gradient(pool, f)) {
        const Node node = pool[p.leaf];
        const int col = place({VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)});
        if (col < 0) throw NotAvailable("the structure of the equations does not determine all their derivatives");
        entries_.push_back({rows_, col});
        slopes.outputs.push_back(p.derivative);
      }
      bool has_time = false;
      for (const NodeId id : nodes_of(pool, f)) {
        const Node node = pool[id];
        if (node.op == Op::Time) has_time = true;
        if (node.op != Op::Parameter || !moves[node.a]) continue;
        parameter_entries_.push_back({rows_, static_cast<int>(node.a)});
        of_parameters.push_back(partial(pool, f, id));
      }
      if (has_time) {
        time_rows_.push_back(rows_);
        of_time.push_back(partial(pool, f, pool.time()));
      }
      ++rows_;
    }
  for (const auto* list : {&of_parameters, &of_time, &switches_})
    slopes.outputs.insert(slopes.outputs.end(), list->begin(), list->end());
  find_bends(slopes.outputs);
  InputLayout layout;
  layout.parameters = parameters;
  layout.inputs = 1 + parameters + cols();
  layout.variable = [&](VarId v, int order) {
    const int col = place({v, order});
    return col < 0 ? -1 : 1 + parameters + col;
  };
  outputs_.resize(slopes.outputs.size());
  residual_.resize(residuals.outputs.size());
  inputs_.assign(static_cast<std::size_t>(layout.inputs), 0.0);
  kernels_ = compile(model_->pool, std::vector{std::move(slopes), std::move(residuals)}, layout, backend).kernels;
  work_.resize(std::max(kernels_[0]->work_size(), kernels_[1]->work_size()));
}

void VariationalArray::add_quantities(const structure::Offsets& offsets, int extra) {
  for (std::size_t j = 0; j < model_->variables.size(); ++j)
    for (int k = 0; k <= offsets.d[j] + extra; ++k) {
      quantities_.push_back({VarId{static_cast<int>(j)}, k});
      highest_.push_back(k >= offsets.d[j]);
      nominal_.push_back(model_->variables[j].nominal);
    }
}

// Where a relation that causes no event changes, the equations may jump, with an unknown effect on sensitivities. Kinks
// of abs, min and max have no effect, unless they are differentiated.
void VariationalArray::find_switches(const structure::Offsets& offsets) {
  Pool& pool = *model_->pool;
  for (std::size_t i = 0; i < model_->equations.size(); ++i)
    for (const NodeId id : nodes_of(pool, model_->equations[i].residual)) {
      const Node node = pool[id];
      const bool is_kink = node.op == Op::Abs || node.op == Op::Min || node.op == Op::Max;
      if (is_kink && offsets.c[i] > 0 && varies(pool, id))
        throw NotAvailable(fmt::format("{} has to be differentiated and contains {}, which has a kink",
                                       model_->equations[i].label, to_string(pool, id, names_of(*model_))));
      const bool is_logic = node.op == Op::And || node.op == Op::Or || node.op == Op::Not;
      if (is_piecewise_constant(node.op) && !is_logic && varies(pool, id)) switches_.push_back(id);
    }
  std::ranges::sort(switches_);
  const auto twice = std::ranges::unique(switches_);
  switches_.erase(twice.begin(), twice.end());
}

void VariationalArray::find_bends(const std::vector<NodeId>& partial_derivatives) {
  const Pool& pool = *model_->pool;
  bends_.assign(quantities_.size(), false);
  for (const NodeId expression : partial_derivatives)
    for (const NodeId leaf : variables_of(pool, expression))
      if (const int col = place({VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)}); col >= 0)
        bends_[static_cast<std::size_t>(col)] = true;
}

int VariationalArray::place(Quantity q) const {
  const auto found = std::ranges::lower_bound(quantities_, q);
  return found != quantities_.end() && *found == q ? static_cast<int>(found - quantities_.begin()) : -1;
}

std::string VariationalArray::name(int col) const {
  const Quantity q = quantities_[static_cast<std::size_t>(col)];
  return derivative_name((*model_)[q.variable].name, q.order);
}

std::string VariationalArray::text_of_switch(std::size_t k) const {
  return to_string(*model_->pool, switches_[k], names_of(*model_));
}

void VariationalArray::load(double t, std::span<const double> parameters, std::span<const double> quantities) {
  inputs_[0] = t;
  std::ranges::copy(parameters.first(model_->parameters.size()), inputs_.begin() + 1);
  std::ranges::copy(quantities, inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(model_->parameters.size()));
}

void VariationalArray::evaluate(double t, std::span<const double> parameters, std::span<const double> quantities,
                                Point& point) {
  load(t, parameters, quantities);
  (*kernels_[0])(inputs_.data(), outputs_.data(), work_.data());
  auto from = outputs_.begin();
  const auto take = [&](std::size_t count, auto& into) {
    into.assign(from, from + static_cast<std::ptrdiff_t>(count));
    from += static_cast<std::ptrdiff_t>(count);
  };
  take(entries_.size(), point.slopes);
  take(parameter_entries_.size(), point.of_parameters);
  take(time_rows_.size(), point.of_time);
  take(switches_.size(), point.switches);
}

const std::vector<double>& VariationalArray::residual(double t, std::span<const double> parameters,
                                                      std::span<const double> quantities) {
  load(t, parameters, quantities);
  (*kernels_[1])(inputs_.data(), residual_.data(), work_.data());
  return residual_;
}

}  // namespace driftless::sensitivity
