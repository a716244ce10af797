// The examples of Mattsson & Söderlind (1993): what is differentiated, which equations remain, which variables may be
// states.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/reduce/signature.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

std::shared_ptr<const Model> shared(Model model) { return std::make_shared<const Model>(std::move(model)); }

Reduced reduced(const std::shared_ptr<const Model>& model, ReduceOptions options) {
  return reduce(model, analyze(model).shape, options);
}

std::vector<int> rows_per_stage(const Reduced& reduced) {
  std::map<int, int> counts;
  for (const DerivedEquation& row : reduced.rows) ++counts[row.stage];
  std::vector<int> sizes;
  for (const auto& [stage, count] : counts) sizes.push_back(count);
  return sizes;
}

std::set<std::string> names_at(const Reduced& reduced, Place place) {
  std::set<std::string> names;
  for (const Quantity q : reduced.quantities)
    if (reduced.place(q) == place) names.insert(reduced.name(q));
  return names;
}

// The states that are chosen at the consistent start.
std::set<std::string> states_at_start(Reduced value) {
  const auto reduced = std::make_shared<const Reduced>(std::move(value));
  Diagnostics diagnostics;
  const State start = std::get<State>(initialize(*reduced, 0.0, diagnostics));
  System system(reduced, Backend::Interpreter);
  std::vector<double> values(system.choice_values());
  system.choices({start.t, start.y, start.yp}, values);
  StateSelection selection(*reduced, system.choice_entries(), 2.0);
  EXPECT_TRUE(selection.choose(values));
  std::set<std::string> names;
  for (const int k : selection.active())
    names.insert(reduced->name(reduced->slots[reduced->kinematics[k].slot].quantity));
  return names;
}

// (1.2), 7-M1.
TEST(DerivativeChain, IsSixAlgebraicEquations) {
  const auto model = shared(read_shipped("derivative_chain"));
  EXPECT_THAT(analyze(model).shape.offsets.c, ElementsAre(1, 0, 2));
  const Reduced all = reduced(model, {.eliminate = false});
  EXPECT_EQ(all.rows.size(), 6u);
  EXPECT_EQ(all.states(), 0);
  const Solution solution = simulate(analyze(model), {.stop = 5.0, .tolerance = 1e-6, .method = method::Bdf{}});
  ASSERT_TRUE(reached_end(solution.outcome));
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const double t = solution.times[k];
    EXPECT_NEAR(solution.value(k, *solution.find("x")), std::sin(t), 1e-15);
    EXPECT_NEAR(solution.value(k, *solution.find("y")), std::cos(t), 1e-15);
    EXPECT_NEAR(solution.value(k, *solution.find("z")), -std::sin(t), 1e-15);
  }
}

TEST(DerivativeChain, AcceptsNoInitialCondition) {
  const Solution solution = simulate(read_text(R"(
    model Chain
      Real x(start = 0.5, fixed = true), y, z;
    equation
      der(x) = y;
      der(y) = z;
      x = sin(time);
    end Chain;)"),
                                     {.tolerance = 1e-6});
  EXPECT_EQ(solution.outcome, Outcome::InitializationFailed);
  EXPECT_THAT(solution.message, HasSubstr("x = 0.5"));
}

