// When clauses, of equations and of algorithms: their conditions and their effects other than assignments.
//
//   when {c1, c2} then ... elsewhen c3 then ... end when
//
// The first branch is active at the events at which c1 or c2 becomes true, the second one where c3 becomes true and the
// first is not active.
#pragma once

#include <optional>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

// The expressions that are true at the events at which the branches are active. Nothing, with an error, if a condition
// is wrong.
std::optional<std::vector<NodeId>> active_branches(const Environment& at,
                                                   const std::vector<const ast::Expression*>& conditions);

// The following are for a branch that is active where all.events.reached is true (class Reached):
//
// reinit(x, e), for variables, elements and arrays of them.
void add_reinit(const Environment& at, const ast::Call& call, SourceRange range);
// terminate(message)
void add_termination(const Environment& at, const ast::Call& call, SourceRange range);
// assert is check_assertion of elaboration.hpp.

// False, with an error, if another when clause already assigns to this discrete variable.
bool may_assign(const Environment& at, std::size_t variable, SourceRange range);

// While it exists, the text is inside a when clause.
class InsideWhen {
 public:
  explicit InsideWhen(Elaboration& all) : all_(all), outer_(std::exchange(all.events.inside_when, true)) {}
  ~InsideWhen() { all_.events.inside_when = outer_; }
  InsideWhen(const InsideWhen&) = delete;
  InsideWhen& operator=(const InsideWhen&) = delete;

 private:
  Elaboration& all_;
  bool outer_;
};

// Elaborates a when-equation outside of other when clauses.
void elaborate_when(const Environment& at, const ast::WhenEquation& when);

}  // namespace driftless::language
