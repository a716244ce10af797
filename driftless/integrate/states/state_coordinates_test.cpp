#include "driftless/integrate/states/state_coordinates.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/sample_problem.hpp"
#include "driftless/reduce/sample_ascher_petzold.hpp"

namespace driftless {
namespace {

// A model at its consistent start, with its first chart.
struct InChart {
  InChart(Model model, Chart chart, bool every_step = false)
      : base(samples::reduced(std::move(model), {.keep_constraints = true})),
        system(std::make_shared<const Reduced>(reformulate(*base, formulation::StateSpace{chart, every_step})),
               Backend::Interpreter),
        coordinates(system, 2.0),
        problem(system) {
    const State start = samples::consistent_start(*base);
    y = start.y, yp = start.yp;
    EXPECT_TRUE(coordinates.choose({0.0, y, yp}));
    problem.set_states(coordinates.states());
  }

  // L y
  std::vector<double> values() const {
    std::vector<double> u;
    for (const Combination& state : problem.states()) {
      double& sum = u.emplace_back(0.0);
      for (const Term& term : state) sum += term.weight * y[base->kinematics[term.candidate].slot];
    }
    return u;
  }

  int slot(const std::string& name) const {
    for (std::size_t s = 0; s < y.size(); ++s)
      if (base->name(base->slots[s].quantity) == name) return static_cast<int>(s);
    return -1;
  }

  std::shared_ptr<const Reduced> base;
  System system;
  StateCoordinates coordinates;
  Problem problem;
  std::vector<double> y, yp;
};

constexpr Chart charts[] = {Chart::Partition, Chart::Tangent, Chart::TangentMass};
constexpr const char* mechanisms[] = {"pendulum", "pendulum_first_order", "double_pendulum", "slider_crank",
                                      "four_bar", "spherical_pendulum",   "squeezer",        "knife_edge"};

TEST(StateCoordinates, HasAsManyStatesAsDegreesOfFreedom) {
  for (const char* name : mechanisms)
    for (const Chart chart : charts) {
      InChart at(samples::read(samples::path_of(name)), chart);
      EXPECT_EQ(std::ssize(at.problem.states()), at.base->states()) << name;
    }
}

// ∂/∂y + alpha ∂/∂y' against differences along random directions.
TEST(StateCoordinates, MatrixInLocalCoordinatesIsTheDerivativeOfTheResidual) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> noise(-1.0, 1.0);
  for (const char* name : {"double_pendulum", "slider_crank"})
    for (const Chart chart : charts) {
      InChart at(samples::read(samples::path_of(name)), chart);
      const linear::Pattern& pattern = at.problem.pattern();
      const std::size_t n = at.y.size();
      const double alpha = 3.0, s = 1e-6;
      std::vector<double> values(pattern.rows.size()), v(n), product(n, 0.0), plus(n), minus(n), y(n), yp(n);
      ASSERT_TRUE(at.problem.matrix(0.0, at.y, at.yp, alpha, values));
      for (double& entry : v) entry = noise(random);
      for (int j = 0; j < pattern.size; ++j)
        for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) product[pattern.rows[k]] += values[k] * v[j];
      const auto residual = [&](double step, std::vector<double>& out) {
        for (std::size_t i = 0; i < n; ++i) y[i] = at.y[i] + step * v[i], yp[i] = at.yp[i] + alpha * step * v[i];
        ASSERT_TRUE(at.problem.residual(0.0, y, yp, out));
      };
      residual(s, plus);
      residual(-s, minus);
      for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR((plus[i] - minus[i]) / (2.0 * s), product[i], 1e-5 * (1.0 + std::abs(product[i]))) << name;
    }
}

// Dependent variables are moved off the constraints and return; the coordinates do not change.
TEST(StateCoordinates, SolvesForThePointWithGivenCoordinates) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> noise(-1e-3, 1e-3);
  for (const char* name : mechanisms)
    for (const Chart chart : charts) {
      InChart at(samples::read(samples::path_of(name)), chart);
      AlgebraicSolve solve(at.problem);
      for (double& value : at.y) value += noise(random) * std::abs(value);
      const std::vector<double> before = at.values();
      ASSERT_TRUE(solve(0.0, at.y, at.yp)) << name << " " << static_cast<int>(chart);
      const std::vector<double> after = at.values();
      for (std::size_t k = 0; k < after.size(); ++k)
        EXPECT_NEAR(after[k], before[k], 1e-12 * (1.0 + std::abs(before[k]))) << name;
      std::vector<double> quantities(at.base->quantities.size()), residuals(2 * at.system.checks().size());
      at.system.inspect({0.0, at.y, at.yp}, quantities, residuals);
      for (std::size_t k = 0; k < at.base->constraints.size(); ++k)
        EXPECT_LT(std::abs(residuals[k]), 1e-9 * (1.0 + std::abs(at.y[0]))) << name << " constraint " << k;
    }
}

// Two masses on a rod of which one is heavy: with the complement of the mass matrix, L annihilates M^-1 G^T.
TEST(StateCoordinates, MassChartAnnihilatesTheConstraintForces) {
  InChart at(samples::read(samples::path_of("double_pendulum")), Chart::TangentMass);
  ForceDirections forces(at.system);
  ASSERT_TRUE(forces.evaluate({0.0, at.y, at.yp}));
  for (const Combination& state : at.problem.states()) {
    Eigen::RowVectorXd product = Eigen::RowVectorXd::Zero(static_cast<Eigen::Index>(forces.constraints().size()));
    for (const Term& term : state)
      product += term.weight * forces.of_slots().row(at.base->kinematics[term.candidate].slot);
    EXPECT_LT(product.norm(), 1e-12);
  }
}

// The pendulum: L = (1, 0) is left when the determinant y/y0 has fallen to a fifth.
TEST(StateCoordinates, LeavesAChartWhenItsDeterminantFalls) {
  for (const auto& [angle, stays] : {std::pair{0.3, true}, {1.33, true}, {1.4, false}}) {
    InChart at(samples::pendulum({.x = 0.0, .y = -1.0, .vx = 1.0}), Chart::Partition);
    ASSERT_TRUE(at.problem.is_whole_state(at.slot("x")));
    at.y[at.slot("x")] = std::sin(angle), at.y[at.slot("y")] = -std::cos(angle);
    EXPECT_EQ(at.coordinates.examine({0.0, at.y, at.yp}, 0.0).empty(), stays) << angle;
  }
}

// C turns by two half-circles within the step: which its ends do not show.
TEST(StateCoordinates, SeesWhatHappensWithinAStep) {
  const double nu = 1000.0, turn = 2.0 * std::numbers::pi / nu;
  InChart at(samples::ascher_petzold_1({.nu = nu}), Chart::Partition);
  EXPECT_TRUE(at.coordinates.examine({turn, at.y, at.yp}, 0.0).empty());
  const std::vector<Pivot> changes = at.coordinates.examine({0.0, at.y, at.yp}, turn);
  ASSERT_EQ(changes.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    const double singular = (0.5 * static_cast<double>(k) + 0.5) * std::numbers::pi / nu;
    EXPECT_NEAR(changes[k].time, singular, 0.35 / nu);
    EXPECT_EQ(changes[k].out, k % 2 == 0 ? "x1" : "x2");
  }
}

}  // namespace
}  // namespace driftless
