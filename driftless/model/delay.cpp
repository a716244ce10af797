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

// The variable to be delayed: the expression itself if it is a variable.
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
  const NodeId s = pool.sub(moment_of(model, delay), pool.parameter(delay.origin));
  NodeId value = pool.parameter(delay.c.back());
  for (std::size_t k = delay.c.size() - 1; k-- > 0;) value = pool.add(pool.parameter(delay.c[k]), pool.mul(s, value));
  return value;
}

std::size_t add_relation(Model& model, const Delay& delay, NodeId relation) {
  const ParamId held = add_parameter(model, Parameter::Role::Held, delay.text, 0.0, delay.range);
  model.discrete.held.push_back({relation, held, delay.text, delay.range});
  return model.discrete.held.size() - 1;
}

// Adds the relations at which a piece ends: of time alone, with a known instant, unless T changes.
void add_ends_of_piece(Model& model, Delay& delay) {
  Pool& pool = *model.pool;
  const NodeId moment = moment_of(model, delay);
  delay.end = add_relation(model, delay, pool.binary(Op::LessEqual, pool.parameter(delay.until), moment));
  if (delay.from) delay.begin = add_relation(model, delay, pool.binary(Op::Less, moment, pool.parameter(*delay.from)));
}

void assert_range(Model& model, const Delay& delay) {
  Pool& pool = *model.pool;
  const auto add = [&](Op op, NodeId left, NodeId right, const std::string& what) {
    const NodeId condition = hold(model, pool.binary(op, left, right), {}, delay.range);
    const std::string relation = to_string(pool, pool.binary(op, left, right), names_of(model));
    model.discrete.assertions.push_back(
        {condition, fmt::format("the time of {} {}", delay.text, what), false, delay.text, relation, delay.range});
  };
  add(Op::Less, pool.zero(), delay.time, "must be positive");
  add(Op::LessEqual, delay.time, *delay.longest, "must not be above the longest one, its third argument");
}

NodeId add(Model& model, Delay&& delay) {
  Pool& pool = *model.pool;
  for (const Delay& known : model.discrete.delays)
    if (known.expression == delay.expression && known.time == delay.time && known.longest == delay.longest)
      return pool.variable(known.variable);
  const SourceRange range = delay.range;
  delay.source = source_of(model, delay.expression, delay.text, range);
  delay.variable = add_auxiliary(model, delay.text, range);
  const auto add = [&](const std::string& what) {
    return add_parameter(model, Parameter::Role::Input, fmt::format("{} of {}", what, delay.text), 0.0, range);
  };
  delay.origin = add("origin");
  delay.until = add("end of the piece");
  if (delay.longest) delay.from = add("beginning of the piece");
  for (std::size_t k = 0; k < delay.c.size(); ++k) delay.c[k] = add(fmt::format("coefficient {}", k));
  model.parameters[static_cast<std::size_t>(index(delay.c[0]))].fixed = false;
  const NodeId delayed = pool.variable(delay.variable);
  add_equation(model, model.equations, delayed, polynomial(model, delay), delay.text, range);
  add_equation(model, model.initial_equations, delayed, pool.variable(delay.source), delay.text + " at the start",
               range);
  add_ends_of_piece(model, delay);
  if (delay.longest) assert_range(model, delay);
  model.discrete.delays.push_back(std::move(delay));
  return delayed;
}

}  // namespace

NodeId moment_of(const Model& model, const Delay& delay) {
  return delay.longest ? model.pool->sub(model.pool->time(), delay.time) : model.pool->time();
}

NodeId add_delay(Model& model, NodeId expression, NodeId time, std::string text, SourceRange range) {
  Delay delay;
  delay.expression = expression;
  delay.time = time;
  delay.text = std::move(text);
  delay.range = range;
  return add(model, std::move(delay));
}

NodeId add_changing_delay(Model& model, NodeId expression, NodeId time, NodeId longest, std::string text,
                          SourceRange range) {
  Delay delay;
  delay.expression = expression;
  delay.time = time;
  delay.longest = longest;
  delay.text = std::move(text);
  delay.range = range;
  return add(model, std::move(delay));
}

double delay_time(const Model& model, const Delay& delay, std::span<const double> parameters) {
  return evaluate(*model.pool, delay.longest.value_or(delay.time),
                  [&](NodeId leaf) { return parameters[(*model.pool)[leaf].a]; });
}

void check_delays(const Model& model, std::span<const double> parameters) {
  Diagnostics diagnostics;
  for (const Delay& delay : model.discrete.delays)
    if (const double time = delay_time(model, delay, parameters); !(time > 0.0))
      diagnostics
          .error(Code::WrongArgument, delay.range,
                 fmt::format("the {}time of {} must be positive, but is {}", delay.longest ? "longest " : "",
                             delay.text, time))
          .note("without a delay write the expression itself");
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *model.sources);
}

}  // namespace driftless
