// Converts a mixed problem of index 2 into a pure one.
//
//   mixed   y' = f(t, y, z),  0 = g(t, y, z),  g_z singular but of constant rank: some of z is of index 1
//   pure    y' = f(t, y, z),  0 = g(t, y),     g_y f_z regular: all of z is of index 2
//
// As long as an equation without derivatives depends on a variable without derivatives, it is solved for that variable,
// which is replaced everywhere; both leave the model. This changes neither the index nor the solution (Hairer, Wanner
// 1996, VII.1). The remaining g does not depend on the remaining z.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct PureIndex2 {
  struct Eliminated {
    std::string variable;
    NodeId value;          // in variables and the pool of the new model
    std::string equation;  // the label of the equation that was solved for it
  };
  std::shared_ptr<const Model> model;
  std::vector<Eliminated> eliminated;  // in the order of elimination; none: the problem is already pure
  int index = 2;                       // 1 or 0, if no variable without derivative is left
};

// Otherwise the reason why not: the model has another form or a higher index, an equation cannot be solved for any of
// its variables without derivative by symbols, or it depends on one of them at some points only.
std::variant<PureIndex2, std::string> to_pure_index2(const std::shared_ptr<const Model>& model);

}  // namespace driftless
