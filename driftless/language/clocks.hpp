// Clocks (Modelica 3.6, Chapter 16): parts of a model that are active only at the ticks of a clock.
//
// While the text is read, a clock is a Boolean and every operator of clocks is a leaf of its own, a mark. A first
// reading finds the variables that exist at ticks only: those that equations connect to a result of sample, to
// previous, or to a when clause of a clock. The text is read again with these as discrete variables, until no more are
// found. Then
//
//   v = e      of a clock becomes     v = if tick then e else pre(v)
//
// with marks replaced: previous(x) is pre(x), hold(x) is x, sample(u) a discrete variable that keeps u.
//
// Periodic clocks that are related by subSample, superSample, shiftSample and backSample count the events of one
// sample(start, interval), so their common ticks are one event. An event of a clock takes two rounds of the event
// iteration: in the first one samples are taken, while all clocked variables have their old values; in the second one
// the clocked equations are evaluated. So sample(u) is the left limit of u.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "driftless/diagnostics/source.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/value.hpp"
#include "driftless/model/model.hpp"

namespace driftless::language {

class Elaboration;
struct Component;
struct Environment;
struct Flat;

enum class ClockOperator {
  Periodic,  // Clock(interval), Clock(counter, resolution)
  Event,     // Clock(condition, startInterval)
  Inferred,  // Clock()
  Sample,
  Hold,
  SubSample,
  SuperSample,
  ShiftSample,
  BackSample,
  NoClock,
  Previous,
  Interval,
  FirstTick
};

// The leaf that represents the result of an operator, and its arguments.
struct ClockMark {
  ClockOperator op = ClockOperator::Inferred;
  std::optional<NodeId> argument = {};  // u; the condition of an event clock
  std::optional<NodeId> clock = {};     // of sample(u, clock)
  std::optional<NodeId> interval = {};  // of a periodic clock; the first one of an event clock
  std::int64_t counter = 0;             // factor or shift; 0: inferred
  std::int64_t resolution = 1;
  bool is_clock = false;  // a clock itself, not the value of something clocked
  DiscreteType type = DiscreteType::Real;
  std::string text = {};
  SourceRange range = {};
  ParamId leaf = {};
};

// when clock then: its equations, by their places in the model.
struct ClockedClause {
  std::optional<NodeId> clock;  // nothing: inferred
  std::size_t first_continuous, end_continuous, first_discrete, end_discrete;
  SourceRange range;
};

struct ClockNotes {
  std::vector<ClockMark> marks;
  std::unordered_map<std::int32_t, std::size_t> mark_of;  // by the ParamId of its leaf
  std::set<std::size_t> variables;                        // places of the discrete variables that are clocks
  std::vector<ClockedClause> clauses;
  std::set<std::string> clocked;  // Real components that exist at ticks only, by name, from earlier readings

  bool any() const { return !marks.empty() || !clauses.empty() || !variables.empty(); }
};

// Is it a clock, or an array of clocks?
bool is_clock(const Elaboration& all, const Value& value);

// Is the condition of this clause a clock? Such a clause has one branch.
bool is_clocked(const Environment& at, const ast::WhenEquation& when);
void elaborate_clocked_when(const Environment& at, const ast::WhenEquation& when, SourceRange range);

// Adds the Real components found to exist at ticks only to all.clocks.clocked. True if there are new ones: then the
// text must be read again.
bool find_clocked_components(Elaboration& all, const Flat& flat);
// The equations of clocks as discrete equations, once relations are held.
void finish_clocks(Elaboration& all);

}  // namespace driftless::language
