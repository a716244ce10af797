#include "driftless/model/drive.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {
namespace {

void add_parameters(Model& model, ModelInput& input, double start, SourceRange range) {
  const auto add = [&](const std::string& what, double value) {
    return add_parameter(model, Parameter::Role::Input, fmt::format("{}({})", what, input.name), value, range);
  };
  input.origin = add("origin", 0.0);
  for (std::size_t k = 0; k < input.c.size(); ++k)
    input.c[k] = add(fmt::format("coefficient{}", k), k == 0 ? start : 0.0);
}

ModelInput with_parameters(Model& model, VarId variable) {
  const Variable described = model[variable];
  ModelInput input;
  input.name = described.name;
  input.variable = variable;
  add_parameters(model, input, described.start.value_or(0.0), described.range);
  return input;
}

bool is_known(const Model& model, const std::string& name) {
  return std::ranges::find(model.discrete.inputs, name, &ModelInput::name) != model.discrete.inputs.end();
}

NodeId residual_of(const Model& model, const ModelInput& input) {
  Pool& pool = *model.pool;
  const NodeId s = pool.sub(pool.time(), pool.parameter(input.origin));
  NodeId value = pool.parameter(input.c[3]);
  for (std::size_t k = 3; k-- > 0;) value = pool.add(pool.parameter(input.c[k]), pool.mul(s, value));
  return pool.sub(pool.variable(input.variable), value);
}

Equation equation_of(const Model& model, const ModelInput& input) {
  const std::string text = fmt::format("input {}", input.name);
  return {residual_of(model, input), text, text, model[input.variable].range};
}

[[noreturn]] void refuse(const Model& model, const std::string& message, const std::string& note = {}) {
  Diagnostics diagnostics;
  Diagnostic& error = diagnostics.error(Code::WrongInput, {}, message);
  if (!note.empty()) error.note(note);
  throw ModelError(diagnostics, *model.sources);
}

const ModelInput& input_named(const Model& model, const std::string& name) {
  std::vector<std::string_view> names;
  for (const ModelInput& input : model.discrete.inputs) {
    if (input.name == name) return input;
    names.push_back(input.name);
  }
  const bool is_variable = std::ranges::find(model.variables, name, &Variable::name) != model.variables.end();
  refuse(model,
         is_variable ? fmt::format("'{}' is a variable of {}, but no input", name, model.name)
                     : fmt::format("{} has no input '{}'{}", model.name, name, did_you_mean(name, names)),
         is_variable ? fmt::format("declare it as one: input Real {}, and leave out its equation", name)
                     : "inputs are declared in the model: input Real u(start = 0)");
}

ModelInput* find_input(Model& model, const std::string& name) {
  for (ModelInput& input : model.discrete.inputs)
    if (input.name == name) return &input;
  return nullptr;
}

}  // namespace

// Text that is read twice (homotopy) makes only one input.
void add_input(Model& model, VarId variable) {
  const auto known = std::ranges::find(model.discrete.inputs, model[variable].name, &ModelInput::name);
  if (known != model.discrete.inputs.end()) {
    model.equations.push_back(equation_of(model, *known));
    return;
  }
  const ModelInput input = with_parameters(model, variable);
  const auto place = static_cast<std::size_t>(index(variable));
  const std::vector<Binding> bindings = model.bindings;
  for (const Binding& binding : bindings)
    if (binding.of == Binding::Of::Start && binding.place == place)
      model.bindings.push_back({Binding::Of::Parameter, static_cast<std::size_t>(index(input.c[0])), binding.value});
  model.equations.push_back(equation_of(model, input));
  model.discrete.inputs.push_back(input);
}

void add_declared_input(Model& model, VarId variable, EqnId declared) {
  if (is_known(model, model[variable].name)) return;
  ModelInput input = with_parameters(model, variable);
  input.declared = static_cast<std::size_t>(index(declared));
  model.discrete.inputs.push_back(input);
}

