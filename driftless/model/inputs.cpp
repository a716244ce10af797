#include "driftless/model/inputs.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/spelling.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

class Inputs {
 public:
  explicit Inputs(const Model& model)
      : original_(model),
        model_(std::make_shared<Model>(model)),
        given_parameter_(model.parameters.size(), false),
        given_start_(model.variables.size(), false),
        given_discrete_start_(model.discrete.variables.size(), false) {}

  void set_parameters(const NamedValues& values) {
    for (const auto& [name, value] : values) {
      const auto place = place_of(original_.parameters, name, "parameter");
      if (!place || !is_number(name, value)) continue;
      const Parameter& parameter = original_.parameters[*place];
      if (parameter.role != Parameter::Role::Given) {
        diagnostics_.error(Code::UnknownName, {}, fmt::format("{} has no parameter '{}'", original_.name, name));
        continue;
      }
      if (parameter.structural && value != parameter.value) {
        diagnostics_
            .error(Code::FixedByTheText, parameter.range,
                   fmt::format("'{}' cannot change from run to run: sizes, branches or settings of the model "
                               "were computed from it when its text was read",
                               name))
            .note(
                fmt::format("read the model again with {} = {} (--override, or ReadOptions::overrides)", name, value));
        continue;
      }
      model_->parameters[*place].value = value;
      given_parameter_[*place] = true;
    }
  }

  void set_starts(const NamedValues& values) {
    for (const auto& [name, value] : values) {
      if (const auto discrete = discrete_place_of(name)) {
        if (!is_number(name, value)) continue;
        set_discrete_start(*discrete, value);
        given_discrete_start_[*discrete] = true;
        continue;
      }
      const auto place = place_of(original_.variables, name, "variable");
      if (!place || !is_number(name, value)) continue;
      model_->variables[*place].start = value;
      given_start_[*place] = true;
      set_constant_input(name, value);
    }
  }

  // Bindings are not sorted by dependence: values are computed recursively on demand.
  void compute_bindings() {
    const std::size_t none = original_.bindings.size();
    binding_of_parameter_.assign(original_.parameters.size(), none);
    for (std::size_t k = 0; k < none; ++k)
      if (const Binding& b = original_.bindings[k]; b.of == Binding::Of::Parameter && !given_parameter_[b.place])
        binding_of_parameter_[b.place] = k;
    for (std::size_t p = 0; p < original_.parameters.size(); ++p) value_of_parameter(p);
    for (const Binding& binding : original_.bindings) {
      if (binding.of == Binding::Of::Parameter) continue;
      const double value = value_of(binding.value);
      switch (binding.of) {
        case Binding::Of::Start:
          if (!given_start_[binding.place]) model_->variables[binding.place].start = value;
          break;
        case Binding::Of::Min: model_->variables[binding.place].min = value; break;
        case Binding::Of::Max: model_->variables[binding.place].max = value; break;
        case Binding::Of::StartTime: model_->experiment.start = value; break;
        case Binding::Of::StopTime: model_->experiment.stop = value; break;
        case Binding::Of::DiscreteStart:
          if (!given_discrete_start_[binding.place]) set_discrete_start(binding.place, value);
          break;
        default: break;
      }
    }
    for (std::size_t p = 0; p < original_.parameters.size(); ++p)
      if (const double value = model_->parameters[p].value; !std::isfinite(value))
        diagnostics_.error(
            Code::NotFinite, original_.parameters[p].range,
            fmt::format("'{}' has no value with these parameters: it becomes {}", original_.parameters[p].name, value));
    for (const Assertion& assertion : original_.settled)
      if (assertion.level == AssertionLevel::Error && value_of(assertion.condition) == 0.0)
        diagnostics_.error(Code::AssertionViolatedInText, assertion.range,
                           fmt::format("assertion violated: {}", assertion.message));
  }

  std::shared_ptr<const Model> result() const {
    if (diagnostics_.has_errors()) throw ModelError(diagnostics_, *original_.sources);
    return model_;
  }

 private:
  // The value of an input without a signal is its start.
  void set_constant_input(const std::string& name, double value) {
    for (const ModelInput& input : original_.discrete.inputs) {
      if (input.name != name) continue;
      const auto place = static_cast<std::size_t>(index(input.c[0]));
      model_->parameters[place].value = value;
      given_parameter_[place] = true;
    }
  }

  // What the name is instead, if it is known.
  std::string other_kind(const std::string& name) const {
    const auto has = [&](const auto& items) {
      return std::ranges::any_of(items, [&](const auto& item) { return item.name == name; });
    };
    if (has(original_.parameters)) return ": it is a parameter, and has no start";
    return has(original_.variables) ? ": it is a variable, and what can be given is its start" : "";
  }

  template <class Item>
  std::optional<std::size_t> place_of(const std::vector<Item>& items, const std::string& name, std::string_view kind) {
    const auto found = std::ranges::find(items, name, &Item::name);
    if (found != items.end()) return static_cast<std::size_t>(found - items.begin());
    std::vector<std::string_view> names;
    for (const Item& item : items) names.push_back(item.name);
    const std::string other = other_kind(name);
    diagnostics_.error(Code::UnknownName, {},
                       fmt::format("{} has no {} '{}'{}", original_.name, kind, name,
                                   other.empty() ? did_you_mean(name, names) : other));
    return {};
  }

  std::optional<std::size_t> discrete_place_of(const std::string& name) const {
    const auto& variables = original_.discrete.variables;
    const auto found = std::ranges::find_if(
        variables, [&](const DiscreteVariable& variable) { return !variable.auxiliary && variable.name == name; });
    return found != variables.end() ? std::optional(static_cast<std::size_t>(found - variables.begin())) : std::nullopt;
  }

  void set_discrete_start(std::size_t place, double value) {
    DiscreteVariable& variable = model_->discrete.variables[place];
    variable.start = value;
    for (const ParamId leaf : {variable.value, variable.pre})
      model_->parameters[static_cast<std::size_t>(index(leaf))].value = value;
  }

  bool is_number(const std::string& name, double value) {
    if (!std::isfinite(value))
      diagnostics_.error(Code::NotFinite, {}, fmt::format("the value of '{}' is not a finite number: {}", name, value));
    return std::isfinite(value);
  }

  double value_of(NodeId expression) {
    return evaluate(*original_.pool, expression, [&](NodeId leaf) {
      const Node& node = (*original_.pool)[leaf];
      return node.op == Op::Parameter ? value_of_parameter(node.a) : std::nan("");
    });
  }

  // Terminates, as no parameter of the text depends on itself.
  double value_of_parameter(std::size_t p) {
    if (const std::size_t k = std::exchange(binding_of_parameter_[p], original_.bindings.size());
        k < original_.bindings.size())
      model_->parameters[p].value = value_of(original_.bindings[k].value);
    return model_->parameters[p].value;
  }

  const Model& original_;
  std::shared_ptr<Model> model_;
  std::vector<bool> given_parameter_, given_start_, given_discrete_start_;
  std::vector<std::size_t> binding_of_parameter_;  // the binding still to be evaluated, or the number of bindings
  Diagnostics diagnostics_;
};

}  // namespace

std::shared_ptr<const Model> with_inputs(const std::shared_ptr<const Model>& model, const NamedValues& parameters,
                                         const NamedValues& starts) {
  if (parameters.empty() && starts.empty()) return model;
  Inputs inputs(*model);
  inputs.set_parameters(parameters);
  inputs.set_starts(starts);
  if (!parameters.empty()) inputs.compute_bindings();
  return inputs.result();
}

}  // namespace driftless