// 7-M2: the differentiation of x - y = 0 is superfluous.
TEST(TwoDerivatives, NeedNoDifferentiation) {
  const auto model = shared(read_text(R"(
    model Sum
      Real x(start = 0, fixed = true), y;
    equation
      der(x) + der(y) = 1;
      x - y = 0;
    end Sum;)"));
  EXPECT_THAT(analyze(model).shape.offsets.c, ElementsAre(0, 1));
  EXPECT_EQ(reduced(model, {.eliminate = false}).rows.size(), 3u);
  EXPECT_EQ(reduced(model, {.eliminate = false, .remove_superfluous = true}).rows.size(), 2u);
  for (const Formulation& formulation : {Formulation(formulation::Dummy{}), Formulation(formulation::Minimal{})}) {
    const Solution solution =
        simulate(analyze(model, formulation),
                 {.stop = 2.0, .tolerance = 1e-8, .formulation = formulation, .method = method::Bdf{}});
    ASSERT_TRUE(reached_end(solution.outcome)) << to_string(formulation);
    EXPECT_NEAR(solution.final("x"), 1.0, 1e-7) << to_string(formulation);
    EXPECT_NEAR(solution.final("y"), 1.0, 1e-7) << to_string(formulation);
  }
}

// (3.2), 7-M3, M54, M55.
TEST(ExampleOne, HasNineEquationsInBlocksOfTwoThreeFour) {
  const auto model = shared(read_shipped("ms_example1"));
  EXPECT_THAT(analyze(model).shape.offsets.c, ElementsAre(2, 2, 1, 0));
  EXPECT_THAT(analyze(model).shape.offsets.d, ElementsAre(2, 2, 2, 1));
  const Reduced nine = reduced(model, {.eliminate = false});
  EXPECT_EQ(nine.rows.size(), 9u);
  EXPECT_THAT(rows_per_stage(nine), ElementsAre(2, 3, 4));
  EXPECT_EQ(nine.states(), 2);
  // {x1, x3, x4} or {x2, x3, x4} are the dummies: x2 and x2' are the states, or x1 and x1'.
  EXPECT_THAT(states_at_start(nine),
              AnyOf(UnorderedElementsAre("x2", "der(x2)"), UnorderedElementsAre("x1", "der(x1)")));
}

// (3.3), 7-M4, M56: x1'' and x3'' are derivatives of unknowns again, and so is x4'.
TEST(ExampleOne, HasSixEquationsWithoutTheSuperfluous) {
  const auto model = shared(read_shipped("ms_example1"));
  const Reduced six = reduced(model, {.eliminate = false, .remove_superfluous = true});
  EXPECT_EQ(six.rows.size(), 6u);
  EXPECT_THAT(rows_per_stage(six), ElementsAre(2, 3, 1));
  EXPECT_THAT(names_at(six, Place::Rate),
              UnorderedElementsAre("der(der(x1))", "der(der(x2))", "der(der(x3))", "der(x4)"));
  EXPECT_THAT(states_at_start(six), AnyOf(UnorderedElementsAre("x2"), UnorderedElementsAre("x1")));
}

// 7-M5: the determinant of the system Jacobian is -2 m L on the circle of radius L = 1.
TEST(Pendulum, HasARegularSystemJacobian) {
  const Model model = read_shipped("pendulum", {{"m", "3"}});
  const auto& pool = model.pool;
  TimeDerivative derivative(*pool);
  const std::vector<int> c = {0, 0, 2}, d = {2, 2, 0};
  for (const double angle : {0.1, 0.8, 2.0, 4.0}) {
    const auto value = [&](NodeId leaf) {
      const Node& node = (*pool)[leaf];
      if (node.op == Op::Parameter) return model.parameters[node.a].value;
      return node.a == 0 ? std::sin(angle) : -std::cos(angle);  // only x and y occur in it
    };
    Eigen::Matrix3d jacobian;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        jacobian(i, j) = evaluate(
            *pool, partial(*pool, derivative(model.equations[i].residual, c[i]), pool->variable(VarId{j}, d[j])),
            value);
    EXPECT_NEAR(std::abs(jacobian.determinant()), 2.0 * 3.0, 1e-13) << "at angle " << angle;
  }
}

// 7-M5, M57: models (4.2) and (4.3), and the change between them.
TEST(Pendulum, ChangesItsStatesWhereTheOtherCoordinateIsBetter) {
  const Solution solution =
      simulate(read_shipped("pendulum"), {.stop = 20.0, .tolerance = 1e-6, .method = method::Bdf{}});
  ASSERT_TRUE(reached_end(solution.outcome));
  ASSERT_FALSE(solution.pivots.empty());
  EXPECT_THAT(states_at_start(reduced(shared(read_shipped("pendulum")), {})), UnorderedElementsAre("y", "der(y)"));
  for (const Pivot& pivot : solution.pivots) {
    const double x = std::abs(solution.at(pivot.time, "x")), y = std::abs(solution.at(pivot.time, "y"));
    const bool to_x = pivot.in == "x" || pivot.in == "der(x)";
    EXPECT_EQ(to_x, pivot.out == "y" || pivot.out == "der(y)");
    EXPECT_NEAR(pivot.margin, to_x ? y / x : x / y, 1e-3 * pivot.margin) << "at t = " << pivot.time;
    EXPECT_GT(pivot.margin, 1.0);
  }
}

// 7-M10: with y kept as the state, x = 0 cannot be passed, and the reason is said: when the steps shrink to nothing as
// well as when their number is limited.
TEST(Pendulum, StallsWithoutPivotingAndSaysWhy) {
  const double quarter_period = 1.6749;  // of the swing with amplitude 1
  for (const long most : {20'000L, 10'000'000L}) {
    const Solution solution = simulate(read_shipped("pendulum_small", {{"phi0", "1.0"}}), {.stop = 10.0,
                                                                                           .tolerance = 1e-9,
                                                                                           .method = method::Bdf{},
                                                                                           .pivot = PivotMode::Never,
                                                                                           .max_steps = most,
                                                                                           .dense = false});
    EXPECT_NE(solution.outcome, Outcome::Success);
    EXPECT_NEAR(solution.reached, quarter_period, 0.01);
    EXPECT_THAT(solution.details, Contains(AnyOf(HasSubstr("the choice of y as a state is singular"),
                                                 HasSubstr("the choice of der(y) as a state is singular"))));
  }
}

// Example 4, 7-M6: n coordinates and m constraints make n + 3 m equations.
TEST(LagrangianEquations, AreNPlusThreeM) {
  const auto rows = [](const char* name) {
    return reduced(shared(read_shipped(name)), {.eliminate = false}).rows.size();
  };
  EXPECT_EQ(rows("pendulum"), 2u + 3u * 1u);
  EXPECT_EQ(rows("spherical_pendulum"), 3u + 3u * 1u);
  EXPECT_EQ(rows("double_pendulum"), 4u + 3u * 2u);
  EXPECT_EQ(rows("four_bar"), 3u + 3u * 2u);
}

TEST(LagrangianEquations, AreTheSameFromSecondAndFirstOrder) {
  const auto second = shared(read_shipped("pendulum")), first = shared(read_shipped("pendulum_first_order"));
  const Reduced two = reduced(second, {}), one = reduced(first, {});
  EXPECT_EQ(one.rows.size(), two.rows.size());
  EXPECT_EQ(one.slots.size(), two.slots.size());
  EXPECT_EQ(one.states(), two.states());
  const Solution a = simulate(analyze(second), {.tolerance = 1e-6, .method = method::Bdf{}}),
                 b = simulate(analyze(first), {.tolerance = 1e-6, .method = method::Bdf{}});
  EXPECT_EQ(a.statistics.steps, b.statistics.steps);
  for (const auto& [x, y] :
       std::map<std::string, std::string>{{"x", "x"}, {"y", "y"}, {"der(x)", "vx"}, {"lambda", "lambda"}}) {
    const std::vector<double> p = a.column(x), q = b.column(y);
    for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], q[k], 1e-9) << x << " at " << a.times[k];
  }
}

