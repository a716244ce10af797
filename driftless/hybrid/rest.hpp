// Rest at the end of infinitely many impacts in a finite time: a bouncing ball that lies on the floor.
//
// A relation a < b becomes true again and again, and each time reinit gives the k-th derivative of a variable v a new
// value, after ever shorter times. From the accumulation point on the surface a = b is a constraint, and a force acts
// where reinit acted:
//
//   0 = a - b,   v^(k+1) in the equations becomes v^(k+1) - lambda.
//
// The force pushes but does not pull: lambda has the sign of the changes that reinit made, and rest ends where it would
// change its sign.
//
// Where several reinits lead away from the surface, such as those of both coordinates of a ball on an inclined plane,
// the force acts on all of them in the ratio of the changes D_i that they made at an impact. It turns with the surface:
//
//   v_i^(k+1) becomes v_i^(k+1) - lambda w_i n_i,   n_i = d(a - b)/dx_i,   w_i = D_i/n_i at that impact,
//
// with the coordinate x_i whose derivative v_i^(k) is. For a body without friction w_i is the inverse of its mass.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

struct RestModel {
  Model model;
  VarId force{};                      // lambda: the last variable
  std::size_t ends = 0;               // place in Model::discrete.held of the relation that ends the rest
  std::vector<std::size_t> turned{};  // the same for relations that become true where an idle coordinate gets a slope
};

// A slope of the surface along an idle coordinate below this part of the other slopes counts as none.
constexpr double part_of_slope = 1e-9;

// A variable on which the force acts, and its weight.
struct RestPush {
  std::size_t reinit = 0;  // place among Model::discrete.reinits
  double weight = 1.0;     // D_i, or w_i if there is a coordinate
  std::optional<Quantity> coordinate{};
};

// The relation at this place in Model::discrete.held must not be watched at rest. With one push the force has the sign
// of its weight, and acts with factor 1. Otherwise the reason why there is no such model. `idle`: coordinates along
// which the surface had no slope at the impact that gave the weights. Their weights are unknown, so the model is not
// valid where the surface turns towards one of them.
std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::span<const RestPush> pushes,
                                                std::span<const Quantity> idle = {});
// The same for a single reinit. `rises`: it increased the value.
std::variant<RestModel, std::string> rest_model(const Model& model, std::size_t held, std::size_t reinit, bool rises);

// The variable whose derivative the reinit sets, if the model has an equation der(x) = v, or the reinit sets a
// derivative.
std::optional<Quantity> coordinate_of(const Model& model, const Reinit& reinit);
// d(a - b)/dx for the relation a < b at this place, with definitions x = ... of equations inserted; nothing if the
// relation has no surface.
std::optional<NodeId> slope_of_surface(const Model& model, Pool& pool, std::size_t held, Quantity coordinate);

// For each relation: the reinits that are carried out where it becomes true.
std::vector<std::vector<std::size_t>> reinits_by_relation(const Model& model);

}  // namespace driftless
