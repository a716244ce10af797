#include "driftless/array/array_start.hpp"

#include <gmock/gmock.h>

#include "driftless/array/sample_models.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Start {
  Start(const std::shared_ptr<const Model>& model, int differentiations)
      : array(model, differentiations), found(find_start(array, *model, 0.0)) {}
  double value(int variable, int order = 0) const {
    return std::get<ArrayPoint>(found).values[array.unknown_of({VarId{variable}, order})];
  }
  DerivativeArray array;
  std::variant<ArrayPoint, NoConsistentStart> found;
};

// The point of the circle that is nearest to (3, 4).
TEST(ArrayStart, IsTheNearestPoint) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x", {.start = 3.0}), y = m.variable("y", {.start = 4.0});
  m.equation(x * x + y * y == 1.0);
  m.equation(der(x) * y - der(y) * x == 1.0);
  const Start start(shared(m), 1);
  EXPECT_NEAR(start.value(0), 0.6, 1e-7);
  EXPECT_NEAR(start.value(1), 0.8, 1e-7);
  EXPECT_NEAR(start.value(0, 1), 0.8, 1e-7);
  EXPECT_NEAR(start.value(1, 1), -0.6, 1e-7);
  EXPECT_NEAR(start.value(0) * start.value(0) + start.value(1) * start.value(1), 1.0, 1e-15);
  EXPECT_THAT(std::get<ArrayPoint>(start.found).remarks, ElementsAre(HasSubstr("x from 3 to 0.6, y from 4 to 0.8")));
}

// On x^2 + 4 y^2 = 1 the line to the start is perpendicular to the curve.
TEST(ArrayStart, IsTheNearestPointOfACurveThatIsNoCircle) {
  ModelBuilder m("Ellipse");
  const Expr x = m.variable("x", {.start = 2.0}), y = m.variable("y", {.start = 1.0});
  m.equation(x * x + 4.0 * y * y == 1.0);
  m.equation(der(x) == y);
  const Start start(shared(m), 1);
  const double dx = 2.0 - start.value(0), dy = 1.0 - start.value(1);
  EXPECT_NEAR(dx * 4.0 * start.value(1) - dy * start.value(0), 0.0, 1e-6);
  EXPECT_NEAR(start.value(0) * start.value(0) + 4.0 * start.value(1) * start.value(1), 1.0, 1e-14);
}

// A start that satisfies everything is kept unchanged, however far unknowns without a start move: a smaller y would
// bring der(x) nearer to 0.
TEST(ArrayStart, IsTheStartAsItIsWhereThatIsConsistent) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x", {.start = 0.6}), y = m.variable("y", {.start = 0.8});
  const Expr force = m.variable("force");
  m.equation(x * x + y * y == 1.0);
  m.equation(der(x) == 3e3 * y + force * x);
  m.equation(der(y) == force * y);
  const Start start(shared(m), 2);
  EXPECT_NEAR(start.value(0), 0.6, 1e-15);
  EXPECT_NEAR(start.value(1), 0.8, 1e-15);
  EXPECT_THAT(std::get<ArrayPoint>(start.found).remarks, IsEmpty());
}

TEST(ArrayStart, HoldsWhatIsFixed) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x", {.start = 0.28, .fixed = true}), y = m.variable("y", {.start = -4.0});
  m.equation(x * x + y * y == 1.0);
  m.equation(der(x) == y);
  const Start start(shared(m), 1);
  EXPECT_EQ(start.value(0), 0.28);
  EXPECT_NEAR(start.value(1), -0.96, 1e-14);
}

TEST(ArrayStart, HoldsInitialEquations) {
  ModelBuilder m("Pendulum");
  const Expr x = m.variable("x", {.start = 0.6}), y = m.variable("y", {.start = -0.8, .fixed = true});
  const Expr force = m.variable("force");
  m.equation(der(der(x)) == -force * x);
  m.equation(der(der(y)) == -force * y - 1.0);
  m.equation(x * x + y * y == 1.0);
  m.initial_equation(der(y) == 0.3);
  const Start start(shared(m), 2);
  EXPECT_NEAR(start.value(0), 0.6, 1e-14);
  EXPECT_NEAR(start.value(0, 1), 0.4, 1e-14);         // x x' + y y' = 0
  EXPECT_NEAR(start.value(2), 0.25 - (-0.8), 1e-14);  // force = |v|^2 - y
  EXPECT_THAT(std::get<ArrayPoint>(start.found).remarks, IsEmpty());
}

TEST(ArrayStart, SaysWhichEquationsFixedStartsContradict) {
  ModelBuilder m("Circle");
  const Expr x = m.variable("x", {.start = 2.0, .fixed = true}), y = m.variable("y", {.start = 1.0});
  m.equation(x * x + y * y == 1.0);
  m.equation(der(x) == y);
  const Start start(shared(m), 1);
  const auto* none = std::get_if<NoConsistentStart>(&start.found);
  ASSERT_NE(none, nullptr);
  EXPECT_THAT(none->message, HasSubstr("no consistent start"));
  EXPECT_THAT(none->details, testing::Contains(HasSubstr("fixed starts: x = 2")));
}

}  // namespace
}  // namespace driftless
