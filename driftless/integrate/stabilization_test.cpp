// The effect of a formulation on a solution that has left its constraints, and its multipliers: the laws that follow
// from the equations, measured with methods of constant step size.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>

#include <Eigen/Dense>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/shape.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::fitted_order;
using samples::from_text;
using samples::run_to;
using samples::SampleProblem;

int slot_named(const Reduced& reduced, const std::string& name) {
  for (std::size_t s = 0; s < reduced.slots.size(); ++s)
    if (reduced.name(reduced.slots[s].quantity) == name) return static_cast<int>(s);
  throw std::out_of_range(name);
}

// ---- decay of a disturbed start

Model pendulum() { return samples::pendulum({.x = 0.6, .y = -0.8, .vx = 0.8, .fixed = true}); }

// g = x² + y² - 1 and h = 2 (x x' + y y') along a run that starts with g0 and h0.
struct Residuals {
  double t, g, h;
};

std::vector<Residuals> disturbed(const Formulation& formulation, double g0, double h0) {
  const auto base = samples::reduced(pendulum(), {.keep_constraints = true});
  SampleProblem sample(base, formulation);
  double& x = sample.start.y[slot_named(*base, "x")];
  double& u = sample.start.y[slot_named(*base, "der(x)")];
  const double y = sample.start.y[slot_named(*base, "y")], v = sample.start.y[slot_named(*base, "der(y)")];
  x = std::sqrt(1.0 + g0 - y * y);
  u = (h0 / 2.0 - y * v) / x;
  const auto stepper =
      make_stepper(method::Radau{.stages = 3}, sample.problem, sample.start, {.stop = 2.0, .step = 0.01});
  std::vector<Residuals> all;
  while (stepper->time() < 2.0) {
    const StepReport report = stepper->step();
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    if (report.outcome != Outcome::Success) break;
    const auto at = [&](const char* name) { return sample(*stepper, name); };
    all.push_back({stepper->time(), at("x") * at("x") + at("y") * at("y") - 1.0,
                   2.0 * (at("x") * at("der(x)") + at("y") * at("der(y)"))});
  }
  return all;
}

struct Law {
  const char* name;
  const char* formulation;
  double g0, h0;
  std::function<double(double t)> g, h;
};

class DecayLaws : public testing::TestWithParam<Law> {};

TEST_P(DecayLaws, Hold) {
  const Law& law = GetParam();
  const auto formulation = parse_formulation(law.formulation);
  ASSERT_TRUE(formulation);
  const auto residuals = disturbed(*formulation, law.g0, law.h0);
  ASSERT_GE(residuals.size(), 199u);
  for (const Residuals& r : residuals) {
    EXPECT_NEAR(r.g, law.g(r.t), 1e-9) << "t = " << r.t;
    EXPECT_NEAR(r.h, law.h(r.t), 1e-8) << "t = " << r.t;
  }
}

constexpr double g0 = 0.01, h0 = 0.02;

INSTANTIATE_TEST_SUITE_P(
    Pendulum, DecayLaws,
    testing::Values(
        Law{"Index1", "index1", g0, h0, [](double s) { return g0 + h0 * s; }, [](double) { return h0; }},
        Law{"Index2", "index2", g0, 0.0, [](double) { return g0; }, [](double) { return 0.0; }},
        Law{"Baumgarte", "baumgarte:gamma=3", g0, h0,
            [](double s) { return (g0 + (h0 + 3 * g0) * s) * std::exp(-3 * s); },
            [](double s) { return (h0 - 3 * (h0 + 3 * g0) * s) * std::exp(-3 * s); }},
        // τ² + 2τ + 5 has the roots -1 ± 2i.
        Law{"BaumgarteOscillating", "baumgarte:coefficients=5/2/1", g0, h0,
            [](double s) { return std::exp(-s) * (g0 * std::cos(2 * s) + (h0 + g0) / 2 * std::sin(2 * s)); },
            [](double s) { return std::exp(-s) * (h0 * std::cos(2 * s) - (h0 + 5 * g0) / 2 * std::sin(2 * s)); }},
        // τ² + 2·5 τ + 9 has the roots -1 and -9.
        Law{"BaumgarteAlphaBeta", "baumgarte:alpha=5,beta=3", g0, 0.0,
            [](double s) { return g0 * (9 * std::exp(-s) - std::exp(-9 * s)) / 8; },
            [](double s) { return g0 * 9 * (std::exp(-9 * s) - std::exp(-s)) / 8; }},
        Law{"DampedIndex2", "damped-index2:gamma=3", g0, -3 * g0, [](double s) { return g0 * std::exp(-3 * s); },
            [](double s) { return -3 * g0 * std::exp(-3 * s); }},
        // g' = h - γ g, h' = -γ h, whatever D is.
        Law{"StabilizedOde", "stabilized-ode:gamma=3", g0, h0,
            [](double s) { return (g0 + h0 * s) * std::exp(-3 * s); }, [](double s) { return h0 * std::exp(-3 * s); }},
        Law{"StabilizedOdeByForces", "stabilized-ode:gamma=3,D=mass", g0, h0,
            [](double s) { return (g0 + h0 * s) * std::exp(-3 * s); }, [](double s) { return h0 * std::exp(-3 * s); }}),
    [](const auto& i) { return i.param.name; });

