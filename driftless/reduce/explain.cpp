#include "driftless/reduce/explain.hpp"

#include "driftless/reduce/list_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/model/jumps.hpp"
#include "driftless/model/resting.hpp"
#include "driftless/reduce/conflict.hpp"
#include "driftless/reduce/physical_reasons.hpp"
#include "driftless/reduce/repetition.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

using structure::Col;
using structure::Row;

constexpr std::size_t most_names = 8;

std::string plural(std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); }

std::string variables(const Model& model, const std::vector<Col>& cols) {
  std::vector<std::string> names;
  for (const Col j : cols) names.push_back(model.variables[index(j)].name);
  return list_names(std::move(names));
}

std::string equations(const Model& model, const std::vector<Row>& rows) {
  std::vector<std::string> names;
  for (const Row i : rows) names.push_back(model.equations[index(i)].label);
  return list_names(std::move(names));
}

// Adds a few equations of a part, each with its text.
void note_equations(const Model& model, const std::vector<Row>& rows, Diagnostic& diagnostic) {
  for (std::size_t k = 0; k < rows.size() && k < most_names; ++k) {
    const Equation& equation = model.equations[index(rows[k])];
    diagnostic.note(fmt::format("{}: {}", equation.label, equation.text));
  }
  if (rows.size() > most_names) diagnostic.note(fmt::format("... and {} more equations", rows.size() - most_names));
}

// Describes an equation between parameters, constants and time: whether it holds at all times.
std::string without_unknown(const Model& model, const Equation& equation) {
  const Pool& pool = *model.pool;
  if (any_node(pool, equation.residual, [&](NodeId id) { return pool[id].op == Op::Time; }))
    return "it cannot hold at all times: remove it, or declare one of its parameters as a variable";
  const double missed =
      evaluate(pool, equation.residual, [&](NodeId leaf) { return model.parameters[pool[leaf].a].value; });
  if (missed == 0.0) return "with the present values of the parameters it is true: remove it";
  return fmt::format(
      "with the present values of the parameters it is missed by {:.6g}: remove it, or declare one of them as a "
      "variable",
      missed);
}

std::vector<Equation> equations_of(const Model& model, const std::vector<Row>& rows) {
  std::vector<Equation> equations;
  for (const Row i : rows) equations.push_back(model.equations[index(i)]);
  return equations;
}

void note_if(const std::optional<std::string>& reason, Diagnostic& d) {
  if (reason) d.note(*reason);
}

std::vector<EqnId> numbers_of(const std::vector<Row>& rows) {
  std::vector<EqnId> numbers;
  for (const Row i : rows) numbers.push_back(EqnId{index(i)});
  return numbers;
}

std::optional<std::string> conflict_among(const Model& model, const std::vector<Row>& rows) {
  return conflict_in_words(model, numbers_of(rows));
}

void explain_over(const Model& model, const structure::Component& part, const structure::DulmageMendelsohn& parts,
                  Diagnostics& diagnostics) {
  const Equation& first = model.equations[index(part.rows.front())];
  if (part.cols.empty()) {
    diagnostics
        .error(Code::EquationWithoutUnknown, first.range,
               fmt::format("the equation {} contains no unknown", first.text))
        .note(without_unknown(model, first));
    return;
  }
  const std::size_t surplus = part.rows.size() - part.cols.size();
  Diagnostic& d = diagnostics.error(Code::TooManyEquations, first.range,
                                    fmt::format("{} determine only {}: {}", plural(part.rows.size(), "equation"),
                                                plural(part.cols.size(), "unknown"), variables(model, part.cols)));
  note_equations(model, part.rows, d);
  const std::optional<std::string> twice = prescribed_twice(model, part.rows);
  const std::optional<std::string> constraints = too_many_constraints(model, equations_of(model, part.rows));
  note_if(twice ? twice : constraints, d);
  const std::optional<std::string> conflict = conflict_among(model, part.rows);
  note_if(conflict, d);
  const std::optional<std::string> repetition =
      twice || conflict ? std::nullopt : repetition_in_words(model, numbers_of(part.rows));
  note_if(repetition, d);
  if ((twice || !constraints) && part.rows.size() == parts.over_rows.size()) note_if(rival_sources(model, parts), d);
  if (repetition && surplus == 1) return;
  d.note(surplus == 1 ? "remove one of these equations, or let one of them depend on a further variable"
                      : fmt::format("remove {} of these equations, or let them depend on further variables", surplus));
}

