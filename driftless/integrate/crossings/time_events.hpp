// Events whose instants are known in advance: relations, floor and ceil of c*time + r, where c and r change at events
// only, samplings at start + k*interval, and the instants at which an input begins another polynomial.
//
// The instant T at which c*T + r is 0, or an integer, is computed once; times are then compared with T, and c*t + r is
// never evaluated near it. From T on, T included, the value is the one after the event: time >= 1 and time > 1 both
// become true at 1.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/integrate/crossings/crossings.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class TimeEvents {
 public:
  TimeEvents() = default;
  // `pool` may grow. Takes the held expressions that are linear in time, and all samplings.
  TimeEvents(const Model& model, const std::shared_ptr<Pool>& pool, int parameters);

  // Takes the instants at which the inputs of this model, in one run, begin another polynomial (model/drive.hpp).
  void take_inputs(const Model& model);

  // The end of the run: an instant that lies after it by rounding only is moved to it.
  void set_end(double t) { end_ = t; }

  bool exist() const { return !relations_.empty() || !samplings_.empty() || !input_instants_.empty(); }
  bool takes(int held) const;  // is it one of these?

  // `inputs` of kernels: time, then parameters.
  void take_parameters(std::span<const double> inputs);

  // The first instant >= t at which a held value becomes wrong, or > t at which something is sampled or an input
  // begins another polynomial; of several instants that differ by rounding, the last one.
  std::optional<double> next(double t) const;
  double value(std::size_t k, double t) const;   // of relation k at t and right after it
  double number(std::size_t k, double t) const;  // exactly at t: time > 1 is false at 1
  bool samples_at(std::size_t s, double t) const;

  struct Relation {
    int held;  // place in DiscretePart::held
    Crossings::Kind kind;
    double coefficient = 0.0, rest = 0.0, value = 0.0;
    ParamId parameter{};
  };
  std::span<const Relation> relations() const { return relations_; }
  std::size_t samplings() const { return samplings_.size(); }

 private:
  struct Sampling {
    double start = 0.0, interval = 0.0;
  };
  template <class Take>
  void for_next_instants(double t, Take take) const;  // of each relation, sampling and input
  static double instant(const Relation& r, double level) { return (level - r.rest) / r.coefficient; }
  bool samples_at_end() const;
  std::optional<double> leaves(const Relation& r) const;  // when the held value becomes wrong

  double end_ = HUGE_VAL;
  std::vector<Relation> relations_;
  std::vector<Sampling> samplings_;
  std::vector<double> input_instants_;    // ascending
  std::shared_ptr<const Kernel> kernel_;  // coefficients, rests, starts, intervals
  std::vector<double> numbers_, work_;
};

// The function g of a held expression and its kind; nothing for other expressions.
struct HeldFunction {
  NodeId g;
  Crossings::Kind kind;
};
HeldFunction held_function(Pool& pool, NodeId expression);

}  // namespace driftless
