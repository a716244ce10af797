// Models whose derivative arrays are known by hand, for tests.
#pragma once

#include <memory>

#include "driftless/model/builder.hpp"

namespace driftless {

inline std::shared_ptr<const Model> shared(ModelBuilder& m) { return std::make_shared<const Model>(m.build()); }

// x_n = sin t, and each variable is the derivative of the next: nilpotent of index n.
inline std::shared_ptr<const Model> jordan_block(int n) {
  ModelBuilder m("Jordan");
  const std::vector<Expr> x = m.variables("x", n);
  for (int i = 0; i < n; ++i) m.equation((i + 1 < n ? der(x[i + 1]) + x[i] : x[i]) == sin(m.time()));
  return shared(m);
}

// A point mass, with length and gravity in arbitrary units.
inline std::shared_ptr<const Model> pendulum(double length = 1.0, double gravity = 1.0) {
  ModelBuilder m("Pendulum");
  const Expr x = m.variable("x", {.start = 0.6 * length, .nominal = length});
  const Expr y = m.variable("y", {.start = -0.8 * length, .nominal = length});
  const Expr force = m.variable("force");
  m.equation(der(der(x)) == -force * x);
  m.equation(der(der(y)) == -force * y - gravity);
  m.equation(x * x + y * y == length * length);
  return shared(m);
}

}  // namespace driftless
