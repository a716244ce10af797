// What follows from the equations and the choice of states alone is made once for all runs of a compiled system that
// begin with the same states.
#pragma once

#include <memory>
#include <vector>

#include "driftless/integrate/system/problem.hpp"

namespace driftless {

template <class Part>
struct KnownOfStates {
  std::vector<Combination> states;
  Part part;
};

// What `make` returns, a Part, for the states of the problem. That of the states for which somebody asked first is
// kept; others, which come and go with pivots, would take ever more memory.
template <class Part, class Make>
std::shared_ptr<const Part> part_of_states(const Problem& problem, Make&& make) {
  using Known = KnownOfStates<Part>;
  auto known = problem.system().compiled().template part<Known>({}, [&] {
    return std::make_shared<const Known>(Known{problem.states(), make()});
  });
  if (known->states == problem.states()) return {known, &known->part};
  return std::make_shared<const Part>(make());
}

}  // namespace driftless
