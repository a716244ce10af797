// Does the last step contain an event? For most steps the ends or the polynomial show that there is none; otherwise the
// inside of the step is searched along the polynomial, and the rows are solved at the points searched if unknowns
// depend on time through them.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "driftless/integrate/run/context.hpp"

namespace driftless {

class EventsInStep {
 public:
  explicit EventsInStep(RunContext& run) : run_(run) {}

  // The first event. `begins_inside`: only the rest of a step is searched.
  std::optional<EventSearch::Found> find(bool begins_inside);

  // After the last search: the step has no polynomial to search ...
  bool lacks_polynomial() const { return lacks_polynomial_; }
  // ... or it could not be decided whether there is an event, for this reason.
  bool is_undecided() const { return is_unsolved_ || (run_.events && run_.events->undecided()); }
  std::string why_undecided() const;
  // The step cannot be halved any more because of that.
  bool is_shortest_undecided() const;

 private:
  bool is_quiet() const;  // by a cheap test, which suffices for most steps
  bool observe(double t, std::span<double> quantities);
  std::optional<EventSearch::Found> search(EventSearch::Steps steps, bool is_calm);
  double length() const { return run_.stepper->time() - run_.solution.reached; }
  double interval() const { return run_.options.stop - run_.start.t; }

  RunContext& run_;
  bool begins_inside_ = false;
  bool lacks_polynomial_ = false;
  bool solves_inside_ = false;  // the rows are solved at the points that are searched
  bool is_unsolved_ = false;    // and one of them could not be solved
};

}  // namespace driftless
