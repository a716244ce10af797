#include "driftless/sensitivity/directions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless::sensitivity {
namespace {

Direction direction_of(const Model& model, const std::string& name) {
  const auto& parameters = model.parameters;
  const auto parameter = std::ranges::find_if(
      parameters, [&](const Parameter& p) { return p.role == Parameter::Role::Given && p.name == name; });
  const auto size_of = [](double value) { return value != 0.0 ? std::abs(value) : 1.0; };
  if (parameter != parameters.end()) {
    if (parameter->structural)
      throw NotAvailable(fmt::format(
          "the parameter '{}' was used up when the model was read, for sizes or branches: nothing depends on it "
          "smoothly",
          name));
    if (!parameter->fixed)
      throw NotAvailable(
          fmt::format("the parameter '{}' is an unknown of the start (fixed = false): differentiate "
                      "with respect to what determines it",
                      name));
    return {name, false, static_cast<std::size_t>(parameter - parameters.begin()), size_of(parameter->value)};
  }
  const auto variable = std::ranges::find(model.variables, name, &Variable::name);
  if (variable != model.variables.end())
    return {name, true, static_cast<std::size_t>(variable - model.variables.begin()),
            size_of(variable->start.value_or(0.0))};
  std::vector<std::string_view> known;
  for (const Parameter& p : parameters)
    if (p.role == Parameter::Role::Given) known.push_back(p.name);
  for (const Variable& v : model.variables) known.push_back(v.name);
  throw UnknownDirection(
      fmt::format("{} has neither a parameter nor a variable '{}'{}", model.name, name, did_you_mean(name, known)));
}

// A binding and its derivatives with respect to the parameters in it.
struct LinearBinding {
  Binding binding;
  std::vector<std::pair<Eigen::Index, double>> slopes;
};

LinearBinding linearized(const Model& model, Pool& pool, const Binding& binding) {
  LinearBinding result{binding, {}};
  const auto value = [&](NodeId leaf) {
    return pool[leaf].op == Op::Parameter ? model.parameters[pool[leaf].a].value : std::nan("");
  };
  for (const NodeId id : nodes_of(pool, binding.value)) {
    if (pool[id].op != Op::Parameter) continue;
    const auto p = static_cast<Eigen::Index>(pool[id].a);
    const double slope = evaluate(pool, partial(pool, binding.value, id), value);
    if (slope != 0.0) result.slopes.emplace_back(p, slope);
  }
  return result;
}

bool is_given(const NamedValues& given, const std::string& name) {
  return std::ranges::any_of(given, [&](const auto& one) { return one.first == name; });
}

class Chain {
 public:
  Chain(const Model& model, Directions& directions) : model_(model), directions_(directions) {}

  void follow(const NamedValues& given_parameters, const NamedValues& given_starts) {
    const std::shared_ptr<Pool> pool = growable(model_.pool);
    std::vector<LinearBinding> bindings;
    for (const Binding& binding : model_.bindings)
      if (is_in_force(binding, given_parameters, given_starts)) bindings.push_back(linearized(model_, *pool, binding));
    // Parameters depend on each other without cycles: as many rounds as the longest chain has links.
    for (std::size_t round = 0; round <= bindings.size(); ++round) {
      bool changed = false;
      for (const LinearBinding& one : bindings)
        if (one.binding.of == Binding::Of::Parameter) changed |= take(one, directions_.parameters);
      if (!changed) break;
    }
    for (const LinearBinding& one : bindings) {
      switch (one.binding.of) {
        case Binding::Of::Start: take(one, directions_.starts); break;
        case Binding::Of::DiscreteStart: take(one, directions_.discrete_starts); break;
        case Binding::Of::StartTime: expect_constant(one); break;
        default: break;
      }
    }
  }

 private:
  bool is_in_force(const Binding& binding, const NamedValues& parameters, const NamedValues& starts) const {
    const auto chosen = [&](bool is_start) {
      return std::ranges::any_of(directions_.all, [&](const Direction& direction) {
        return direction.is_start == is_start && direction.place == binding.place;
      });
    };
    switch (binding.of) {
      case Binding::Of::Parameter:
        return !chosen(false) && !is_given(parameters, model_.parameters[binding.place].name);
      case Binding::Of::Start: return !chosen(true) && !is_given(starts, model_.variables[binding.place].name);
      case Binding::Of::DiscreteStart: return !is_given(starts, model_.discrete.variables[binding.place].name);
      default: return true;
    }
  }

  Eigen::RowVectorXd slope(const LinearBinding& one) const {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(directions_.size());
    for (const auto& [p, slope] : one.slopes) row += slope * directions_.parameters.row(p);
    return row;
  }

  bool take(const LinearBinding& one, Eigen::MatrixXd& into) const {
    const auto place = static_cast<Eigen::Index>(one.binding.place);
    const Eigen::RowVectorXd row = slope(one);
    const bool changed = (row - into.row(place)).cwiseAbs().maxCoeff() > 0.0;
    into.row(place) = row;
    return changed;
  }

  void expect_constant(const LinearBinding& one) const {
    if (slope(one).cwiseAbs().maxCoeff() > 0.0)
      throw NotAvailable(
          "the start time of the experiment depends on a parameter of the sensitivities: give the start "
          "time as a number");
  }

  const Model& model_;
  Directions& directions_;
};

}  // namespace

Directions directions_of(const Model& model, const std::vector<std::string>& names, const NamedValues& given_parameters,
                         const NamedValues& given_starts) {
  Directions directions;
  for (const std::string& name : names) {
    if (std::ranges::find(directions.all, name, &Direction::name) != directions.all.end())
      throw NotAvailable(fmt::format("'{}' is named twice", name));
    directions.all.push_back(direction_of(model, name));
  }
  const auto zero = [&](std::size_t rows) {
    return Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows), directions.size());
  };
  directions.parameters = zero(model.parameters.size());
  directions.starts = zero(model.variables.size());
  directions.discrete_starts = zero(model.discrete.variables.size());
  for (Eigen::Index k = 0; k < directions.size(); ++k) {
    const Direction& direction = directions.all[static_cast<std::size_t>(k)];
    (direction.is_start ? directions.starts : directions.parameters)(static_cast<Eigen::Index>(direction.place), k) =
        1.0;
  }
  Chain(model, directions).follow(given_parameters, given_starts);
  return directions;
}

}  // namespace driftless::sensitivity
