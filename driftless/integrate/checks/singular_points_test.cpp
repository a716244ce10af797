#include "driftless/integrate/checks/singular_points.hpp"

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

// From a to b, both on the path.
std::optional<SingularPoints::Found> examine(SingularPoints& singular, const System& system, double a, double b,
                                             const SingularPoints::Path& path, const SingularPoints::Path& solved) {
  struct {
    std::vector<double> y, yp;
  } begin, end;
  for (auto [point, t] : {std::pair{&begin, a}, std::pair{&end, b}}) {
    point->y.resize(system.size()), point->yp.resize(system.size());
    path(t, point->y, point->yp);
  }
  return singular.examine({a, begin.y, begin.yp}, {b, end.y, end.yp}, path, solved);
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

  std::optional<SingularPoints::Found> examine(double a, double b) { return examine(a, b, path); }
  std::optional<SingularPoints::Found> examine(double a, double b, const SingularPoints::Path& along) {
    return driftless::examine(singular, problem.system, a, b, along, along);
  }

  samples::SampleProblem problem;
  SingularPoints singular;
  SingularPoints::Path path;
};

TEST(SingularPoints, ADeterminantThatChangesItsSignIsLocated) {
  Model1 m("x*y = 1; z = 2*y;");
  ASSERT_TRUE(m.singular.exist());
  const auto found = m.examine(0.0, 1.0);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-6);
  EXPECT_FALSE(found->only_chart);
  EXPECT_THAT(found->what, HasSubstr("y is not determined there by line 3: x*y = 1"));
}

TEST(SingularPoints, ABlockOfSeveralUnknownsIsNamedWhole) {
  Model1 m("cos(x)*y + (2 + x)*z = 1; (2 + x)*y + (4 + 5*x)*z = 2;");
  const auto found = m.examine(0.0, 0.5);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-6);
  EXPECT_THAT(found->what, HasSubstr("are not determined there by"));
  EXPECT_THAT(found->what, HasSubstr("cos(x)*y + (2 + x)*z = 1"));
}

TEST(SingularPoints, NothingIsFoundWhereTheSignStays) {
  Model1 m("x*y = 1; z = 2*y;");
  EXPECT_FALSE(m.examine(0.31, 1.0));
  EXPECT_FALSE(m.examine(1.0, 2.0));
  Model1 square("x^2*y = 1; z = 2*y;");
  EXPECT_FALSE(square.examine(0.0, 1.0));
}

// In the second step it would reach 0 if it decreased as in the first.
TEST(SingularPoints, ADeterminantThatTouchesZeroIsFound) {
  Model1 touches("x^2*y = 1; z = 2*y;");
  EXPECT_FALSE(touches.examine(0.0, 0.1));
  const auto found = touches.examine(0.1, 0.5);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.3, 1e-3);
  EXPECT_THAT(found->what, HasSubstr("y is not determined there"));
  Model1 comes_near("(0.001 + x^2)*y = 1; z = 2*y;");
  EXPECT_FALSE(comes_near.examine(0.0, 0.1));
  EXPECT_FALSE(comes_near.examine(0.1, 0.5));
}

TEST(SingularPoints, ConstantCoefficientsAreNotWatched) {
  EXPECT_FALSE(Model1("3*y + z = x; y - z = sin(x);").singular.exist());
  EXPECT_TRUE(Model1("3*y + z = x; y - z*x = sin(x);").singular.exist());
}

// The sign at the end of a step is that of the beginning of the next; after a jump it is not.
TEST(SingularPoints, TheEndOfAStepIsRemembered) {
  Model1 m("x*y = 1; z = 2*y;");
  EXPECT_FALSE(m.examine(0.0, 0.2));
  EXPECT_TRUE(m.examine(0.4, 1.0)) << "compared with 0.2";
  m.singular.forget();
  EXPECT_FALSE(m.examine(0.4, 1.0));
}

// A start at a singular point has no sign yet. The end of its first step has one, and the next change is found. x is 0
// at 0.3 and at 0.6.
TEST(SingularPoints, TheFirstSignThatIsSeenIsRemembered) {
  Model1 m("x*y = 1; z = 2*y;");
  const auto path = path_of(m.problem.system.reduced(), [](const std::string& name, double t) {
    return name == "x" ? (t - 0.3) * (t - 0.6) : 1.0;
  });
  EXPECT_FALSE(m.examine(0.3, 0.5, path));
  const auto found = m.examine(0.5, 1.0, path);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->t, 0.6, 1e-6);
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
  EXPECT_FALSE(examine(singular, system, 0.5, 2.5, along, along));
}

}  // namespace
}  // namespace driftless
