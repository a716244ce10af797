#include "driftless/integrate/run/singular_points.hpp"

#include <cmath>

#include "driftless/integrate/states/state_coordinates.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;
using Values = std::function<double(const std::string& name, double t)>;

// The point at a time, by the names of its slots; rates are not needed.
SingularPoints::Path path_of(const Reduced& reduced, Values values) {
  return [&reduced, values = std::move(values)](double t, std::span<double> y, std::span<double> yp) {
    for (std::size_t s = 0; s < y.size(); ++s) y[s] = values(reduced.name(reduced.slots[s].quantity), t), yp[s] = 0.0;
    return true;
  };
}

class Model1 {
 public:
  explicit Model1(const std::string& equations)
      : problem(samples::from_text("model M Real x(start = 1, fixed = true), y(start = 1), z(start = 1); equation\n"
                                   "der(x) = 1;\n" +
                                   equations + "\nend M;"),
                formulation::Index1{}),
        singular(problem.problem),
        // x passes 0 at t = 0.3
        path(path_of(problem.system.reduced(),
                     [](const std::string& name, double t) { return name == "x" ? t - 0.3 : 1.0; })) {}

  samples::SampleProblem problem;
  SingularPoints singular;
  SingularPoints::Path path;
};

TEST(SingularPoints, ADeterminantThatChangesItsSignIsLocated) {
  Model1 m("x*y = 1; z = 2*y;");
  ASSERT_TRUE(m.singular.exist());
  const auto found = m.singular.examine(0.0, 1.0, m.path, m.path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-6);
  EXPECT_FALSE(found->only_chart);
  EXPECT_THAT(found->what, HasSubstr("y is not determined there by line 3: x*y = 1"));
}

TEST(SingularPoints, ABlockOfSeveralUnknownsIsNamedWhole) {
  Model1 m("cos(x)*y + (2 + x)*z = 1; (2 + x)*y + (4 + 5*x)*z = 2;");
  const auto found = m.singular.examine(0.0, 0.5, m.path, m.path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-6);
  EXPECT_THAT(found->what, HasSubstr("are not determined there by"));
  EXPECT_THAT(found->what, HasSubstr("cos(x)*y + (2 + x)*z = 1"));
}

TEST(SingularPoints, NothingIsFoundWhereTheSignStays) {
  Model1 m("x*y = 1; z = 2*y;");
  EXPECT_FALSE(m.singular.examine(0.31, 1.0, m.path, m.path));
  EXPECT_FALSE(m.singular.examine(1.0, 2.0, m.path, m.path));
  Model1 square("x^2*y = 1; z = 2*y;");
  EXPECT_FALSE(square.singular.examine(0.0, 1.0, square.path, square.path));
}

// In the second step it would be 0 if it went on falling as in the first.
TEST(SingularPoints, ADeterminantThatTouchesZeroIsFound) {
  Model1 touches("x^2*y = 1; z = 2*y;");
  EXPECT_FALSE(touches.singular.examine(0.0, 0.1, touches.path, touches.path));
  const auto found = touches.singular.examine(0.1, 0.5, touches.path, touches.path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-3);
  EXPECT_THAT(found->what, HasSubstr("y is not determined there"));
  Model1 comes_near("(0.001 + x^2)*y = 1; z = 2*y;");
  EXPECT_FALSE(comes_near.singular.examine(0.0, 0.1, comes_near.path, comes_near.path));
  EXPECT_FALSE(comes_near.singular.examine(0.1, 0.5, comes_near.path, comes_near.path));
}

TEST(SingularPoints, ConstantCoefficientsAreNotWatched) {
  EXPECT_FALSE(Model1("3*y + z = x; y - z = sin(x);").singular.exist());
  EXPECT_TRUE(Model1("3*y + z = x; y - z*x = sin(x);").singular.exist());
}

// The sign at the end of a step is that of the beginning of the next; behind a jump it is not.
TEST(SingularPoints, TheEndOfAStepIsRemembered) {
  Model1 m("x*y = 1; z = 2*y;");
  EXPECT_FALSE(m.singular.examine(0.0, 0.2, m.path, m.path));
  EXPECT_TRUE(m.singular.examine(0.4, 1.0, m.path, m.path)) << "compared with 0.2";
  m.singular.forget();
  EXPECT_FALSE(m.singular.examine(0.4, 1.0, m.path, m.path));
}

// A start at a singular point has no sign yet. The end of its first step has one, and the next change is seen. x is 0
// at 0.3 and at 0.6.
TEST(SingularPoints, TheFirstSignThatIsSeenIsRemembered) {
  Model1 m("x*y = 1; z = 2*y;");
  const auto path = path_of(m.problem.system.reduced(), [](const std::string& name, double t) {
    return name == "x" ? (t - 0.3) * (t - 0.6) : 1.0;
  });
  EXPECT_FALSE(m.singular.examine(0.3, 0.5, path, path));
  const auto found = m.singular.examine(0.5, 1.0, path, path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.6, 1e-6);
}

// Then other states may be better; those that are kept are measured anew.
TEST(SingularPoints, ADeterminantThatHasShrunkIsNoticed) {
  Model1 m("x*y = 1; z = 2*y;");
  EXPECT_FALSE(m.singular.has_shrunk()) << "nothing was looked at";
  EXPECT_FALSE(m.singular.examine(-1.0, 0.0, m.path, nullptr));  // from 1.3 to 0.3
  EXPECT_TRUE(m.singular.has_shrunk());
  m.singular.keep_states();
  EXPECT_FALSE(m.singular.has_shrunk());
  EXPECT_FALSE(m.singular.examine(0.0, 0.1, m.path, nullptr));  // to 0.2
  EXPECT_FALSE(m.singular.has_shrunk());
  EXPECT_FALSE(m.singular.examine(0.1, 0.29, m.path, nullptr));  // to 0.01
  EXPECT_TRUE(m.singular.has_shrunk());
}

// The pendulum with the state y, which determines x except at x = 0: another choice of states, and nothing is singular.
TEST(SingularPoints, AChartThatEndsIsNoSingularPoint) {
  const auto reduced = samples::reduced(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = 0.0}), {});
  System system(reduced, Backend::Interpreter);
  Problem problem(system);
  const State start = samples::consistent_start(*reduced);
  StateCoordinates coordinates(system, 0.5);
  coordinates.choose({start.t, start.y, start.yp});
  problem.set_states(coordinates.states());
  SingularPoints singular(problem);
  ASSERT_TRUE(singular.exist());
  const auto along = path_of(*reduced, [](const std::string& name, double t) {
    return name == "x"        ? std::cos(t)
           : name == "y"      ? std::sin(t)
           : name == "der(x)" ? -std::sin(t)
           : name == "der(y)" ? std::cos(t)
                              : 1.0;
  });
  EXPECT_FALSE(singular.examine(0.5, 2.5, along, along));
}

}  // namespace
}  // namespace driftless
