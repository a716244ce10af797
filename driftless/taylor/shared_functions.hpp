// Elementary functions cost much more than an operation. Those that formulas of order 0 need are computed once for all
// of these, by kernels of their own, one for each stage of the Sigma-method that computes the last of their arguments.
#pragma once

#include <vector>

#include "driftless/taylor/formula_inputs.hpp"

namespace driftless::taylor {

// Makes the Jacobian, the values and the factors of `result` read the functions as inputs. `unknown_of`: by variable of
// the model.
void share_functions(Recurrences& result, Pool& pool, const std::vector<int>& unknown_of, FormulaInputs& inputs);

}  // namespace driftless::taylor
