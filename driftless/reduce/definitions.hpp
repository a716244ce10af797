// Which equations need no unknown: aliases (a = b, der(x) = v) and explicit equations (y = f(...)).
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
  NoConstraints,  // not what would solve a constraint between differentiated variables, and no force by an equation of
                  // motion: formulations treat them their own way
  AlgebraicVariables,  // only variables that are not differentiated at all
};

// A set of explicit equations without a cycle, in an order in which each uses only quantities that are not defined
// or defined earlier. An equation is left alone when substituting it would make the matrices denser than keeping it.
std::vector<Explicit> choose_definitions(const Model& model, const structure::Offsets& offsets, Definable definable);

bool is_exponential(Op op);  // exp, sinh, cosh

// Of an expression free of variables, time and parameters that the start has yet to find; nothing if it is not.
std::optional<double> value_of_constant(const Model& model, NodeId expression);

}  // namespace driftless
