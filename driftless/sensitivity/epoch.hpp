// The parameters and equations of a run from a time until the next event. Numbers refer to the model of the run
// (model/discrete.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace driftless {

struct Analysis;

struct Epoch {
  double from = 0.0;
  std::vector<double> parameters{};    // values of all of them
  std::optional<std::size_t> event{};  // with which it began: a place in Solution::events; none at the start
  std::vector<int> held{};             // held expressions that caused it, and
  std::vector<double> held_values{};   // their new values
  std::vector<int> samplings{};        // that caused it
  std::vector<std::string> reinits{};  // labels of those that were active
  // While the motion stays on the surface of a relation: the equations there. Held expressions beyond those of the
  // model belong to the contact, which they end.
  std::shared_ptr<const Analysis> contact{};
  bool begins_rest = false;    // after infinitely many events, the last of which is this one
  bool is_weighed = false;     // the equations of the contact contain numbers of one impact
  std::vector<double> left{};  // the series right before it, if no row of the solution has them
};

}  // namespace driftless
