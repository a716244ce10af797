// Chooses equations that define a quantity explicitly, so that it is no unknown: aliases (a = b, der(x) = v) and
// explicit equations (y = f(...)).
#pragma once

#include <optional>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {

// Equation `equation`, solved for the derivative of order `order` of `variable`; differentiated c_i times it defines
// the derivatives order, ..., order + c_i = d_j.
struct Explicit {
  EqnId equation{};
  VarId variable{};
  int order = 0;
  NodeId value;
};

enum class Definable {
  Everything,
  NoConstraints,  // excludes solving constraints between differentiated variables, and forces from equations of motion:
                  // formulations treat these in their own way
  AlgebraicVariables,  // only variables that are not differentiated at all
};

// A set of explicit equations without a cycle, in an order in which each uses only quantities that are not defined
// or defined earlier. An equation is kept as a row if substituting it would make the matrices denser.
std::vector<Explicit> choose_definitions(const Model& model, const structure::Offsets& offsets, Definable definable);

bool is_exponential(Op op);  // exp, sinh, cosh

// The value of an expression without variables, time, or parameters that initialization computes; nothing for others.
std::optional<double> value_of_constant(const Model& model, NodeId expression);

}  // namespace driftless