// Example 5, 7-M7, M58: the structure is regular, the Jacobian never. The equations are combined as the authors do it:
// y = cos(t), x = sin(t) - t cos(t).
TEST(ExampleFive, IsSolvedByCombiningItsEquations) {
  const Solution solution = simulate(read_text(R"(
    model Singular
      Real x, y;
    equation
      der(x) + time*der(y) = 0;
      x + time*y = sin(time);
    end Singular;)"),
                                     {.tolerance = 1e-6});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_EQ(solution.structure.structural_index, 2);
  EXPECT_EQ(solution.structure.degrees_of_freedom, 0);
  EXPECT_THAT(solution.remarks, testing::Contains(HasSubstr("is replaced by (line 5) - der(line 6)")));
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    const double t = solution.times[k];
    EXPECT_NEAR(solution.column("y")[k], std::cos(t), 1e-12);
    EXPECT_NEAR(solution.column("x")[k], std::sin(t) - t * std::cos(t), 1e-12);
    EXPECT_NEAR(solution.column("der(x)")[k], t * std::sin(t), 1e-12);
  }
}

// M52: the deficient set by name, whatever the matching.
TEST(StructuralSingularity, NamesTheDeficientSets) {
  try {
    simulate(read_text(R"(
    model Deficient
      Real a, b, c;
    equation
      der(a) = -a;
      a + time = 1;
      b + c = a;
    end Deficient;)"),
             {.tolerance = 1e-6});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("2 equations determine only 1 unknown: a"));
    EXPECT_THAT(error.what(), HasSubstr("1 equation must determine 2 unknowns: b and c"));
  }
}

// M53: two algorithms, the same numbers.
TEST(Pantelides, AgreesWithTheSigmaMethodOnEveryModel) {
  for (const std::string& name : shipped_models()) {
    const Model model = read_shipped(name);
    const structure::Signature signature = signature_of(model);
    EXPECT_EQ(structure::pantelides(signature), std::get<structure::Structure>(structure::analyze(signature)).offsets)
        << name;
  }
}

// M50: highest derivatives and multipliers follow algebraically and are left out of the error test.
TEST(ErrorTest, LeavesOutMultipliers) {
  const auto reduced_pendulum = std::make_shared<const Reduced>(reduced(shared(read_shipped("pendulum")), {}));
  System system(reduced_pendulum, Backend::Interpreter);
  Problem problem(system);
  problem.set_states({0, 1});  // x and der(x)
  const std::vector<bool> included = in_error_test(problem, grade(problem));
  std::set<std::string> in, out;
  for (std::size_t s = 0; s < included.size(); ++s)
    (included[s] ? in : out).insert(reduced_pendulum->name(reduced_pendulum->slots[s].quantity));
  EXPECT_THAT(in, UnorderedElementsAre("x", "y", "der(x)", "der(y)"));
  EXPECT_THAT(out, Contains("lambda"));
}

// M59: x = Im exp(i w t) with w = 2 + i, differentiated four times by the analysis alone; nothing is integrated.
TEST(SymbolicDifferentiation, IsExactToRoundingUpToOrderFour) {
  const Solution solution = simulate(read_text(R"(
    model Damped
      Real x, v, a, j, s;
    equation
      x = exp(-time)*sin(2*time);
      v = der(x);
      a = der(v);
      j = der(a);
      s = der(j);
    end Damped;)"),
                                     {.stop = 3.0, .tolerance = 1e-4});
  ASSERT_TRUE(reached_end(solution.outcome));
  const std::complex<double> rate(-1.0, 2.0);
  for (std::size_t k = 0; k < solution.times.size(); ++k) {
    std::complex<double> z = std::exp(rate * solution.times[k]);
    for (const char* name : {"x", "v", "a", "j", "s"}) {
      EXPECT_NEAR(solution.value(k, *solution.find(name)), z.imag(), 4e-15 * std::max(1.0, std::abs(z)))
          << name << " at " << solution.times[k];
      z *= rate;
    }
  }
}

}  // namespace
}  // namespace driftless
