#include "driftless/indices/linear_model.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

// Per variable the order of its highest derivative, at least 1: as many of its derivatives are entries of u.
std::vector<int> orders_of(const Model& model) {
  std::vector<int> orders(model.variables.size(), 1);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual)) {
      const Node& node = (*model.pool)[leaf];
      orders[node.a] = std::max(orders[node.a], static_cast<int>(node.b));
    }
  return orders;
}

double value_of_coefficient(const Model& model, NodeId coefficient) {
  return evaluate(*model.pool, coefficient, [&](NodeId leaf) {
    return model.parameters[(*model.pool)[leaf].a].value;  // it contains nothing else
  });
}

std::optional<std::string> obstacle(const Model& model, const Equation& equation, const Partial& p) {
  const Node& leaf = (*model.pool)[p.leaf];
  const std::string unknown = derivative_name(model.variables[leaf.a].name, static_cast<int>(leaf.b));
  if (!variables_of(*model.pool, p.derivative).empty())
    return fmt::format("{} is not linear in {}", equation.label, unknown);
  if (varies(*model.pool, p.derivative))
    return fmt::format("the coefficient of {} in {} varies with time", unknown, equation.label);
  if (!std::isfinite(value_of_coefficient(model, p.derivative)))
    return fmt::format("the coefficient of {} in {} has no value", unknown, equation.label);
  return {};
}

class FirstOrderForm {
 public:
  explicit FirstOrderForm(const Model& model) : model_(model), orders_(orders_of(model)) {
    for (std::size_t j = 0; j < orders_.size(); ++j) {
      first_.push_back(static_cast<int>(result_.unknowns.size()));
      for (int k = 0; k < orders_[j]; ++k) result_.unknowns.push_back(derivative_name(model.variables[j].name, k));
    }
    const auto n = static_cast<Eigen::Index>(result_.unknowns.size());
    result_.pencil = {Eigen::MatrixXd::Zero(n, n), Eigen::MatrixXd::Zero(n, n)};
  }

  void add_equation(const Equation& equation, const std::vector<Partial>& partials) {
    const Eigen::Index row = next_row(equation.label);
    for (const Partial& p : partials) {
      const Node& leaf = (*model_.pool)[p.leaf];
      const int order = static_cast<int>(leaf.b);
      const bool is_rate = order == orders_[leaf.a];
      (is_rate ? result_.pencil.B : result_.pencil.A)(row, first_[leaf.a] + order - is_rate) +=
          value_of_coefficient(model_, p.derivative);
    }
  }

  LinearModel take() {
    for (std::size_t j = 0; j < orders_.size(); ++j)
      for (int k = 1; k < orders_[j]; ++k) {
        const int column = first_[j] + k;
        const auto& name = result_.unknowns;
        const Eigen::Index row = next_row(fmt::format("d/dt {} = {}", name[column - 1], name[column]));
        result_.pencil.B(row, column - 1) = 1.0;
        result_.pencil.A(row, column) = -1.0;
      }
    return std::move(result_);
  }

 private:
  Eigen::Index next_row(std::string label) {
    result_.equations.push_back(std::move(label));
    return static_cast<Eigen::Index>(result_.equations.size()) - 1;
  }

  const Model& model_;
  std::vector<int> orders_;
  std::vector<int> first_;  // by variable: the column of its order 0
  LinearModel result_;
};

}  // namespace

std::variant<LinearModel, std::string> linear_model(const Model& model) {
  if (model.equations.size() != model.variables.size())
    return fmt::format("there are {} equations for {} unknowns", model.equations.size(), model.variables.size());
  FirstOrderForm form(model);
  for (const Equation& equation : model.equations) {
    const std::vector<Partial> partials = gradient(*model.pool, equation.residual);
    for (const Partial& p : partials)
      if (const auto problem = obstacle(model, equation, p)) return *problem;
    form.add_equation(equation, partials);
  }
  return form.take();
}

}  // namespace driftless
