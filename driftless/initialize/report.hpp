// A report about the start of a model in the user's names: degrees of freedom, given conditions, missing and
// superfluous ones, starts that moved, violated equations, and lines that make the model consistent.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/initialize/strategy.hpp"

namespace driftless {

struct StartReport {
  // The quantities that lie equally far below the highest derivatives of their variables, and the equations among them.
  struct Level {
    std::vector<std::string> quantities;
    int equations = 0;
    int free() const { return static_cast<int>(quantities.size()) - equations; }
  };

  struct Condition {
    enum class Role { Used, Repeated, Conflicting };
    std::string text;  // "the fixed start x = 1", "initial equation line 9: der(x) = 0"
    SourceRange range;
    Role role = Role::Used;
  };

  // Conditions and equations that depend on each other, so that one condition is superfluous.
  struct Repetition {
    std::vector<std::string> conditions, equations;
  };

  // A quantity that is held instead of a missing condition, and alternatives, the most natural first.
  struct Choice {
    std::string name, unit;
    double value = 0.0;
    bool given = false;  // the user gave its start
    std::vector<std::string> instead;
  };

  struct Move {
    std::string name, unit;
    double from = 0.0, to = 0.0;
    std::string by;  // the equation
  };

  struct Violation {
    std::string row, unit;
    double residual = 0.0;
    std::vector<std::pair<std::string, double>> at;  // the quantities in it
  };

  // A second solution of equations in addition to the one that was taken.
  struct Branch {
    std::string name, unit;
    double taken = 0.0, other = 0.0;
    std::string by;  // the equation
  };

  // A line of text for the model.
  struct Line {
    enum class Kind { Modifier, InitialEquation, Removed };
    Kind kind = Kind::Modifier;
    std::string text;   // "x(start = 1, fixed = true)", "der(x) = 0", or the condition to be removed
    SourceRange range;  // of the declaration or equation; unknown for a new one
    std::string why;
  };

  bool found = false;
  std::string message;               // if not
  std::vector<std::string> details;  // if not
  std::vector<std::string> notes;    // equations that were combined, or left out because they follow from others
  double t = 0.0;
  double largest_residual = 0.0;  // over all levels, relative to the terms of each equation
  int degrees_of_freedom = 0;
  std::vector<Level> levels;  // from positions to velocities
  std::vector<Condition> conditions;
  std::vector<Repetition> repetitions;
  std::vector<Choice> choices;
  std::vector<Move> moves;
  std::vector<Violation> violations;
  std::vector<Branch> branches;
  std::vector<Line> cure;   // empty: nothing needs to be changed, or no remedy is known
  bool cure_holds = false;  // with these lines every start is met and every condition given
  Trials trials;
  std::vector<std::pair<std::string, double>> values;  // of every variable and derivative below the highest
};

// Initial equations that cannot be used are reported in the diagnostics.
StartReport report_start(const Reduced& reduced, double t, Diagnostics& diagnostics, const LeadToRows& lead = {});

}  // namespace driftless
