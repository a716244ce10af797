#include "driftless/integrate/solve/step_equations.hpp"

#include <cmath>
#include <Eigen/LU>

#include "driftless/integrate/steppers/multistep/multistep.hpp"
#include "driftless/linear/generalized_inverse.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::fitted_order;
using samples::from_text;
using samples::run_to;
using samples::SampleProblem;

Model swinging() { return samples::pendulum({.x = 0.6, .y = -0.8, .vx = 0.4, .fixed = true}); }

std::unique_ptr<Stepper> euler(SampleProblem& sample, double h, double stop) {
  return make_multistep(bdf_formula(1), sample.problem, sample.start, {.stop = stop, .step = h});
}

const std::vector<std::string> mechanics{"x", "y", "der(x)", "der(y)", "lambda"};

// The largest difference in any quantity at any of the steps.
double largest_difference(const Model& model, const Formulation& a, const Formulation& b, double h, int steps,
                          const std::vector<std::string>& names = mechanics) {
  SampleProblem first(model, a), second(model, b);
  const auto p = euler(first, h, 1.0), q = euler(second, h, 1.0);
  double largest = 0.0;
  for (int n = 0; n < steps; ++n) {
    EXPECT_EQ(p->step().outcome, Outcome::Success) << to_string(a);
    EXPECT_EQ(q->step().outcome, Outcome::Success) << to_string(b);
    for (const std::string& name : names) largest = std::max(largest, std::abs(first(*p, name) - second(*q, name)));
  }
  return largest;
}

// M18, M19 (Führer, Leimkuhler 1991, Theorems 3.1 and 4.1): the multipliers need not be computed.
TEST(OverdeterminedSteps, AreThoseOfTheFormulationsWithMultipliers) {
  EXPECT_LT(largest_difference(swinging(), Overdetermined{}, StabilizedIndex1{}, 0.05, 20), 1e-13);
  EXPECT_LT(largest_difference(swinging(), Overdetermined{.accelerations = false}, Ggl{}, 0.05, 20), 1e-13);
  // Other forms differ, so the test can fail.
  EXPECT_GT(largest_difference(swinging(), Overdetermined{}, Ggl{}, 0.05, 20), 1e-6);
  EXPECT_GT(largest_difference(swinging(), Overdetermined{}, Index1{}, 0.05, 20), 1e-4);
}

// M7: a linear model of order 3 whose constraint turns; three levels are left over.
TEST(OverdeterminedSteps, AreThoseOfTheFormulationWithMultipliersAtAnyOrder) {
  const Model third_order = from_text(R"(
    model ThirdOrder
      Real x1(start = 1, fixed = true), x2(start = -1), y;
    initial equation
      der(x1) = 0.3;
      der(der(x1)) = -0.2;
    equation
      der(der(der(x1))) = -x1 + 2*der(x2) + y;
      der(der(der(x2))) = -x2 - der(der(x1)) + 2*y;
      (1 + time)*x1 + x2 = sin(time);
    end ThirdOrder;)");
  const std::vector<std::string> names{"x1", "x2", "der(x1)", "der(x2)", "der(der(x1))", "der(der(x2))", "y"};
  EXPECT_LT(largest_difference(third_order, Overdetermined{}, StabilizedIndex1{}, 0.05, 20, names), 1e-12);
  EXPECT_GT(largest_difference(third_order, Overdetermined{}, Index1{}, 0.05, 20, names), 1e-4);
}

