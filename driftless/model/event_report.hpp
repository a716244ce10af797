// What a model contains about events, as printed by `driftless analyze`: relations that cause events, samplings,
// discrete variables with their equations, and what happens to the run at an event.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct EventReport {
  struct Relation {
    std::string text;
    int line = 0;                // 0 if it has none, here and below
    bool is_time_event = false;  // linear in time, without variables: its instant is known in advance
  };
  struct Variable {
    std::string name, type;  // "Integer", "enumeration(off, on)"
    double start = 0.0;
    bool fixed = false;
    int line = 0;
  };
  struct Equation {
    std::string label, text;
    int line = 0;
  };
  struct Action {
    std::string text;       // "reinit(v, -e*v)", "terminate(\"done\")"
    std::string condition;  // "when h < 0", or an expression after "where"
    int line = 0;
  };

  std::vector<Relation> relations;   // a < b, floor(a), ..., in the order of the model
  std::vector<Equation> samplings;   // without label
  std::vector<Variable> variables;   // of the user
  std::vector<Equation> equations;   // of these, in the given order
  std::vector<Equation> conditions;  // of when clauses
  std::vector<Action> actions;       // reinit, terminate, assert
  std::vector<Equation> initial_equations;

  bool is_empty() const { return relations.empty() && samplings.empty() && variables.empty() && actions.empty(); }
};

// `order`: the places of the discrete equations in the order of evaluation; none: as the model has them.
EventReport report_events(const Model& model, std::span<const std::size_t> order = {});

// One kind of entries as lines for `analyze`, without the title.
struct ReportSection {
  std::string title;
  std::vector<std::string> lines;
};
std::vector<ReportSection> sections_of(const EventReport& report);

}  // namespace driftless
