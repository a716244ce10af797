#include "driftless/reduce/differentiation_index.hpp"

#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

TEST(DifferentiationIndex, IsTheNilpotencyOfAJordanBlock) {
  for (int n = 1; n <= 6; ++n) {
    ModelBuilder m("Jordan");
    const std::vector<Expr> x = m.variables("x", n);
    for (int i = 0; i < n; ++i) m.equation((i + 1 < n ? der(x[i + 1]) + x[i] : x[i]) == sin(m.time()));
    EXPECT_EQ(differentiation_index(m.build(), 10), n);
  }
}

TEST(DifferentiationIndex, IsZeroForOrdinaryDifferentialEquations) {
  ModelBuilder m("Ode");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + der(y) == x);
  m.equation(der(x) - der(y) == m.time());
  EXPECT_EQ(differentiation_index(m.build(), 10), 0);
}

// A linear "pendulum": a force keeps x + y = sin(t); accelerations as they stand.
TEST(DifferentiationIndex, CountsFromTheHighestDerivatives) {
  ModelBuilder m("Force");
  const Expr x = m.variable("x"), y = m.variable("y"), force = m.variable("force");
  m.equation(der(der(x)) == force);
  m.equation(der(der(y)) == force - y);
  m.equation(x + y == sin(m.time()));
  EXPECT_EQ(differentiation_index(m.build(), 10), 3);
  EXPECT_EQ(differentiation_index(m.build(), 2), std::nullopt);
}

// Time-varying factors: x' + t y' = f, x + t y = g has index 2, where its structure says 1.
TEST(DifferentiationIndex, SeesWhatTheStructureDoesNot) {
  ModelBuilder m("Example5");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + m.time() * der(y) == sin(m.time()));
  m.equation(x + m.time() * y == cos(m.time()));
  EXPECT_EQ(differentiation_index(m.build(), 10), 2);
}

TEST(DifferentiationIndex, IsNotToldForNonlinearModels) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(x * x + y * y == 1.0);
  m.equation(der(x) == y);
  EXPECT_EQ(differentiation_index(m.build(), 10), std::nullopt);
}

}  // namespace
}  // namespace driftless
