// What is in force from a time of a run on, until the next event. Numbers refer to the model of the run
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
  std::vector<std::string> reinits{};  // labels of those that were carried out
  // While the motion goes on upon the surface of a relation: the equations there. Held expressions beyond those of the
  // model are those of the contact, at which it ends.
  std::shared_ptr<const Analysis> contact{};
  bool begins_rest = false;    // after infinitely many events, the last of which is this one
  bool is_weighed = false;     // numbers of one impact are in the equations of the contact
  std::vector<double> left{};  // the series right before it, where no row of the solution has them
};

}  // namespace driftless