void add_discrete_input(Model& model, std::size_t place) {
  const DiscreteVariable variable = model.discrete.variables[place];
  if (is_known(model, variable.name)) return;
  ModelInput input;
  input.name = variable.name;
  input.discrete = place;
  add_parameters(model, input, variable.start, variable.range);
  const std::string text = fmt::format("input {}", variable.name);
  Pool& pool = *model.pool;
  model.discrete.equations.push_back(
      {pool.parameter(variable.value), pool.parameter(input.c[0]), text, text, variable.range});
  model.discrete.inputs.push_back(std::move(input));
}

namespace {

// Between rows the value is that of the earlier row; those of Booleans and Integers must be valid values of the type.
SignalOrProblem discrete_pieces_of(const InputTable& table, const DiscreteVariable& variable) {
  auto pieces = pieces_of(table, Between::Held);
  const auto* signal = std::get_if<PiecewiseSignal>(&pieces);
  if (!signal || variable.type == DiscreteType::Real) return pieces;
  const double first = variable.type == DiscreteType::Enumeration ? 1.0 : 0.0;
  const double last = variable.type == DiscreteType::Boolean       ? 1.0
                      : variable.type == DiscreteType::Enumeration ? static_cast<double>(variable.literals.size())
                                                                   : std::numeric_limits<double>::max();
  for (const SignalPiece& piece : signal->pieces) {
    const double value = piece.c[0];
    const bool fits =
        std::floor(value) == value && value <= last && (variable.type == DiscreteType::Integer || value >= first);
    if (!fits) return fmt::format("has the value {}, which is not of its type", value);
  }
  return pieces;
}

SignalOrProblem signal_of(const Model& model, const ModelInput& input, const InputSignal& signal, double start,
                          double stop, double tolerance) {
  if (const auto* table = std::get_if<InputTable>(&signal))
    return input.discrete ? discrete_pieces_of(*table, model.discrete.variables[*input.discrete]) : pieces_of(*table);
  const auto& function = std::get<InputFunction>(signal);
  if (!function) return "is empty";
  if (input.discrete) return "is continuous, but the input changes at events only: give a table";
  return pieces_of(function, start, stop, tolerance / 10, model[input.variable].nominal);
}

}  // namespace

NamedPieces pieces_of(const Model& model, const NamedSignals& signals, double start, double stop, double tolerance) {
  NamedPieces result;
  for (const auto& [name, signal] : signals) {
    const ModelInput& input = input_named(model, name);
    if (std::ranges::any_of(result, [&](const auto& other) { return other.first == name; }))
      refuse(model, fmt::format("the input '{}' is given twice", name));
    auto pieces = signal_of(model, input, signal, start, stop, tolerance);
    if (const auto* problem = std::get_if<std::string>(&pieces))
      refuse(model,
             fmt::format("the {} of the input '{}' {}", signal.index() == 0 ? "table" : "function", name, *problem));
    result.emplace_back(name, std::get<PiecewiseSignal>(std::move(pieces)));
  }
  return result;
}

std::shared_ptr<const Model> replace_declared(const std::shared_ptr<const Model>& model, const NamedSignals& signals) {
  const auto is_replaced = [&](const ModelInput& input) {
    const auto has_its_name = [&](const auto& signal) { return signal.first == input.name; };
    return input.declared && std::ranges::any_of(signals, has_its_name);
  };
  if (std::ranges::none_of(model->discrete.inputs, is_replaced)) return model;
  auto copy = std::make_shared<Model>(*growable(model));
  for (ModelInput& input : copy->discrete.inputs) {
    if (!is_replaced(input)) continue;
    copy->equations[*input.declared] = equation_of(*copy, input);
    input.declared.reset();
  }
  return copy;
}

std::shared_ptr<const Model> driven(const std::shared_ptr<const Model>& model, const NamedPieces& signals,
                                    double start) {
  if (signals.empty()) return model;
  auto copy = std::make_shared<Model>(*model);
  for (const auto& [name, signal] : signals) {
    ModelInput* input = find_input(*copy, name);
    if (!input) input_named(*model, name);
    if (input->declared)
      refuse(*model, fmt::format("the input '{}' was compiled with the equation of its declaration", name),
             "name it among SimulateOptions::inputs when the model is compiled");
    input->signal = signal;
  }
  std::vector<double> numbers;
  for (const Parameter& parameter : copy->parameters) numbers.push_back(parameter.value);
  set_inputs(*copy, start, numbers);
  for (std::size_t p = 0; p < numbers.size(); ++p) copy->parameters[p].value = numbers[p];
  return copy;
}

