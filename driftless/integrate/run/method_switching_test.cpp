// Runs in which the problem becomes stiff or ceases to be, and the method changes.
#include "driftless/integrate/run/method_switching.hpp"

#include <cmath>
#include <numbers>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using samples::run;
using testing::HasSubstr;

const Method explicit_method = method::ExplicitRungeKutta{method::Explicit::Adaptive};

double brake(double t) { return 1.0 + 1e4 * std::exp(-std::pow((t - 30.0) / 8.0, 8)); }

// y = cos 10 t, whatever L is; stiff from t = 20 to 40.
Model relaxing() {
  return samples::from_text(R"(
    model Relaxing
      Real y(start = 1, fixed = true), L = 10000*exp(-((time - 30)/8)^8);
    equation
      der(y) = -L*(y - cos(10*time)) - 10*sin(10*time);
    end Relaxing;)");
}

// A mass on a circle, driven such that its angle is sin 4 t and the multiplier 2 + cos t, with a brake that resists any
// other velocity, and a spring that resists any other position; without them, errors would grow.
Model braked() {
  return samples::from_text(R"(
    model Braked
      Real x(start = 0, fixed = true), y(start = -1), lambda;
    protected
      Real phi = sin(4*time), w = 4*cos(4*time), a = -16*sin(4*time), l = 2 + cos(time);
      Real k = 1 + 10000*exp(-((time - 30)/8)^8);
    initial equation
      der(x) = 4;
    equation
      der(der(x)) = -lambda*x - sin(phi)*w^2 + cos(phi)*a + l*sin(phi) - k*(der(x) - cos(phi)*w) - 20*(x - sin(phi));
      der(der(y)) = -lambda*y + cos(phi)*w^2 + sin(phi)*a - l*cos(phi) - k*(der(y) - sin(phi)*w) - 20*(y + cos(phi));
      x^2 + y^2 = 1;
      annotation(__Driftless(invariants(length = sqrt(x^2 + y^2))));
    end Braked;)");
}

// Between the steps. The multiplier carries the force of the brake, and with it k times the error of the velocity.
void expect_closed_form(const Solution& solution) {
  for (double t = 0.05; t < 60.0; t += 0.173) {
    const double phi = std::sin(4.0 * t), w = 4.0 * std::cos(4.0 * t);
    EXPECT_NEAR(solution.at(t, "x"), std::sin(phi), 1e-4) << t;
    EXPECT_NEAR(solution.at(t, "der(y)"), std::sin(phi) * w, 4e-4) << t;
    EXPECT_NEAR(solution.at(t, "lambda"), 2.0 + std::cos(t), 1e-3 + 1e-5 * brake(t)) << t;
    EXPECT_NEAR(std::hypot(solution.at(t, "x"), solution.at(t, "y")), 1.0, 1e-6) << t;
  }
}

struct Journey {
  const char* name;
  Method first;
  Successors successors;
  std::vector<const char*> takes_over;  // in order
};
void PrintTo(const Journey& journey, std::ostream* out) { *out << journey.name; }

const Journey journeys[] = {
    {"Explicit", explicit_method, {method::Radau{0}, explicit_method}, {"radau", "explicit"}},
    {"ExplicitBdf", explicit_method, {method::Bdf{}, explicit_method}, {"bdf", "explicit"}},
    {"TaylorBdf", method::Taylor{}, {method::Bdf{}, method::Taylor{}}, {"bdf", "taylor"}},
    {"TaylorRadau", method::Taylor{}, {method::Radau{0}, method::Taylor{}}, {"radau", "taylor"}},
    {"Bdf", method::Bdf{}, {method::Bdf{}, explicit_method}, {"explicit", "bdf", "explicit"}},
    {"Radau", method::Radau{0}, {method::Radau{0}, method::Taylor{}}, {"taylor", "radau", "taylor"}},
};

class Changes : public testing::TestWithParam<Journey> {
 protected:
  IntegrateOptions options(double stop = 60.0) const {
    return {.stop = stop,
            .method = GetParam().first,
            .successors = GetParam().successors,
            .tolerance = 1e-7,
            .intervals = 200,
            .dense = true};
  }

  static void expect_journey(const Solution& solution) {
    ASSERT_EQ(solution.remarks.size(), GetParam().takes_over.size());
    for (std::size_t k = 0; k < solution.remarks.size(); ++k)
      EXPECT_THAT(solution.remarks[k], HasSubstr(std::string(GetParam().takes_over[k]) + " takes over from"));
  }
};
INSTANTIATE_TEST_SUITE_P(MethodSwitching, Changes, testing::ValuesIn(journeys),
                         [](const auto& i) { return std::string(i.param.name); });

