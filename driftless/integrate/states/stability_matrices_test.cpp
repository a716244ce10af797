#include "driftless/integrate/states/stability_matrices.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/solve/slopes.hpp"
#include "driftless/reduce/sample_ascher_petzold.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

std::shared_ptr<const Reduced> base_of(Model model) {
  return samples::reduced(std::move(model), {.keep_constraints = true});
}

double norm(const Eigen::MatrixXd& m) { return m.cwiseAbs().maxCoeff(); }

// The values of all quantities from those of slots, by name.
struct At {
  std::shared_ptr<const Reduced> reduced;
  System system;
  EssentialForm form;
  std::vector<double> y, yp;

  explicit At(Model model)
      : reduced(base_of(std::move(model))),
        system(reduced, Backend::Interpreter),
        form(system),
        y(reduced->slots.size(), 0.0),
        yp(y) {}

  void set(const std::string& name, double value) {
    for (std::size_t s = 0; s < y.size(); ++s)
      if (reduced->name(reduced->slots[s].quantity) == name) y[s] = value;
  }
  Essential operator()(double t) { return form.at(t, y, yp).value(); }
};

TEST(Essential, MatricesOfALinearProblemAreThoseOfThePaper) {
  const double nu = 1000.0, t = 0.3;
  At at(samples::ascher_petzold_2({.nu = nu}));
  const Essential e = at(t);
  ASSERT_EQ(at.form.slots().size(), 2u);
  Eigen::MatrixXd b(2, 1), c(1, 2), c_dot(1, 2);
  b << (2.0 - t) * nu, nu - 1.0;
  c << t + 2.0, t * t - 4.0;
  c_dot << 1.0, 2.0 * t;
  EXPECT_LT(norm(e.B - b), 1e-11 * nu);
  EXPECT_LT(norm(e.C - c), 1e-13);
  EXPECT_LT(norm(e.C_dot - c_dot), 1e-13);
  EXPECT_LT(norm(e.C * e.F - Eigen::MatrixXd::Identity(1, 1)), 1e-12);
  EXPECT_LT(norm(e.F - b / (4.0 - t * t)), 1e-11 * nu);  // CB = 4 - t^2
  EXPECT_NEAR(e.K1(), 1.0 / (4.0 - t * t), 1e-13);
  EXPECT_LT(norm(e.R * e.B), 1e-11 * nu);
  EXPECT_LT(norm(e.R * e.R.transpose() - Eigen::MatrixXd::Identity(1, 1)), 1e-14);
  EXPECT_LT(norm(e.S * e.R - e.H), 1e-9);
  EXPECT_LT(norm(e.C * e.S), 1e-11 * nu);
}

// With R0 = (nu - 1, -(2 - t) nu) the equation is u' = -nu/(2 - t) u; the orthonormal R = R0 / |R0| adds -|R0|'/|R0|.
TEST(Essential, VariablePartIsThatOfThePaperInAnotherFrame) {
  const double nu = 100.0, t = 0.4;
  At at(samples::ascher_petzold_2({.nu = nu}));
  const double square = (nu - 1.0) * (nu - 1.0) + (2.0 - t) * (2.0 - t) * nu * nu;
  const double expected = -nu / (2.0 - t) + (2.0 - t) * nu * nu / square;
  double before = 0.0;
  for (const double h : {1e-3, 1e-4}) {  // differences of first order
    at.form.forget();
    at(t - h);
    const double error = std::abs(at(t).RS()(0, 0) - expected);
    EXPECT_LT(error, 20.0 * nu * h);
    if (before > 0.0) {
      EXPECT_NEAR(before / error, 10.0, 0.5);
    }
    before = error;
  }
}

// C turns with nu; x = (cos, -sin) is tangent, and FC' = C^T C' has the norm nu, R'S = 0: nothing but the frame moves.
TEST(Essential, RotatingConstraintHasAHarmlessVariablePart) {
  const double nu = 1000.0, h = 1e-7;
  At at(samples::ascher_petzold_1({.nu = nu}));
  at(0.2 - h);
  const Essential e = at(0.2);
  EXPECT_NEAR(e.FC_dot().norm(), nu, 1e-9 * nu);
  EXPECT_NEAR(e.R_dot.norm(), nu, 1e-3 * nu);
  EXPECT_LT(norm(e.RS()), 1e-3 * nu);
  EXPECT_NEAR(e.K2(), 1.0, 1e-12);
}

