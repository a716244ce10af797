// The delays of a run with events (model/delay.hpp): the computed values are remembered, and at the event at which the
// polynomial of a delayed value ends, the next polynomial is taken from this history.
//
// Where the time T of a delay changes, the moment time - T may leave a polynomial at both of its ends, and it may jump
// with T at any event: then the polynomial is chosen by the moment after the event, and the values at the event are
// computed again with it.
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
  bool change() const;  // does any delay have a changing time?

  // Called before the start is searched: the value at the start is valid for a time T.
  void begin(double t, std::span<double> parameters);

  // Adds a step of a run with these quantities. `observe` gives all of them at a time of the step, or false.
  using Observe = std::function<bool(double t, std::span<double> quantities)>;
  void add_step(double from, double to, std::span<const Quantity> quantities, const Observe& observe);

  // At an event, before its iteration: sets the polynomials valid from t on.
  void pass_event(double t, const EventIteration::Causes& causes, std::span<double> parameters);
  // Are all causes ends of polynomials?
  bool are_all(const EventIteration::Causes& causes) const;

  // After the iteration of an event: computes the moments from these quantities and parameters. If one lies outside its
  // polynomial, the right polynomial is written to `parameters`; `any` tells if there was one. `failure`: a moment
  // outside of the history, as text.
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
    std::optional<double> repeated = {};  // the end of the past that has been repeated
    std::optional<int> next_break = 0;    // the generation of the break of the past with which the polynomial ends
    // For a changing time: the break with which the polynomial begins, and the start of the run.
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