// Neither method alone needs so few steps: stability asks an explicit method for 20 L / 6 = 33,000 steps.
TEST_P(Changes, AreMadeWhereTheProblemChanges) {
  const Solution solution = run(relaxing(), formulation::Dummy{}, options());
  expect_journey(solution);
  EXPECT_LT(solution.statistics.steps, 12'000);
  for (std::size_t row = 0; row < solution.times.size(); ++row)
    EXPECT_NEAR(solution.value(row, *solution.find("y")), std::cos(10.0 * solution.times[row]), 2e-5)
        << solution.times[row];
}

TEST_P(Changes, KeepConstraintsDenseOutputAndStatistics) {
  const Solution solution = run(braked(), formulation::Dummy{}, options());
  expect_journey(solution);
  EXPECT_LT(solution.largest_residual(), 10 * 1e-7 * 16);  // terms of the second derivative are of the size w^2
  EXPECT_LT(solution.invariants.at(0).max_deviation, 1e-6);
  ASSERT_EQ(solution.times.size(), 201u);
  for (std::size_t k = 0; k < solution.times.size(); ++k)
    EXPECT_DOUBLE_EQ(solution.times[k], 0.3 * static_cast<double>(k));
  // A step that is repeated to end at an output point, because its polynomial is not accurate there, is counted twice.
  const auto kept = static_cast<long>(solution.segments.size());
  EXPECT_LE(kept, solution.statistics.steps);
  EXPECT_GE(kept + 1, solution.statistics.steps);
  EXPECT_EQ(solution.segments.back().end, 60.0);
  for (std::size_t k = 1; k < solution.segments.size(); ++k)
    EXPECT_NEAR(solution.segments[k].begin, solution.segments[k - 1].end, 1e-12);
  expect_closed_form(solution);
}

// Explicit steps project by themselves, those of radau leave it to the driver.
TEST(MethodSwitching, KeepsAProjection) {
  IntegrateOptions options{.stop = 60.0,
                           .method = explicit_method,
                           .successors = {method::Radau{0}, explicit_method},
                           .projection = projection::Coordinates{projection::Levels::Both, projection::Weight::Mass},
                           .tolerance = 1e-7,
                           .intervals = 200,
                           .dense = true};
  const Solution solution = run(braked(), formulation::Index1{}, options);
  EXPECT_GE(solution.remarks.size(), 2u) << "radau takes over, and explicit again";
  EXPECT_LT(solution.largest_residual(), 10 * 1e-7 * 16);  // terms of the second derivative are of the size w^2
  expect_closed_form(solution);
}

// Methods for stiff problems keep them, and so do methods for motion without friction.
TEST(MethodSwitching, LeavesARunAloneThatDoesNotChange) {
  const Model stiff = samples::from_text(R"(
    model Stiff
      Real y(start = 1, fixed = true);
    equation
      der(y) = -10000*(y - cos(time)) - sin(time);
    end Stiff;)");
  const Model free = samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = -1.0});
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{0})}) {
    const Successors successors{method, method::Taylor{}};
    EXPECT_TRUE(
        run(stiff, formulation::Dummy{}, {.stop = 100.0, .method = method, .successors = successors}).remarks.empty());
    EXPECT_TRUE(run(free, formulation::Dummy{}, {.stop = 100.0, .method = method::Taylor{}, .successors = successors})
                    .remarks.empty());
  }
}

// Stability bounds the steps from the start, at some 0.05. It is found at t = 1, and the ten steps until 1.5 cost less
// than a change.
TEST(MethodSwitching, IsNotWorthAChangeShortlyBeforeTheEnd) {
  const Model stiff = samples::from_text(R"(
    model Stiff
      Real y(start = 1, fixed = true);
    equation
      der(y) = -100*(y - cos(time)) - sin(time);
    end Stiff;)");
  const auto changes = [&](double stop) {
    return run(stiff, formulation::Dummy{},
               {.stop = stop,
                .method = explicit_method,
                .successors = {method::Radau{0}, explicit_method},
                .tolerance = 1e-3})
        .remarks.size();
  };
  EXPECT_EQ(changes(1.5), 0u);
  EXPECT_EQ(changes(20.0), 1u);
}