TEST(Essential, MechanicalProblemNeedsNoInverseOfTheMass) {
  const double nu = 50.0, t = 0.7;
  At at(samples::ascher_petzold_3({.nu = nu}));
  const Essential e = at(t);
  Eigen::MatrixXd b(2, 1);
  b << nu * (2.0 - t), nu - 1.0;
  EXPECT_LT(norm(e.B + (2.0 + t) * b), 1e-9 * nu);  // of -lambda
  EXPECT_NEAR(e.K1(), 1.0 / (4.0 - t * t), 1e-10);
}

// For the pendulum, positions and velocities alike: F = -r / |r|^2 in the direction of the rod.
TEST(Essential, DirectionsReachEveryStage) {
  const auto reduced = base_of(samples::pendulum());
  System system(reduced, Backend::Interpreter);
  ForceDirections directions(system);
  ASSERT_TRUE(directions.exist());
  std::vector<double> y(reduced->slots.size(), 0.0), yp = y;
  const auto slot = [&](const std::string& name) {
    for (std::size_t s = 0; s < y.size(); ++s)
      if (reduced->name(reduced->slots[s].quantity) == name) return static_cast<int>(s);
    return -1;
  };
  y[slot("x")] = 0.6, y[slot("y")] = -0.8;
  ASSERT_TRUE(directions.evaluate({0.0, y, yp}));
  for (const std::string prefix : {"", "der("}) {
    const std::string suffix = prefix.empty() ? "" : ")";
    EXPECT_NEAR(directions.of_slots()(slot(prefix + "x" + suffix), 0), 0.3, 1e-14);  // C = (2x, 2y)
    EXPECT_NEAR(directions.of_slots()(slot(prefix + "y" + suffix), 0), -0.4, 1e-14);
  }
}

TEST(Essential, SaysWhyThereIsNone) {
  ModelBuilder m("Decay");
  const Expr x = m.variable("x", {.start = 1.0});
  m.equation(der(x) == -x);
  EXPECT_EQ(EssentialForm::not_applicable(*base_of(m.build())), "no equation has to be differentiated");
  EXPECT_FALSE(EssentialForm::not_applicable(*base_of(samples::pendulum())));
}

// ---- as a formulation

// How the highest derivative of u depends on u and its derivatives: the homogeneous coefficients, by differences.
std::vector<double> coefficients(Model model, double t) {
  samples::SampleProblem sample(std::move(model), formulation::Euode{});
  const Reduced& r = sample.system.reduced();
  std::vector<int> u;
  for (const Added& added : r.added) u.push_back(added.slot);
  Slopes slopes(sample.problem);
  std::vector<double> y = sample.start.y, yp = sample.start.yp, result;
  const auto highest = [&](int moved) {
    std::vector<double> at = y, slope = yp;
    if (moved >= 0) at[moved] += 1.0;
    EXPECT_TRUE(slopes(t, at, slope));
    return slope[u.back()];
  };
  const double here = highest(-1);
  for (const int slot : u) result.push_back(highest(slot) - here);
  return result;
}

TEST(Essential, EquationOfExampleTwoIsThatOfThePaper) {
  for (const double nu : {3.0, 1000.0})
    for (const double t : {0.0, 0.5, 1.0}) {
      const std::vector<double> c = coefficients(samples::ascher_petzold_2({.nu = nu}), t);
      ASSERT_EQ(c.size(), 1u);
      EXPECT_NEAR(c[0], -nu / (2.0 - t), 1e-8 * nu) << t;
    }
}

// u = w/s with s = nu^2 (2 + t): w'' = s u'' + 2 nu^2 u', w' = s u' + nu^2 u, and w'' = -nu/(2 - t) w' - nu/(2 - t)^2
// w.
TEST(Essential, EquationOfExampleThreeIsThatOfThePaper) {
  for (const double e : {0.0, 1.0, 2.0})
    for (const double t : {0.0, 0.6}) {
      const double nu = 20.0, stiff = (2.0 - e) * nu / (2.0 - t);  // 2, 1, 0 times
      const std::vector<double> c = coefficients(samples::ascher_petzold_3({.nu = nu}, e), t);
      ASSERT_EQ(c.size(), 2u);
      EXPECT_NEAR(c[1], -stiff - 2.0 / (2.0 + t), 1e-7 * nu) << e << " " << t;
      EXPECT_NEAR(c[0], -stiff / (2.0 + t) - stiff / (2.0 - t), 1e-7 * nu) << e << " " << t;
    }
}

}  // namespace
}  // namespace driftless