// ---- the same for a constraint that is differentiated three times

const char* third_order = R"(
  model ThirdOrder
    Real x(start = 0, fixed = true), y, z;
  initial equation
    der(x) = 1;
    der(der(x)) = 0;
  equation
    der(der(der(x))) = z - x;
    der(der(der(y))) = 2*z - der(y);
    x + 2*y = sin(time);
  end ThirdOrder;)";

// g, g' and g'' at t = 2 of a run that starts with the given ones.
std::array<double, 3> disturbed_third_order(const Formulation& formulation, const std::array<double, 3>& start) {
  const auto base = samples::reduced(from_text(third_order), {.keep_constraints = true});
  SampleProblem sample(base, formulation);
  const std::array<const char*, 3> names{"x", "der(x)", "der(der(x))"};
  for (int k = 0; k < 3; ++k) sample.start.y[slot_named(*base, names[k])] += start[k];
  const auto stepper =
      make_stepper(method::Radau{.stages = 3}, sample.problem, sample.start, {.stop = 2.0, .step = 0.02});
  const StepReport report = run_to(*stepper, 2.0 - 1e-9);
  EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
  const auto at = [&](const char* name) { return sample(*stepper, name); };
  const double t = stepper->time();
  return {at("x") + 2 * at("y") - std::sin(t), at("der(x)") + 2 * at("der(y)") - std::cos(t),
          at("der(der(x))") + 2 * at("der(der(y))") + std::sin(t)};
}

TEST(DecayLawsOfThirdOrder, FollowThePolynomials) {
  const double a = 0.01, b = 0.02, c = 0.03, t = 2.0, decay = std::exp(-3 * t);
  const auto expect = [&](const char* formulation, const std::array<double, 3>& start, std::array<double, 3> end) {
    SCOPED_TRACE(formulation);
    const auto actual = disturbed_third_order(*parse_formulation(formulation), start);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(actual[k], end[k], 1e-9) << "level " << k;
  };
  expect("index1", {a, b, c}, {a + b * t + c * t * t / 2, b + c * t, c});
  expect("index2", {a, b, 0.0}, {a + b * t, b, 0.0});
  // (d/dt + 3)³ g = 0 from (a, 0, 0): g = a (1 + 3t + 9t²/2) exp(-3t).
  expect("baumgarte:gamma=3", {a, 0.0, 0.0},
         {a * (1 + 3 * t + 4.5 * t * t) * decay, -13.5 * a * t * t * decay, a * (40.5 * t * t - 27 * t) * decay});
  // (d/dt + 3)² g = 0 from (a, 0, -9a): g = a (1 + 3t) exp(-3t).
  expect("damped-index2:gamma=3", {a, 0.0, -9 * a},
         {a * (1 + 3 * t) * decay, -9 * a * t * decay, a * (27 * t - 9) * decay});
  expect("stabilized-ode:gamma=3", {a, b, c}, {(a + b * t + c * t * t / 2) * decay, (b + c * t) * decay, c * decay});
}

// ---- multipliers

