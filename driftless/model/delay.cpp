#include "driftless/model/delay.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/model/hold.hpp"

namespace driftless {
namespace {

VarId add_auxiliary(Model& model, std::string name, SourceRange range) {
  Variable variable;
  variable.name = std::move(name);
  variable.range = range;
  variable.auxiliary = true;
  model.variables.push_back(std::move(variable));
  return VarId{static_cast<std::int32_t>(model.variables.size()) - 1};
}

void add_equation(Model& model, std::vector<Equation>& equations, NodeId left, NodeId right, const std::string& label,
                  SourceRange range) {
  equations.push_back({model.pool->sub(left, right), label, label, range});
}

// A variable stands for itself.
VarId source_of(Model& model, NodeId expression, const std::string& text, SourceRange range) {
  const Node node = (*model.pool)[expression];
  if (node.op == Op::Variable && node.b == 0) return VarId{static_cast<std::int32_t>(node.a)};
  const std::string name = fmt::format("argument of {}", text);
  const VarId source = add_auxiliary(model, name, range);
  add_equation(model, model.equations, model.pool->variable(source), expression, name, range);
  return source;
}

NodeId polynomial(const Model& model, const Delay& delay) {
  Pool& pool = *model.pool;
  const NodeId s = pool.sub(pool.time(), pool.parameter(delay.origin));
  NodeId value = pool.parameter(delay.c.back());
  for (std::size_t k = delay.c.size() - 1; k-- > 0;) value = pool.add(pool.parameter(delay.c[k]), pool.mul(s, value));
  return value;
}

// Its value is held until the piece ends: a relation of time whose instant is known.
void add_end_of_piece(Model& model, Delay& delay) {
  Pool& pool = *model.pool;
  const NodeId reached = pool.binary(Op::LessEqual, pool.parameter(delay.until), pool.time());
  const ParamId held = add_parameter(model, Parameter::Role::Held, delay.text, 0.0, delay.range);
  delay.end = model.discrete.held.size();
  model.discrete.held.push_back({reached, held, delay.text, delay.range});
}

}  // namespace

NodeId add_delay(Model& model, NodeId expression, NodeId time, std::string text, SourceRange range) {
  Pool& pool = *model.pool;
  for (const Delay& known : model.discrete.delays)
    if (known.expression == expression && known.time == time) return pool.variable(known.variable);
  Delay delay;
  delay.expression = expression;
  delay.time = time;
  delay.text = std::move(text);
  delay.range = range;
  delay.source = source_of(model, expression, delay.text, range);
  delay.variable = add_auxiliary(model, delay.text, range);
  const auto add = [&](const std::string& what) {
    return add_parameter(model, Parameter::Role::Input, fmt::format("{} of {}", what, delay.text), 0.0, range);
  };
  delay.origin = add("origin");
  delay.until = add("end of the piece");
  for (std::size_t k = 0; k < delay.c.size(); ++k) delay.c[k] = add(fmt::format("coefficient {}", k));
  model.parameters[static_cast<std::size_t>(index(delay.c[0]))].fixed = false;
  const NodeId delayed = pool.variable(delay.variable);
  add_equation(model, model.equations, delayed, polynomial(model, delay), delay.text, range);
  add_equation(model, model.initial_equations, delayed, pool.variable(delay.source), delay.text + " at the start",
               range);
  add_end_of_piece(model, delay);
  model.discrete.delays.push_back(delay);
  return delayed;
}

double delay_time(const Model& model, const Delay& delay, std::span<const double> parameters) {
  return evaluate(*model.pool, delay.time, [&](NodeId leaf) { return parameters[(*model.pool)[leaf].a]; });
}

void check_delays(const Model& model, std::span<const double> parameters) {
  Diagnostics diagnostics;
  for (const Delay& delay : model.discrete.delays)
    if (const double time = delay_time(model, delay, parameters); !(time > 0.0))
      diagnostics
          .error(Code::WrongArgument, delay.range,
                 fmt::format("the time of {} must be positive, but is {}", delay.text, time))
          .note("without a delay write the expression itself");
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *model.sources);
}

}  // namespace driftless
