// Results from the ranks of a derivative array of a model at a consistent point (docs/derivative-array.md).
#pragma once

namespace driftless {

struct ArraySystem;  // find_index.hpp

struct ArrayIndex {
  int differentiations = 0;         // of every equation: the fewest that determine the highest derivatives
  int index = 0;                    // differentiation index: the derivatives of all variables are determined
  int constraints = 0;              // on the variables and their derivatives below the highest, hidden ones included
  int degrees_of_freedom = 0;       // the number left free by these constraints
  int equations = 0, unknowns = 0;  // of the array
  // Over all ranks that were decided: the smallest singular value that counts and the largest that does not, relative
  // to the largest of its matrix, whose rows and columns are scaled to the size 1.
  double smallest_kept = 1.0, largest_dropped = 0.0;
};

}  // namespace driftless