void explain_under(const Model& model, const structure::Component& part, Diagnostics& diagnostics) {
  if (part.rows.empty()) {
    const Variable& variable = model.variables[index(part.cols.front())];
    diagnostics
        .error(Code::VariableInNoEquation, variable.range, fmt::format("{} occurs in no equation", variable.name))
        .note(fmt::format("add an equation for {}, or declare it as a parameter", variable.name));
    return;
  }
  const Variable& first = model.variables[index(part.cols.front())];
  const std::size_t missing = part.cols.size() - part.rows.size();
  Diagnostic& d = diagnostics.error(Code::TooFewEquations, first.range,
                                    fmt::format("{} must determine {}: {}", plural(part.rows.size(), "equation"),
                                                plural(part.cols.size(), "unknown"), variables(model, part.cols)));
  note_equations(model, part.rows, d);
  note_if(missing_reference(model, part.rows, part.cols), d);
  d.note(missing == 1
             ? "one equation is missing: add one that contains some of these unknowns, or turn one of them into a "
               "parameter"
             : fmt::format(
                   "{} equations are missing: add some that contain these unknowns, or turn {} of them into parameters",
                   missing, missing));
}

// If there is a physical reason, its remedy has been named and no other is suggested.
void note_dependence(const Model& model, const HiddenDependence& dependence, const std::string& unknowns,
                     bool has_reason, Diagnostic& d) {
  const std::string which = equations(model, dependence.equations);
  const bool alone = dependence.equations.size() == 1;
  using Kind = HiddenDependence::Kind;
  switch (dependence.kind) {
    case Kind::Unknown:
      d.note(
          "the pattern of the equations promises a solution, but their values do not: some combination of them is free "
          "of the unknowns above");
      break;
    case Kind::HigherIndex:
      d.note(fmt::format(
          "{}{} contains none of {}: it is a hidden constraint, and the true index is higher than the pattern of the "
          "equations tells",
          alone ? "" : "a combination of ", which, unknowns));
      if (has_reason) break;
      d.note(
          "no combination of them was found that repairs the model: combine these equations by hand so that one of "
          "them no longer contains these unknowns; --formulation original takes the equations as they are, and may "
          "integrate them");
      break;
    case Kind::Dependent:
      d.note(fmt::format("one of {} follows from the others, or contradicts them: replace it", which));
      break;
    case Kind::Redundant:
      d.note(alone ? fmt::format("{} says 0 = 0: remove it, and an unknown that only it determines", which)
             : dependence.equations.size() == 2
                 ? fmt::format("{} say the same: remove one of them, and an unknown that only it determines", which)
                 : fmt::format("one of {} follows from the others: remove it, and an unknown that only it determines",
                               which));
      break;
    case Kind::Contradictory:
      d.note(fmt::format("{} {} 0 = {:.6g}", which,
                         alone ? "says" : "contradict each other: a combination of them says", dependence.left_over));
      break;
  }
}

}  // namespace

void explain_singular(const Model& model, const structure::Singular& singular, Diagnostics& diagnostics) {
  const structure::Signature signature = signature_of(model);
  const structure::DulmageMendelsohn& parts = singular.parts;
  for (const structure::Component& part : connected_components(signature, parts.over_rows, parts.over_cols))
    explain_over(model, part, parts, diagnostics);
  for (const structure::Component& part : connected_components(signature, parts.under_rows, parts.under_cols))
    explain_under(model, part, diagnostics);
}

namespace {

// An external function is differentiated by the function that its annotation names, not by difference quotients, which
// would hide constraints behind their errors.
bool explain_external(const Model& model, const Equation& equation, int times, Diagnostics& diagnostics) {
  const Pool& pool = *model.pool;
  for (const NodeId node : nodes_of(pool, equation.residual)) {
    if (pool[node].op != Op::Call) continue;
    const FunctionId called = pool.call_site(pool[node]).function;
    const int known = exact_derivatives(pool, called);
    if (known < 0 || known >= times) continue;
    diagnostics
        .error(Code::ExternalFunctionFailed, equation.range,
               fmt::format("{} must be differentiated {}, but the external function {} has {}", equation.text,
                           times == 1   ? "once"
                           : times == 2 ? "twice"
                                        : fmt::format("{} times", times),
                           pool.function(called).name,
                           known == 0 ? "no derivative" : fmt::format("only {} of the derivatives", known)))
        .note("write annotation(derivative = ...) in it, with a function that computes its derivative");
    return true;
  }
  return false;
}

}  // namespace

void explain_undifferentiable(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics) {
  std::vector<bool> resting;  // found when it is first needed
  for (std::size_t i = 0; i < model.equations.size(); ++i) {
    const int c = offsets.c[i];
    if (c == 0) continue;
    const Equation& equation = model.equations[i];
    if (explain_external(model, equation, c, diagnostics)) continue;
    const auto jump = find_jump(model, equation.residual, c);
    if (!jump) continue;
    if (resting.empty()) resting = resting_variables(model);
    const auto cause = find_jump(model, equation.residual, c, resting);
    if (!cause) continue;
    const std::string times = c == 1 ? "once" : c == 2 ? "twice" : fmt::format("{} times", c);
    diagnostics
        .error(cause->level == 0 ? Code::JumpDifferentiated : Code::KinkDifferentiated, equation.range,
               fmt::format("{} must be differentiated {}, but {}", equation.text, times, describe(*cause, model)))
        .note(
            "this equation ties variables together whose derivatives occur elsewhere, so its derivatives must hold as "
            "well")
        .note(advice(*cause, model));
  }
}

