// Does the last step contain an event? Most steps are quiet, which the ends tell or the polynomial; otherwise the
// search looks inside, along the polynomial, at points at which the rows are solved where unknowns follow them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "driftless/integrate/run/context.hpp"

namespace driftless {

class EventsInStep {
 public:
  explicit EventsInStep(RunContext& run) : run_(run) {}

  // The first one. `begins_inside`: the rest of a step is looked at.
  std::optional<EventSearch::Found> find(bool begins_inside);

  // Of the last search: the step has no polynomial to look at ...
  bool lacks_polynomial() const { return lacks_polynomial_; }
  // ... or it is open whether there is an event, for this reason.
  bool is_undecided() const { return is_unsolved_ || (run_.events && run_.events->undecided()); }
  std::string why_undecided() const;
  // The step cannot be halved any more because of that.
  bool is_shortest_undecided() const;

 private:
  bool is_quiet() const;  // by a cheap look, which most steps end with
  bool observe(double t, std::span<double> quantities);
  std::optional<EventSearch::Found> search(EventSearch::Steps steps, bool is_calm);
  double length() const { return run_.stepper->time() - run_.solution.reached; }
  double interval() const { return run_.options.stop - run_.start.t; }

  RunContext& run_;
  bool begins_inside_ = false;
  bool lacks_polynomial_ = false;
  bool solves_inside_ = false;  // it looks at points inside at which the rows are solved
  bool is_unsolved_ = false;    // and one of them was not found, or cannot be
};

}  // namespace driftless