// M7, the variant (3.23) of Ascher & Petzold (1993): the equations of order m = 2 with all levels of the constraint,
// resolved by a constant R~, are those with multipliers along B~ where R~ B~ = 0. By hand, backward Euler on
//
//   R~ (z1' - z2) = 0,  C z1 = r,    R~ (z2' - a) = 0,  C z2 + C' z1 = r'
//
// with R~ = (3, -1) and B~ = (1, 3), where a is the acceleration of the index-1 form.
TEST(OverdeterminedSteps, ResolvedByAConstantMatrixAreThoseWithMultipliersAlongItsKernel) {
  const Model model = from_text(R"(
    model Turning
      Real x1(start = 1, fixed = true), x2(start = -1), y;
    initial equation
      der(x1) = 0.3;
    equation
      der(der(x1)) = -x1 + 2*der(x2) + y;
      der(der(x2)) = -x2 - der(x1) + 2*y;
      (1 + time)*x1 + x2 = sin(time);
    end Turning;)");
  const double h = 0.05;
  SampleProblem sample(model, ProjectedInvariants{.levels = 2, .direction = Given{{{1.0, 3.0}}}});
  const auto stepper = euler(sample, h, 1.0);
  Eigen::Vector4d z(sample(*stepper, "x1"), sample(*stepper, "x2"), sample(*stepper, "der(x1)"),
                    sample(*stepper, "der(x2)"));
  for (int n = 1; n <= 20; ++n) {
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    // a = (-x1 + 2 v2 + y, -x2 - v1 + 2 y) with C a + 2 C' v = r'', C = (1 + t, 1), C' = (1, 0): linear in z.
    const double t = n * h, c = 1.0 + t;
    // (c + 2) y = -sin t - 2 v1 + c (x1 - 2 v2) + x2 + v1
    const Eigen::RowVector4d y = Eigen::RowVector4d(c, 1.0, -1.0, -2.0 * c) / (c + 2.0);
    const double y0 = -std::sin(t) / (c + 2.0);
    const Eigen::RowVector4d a1 = Eigen::RowVector4d(-1.0, 0.0, 0.0, 2.0) + y,
                             a2 = Eigen::RowVector4d(0.0, -1.0, -1.0, 0.0) + 2.0 * y;
    Eigen::Matrix4d matrix;
    Eigen::Vector4d right;
    matrix.row(0) << 3.0, -1.0, -3.0 * h, h;
    right[0] = 3.0 * z[0] - z[1];
    matrix.row(1) = Eigen::RowVector4d(0.0, 0.0, 3.0, -1.0) - h * (3.0 * a1 - a2);
    right[1] = 3.0 * z[2] - z[3] + h * (3.0 * y0 - 2.0 * y0);
    matrix.row(2) << c, 1.0, 0.0, 0.0;
    right[2] = std::sin(t);
    matrix.row(3) << 1.0, 0.0, c, 1.0;
    right[3] = std::cos(t);
    z = matrix.partialPivLu().solve(right);
    for (const auto& [name, value] : {std::pair{"x1", z[0]}, {"x2", z[1]}, {"der(x1)", z[2]}, {"der(x2)", z[3]}})
      EXPECT_NEAR(sample(*stepper, name), value, 1e-13) << name << " after " << n << " steps";
  }
}

// M15: the same inverse in two forms.
TEST(OverdeterminedSteps, DoNotDependOnHowTheInverseIsComputed) {
  for (const bool accelerations : {true, false})
    EXPECT_LT(largest_difference(
                  swinging(), Overdetermined{.inverse = Correction::SsfBordered, .accelerations = accelerations},
                  Overdetermined{.inverse = Correction::SsfBasis, .accelerations = accelerations}, 0.05, 20),
              1e-13);
}

double length_error(SampleProblem& sample, const Stepper& stepper) {
  const double x = sample(stepper, "x"), y = sample(stepper, "y");
  return std::abs(x * x + y * y - 1.0);
}

// M16: constraints exact, and the difference to the other inverse is that of the local errors of one step, O(h^2).
TEST(OverdeterminedSteps, OfConstrainedLeastSquaresKeepTheConstraints) {
  const Formulation least{Overdetermined{.inverse = Correction::ConstrainedLeastSquares}};
  SampleProblem sample(swinging(), least);
  const auto stepper = euler(sample, 0.02, 1.0);
  while (stepper->time() < 1.0) {
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    EXPECT_LT(length_error(sample, *stepper), 1e-14);
  }
  std::vector<double> steps, differences;
  for (double h = 0.02; h > 0.002; h /= 2.0) {
    steps.push_back(h);
    differences.push_back(largest_difference(swinging(), least, Overdetermined{}, h, 1));
    EXPECT_GT(differences.back(), 0.0);
  }
  EXPECT_GE(fitted_order(steps, differences), 1.85);
}

// M17: nothing holds exactly.
TEST(OverdeterminedSteps, OfMoorePenroseMissTheConstraints) {
  SampleProblem sample(swinging(), Overdetermined{.inverse = Correction::MoorePenrose});
  const auto stepper = euler(sample, 0.02, 1.0);
  ASSERT_EQ(run_to(*stepper, 1.0).outcome, Outcome::Success);
  EXPECT_GT(length_error(sample, *stepper), 1e-8);
  EXPECT_LT(length_error(sample, *stepper), 1e-2);
}

