// The delays of a run with events (model/delay.hpp): what was computed is remembered, and at the event at which the
// polynomial of a delayed value ends, the next one is taken from the history.
//
// Where the time T of a delay changes, the moment time - T may leave a polynomial at both of its ends, and it may jump
// with T at any event: then the polynomial is chosen by where the moment is behind the event, and the values at the
// event are found again with it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/events/history.hpp"
#include "driftless/events/iteration.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class HybridDelays {
 public:
  HybridDelays(const Model& model, double tolerance);

  bool exist() const { return !delays_.empty(); }
  bool change() const;  // has one a time that changes?

  // Before the start is looked for: the value at the start holds for a time T.
  void begin(double t, std::span<double> parameters);

  // A step of a run whose quantities are these. `observe` gives all of them at a time of the step, or false.
  using Observe = std::function<bool(double t, std::span<double> quantities)>;
  void add_step(double from, double to, std::span<const Quantity> quantities, const Observe& observe);

  // At an event, before its iteration: the polynomials that hold from t on.
  void pass_event(double t, const EventIteration::Causes& causes, std::span<double> parameters);
  // Do the causes contain nothing but ends of polynomials?
  bool are_all(const EventIteration::Causes& causes) const;

  // Behind the iteration of an event: the moments as values of these quantities and parameters tell. Where one is not
  // in its polynomial, the one that it is in goes to `parameters`; true if there is such a one. A moment that the
  // history does not reach is a failure, in words.
  struct Followed {
    bool any = false;
    std::string failure = {};
  };
  Followed follow_jumps(double t, std::span<const Quantity> quantities, std::span<const double> values,
                        std::span<const double> behind, std::span<double> parameters);

  void archive(Archive& archive);

 private:
  struct Memory {
    const Delay* delay;
    double time;  // T, or the longest one
    History history;
    std::optional<double> repeated = {};  // up to which time of the past
    std::optional<int> next_break = 0;    // the generation of the break of the past with which the polynomial ends
    // Of a time that changes: the break with which it begins, and where the run has begun.
    std::optional<int> break_before = {};
    double start = 0.0;
    void archive(Archive& archive) { archive(time, history, repeated, next_break, break_before, start); }
  };
  enum class Leaves { Nowhere, AtEnd, AtBegin };
  static Leaves leaves(const Memory& memory, double t, const EventIteration::Causes& causes,
                       std::span<const double> parameters);
  std::optional<int> break_at(double t, const EventIteration::Causes& causes, std::span<const double> parameters) const;
  static void take_next(Memory& memory, std::span<double> parameters);
  static void take(Memory& memory, const History::Polynomial& next, std::span<double> parameters);
  double overlap(const History::Polynomial& piece) const;
  void take_constant(Memory& memory, std::span<double> parameters) const;
  void take_from(Memory& memory, double moment, std::span<double> parameters) const;
  void take_to(Memory& memory, double moment, std::span<double> parameters) const;
  void join_with_others(const Memory& memory, std::span<double> parameters) const;

  const Model& model_;
  double tolerance_;
  std::vector<NodeId> moments_;  // of each
  std::vector<Memory> delays_;
  std::vector<double> quantities_;
};

}  // namespace driftless
