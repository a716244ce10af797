// Rest at the end of infinitely many impacts in a finite time: a bouncing ball that lies on the floor.
//
// A relation a < b becomes true again and again, and each time reinit gives the k-th derivative of a variable v a new
// value, after ever shorter times. From the accumulation point on the surface a = b is a constraint, and a force acts
// where reinit acted:
//
//   0 = a - b,   v^(k+1) in the equations becomes v^(k+1) - lambda.
//
// It pushes and does not pull: lambda has the sign of the changes that reinit made, and rest ends where it would have
// the other one.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct RestModel {
  Model model;
  VarId force{};         // lambda: the last variable
  std::size_t ends = 0;  // place among Model::discrete.held of the relation at whose truth rest ends
};

// `held`, `reinit`: places among Model::discrete.held and Model::discrete.reinits. `rises`: reinit made the value
// larger. The relation is not to be watched at rest. Or why there is no such model, in words.
std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::size_t reinit, bool rises);

// The reinits that are carried out where the relation becomes true.
std::vector<std::size_t> reinits_of(const Model& model, std::size_t held);

}  // namespace driftless