// The largest of a multiplier over the second half of [0, 1].
double largest_multiplier(const Formulation& formulation, const Method& method, double step, const std::string& name) {
  SampleProblem sample(pendulum(), formulation);
  const auto stepper = make_stepper(method, sample.problem, sample.start, {.stop = 1.0, .step = step});
  double largest = 0.0;
  while (stepper->time() < 1.0 - 1e-9) {
    const StepReport report = stepper->step();
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    if (report.outcome != Outcome::Success) return NAN;
    if (stepper->time() > 0.5) largest = std::max(largest, std::abs(sample(*stepper, name)));
  }
  return largest;
}

// Formulas of higher order start with lower ones, which shows.
TEST(Multipliers, VanishWithTheOrderOfTheMethod) {
  const std::vector<double> steps{0.02, 0.01, 0.005};
  for (const char* formulation : {"ggl", "ggl:D=unit", "pa", "pb", "pc", "stabilized-index1"})
    for (const int order : {1, 2}) {
      SCOPED_TRACE(std::string(formulation) + ", BDF " + std::to_string(order));
      std::vector<double> sizes;
      for (const double step : steps)
        sizes.push_back(
            largest_multiplier(*parse_formulation(formulation), method::ConstantBdf{order}, step, "mu(rod)"));
      EXPECT_NEAR(fitted_order(steps, sizes), order, 0.15);
    }
}

