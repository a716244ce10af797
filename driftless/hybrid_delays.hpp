// The delays of a run with events (model/delay.hpp): what was computed is remembered, and at the event at which the
// polynomial of a delayed value ends, the next one is taken from the history.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "driftless/events/history.hpp"
#include "driftless/events/iteration.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class HybridDelays {
 public:
  HybridDelays(const Model& model, double tolerance);

  bool exist() const { return !delays_.empty(); }

  // Before the start is looked for: the value at the start holds for a time T.
  void begin(double t, std::span<double> parameters);

  // A step of a run whose quantities are these. `observe` gives all of them at a time of the step, or false.
  using Observe = std::function<bool(double t, std::span<double> quantities)>;
  void add_step(double from, double to, std::span<const Quantity> quantities, const Observe& observe);

  // At an event, before its iteration: the polynomials that hold from t on.
  void pass_event(double t, const EventIteration::Causes& causes, std::span<double> parameters);
  // Do the causes contain nothing but ends of polynomials?
  bool are_all(const EventIteration::Causes& causes) const;

  void archive(Archive& archive);

 private:
  struct Memory {
    const Delay* delay;
    double time;
    History history;
    std::optional<double> repeated = {};  // up to which time of the past
    std::optional<int> next_break =
        0;  // the generation of the break of the past with which the present polynomial ends
    void archive(Archive& archive) { archive(time, history, repeated, next_break); }
  };
  std::optional<int> break_at(double t, const EventIteration::Causes& causes, std::span<const double> parameters) const;
  static void take_next(Memory& memory, std::span<double> parameters);
  void join_with_others(const Memory& memory, std::span<double> parameters) const;

  const Model& model_;
  std::vector<Memory> delays_;
  std::vector<double> quantities_;
};

}  // namespace driftless