namespace {

// The expression contains a derivative that is higher than those the equations determine.
void explain_high_derivative(const Model& model, const structure::Offsets& offsets, NodeId expression,
                             SourceRange range, const std::string& what, Diagnostics& diagnostics) {
  const Pool& pool = *model.pool;
  for (const NodeId leaf : variables_of(pool, expression)) {
    const Node node = pool[leaf];
    const int highest = offsets.d[node.a];
    if (static_cast<int>(node.b) <= highest) continue;
    const std::string& name = model.variables[node.a].name;
    diagnostics
        .error(Code::DerivativeNotDetermined, range,
               fmt::format("{} contains {}, which no equation determines", what,
                           derivative_name(name, static_cast<int>(node.b))))
        .note(highest == 0 ? fmt::format("of {} no derivative is known", name)
                           : fmt::format("the highest derivative of {} that is known is {}", name,
                                         derivative_name(name, highest)));
    return;
  }
}

}  // namespace

void explain_invariants(const Model& model, const structure::Offsets& offsets, Diagnostics& diagnostics) {
  for (const InvariantOfModel& invariant : model.invariants)
    explain_high_derivative(model, offsets, invariant.value, invariant.range,
                            fmt::format("the invariant '{}'", invariant.name), diagnostics);
  for (const Assertion& assertion : model.assertions)
    explain_high_derivative(model, offsets, assertion.condition, assertion.range, "this assertion", diagnostics);
  for (const Equation& equation : model.final_equations)
    explain_high_derivative(model, offsets, equation.residual, equation.range,
                            fmt::format("the final equation {}", equation.label), diagnostics);
}

void explain_hidden_singularity(const Model& model, const structure::Structure& shape, const HiddenSingularity& hidden,
                                Diagnostics& diagnostics, const std::optional<std::string>& advice) {
  const structure::Block& block = shape.blocks[hidden.block];
  std::vector<Row> rows = block.rows;
  std::vector<Col> cols = block.cols;
  std::ranges::sort(rows);
  std::ranges::sort(cols);
  std::vector<std::string> unknowns;
  for (const Col j : cols)
    unknowns.push_back(derivative_name(model.variables[index(j)].name, shape.offsets.d[index(j)]));
  const Equation& first = model.equations[index(rows.front())];
  Diagnostic& d = diagnostics.error(
      Code::HiddenSingularity, first.range,
      rows.size() == 1
          ? fmt::format("{} does not determine {}: its derivative by {} is 0 at every point", equations(model, rows),
                        unknowns.front(), unknowns.front())
          : fmt::format("the equations {} do not determine {}: their Jacobian has rank {} of {} at every point",
                        equations(model, rows), list_names(unknowns), hidden.rank, rows.size()));
  note_equations(model, rows, d);
  const auto reference = missing_reference(model, rows, cols);
  note_if(reference, d);
  note_if(prescribed_twice(model, rows), d);
  std::vector<Row> constraints;
  for (const Row i : rows)
    if (shape.offsets.c[index(i)] > 0) constraints.push_back(i);
  if (const auto conflict = constraints.size() < 2 ? std::nullopt : conflict_among(model, constraints)) {
    d.note(*conflict).note("remove or change one of these equations");
    return;
  }
  note_dependence(model, find_dependence(model, shape, hidden), list_names(std::move(unknowns)), reference.has_value(),
                  d);
  if (advice) d.note(*advice);
}

void explain_contradiction(const Model& model, const Contradiction& contradiction, Diagnostics& diagnostics) {
  std::vector<std::string> labels;
  for (const Equation& equation : contradiction.equations) labels.push_back(equation.label);
  Diagnostic& d = diagnostics.error(
      Code::EquationsContradict, contradiction.equations.front().range,
      labels.size() == 1
          ? fmt::format("{} cannot hold: all unknowns cancel, and 0 = {} is left", labels.front(),
                        contradiction.left_over)
          : fmt::format("the equations {} contradict each other: in {} all unknowns cancel, and 0 = {} is left",
                        list_names(labels), contradiction.combination, contradiction.left_over));
  for (const Equation& equation : contradiction.equations) d.note(fmt::format("{}: {}", equation.label, equation.text));
  note_if(too_many_constraints(model, contradiction.equations), d);
}

}  // namespace driftless