// A cantilever whose fast modes oscillate more than they decay: at the edge of stability explicit steps are still as
// long as accuracy allows, and an implicit method resolves the same modes at a higher cost.
TEST(MethodSwitching, IsOnTrialAtTheEdgeOfStabilityWhereModesTurn) {
  const Model cantilever = samples::from_text(R"(
    model Cantilever
      parameter Integer N = 6;
      parameter Real h = 1/N, c = 0.0002;
      Real w[N](each start = 0, each fixed = true), v[N](each start = 0, each fixed = true), m[N + 1], q[N];
    equation
      m[1] = 2*w[1]/h^2;
      m[2] = (w[2] - 2*w[1])/h^2;
      for i in 3:N loop
        m[i] = (w[i] - 2*w[i-1] + w[i-2])/h^2;
      end for;
      m[N+1] = 0;
      for i in 1:N - 1 loop
        q[i] = -(m[i] - 2*m[i+1] + m[i+2])/h^2;
      end for;
      q[N] = -(m[N] - 2*m[N+1])/h^2 + sin(3*time)/h;
      for i in 1:N loop
        der(w[i]) = v[i];
        der(v[i]) = q[i] - c*N^4*v[i];
      end for;
    end Cantilever;)");
  const Solution solution = run(cantilever, formulation::Dummy{},
                                {.stop = 2.0,
                                 .method = explicit_method,
                                 .successors = {method::Radau{0}, explicit_method},
                                 .tolerance = 1e-4,
                                 .intervals = 1});  // many would hold the steps below the edge
  ASSERT_EQ(solution.remarks.size(), 1u);
  EXPECT_THAT(solution.remarks[0], HasSubstr("tried on the way and cost more than explicit"));
}

// Elastic shafts hold the series to 119 steps of a fast mode that is soon damped: it is noticed after a few of them.
TEST(MethodSwitching, SeesEarlyThatAFastModeHoldsASeries) {
  const Model gears = samples::from_text(R"(
    model Gears
      parameter Real r = 3, k = 400, d = 0.5;
      Real a1(start = 0, fixed = true), w1(start = 0, fixed = true), a2, w2, a3(start = 0, fixed = true);
      Real w3(start = 0, fixed = true), a4(start = 0, fixed = true), w4(start = 0, fixed = true), t1, t2, tg;
    equation
      der(a1) = w1;
      der(a2) = w2;
      der(a3) = w3;
      der(a4) = w4;
      a2 = r*a4;
      t1 = k*(a1 - a2) + d*(w1 - w2);
      t2 = 2*k*(a4 - a3) + d*(w4 - w3);
      0.02*der(w1) = 10*(1 - exp(-2*time)) - 0.05*w1 - t1;
      0.01*der(w2) = t1 - tg;
      0.05*der(w4) = r*tg - t2;
      der(w3) = t2 - 0.5*w3 - 0.05*w3^3;
    end Gears;)");
  const Solution solution = run(
      gears, formulation::Dummy{},
      {.stop = 4.0, .method = method::Taylor{}, .successors = {method::Radau{0}, method::Taylor{}}, .tolerance = 1e-4});
  EXPECT_LT(solution.statistics.steps, 70);
  ASSERT_EQ(solution.remarks.size(), 1u);
  EXPECT_THAT(solution.remarks[0], HasSubstr("radau takes over from taylor"));
}

// Van der Pol's relaxation oscillation, mu = 100, is stiff except in its jumps: 24 of them must not cause 48 changes.
TEST(MethodSwitching, LearnsThatChangesDoNotPay) {
  const Model model = samples::from_text(R"(
    model VanDerPol
      Real y(start = 2, fixed = true), z(start = 0, fixed = true);
    equation
      der(y) = z;
      der(z) = 100*(1 - y^2)*z - y;
    end VanDerPol;)");
  const IntegrateOptions alone{.stop = 2000.0, .method = method::Bdf{}};
  IntegrateOptions together = alone;
  together.successors = {method::Bdf{}, explicit_method};
  const Solution bdf = run(model, formulation::Dummy{}, alone), both = run(model, formulation::Dummy{}, together);
  EXPECT_LE(both.remarks.size(), 12u);
  EXPECT_LT(10 * both.statistics.residual_evaluations, 13 * bdf.statistics.residual_evaluations);
}

// A series accepts only the model's own formulation.
TEST(MethodSwitching, IgnoresWhoDoesNotApply) {
  const IntegrateOptions options{
      .stop = 60.0, .method = explicit_method, .successors = {.when_stiff = method::Taylor{}}};
  const Solution solution = run(braked(), formulation::Index1{}, options);
  EXPECT_TRUE(solution.remarks.empty());
  EXPECT_GT(solution.statistics.steps, 20'000);
}

}  // namespace
}  // namespace driftless
