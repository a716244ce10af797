// The order in which the discrete equations of a model are evaluated, and the variable that each of them determines.
//
// An equation determines the discrete variable that is one of its sides. If both sides are variables, a matching
// decides; then each value is an expression of left limits, relations and continuous quantities alone, with the values
// of the variables before it substituted.
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
  // Assignments at the start from initial equations, which replace those of the same variable.
  std::vector<DiscreteAssignment> at_start;
  std::vector<DiscreteAssignment> pre_at_start;  // values of left limits
};

// The diagnostics name equations and discrete variables that do not match, or depend on each other in a cycle. New
// expressions go to the pool of the model, which must be growable.
DiscreteOrder order_of(const Model& model, Diagnostics& diagnostics);

}  // namespace driftless