// The form of order 3 (Ascher, Petzold 1993, (2.18)): z_j' = z_{j+1} + B mu_j for j < 3, two multipliers per
// constraint.
TEST(Multipliers, OfThirdOrderVanishWithTheOrderOfTheMethod) {
  const Model turning = from_text(R"(
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
  const std::vector<double> steps{0.02, 0.01, 0.005};
  for (const char* formulation : {"ggl:D=mass", "ggl"})
    for (const int order : {1, 2})
      for (const int level : {0, 1}) {
        SCOPED_TRACE(std::string(formulation) + ", BDF " + std::to_string(order) + ", level " + std::to_string(level));
        std::vector<double> sizes;
        for (const double step : steps) {
          SampleProblem sample(turning, *parse_formulation(formulation));
          const auto stepper =
              make_stepper(method::ConstantBdf{order}, sample.problem, sample.start, {.stop = 1.0, .step = step});
          std::vector<std::string> names;
          for (const Quantity q : sample.system.reduced().quantities)
            if (sample.system.reduced().name(q).starts_with("mu(")) names.push_back(sample.system.reduced().name(q));
          ASSERT_EQ(names.size(), 2u);
          const std::string& name = names[level];
          double largest = 0.0;
          while (stepper->time() < 1.0 - 1e-9) {
            ASSERT_EQ(stepper->step().outcome, Outcome::Success);
            if (stepper->time() > 0.5) largest = std::max(largest, std::abs(sample(*stepper, name)));
          }
          sizes.push_back(largest);
        }
        EXPECT_NEAR(fitted_order(steps, sizes), order, 0.15) << testing::PrintToString(sizes);
      }
}

// ---- the underlying ordinary differential equation

// The accelerations and forces of the index-1 form are the solution of [M GᵀS; G 0] (a, lambda) = (f, -z).
TEST(Index1, IsTheSaddlePointSystem) {
  for (const char* name : {"squeezer", "pendulum", "car_axis", "four_bar", "knife_edge", "ascher_petzold_3"}) {
    SCOPED_TRACE(name);
    const auto base = samples::reduced(samples::read(samples::path_of(name)), {.keep_constraints = true});
    const auto shape = mechanical_shape(*base);
    ASSERT_TRUE(shape) << shape.why_not;
    SampleProblem sample(base, Index1{});
    const Pool& pool = *base->model->pool;
    std::map<NodeId, double> accelerations;  // as leaves, zero for z
    for (const auto& q : shape->coordinates) accelerations[q.acceleration] = 0.0;
    const auto value = [&](NodeId expression) {
      return evaluate(pool, expression, [&](NodeId leaf) {
        const Node node = pool[leaf];
        if (node.op == Op::Time) return 0.0;
        if (node.op == Op::Parameter) return base->model->parameters[node.a].value;
        if (const auto found = accelerations.find(leaf); found != accelerations.end()) return found->second;
        return sample.start.y[base->addresses[node.a][node.b].index];
      });
    };
    const auto n = static_cast<Eigen::Index>(shape->coordinates.size()),
               m = static_cast<Eigen::Index>(shape->joints.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(n + m, n + m);
    Eigen::VectorXd right(n + m), actual(n + m);
    for (const auto& e : shape->mass) matrix(e.row, e.column) = value(e.value);
    for (const auto& e : shape->gradients) {
      matrix(n + e.row, e.column) = value(e.value);
      matrix(e.column, n + e.row) = value(e.value) * shape->joints[e.row].factor;
    }
    for (Eigen::Index i = 0; i < n; ++i) right(i) = value(shape->forces[i]);
    for (Eigen::Index k = 0; k < m; ++k) right(n + k) = -value(shape->joints[k].levels.back());
    for (Eigen::Index k = 0; k < m; ++k) actual(n + k) = sample.start.y[shape->joints[k].multiplier];
    std::vector<double> all(sample.system.rows() + sample.system.candidates());
    sample.system.rows_and_rates({0.0, sample.start.y, sample.start.yp}, all);
    for (Eigen::Index i = 0; i < n; ++i) {
      const int velocity = shape->coordinates[i].velocity;
      actual(i) = sample.start.yp[velocity];
      for (std::size_t k = 0; k < base->kinematics.size(); ++k)
        if (base->kinematics[k].slot == velocity) actual(i) = all[sample.system.rows() + k];
    }
    const Eigen::VectorXd expected = matrix.fullPivLu().solve(right);
    for (Eigen::Index i = 0; i < n + m; ++i)
      EXPECT_NEAR(actual(i), expected(i), 1e-9 * (1.0 + expected.cwiseAbs().maxCoeff())) << i;
  }
}

// ---- a constraint that nearly vanishes

// x' = -x + Cᵀ y + q, 0 = s (C x + r) with a factor s(t) that falls to 1e-6 at t = 1/2.
std::string fading(const char* factor) {
  return std::string(R"(
  model Fading
    Real x1(start = 1, fixed = true), x2(start = 1), y;
  protected
    Real s = sin(3*time), c = cos(3*time), e = exp(time), f = )") +
         factor + R"(;
  equation
    der(x1) = -x1 + f*s*y + 2*e;
    der(x2) = -x2 + f*c*y + 2*e;
    f*(s*x1 + c*x2) = f*(s + c)*e;
  end Fading;)";
}

// The projection along Cᵀ does not see the size of C (Ascher, Petzold 1993, Section 4.1): with a constant step size the
// discrete solution is the same, and with an error test so is the number of steps, except for the remaining Newton
// error in the multipliers.
TEST(ProjectedInvariants, TakeTheSameStepsNearRankDeficiency) {
  const auto finished = [](SampleProblem& sample, const Method& method, const StepSettings& settings) {
    auto stepper = make_stepper(method, sample.problem, sample.start, settings);
    const StepReport report = run_to(*stepper, 1.0 - 1e-9);
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    return stepper;
  };
  SampleProblem usual(from_text(fading("1")), ProjectedInvariants{}),
      nearly_deficient(from_text(fading("1e-6 + (time - 0.5)^2")), ProjectedInvariants{});
  const StepSettings constant{.stop = 1.0, .step = 0.05}, controlled{.tolerance = 1e-8, .stop = 1.0};
  const auto a = finished(usual, method::ConstantBdf{2}, constant),
             b = finished(nearly_deficient, method::ConstantBdf{2}, constant);
  for (const Quantity q : usual.system.reduced().quantities) {
    const std::string name = usual.system.reduced().name(q);
    if (!name.starts_with("x")) continue;
    EXPECT_NEAR(usual(*a, name), nearly_deficient(*b, name), 1e-11) << name;
  }
  Statistics one, other;
  finished(usual, method::Bdf{}, controlled)->add_to(one);
  finished(nearly_deficient, method::Bdf{}, controlled)->add_to(other);
  EXPECT_NEAR(static_cast<double>(other.steps), static_cast<double>(one.steps), 0.1 * static_cast<double>(one.steps));
}

}  // namespace
}  // namespace driftless
