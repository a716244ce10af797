// Do a model and its rewrite have the same solution? Both are run, and common quantities are compared.
#pragma once

#include <memory>
#include <string>

#include "driftless/model/model.hpp"
#include "driftless/reduce/pure_index2.hpp"

namespace driftless {

struct SolutionDifference {
  double largest = 0.0;  // over the output points, in units of the sizes of the variables
  std::string variable;
  double tolerance = 0.0;  // of the runs
  std::string failure;     // why a run did not reach its end; then there is no comparison
};

// Variables of both models, and eliminated ones by their expressions.
SolutionDifference difference_of_solutions(const std::shared_ptr<const Model>& model, const PureIndex2& rewritten);

}  // namespace driftless
