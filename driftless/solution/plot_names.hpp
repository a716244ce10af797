// Names of curves as users type them, and the columns of a solution that they mean:
//
//   x, der(x)            one column over time
//   T, T[:]              every element of an array
//   T[1:3], T[1:2:9]     some of them; A[2,:] a row of a matrix
//   x:y                  y over x; of arrays element by element
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

// One curve: a column or "time" over another.
struct CurveNames {
  std::string x = "time", y;
  bool over_time() const { return x == "time"; }
};

// The curves, or the reason why there are none: "no variable 'bdy': did you mean 'body'?". No names: the first
// variables of the model.
std::variant<std::vector<CurveNames>, std::string> curves_of(const std::vector<Column>& columns,
                                                             const std::vector<std::string>& names);

}  // namespace driftless
