// Prints expressions as Modelica text that parses back to the same node.
#pragma once

#include <functional>
#include <string>

#include "driftless/expr/pool.hpp"

namespace driftless {

struct Names {
  std::function<std::string(VarId)> variable;
  std::function<std::string(ParamId)> parameter;
};

// The shortest decimal that reads back as the same double.
std::string decimal(double value);

// der(der(x)) for the second derivative. Stops after about 4000 characters with "…".
std::string to_string(const Pool& pool, NodeId expression, const Names& names);

}  // namespace driftless
