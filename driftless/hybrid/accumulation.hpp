// Events at ever shorter intervals: predicts the time at which they accumulate.
//
// A ball that keeps a part of its speed at every bounce bounces at intervals that shrink by about the same factor q.
// After an interval of length l the infinitely many others take l q/(1 - q) together.
//
// Where several bodies hit each other, as in a stack of balls, no factor is the same for long. There the criterion is
// that some consecutive intervals are negligible compared to recent ones.
#pragma once

#include <array>
#include <optional>

#include "driftless/archive/archive.hpp"

namespace driftless {

class Accumulation {
 public:
  void add(double t);  // the time of a further event, ascending

  // The time from the last event until the accumulation point. Nothing if the last intervals do not shrink by one
  // factor.
  std::optional<double> remaining() const;

  // The last intervals, as many as `remaining` needs, are negligible compared to the longest recent one, and do not
  // shrink by one factor.
  bool is_brief() const { return brief_ >= kept && !remaining(); }
  // The same of an event at t that has not been added.
  bool is_brief_at(double t) const;

  // The time of the event from which on the intervals have become shorter.
  double begin() const { return begin_; }
  bool exists() const { return intervals_ >= 0; }
  int events() const { return intervals_ + 1; }
  double last() const { return time_; }  // event

  void archive(Archive& archive) { archive(last_, time_, begin_, intervals_, longest_, brief_); }

 private:
  static constexpr int kept = 4;        // intervals, of which three factors are compared
  std::array<double, kept> last_ = {};  // the latest first
  double time_ = 0.0, begin_ = 0.0, longest_ = 0.0;
  int intervals_ = -1, brief_ = 0;
};

}  // namespace driftless