double next_input_event(const Model& model, double t) {
  double next = std::numeric_limits<double>::infinity();
  for (const ModelInput& input : model.discrete.inputs)
    if (input.signal.is_given()) next = std::min(next, input.signal.next_after(t));
  return next;
}

void set_inputs(const Model& model, double t, std::span<double> parameters) {
  const auto number = [&](ParamId id) -> double& { return parameters[static_cast<std::size_t>(index(id))]; };
  for (const ModelInput& input : model.discrete.inputs) {
    if (!input.signal.is_given()) continue;
    const SignalPiece& piece = input.signal.at(t);
    number(input.origin) = piece.origin;
    for (std::size_t k = 0; k < piece.c.size(); ++k) number(input.c[k]) = piece.c[k];
  }
}

namespace {

// The user's equation that needs the highest derivative of the variable.
const Equation* asking_for(const Model& model, VarId variable, int order, std::span<const int> differentiations) {
  const Equation* found = nullptr;
  for (std::size_t i = 0; i < model.equations.size() && i < differentiations.size(); ++i) {
    if (model.equations[i].label.starts_with("input ")) continue;
    for (const NodeId leaf : variables_of(*model.pool, model.equations[i].residual)) {
      const Node& node = (*model.pool)[leaf];
      if (node.a == static_cast<std::uint32_t>(index(variable)) &&
          static_cast<int>(node.b) + differentiations[i] == order)
        found = found ? found : &model.equations[i];
    }
  }
  return found;
}

std::string times_in_words(int n) { return n == 1 ? "once" : n == 2 ? "twice" : fmt::format("{} times", n); }

}  // namespace

void check_smoothness(const Model& model, double start, double stop, std::span<const int> orders,
                      std::span<const int> differentiations) {
  Diagnostics diagnostics;
  for (const ModelInput& input : model.discrete.inputs) {
    if (input.discrete) continue;
    const int order = orders[static_cast<std::size_t>(index(input.variable))];
    const auto bad = std::ranges::find_if(input.signal.pieces, [&](const SignalPiece& piece) {
      return piece.from > start && piece.from < stop && piece.jumps < order;
    });
    if (bad == input.signal.pieces.end()) continue;
    const Equation* equation = asking_for(model, input.variable, order, differentiations);
    constexpr std::array<const char*, 4> what{"jumps", "has a kink", "has a jump of its second derivative",
                                              "has a jump of its third derivative"};
    diagnostics
        .error(Code::InputNotSmooth, equation ? equation->range : model[input.variable].range,
               fmt::format("the input '{}' {} at t = {}, but it must be differentiated {}{}", input.name,
                           what[static_cast<std::size_t>(bad->jumps)], bad->from, times_in_words(order),
                           equation ? fmt::format(": {} asks for that", equation->label) : std::string()))
        .note(
            bad->jumps < 2
                ? "its derivative would be an impulse; let the input act through a filter, T*der(v) = u - v, or give a "
                  "function in C++, which is smoothed by splines"
                : "a function in C++ is known by its values only: give its derivatives as inputs, or write it as an "
                  "expression of time");
  }
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *model.sources);
}

std::vector<std::string> remarks_on_inputs(const Model& model, double start, double stop) {
  std::vector<std::string> remarks;
  for (const ModelInput& input : model.discrete.inputs) {
    if (input.declared) continue;
    if (!input.signal.is_given()) {
      if (!input.discrete && !model[input.variable].start)
        remarks.push_back(fmt::format("the input {} has neither values nor a start: it is 0", input.name));
      continue;
    }
    const auto [first, last] = input.signal.known;
    if (!(last > first)) continue;  // one value, for all times
    if (first > start)
      remarks.push_back(fmt::format("the table of the input {} begins at t = {}: before, its first value, {}, is taken",
                                    input.name, first, input.signal.at(start)(start)));
    if (last < stop)
      remarks.push_back(
          fmt::format("the table of the input {} ends at t = {}: from there on its last value, {}, is taken",
                      input.name, last, input.signal.at(stop)(stop)));
  }
  return remarks;
}

}  // namespace driftless