// M20: with a linear constraint, here y = 2 x, the overdetermined steps are those of the state-space form, here
// 5 x'' = -x (1 + x^2) + 2, y = 2 x.
TEST(OverdeterminedSteps, OfALinearConstraintAreThoseOfTheStateSpaceForm) {
  const Model constrained = from_text(R"(
    model Constrained
      Real x(start = 0.3, fixed = true), y, lambda;
    initial equation
      der(x) = 0.1;
    equation
      der(der(x)) = -x*(1 + x^2) + 2*lambda;
      der(der(y)) = 1 - lambda;
      2*x - y = 0;
    end Constrained;)");
  const Model minimal = from_text(R"(
    model Minimal
      Real x(start = 0.3, fixed = true);
    initial equation
      der(x) = 0.1;
    equation
      5*der(der(x)) = -x*(1 + x^2) + 2;
    end Minimal;)");
  SampleProblem a(constrained, Overdetermined{}), b(minimal, Index1{});
  {
    const auto p = euler(a, 0.05, 2.0), q = euler(b, 0.05, 2.0);
    while (p->time() < 2.0) {
      ASSERT_EQ(p->step().outcome, Outcome::Success);
      ASSERT_EQ(q->step().outcome, Outcome::Success);
      EXPECT_NEAR(a(*p, "x"), b(*q, "x"), 1e-13);
      EXPECT_NEAR(a(*p, "y"), 2.0 * b(*q, "x"), 1e-13);
      EXPECT_NEAR(a(*p, "der(y)"), 2.0 * b(*q, "der(x)"), 1e-13);
    }
  }
}

// M23: least squares weigh rows against each other. Divided by alpha, the discretized rows take what cannot be
// satisfied, O(h^2), and the multiplier follows from its own equation up to O(h^3). Not divided, they push it into the
// others: an error O(h) in accelerations and multiplier, which no smaller step of the same iteration removes.
struct LeastSquaresStep {
  double residual = 0.0;  // left in the algebraic rows
  double rate = 0.0;      // at which the iteration sets out: the second correction over the first
};
LeastSquaresStep least_squares_step(double h, bool scaled) {
  SampleProblem sample(swinging(), Overdetermined{.inverse = Correction::ConstrainedLeastSquares});
  StepEquations equations(sample.problem);
  const int n = sample.problem.size(), m = equations.levels();
  const double alpha = 1.0 / h;
  std::vector<double> y = sample.start.y, yp(n), phi(n + m), values(equations.pattern().rows.size());
  std::vector<double> sizes;
  for (int iteration = 0; iteration < 12; ++iteration) {
    for (int i = 0; i < n; ++i) yp[i] = (y[i] - sample.start.y[i]) / h;
    EXPECT_TRUE(equations.residual(h, y, yp, alpha, phi));
    EXPECT_TRUE(equations.matrix(h, y, yp, alpha, values));
    Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(n + m, n + m);
    const linear::Pattern& pattern = equations.pattern();
    for (int j = 0; j < n + m; ++j)
      for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) bordered(pattern.rows[k], j) = values[k];
    Eigen::VectorXd a = Eigen::Map<Eigen::VectorXd>(phi.data(), n + m);
    if (!scaled)  // back to what they were: the rows of slots with a kinematic relation
      for (const Kinematic& kinematic : sample.problem.reduced().kinematics)
        bordered.row(kinematic.slot) *= alpha, a[kinematic.slot] *= alpha;
    const Eigen::VectorXd delta =
        linear::constrained_least_squares(bordered.topLeftCorner(n, n), bordered.bottomLeftCorner(m, n)) * a;
    for (int i = 0; i < n; ++i) y[i] -= delta[i];
    sizes.push_back(delta.norm());
  }
  std::vector<double> rows(n);
  for (int i = 0; i < n; ++i) yp[i] = (y[i] - sample.start.y[i]) / h;
  EXPECT_TRUE(sample.problem.residual(h, y, yp, rows));
  double largest = 0.0;
  for (int i = 0; i < sample.system.rows(); ++i) largest = std::max(largest, std::abs(rows[i]));
  return {largest, sizes[1] / sizes[0]};
}

TEST(OverdeterminedSteps, OfLeastSquaresNeedTheirRowsScaled) {
  std::vector<double> steps;
  struct {
    std::vector<double> residuals, rates;
    void add(const LeastSquaresStep& step) { residuals.push_back(step.residual), rates.push_back(step.rate); }
  } scaled, unscaled;
  for (double h = 0.02; h > 0.001; h /= 2.0) {
    steps.push_back(h);
    scaled.add(least_squares_step(h, true));
    unscaled.add(least_squares_step(h, false));
  }
  EXPECT_NEAR(fitted_order(steps, scaled.residuals), 3.0, 0.15);
  EXPECT_NEAR(fitted_order(steps, unscaled.residuals), 1.0, 0.15);
  // The iteration converges the faster the smaller the step is, or at a rate that does not depend on it.
  EXPECT_NEAR(fitted_order(steps, scaled.rates), 1.0, 0.15);
  EXPECT_NEAR(fitted_order(steps, unscaled.rates), 0.0, 0.15);
}

}  // namespace
}  // namespace driftless
