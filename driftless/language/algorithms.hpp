// Algorithm sections of a model. A section is executed on expressions, as the body of a function is, and what it has
// made of its variables at its end are explicit equations: v = expression. They are differentiated like any others.
//
// Before its first assignment a continuous variable has its start value, a discrete one its left limit pre(v)
// (Modelica 3.6, Section 11.1.2). A when statement is `if edge(condition) then ... end if`.
#pragma once

#include <string_view>
#include <vector>

#include "driftless/language/functions.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

// What an algorithm section has beyond the body of a function, while it is executed.
class SectionOfModel {
 public:
  SectionOfModel(Elaboration& all, const ast::AlgorithmSection& section)
      : initial(section.initial), all_(all), model_(all.model) {}

  const bool initial;

  // A variable of the model that the section assigns, one leaf for each element.
  struct Variable {
    std::string_view name;
    Value leaves;
    std::vector<SourceRange> assigned;  // by element: the last statement that assigns it; unknown if none does
  };
  std::vector<Variable> variables;

  void note_value(const Pool& pool, const Value& value);
  // To these elements, or to all. False, with an error, if a discrete variable would change between events, or if what
  // is assigned is no variable.
  bool note_assignment(const Environment& at, const Local& local, const std::vector<std::size_t>* part,
                       const Value& value, SourceRange statement);
  // Is it a variable of the model? A record may have parameters and constants among its members.
  bool may_be_assigned(NodeId leaf) const;
  // False, with an error, where a when statement is not allowed.
  bool may_begin_when(const Environment& at, SourceRange range, NodeId taken) const;
  // Where the branches of a when statement are active (when.hpp).
  std::optional<std::vector<NodeId>> active(const Environment& at,
                                            const std::vector<const ast::Expression*>& conditions);
  // reinit and terminate in a when statement. False: another call.
  bool call(const Environment& at, const ast::Call& call, SourceRange range, NodeId taken);

  // Relations that cause no event: those in the bodies of when statements alone, of noEvent, and of functions.
  QuietNodes quiet() const;

 private:
  bool in_when() const { return all_.events.inside_when; }

  Elaboration& all_;
  Model& model_;
  QuietNodes inside_, outside_;  // relations in and out of when statements
  QuietNodes quiet_before_;      // of noEvent and functions, up to the last when statement
};

// Executes the statements on the variables of the frame. False, with an error, if that failed.
bool execute(Elaboration& all, Frame& frame, SectionOfModel& section, const std::vector<ast::Statement>& statements);

// A loop whose turns depend on values: what it assigns becomes calls of a program. False, with an error, if it cannot.
bool call_loop(const Environment& at, const ast::Statement& loop, SectionOfModel& section);

}  // namespace driftless::language
