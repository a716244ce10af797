// Algorithm sections of a model. A section is executed on expressions, like the body of a function, and the final
// values of its variables become explicit equations: v = expression. They are differentiated like any others.
//
// Before its first assignment a continuous variable has its start value, a discrete one its left limit pre(v)
// (Modelica 3.6, Section 11.1.2). A when statement is `if edge(condition) then ... end if`.
#pragma once

#include <string_view>
#include <vector>

#include "driftless/language/functions.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

// Data of an algorithm section during execution that the body of a function does not have.
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
  // Records an assignment to these elements, or to all. False, with an error, if a discrete variable would change
  // between events, or if the target is not a variable.
  bool note_assignment(const Environment& at, const Local& local, const std::vector<std::size_t>* part,
                       const Value& value, SourceRange statement);
  // Is it a variable of the model? A record may have parameters and constants among its members.
  bool may_be_assigned(NodeId leaf) const;
  // False, with an error, where a when statement is not allowed.
  bool may_begin_when(const Environment& at, SourceRange range, NodeId taken) const;
  // Expressions for when the branches of a when statement are active (when.hpp).
  std::optional<std::vector<NodeId>> active(const Environment& at,
                                            const std::vector<const ast::Expression*>& conditions);
  // Handles reinit and terminate in a when statement. False for other calls.
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

// Turns a loop whose iterations depend on values into calls of a program. False, with an error, if it cannot.
bool call_loop(const Environment& at, const ast::Statement& loop, SectionOfModel& section);

}  // namespace driftless::language
