// A start and its quantities by name, for tests.
#pragma once

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {

// A consistent start whose quantities are accessed by name.
class Start {
 public:
  explicit Start(Model model, double t = 0.0) : reduced_(samples::reduced(std::move(model))), t_(t) {
    Diagnostics diagnostics;
    result_ = initialize(*reduced_, t, diagnostics);
    refused = diagnostics.has_errors();
  }

  bool refused = false;
  bool found() const { return std::holds_alternative<State>(result_); }
  const State& state() const { return std::get<State>(result_); }
  const NoConsistentStart& why() const { return std::get<NoConsistentStart>(result_); }
  const Reduced& reduced() const { return *reduced_; }

  double operator()(const std::string& name, int order = 0) const {
    const auto& variables = reduced_->model->variables;
    const auto found = std::ranges::find(variables, name, &Variable::name);
    return value(reduced_->value_of({VarId{static_cast<int>(found - variables.begin())}, order}));
  }

  double value(NodeId expression) const {
    const Model& model = *reduced_->model;
    return evaluate(*model.pool, expression, [&](NodeId leaf) -> double {
      const Node& node = (*model.pool)[leaf];
      if (node.op == Op::Time) return t_;
      if (node.op == Op::Parameter) return model.parameters[node.a].value;
      const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
      switch (reduced_->place(q)) {
        case Place::Slot: return state().y[reduced_->slot_of(q)];
        case Place::Rate: return state().yp[reduced_->slot_of(q)];
        case Place::Defined: return value(reduced_->value_of(q));
      }
      return std::nan("");
    });
  }

  // Over all equations at all levels, in units of one plus the largest value.
  double largest_residual() const {
    double largest = 0.0, size = 1.0;
    for (const double y : state().y) size = std::max(size, std::abs(y));
    for (const DerivedEquation& row : reduced_->rows) largest = std::max(largest, std::abs(value(row.residual)));
    for (const Constraint& constraint : reduced_->constraints)
      largest = std::max(largest, std::abs(value(constraint.residual)));
    return largest / size;
  }

 private:
  std::shared_ptr<const Reduced> reduced_;
  double t_;
  std::variant<State, NoConsistentStart> result_;
};

}  // namespace driftless
