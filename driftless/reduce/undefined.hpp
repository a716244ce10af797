// Which operation has no value at a point, in the user's names.
#pragma once

#include <functional>
#include <string>

#include "driftless/model/model.hpp"

namespace driftless {

// "log(p) has no value at p = -1": the operation whose value is not finite although those of its operands are, in
// branches that are taken. Empty if there is none: then the expression is finite, or a leaf has no value.
std::string undefined_operation(const Model& model, NodeId expression,
                                const std::function<double(NodeId leaf)>& value_of_leaf);

}  // namespace driftless
