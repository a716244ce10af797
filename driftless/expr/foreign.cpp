#include "driftless/expr/foreign.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "driftless/expr/calculus.hpp"

namespace driftless {

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

// The outputs of the last call in this thread, as an equation needs one output after the other.
struct LastCall {
  std::uint64_t of = 0;
  std::vector<double> inputs, outputs;
};

bool call_with(const ForeignCode& code, std::span<const double> inputs, std::span<double> outputs) {
  if (code.call(inputs, outputs)) return true;
  std::ranges::fill(outputs, no_value);
  return false;
}

// The central difference quotient in one input. Its error is of the order of the square of the step plus rounding
// divided by the step; the cube root of the precision balances both.
Function difference_quotient(const Function& function, int input) {
  const std::shared_ptr<const ForeignCode> code = function.foreign;
  const auto k = static_cast<std::size_t>(input);
  const auto quotient = [code, k](std::span<const double> inputs, std::span<double> slopes) {
    std::vector<double> point(inputs.begin(), inputs.end()), after(slopes.size());
    const double step = std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(std::abs(inputs[k]), 1e-3);
    const double ahead = inputs[k] + step, behind = inputs[k] - step;
    point[k] = ahead;
    if (!call_with(*code, point, after)) return false;
    point[k] = behind;
    if (!call_with(*code, point, slopes)) return false;
    for (std::size_t j = 0; j < slopes.size(); ++j) slopes[j] = (after[j] - slopes[j]) / (ahead - behind);
    return true;
  };
  return foreign_function("d" + function.name + "/d" + std::to_string(input + 1), function.inputs,
                          static_cast<int>(function.outputs.size()), {quotient, code->is_discrete});
}

}  // namespace

Function foreign_function(std::string name, int inputs, int outputs, ForeignCode code) {
  static std::atomic<std::uint64_t> last = 0;
  code.number = ++last;
  Function function{std::move(name), inputs, inputs + outputs};
  for (int k = 0; k < outputs; ++k) function.outputs.push_back(inputs + k);
  function.foreign = std::make_shared<const ForeignCode>(std::move(code));
  function.derivative = std::make_shared<std::optional<GivenDerivative>>();
  return function;
}

double run_foreign(const Function& function, int output, std::span<const double> locals) {
  thread_local LastCall last;
  const auto inputs = locals.first(static_cast<std::size_t>(function.inputs));
  const bool known = last.of == function.foreign->number && std::ranges::equal(last.inputs, inputs);
  if (!known) {
    std::vector<double> own(inputs.begin(), inputs.end()), outputs(function.outputs.size(), no_value);
    call_with(*function.foreign, own, outputs);
    last = {function.foreign->number, std::move(own), std::move(outputs)};
  }
  return last.outputs[static_cast<std::size_t>(output)];
}

Function foreign_tangent(Pool& pool, const Function& function, int input) {
  const auto k = static_cast<std::size_t>(input);
  const std::optional<GivenDerivative>& given = *function.derivative;
  const auto rate = given ? given->rates[k] : GivenDerivative::Rate::Unknown;
  Function tangent;
  tangent.name = "d" + function.name + "/d" + std::to_string(input + 1);
  tangent.inputs = function.inputs;
  tangent.locals = function.inputs;
  if (function.foreign->is_discrete[k] || rate == GivenDerivative::Rate::Zero) {
    tangent.outputs.assign(function.outputs.size(), Function::zero_output);
    return tangent;
  }
  if (rate == GivenDerivative::Rate::Unknown) return difference_quotient(function, input);

  // The rates of the outputs where this input changes at the rate 1 and no other does.
  std::vector<NodeId> arguments(static_cast<std::size_t>(pool.function(given->function).inputs), pool.zero());
  for (int i = 0; i < function.inputs; ++i) arguments[static_cast<std::size_t>(i)] = pool.local(i);
  arguments[static_cast<std::size_t>(given->places[k])] = pool.one();
  for (std::size_t j = 0; j < function.outputs.size(); ++j) {
    Statement statement;
    statement.target = tangent.locals++;
    statement.expression = pool.call(given->function, static_cast<int>(j), arguments);
    tangent.outputs.push_back(statement.target);
    tangent.body.push_back(std::move(statement));
  }
  return tangent;
}

namespace {

void visit_calls(const Pool& pool, const Function& function, const std::function<void(FunctionId)>& visit) {
  std::vector<const std::vector<Statement>*> open{&function.body};
  while (!open.empty()) {
    const std::vector<Statement>& list = *open.back();
    open.pop_back();
    for (const Statement& statement : list) {
      if (statement.kind == Statement::Kind::Assign)
        for (const NodeId node : nodes_of(pool, statement.expression))
          if (pool[node].op == Op::Call) visit(pool.call_site(pool[node]).function);
      open.push_back(&statement.body);
      open.push_back(&statement.otherwise);
    }
  }
}

}  // namespace

// A function is made after those that it calls, so the recursion is as deep as the calls in the text, and each function
// is examined once.
int exact_derivatives(const Pool& pool, FunctionId function) {
  constexpr int without_limit = std::numeric_limits<int>::max();
  std::map<FunctionId, int> known;
  std::set<FunctionId> entered{function};
  std::vector<FunctionId> open{function};
  while (!open.empty()) {
    const FunctionId id = open.back();
    const Function& here = pool.function(id);
    std::vector<FunctionId> needed;
    const bool is_given = here.foreign && *here.derivative;
    if (is_given) needed.push_back((*here.derivative)->function);
    if (!here.foreign) visit_calls(pool, here, [&](FunctionId callee) { needed.push_back(callee); });
    const std::size_t before = open.size();
    for (const FunctionId other : needed)
      if (entered.insert(other).second) open.push_back(other);
    if (open.size() > before) continue;
    int least = here.foreign && !is_given ? 0 : without_limit;
    for (const FunctionId other : needed)
      if (const auto place = known.find(other); place != known.end()) least = std::min(least, place->second);
    if (is_given && least != without_limit) ++least;
    known[id] = least;
    open.pop_back();
  }
  return known.at(function) == without_limit ? -1 : known.at(function);
}

}  // namespace driftless
