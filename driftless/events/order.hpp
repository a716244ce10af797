// In which order the discrete equations of a model are evaluated, and which variable each of them determines.
//
// An equation determines the discrete variable that one of its sides is. Which one, where both sides are variables, is
// found by a matching; then each value is an expression of left limits, relations and continuous quantities alone, with
// the values of the variables before it substituted.
#pragma once

#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

struct DiscreteAssignment {
  std::size_t variable = 0;  // in DiscretePart::variables
  std::size_t equation = 0;  // in DiscretePart::equations
  NodeId value;              // as the equation gives it
  NodeId explicit_value;     // free of values of discrete variables; their left limits may occur
};

struct DiscreteOrder {
  std::vector<DiscreteAssignment> assignments;  // in the order of evaluation
  // Of the start, in place of those of the same variable: from initial equations.
  std::vector<DiscreteAssignment> at_start;
  std::vector<DiscreteAssignment> pre_at_start;  // values of left limits
};

// Where equations and discrete variables do not match, or depend on each other in a circle, the diagnostics name them.
// New expressions go to the pool of the model, which must be growable.
DiscreteOrder order_of(const Model& model, Diagnostics& diagnostics);

}  // namespace driftless
