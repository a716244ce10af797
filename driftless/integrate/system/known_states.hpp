// The states of a problem that a solver was made for. The problem may have other states by now that the solver does not
// know: a method that is paused while another one steps learns of them when it continues. So when a solver is read from
// an archive, it is first made for its own states, whatever those of the problem are.
#pragma once

#include <utility>
#include <vector>

#include "driftless/integrate/system/problem.hpp"

namespace driftless {

class KnownStates {
 public:
  explicit KnownStates(Problem& problem) : problem_(problem) {}

  void update() { states_ = problem_.states(); }

  // When reading, make() is called while the problem has the states that were written.
  template <class Make>
  void archive(Archive& archive, Make make) {
    archive(states_);
    if (!archive.is_reading()) return;
    if (states_ == problem_.states()) return make();
    std::vector<Combination> present = problem_.states();
    problem_.set_states(states_);
    make();
    problem_.set_states(std::move(present));
  }

 private:
  Problem& problem_;
  std::vector<Combination> states_;
};

}  // namespace driftless
