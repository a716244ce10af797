// Calls of the user's functions. A body is executed on expressions: loops are unrolled, branches merged, and the result
// is an ordinary expression. Only if the control flow depends on values that are not known before the run does the
// function become a program of the pool.
#pragma once

#include <optional>
#include <vector>

#include "driftless/expr/function.hpp"
#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The variables of a function before its first statement, in the order of their declaration.
struct Frame {
  Scope& function;
  Locals locals;
};

// The results of a call of a user's function, of the constructor of a record or of a built-in function.
std::vector<Value> evaluate_call(const Environment& at, const ast::Call& call, SourceRange range);

enum class Execution { Done, NeedsProgram, Failed };

// The same with inputs that are already given by a function value.
struct GivenInput;
std::vector<Value> call_function(const Environment& at, Instance& function, const ast::Call& call, SourceRange range,
                                 const std::vector<GivenInput>& already);

// Executes the body on the values of the frame; outputs are then in its locals.
Execution execute(Elaboration& all, Frame& frame);

// Is it an argument known at the call for which a separate program is made: any known value that is not Real?
bool is_fixed_value(const Pool& pool, const Value& value);

// The outputs as calls of a program, for a frame whose inputs are bound.
std::vector<Value> call_program(Elaboration& all, const Frame& frame);

// Variables, their derivatives and time in the statements become slots: the first `own` slots stay, these follow, then
// all others. Returns them in the order of their slots.
using Statements = std::vector<Statement>;
std::vector<NodeId> leaves_to_slots(Pool& pool, Statements& statements, int own);

// A variable of a function with its first value: the one given, or that of its declaration. Nothing, with an error,
// if it does not fit.
std::optional<Local> declare_local(const Environment& at, const Component& component, const Value* given,
                                   SourceRange given_at);
// Each component after those that its size and first value need.
const std::vector<Component*>& declaration_order(Elaboration& all, Instance& function);

// The variable that an assignment may change; null, with an error, if there is none.
Local* assignable(const Environment& at, const ast::Reference& target);
// The value converted to the type of the target; invalid, with an error, if types or shapes do not fit.
Value fit_for(const Environment& at, const Local& target, const std::optional<Slice>& part, const Value& value,
              SourceRange range);
// Merges two branches: where the condition holds the variables take the values of the other branch. False, with an
// error, if one of them has different shapes.
bool merge_variables(const Environment& at, NodeId condition, const Locals& other, SourceRange range);
// Are the bounds of a loop known, or only during the run?
bool runs_over_known_values(const Environment& at, const ast::Iterator& iterator);

}  // namespace driftless::language
