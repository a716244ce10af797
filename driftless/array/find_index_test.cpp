#include "driftless/array/find_index.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "driftless/array/sample_models.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

ArrayIndex index_of(const std::shared_ptr<const Model>& model, ArrayForm form = ArrayForm::CampbellMoore) {
  auto found = find_array(model, form);
  if (const auto* none = std::get_if<NoArray>(&found)) {
    ADD_FAILURE() << none->reason;
    return {};
  }
  return std::get<ArraySystem>(found).index;
}

std::string refusal(const std::shared_ptr<const Model>& model) {
  const auto found = find_array(model, ArrayForm::CampbellMoore);
  const auto* none = std::get_if<NoArray>(&found);
  return none ? none->reason : "solved";
}

TEST(ArrayIndex, OfANilpotentBlockIsItsSize) {
  for (int n = 1; n <= 6; ++n) {
    const ArrayIndex found = index_of(jordan_block(n));
    EXPECT_EQ(found.index, n);
    EXPECT_EQ(found.differentiations, n - 1);  // the first variable has no derivative in the model
    EXPECT_EQ(found.constraints, n - 1);       // on those that have one
    EXPECT_EQ(found.degrees_of_freedom, 0);
  }
}

TEST(ArrayIndex, OfThePendulumIsThree) {
  for (const ArrayForm form : {ArrayForm::CampbellMoore, ArrayForm::KunkelMehrmann}) {
    const ArrayIndex found = index_of(pendulum(), form);
    EXPECT_EQ(found.index, 3);
    EXPECT_EQ(found.differentiations, 2);
    EXPECT_EQ(found.degrees_of_freedom, 2);
    EXPECT_GT(found.smallest_kept, 1e-4);
    EXPECT_LT(found.largest_dropped, 1e-12);
  }
  EXPECT_EQ(index_of(pendulum()).constraints, 2);                             // position, velocity
  EXPECT_EQ(index_of(pendulum(), ArrayForm::KunkelMehrmann).constraints, 3);  // and the force
}

TEST(ArrayIndex, DoesNotDependOnUnits) {
  for (const double length : {1e-3, 1e4})
    for (const double gravity : {1e-2, 1e3}) {
      const ArrayIndex found = index_of(pendulum(length, gravity));
      EXPECT_EQ(found.index, 3) << length << ", " << gravity;
      EXPECT_EQ(found.degrees_of_freedom, 2) << length << ", " << gravity;
    }
}

// x' + t y' = f, x + t y = g: the structure says index 1 (Mattsson, Söderlind 1993, Example 5). All variables have
// derivatives: Kunkel and Mehrmann need one differentiation less.
TEST(ArrayIndex, SeesWhatTheStructureDoesNot) {
  ModelBuilder m("Example5");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + m.time() * der(y) == sin(m.time()));
  m.equation(x + m.time() * y == cos(m.time()));
  const auto model = shared(m);
  EXPECT_EQ(index_of(model).index, 2);
  EXPECT_EQ(index_of(model).differentiations, 2);
  EXPECT_EQ(index_of(model).degrees_of_freedom, 0);
  const ArrayIndex with_one_less = index_of(model, ArrayForm::KunkelMehrmann);
  EXPECT_EQ(with_one_less.index, 2);
  EXPECT_EQ(with_one_less.differentiations, 1);
  EXPECT_EQ(with_one_less.degrees_of_freedom, 0);
}

TEST(ArrayIndex, OfOrdinaryDifferentialEquationsIsZero) {
  ModelBuilder m("Ode");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + der(y) == x);
  m.equation(der(x) - der(y) == m.time());
  const auto model = shared(m);
  for (const ArrayForm form : {ArrayForm::CampbellMoore, ArrayForm::KunkelMehrmann}) {
    EXPECT_EQ(index_of(model, form).index, 0);
    EXPECT_EQ(index_of(model, form).degrees_of_freedom, 2);
  }
}

TEST(ArrayIndex, IsRefusedWhereEquationsSayTheSame) {
  ModelBuilder m("Redundant");
  const Expr x = m.variable("x"), y = m.variable("y"), a = m.variable("a"), b = m.variable("b");
  m.equation(der(x) == a + b);
  m.equation(der(y) == a - b);
  m.equation(x + y == sin(m.time()));
  m.equation(2.0 * x + 2.0 * y == 2.0 * sin(m.time()));
  EXPECT_THAT(refusal(shared(m)), HasSubstr("the 4 equations of the array have rank 3"));
}

TEST(ArrayIndex, IsRefusedAtASingularStart) {
  ModelBuilder m("Singular");  // y = |x| or -|x| in x' = 1, y y = x x: they meet at the start
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true}), y = m.variable("y", {.start = 0.0});
  m.equation(der(x) == 1.0);
  m.equation(y * y == x * x);
  EXPECT_NE(refusal(shared(m)), "solved");
}

TEST(ArrayIndex, IsRefusedBeyondTheBound) {
  EXPECT_THAT(refusal(jordan_block(12)), HasSubstr("9 differentiations of all equations do not determine"));
}

// Pendulums whose rods are coupled by springs, their equations mixed by rotations with different angles: the array of
// 100 has 900 rows, which are factorized as a sparse matrix.
TEST(ArrayIndex, OfManyCoupledPendulumsIsThatOfOne) {
  const int n = 100;
  ModelBuilder m("Pendulums");
  const std::vector<Expr> x = m.variables("x", n, {.start = 0.6}), y = m.variables("y", n, {.start = -0.8}),
                          force = m.variables("force", n);
  for (int k = 0; k < n; ++k) {
    const Expr spring = x[(k + 1) % n] + x[(k + n - 1) % n] - 2.0 * x[k];
    const Expr a = der(der(x[k])) + force[k] * x[k] - 0.1 * spring, b = der(der(y[k])) + force[k] * y[k] + 1.0;
    const Expr c = x[k] * x[k] + y[k] * y[k] - 1.0;
    const double angle = 0.3 + 0.01 * k;
    m.equation(std::cos(angle) * a + std::sin(angle) * c == 0.0);
    m.equation(std::cos(angle) * c - std::sin(angle) * a + 0.2 * b == 0.0);
    m.equation(b + 0.1 * c + 0.3 * a == 0.0);
  }
  for (const ArrayForm form : {ArrayForm::CampbellMoore, ArrayForm::KunkelMehrmann}) {
    const ArrayIndex found = index_of(shared(m), form);
    EXPECT_EQ(found.index, 3);
    EXPECT_EQ(found.differentiations, 2);
    EXPECT_EQ(found.degrees_of_freedom, 2 * n);
    EXPECT_GT(found.smallest_kept, 1e-5);
    EXPECT_LT(found.largest_dropped, 1e-12);
  }
}

}  // namespace
}  // namespace driftless
