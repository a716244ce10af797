// A function as a program of the pool, for control flow that depends on values.
//
// Every variable gets a slot for each of its elements, and its value is the leaf of that slot, so expressions are
// evaluated exactly as in the symbolic execution; only statements are recorded instead of executed. Integer and Boolean
// arguments that are known at the call stay known: a program is made for each combination of them, and of the shapes of
// the other arguments.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/expr/function.hpp"
#include "driftless/language/functions.hpp"

namespace driftless::language {

class ProgramWriter {
 public:
  ProgramWriter(Elaboration& all, Scope& function)
      : all_(all), pool_(all.pool), function_(function), at_{all, function, locals_} {}
  ProgramWriter(const ProgramWriter&) = delete;  // the environment refers to its own variables
  ProgramWriter& operator=(const ProgramWriter&) = delete;

  // Guarded: its last input says whether it is to be executed; otherwise its results are 0. Nothing reads them, but
  // some sums multiply them by the 0 of a branch that is not taken, which numbers that do not exist would spoil.
  ProgramInstance write(const Locals& bound, bool guarded);

  // A loop of an algorithm section on these variables. Its inputs are the variables that it assigns, then the leaves
  // that it mentions; its outputs are the same variables.
  struct Loop {
    FunctionId function{};
    std::vector<std::size_t> assigned;  // places in the locals
    std::vector<NodeId> arguments;
  };
  std::optional<Loop> write_loop(const Locals& before, const ast::Statement& statement, const std::string& name);

 private:
  int slot_of(NodeId leaf) const { return static_cast<int>(pool_[leaf].a); }
  NodeId new_slot() { return pool_.local(slots_++); }
  Local in_slots(Local local);
  // Puts an input into slots; for a function value the inputs given to it.
  Local input_in_slots(Local local);
  void assign(NodeId target, NodeId value, Statements& out) const;
  // Outputs and protected variables. Those that never change keep their known values, so that sizes and loops that
  // they bound stay known.
  bool declare_others(const Locals& bound, Statements& out);
  bool write(const std::vector<ast::Statement>& statements, Statements& out);
  bool write(const ast::Statement& statement, Statements& out);
  // Copies the nodes to separate slots, so that assignments to variables in them do not change them.
  std::vector<NodeId> saved(std::span<const NodeId> nodes, Statements& out);
  bool write_assignment(const ast::Reference& target, const Value& value, SourceRange range, Statements& out);
  bool write_record(const Local& local, const ast::Reference& target, const Value& value, SourceRange range,
                    Statements& out);
  bool write_tuple(const ast::TupleAssignment& assignment, SourceRange range, Statements& out);
  bool write_call(const ast::Expression& expression);
  bool write_if(const ast::IfStatement& choice, std::size_t first, Statements& out);
  bool write_while(const ast::WhileStatement& loop, Statements& out);
  bool write_for(const ast::ForStatement& loop, std::size_t level, Statements& out);
  // One copy of the body for each known value, inside a loop with one iteration, so that `break` leaves it.
  bool write_unrolled(const ast::ForStatement& loop, std::size_t level, Statements& out);
  bool write_counted(const ast::ForStatement& loop, std::size_t level, Statements& out);

  Elaboration& all_;
  Pool& pool_;
  Scope& function_;
  Locals locals_;
  Environment at_;
  Function program_;
  int slots_ = 0;
  int loops_ = 0;
};

// Is the argument known at the call, so that a separate program is made for its value?
bool is_fixed_argument(const Pool& pool, const Local& local);

}  // namespace driftless::language
