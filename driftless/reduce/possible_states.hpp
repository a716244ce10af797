// Which quantities are states at all times, and how many of each group are states at any time, by name.
#pragma once

#include <string>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct PossibleStates {
  struct Choice {
    std::size_t number;
    std::vector<std::string> candidates;
  };
  std::vector<std::string> always;
  std::vector<Choice> choices;
};

PossibleStates possible_states(const Reduced& reduced);

}  // namespace driftless
