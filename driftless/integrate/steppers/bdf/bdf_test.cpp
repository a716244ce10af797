#include "driftless/integrate/steppers/bdf/bdf.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "driftless/integrate/sample_run.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::fitted_order;
using samples::from_text;
using samples::SampleProblem;

// A model with its solution in closed form, by the names of its quantities.
struct Known {
  std::function<Model()> model;
  std::map<std::string, std::function<double(double)>> solution;
  std::vector<std::vector<std::string>> classes;  // of quantities: differential ones first, multipliers last
};

// Jay's index-3 problem.
Known jay() {
  const auto fast = [](double t) { return std::exp(2.0 * t); };
  const auto slow = [](double t) { return std::exp(-t); };
  return {[] { return samples::read(samples::path_of("jay")); },
          {{"y1", fast}, {"z1", fast}, {"y2", slow}, {"z2", slow}, {"u", [](double t) { return std::exp(t); }}},
          {{"y1", "y2"}, {"z1", "z2"}, {"u"}}};
}

// A mass on a circle, driven such that its angle is sin t and the multiplier 2 + cos t.
Known driven_pendulum() {
  const auto phi = [](double t) { return std::sin(t); };
  const auto w = [](double t) { return std::cos(t); };
  return {samples::driven_pendulum,
          {{"x", [=](double t) { return std::sin(phi(t)); }},
           {"y", [=](double t) { return -std::cos(phi(t)); }},
           {"der(x)", [=](double t) { return std::cos(phi(t)) * w(t); }},
           {"der(y)", [=](double t) { return std::sin(phi(t)) * w(t); }},
           {"lambda", [](double t) { return 2.0 + std::cos(t); }},
           {"phi", [](double t) { return std::sin(t); }},
           {"w", [](double t) { return std::cos(t); }},
           {"a", [](double t) { return -std::sin(t); }},
           {"l", [](double t) { return 2.0 + std::cos(t); }}},
          {{"x", "y"}, {"der(x)", "der(y)"}, {"lambda"}}};
}

// All slots at time t; what a formulation adds (multipliers that vanish) is 0.
std::vector<double> exact_slots(const Known& known, const Reduced& reduced, double t) {
  std::vector<double> y;
  for (const Slot& slot : reduced.slots) {
    const auto found = known.solution.find(reduced.name(slot.quantity));
    y.push_back(found == known.solution.end() ? 0.0 : found->second(t));
  }
  return y;
}

// The largest error of each class on the second half of [0, 1].
std::vector<double> errors_with(const Known& known, const Formulation& form, int order, double h) {
  SampleProblem sample(known.model(), form);
  FixedFormula fixed{order, h, {}};
  for (int j = 0; j <= order; ++j) fixed.past.push_back(exact_slots(known, sample.system.reduced(), -h * j));
  const auto stepper = make_bdf(sample.problem, sample.start, {.tolerance = 1e-11, .stop = 1.0}, fixed);
  std::vector<double> errors(known.classes.size(), 0.0);
  while (stepper->time() < 1.0) {
    const StepReport report = stepper->step();
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    if (report.outcome != Outcome::Success) break;
    if (stepper->time() < 0.5) continue;
    for (std::size_t c = 0; c < errors.size(); ++c)
      for (const std::string& name : known.classes[c])
        errors[c] = std::max(errors[c], std::abs(sample(*stepper, name) - known.solution.at(name)(stepper->time())));
  }
  return errors;
}

class BdfOrders : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, BdfOrders, testing::Range(1, 6), testing::PrintToStringParamName());

// In index 1, 2 and 3 form, for differential variables, velocities and multipliers alike.
TEST_P(BdfOrders, AreReachedInEveryClassOfVariables) {
  const int k = GetParam();
  const std::vector<double> steps = k <= 2   ? std::vector{0.005, 0.004, 0.0025, 0.002}
                                    : k <= 4 ? std::vector{0.02, 0.0125, 0.01, 0.008}
                                             : std::vector{0.04, 0.025, 0.02, 0.0125};
  for (const auto& [name, known] : {std::pair("jay", jay()), std::pair("pendulum", driven_pendulum())})
    for (const Formulation& form : {Formulation(Index1{}), Formulation(Index2{}), Formulation(Original{})}) {
      SCOPED_TRACE(std::string(name) + ", " + to_string(form));
      std::vector<std::vector<double>> errors(known.classes.size());
      for (const double h : steps) {
        const std::vector<double> e = errors_with(known, form, k, h);
        for (std::size_t c = 0; c < e.size(); ++c) errors[c].push_back(e[c]);
      }
      for (std::size_t c = 0; c < errors.size(); ++c)
        EXPECT_NEAR(fitted_order(steps, errors[c]), k, 0.2) << known.classes[c][0];
    }
}

// ---- what the driver may do between two steps

// A step after a replaced point starts there, and neither order nor step size suffer.
TEST(Bdf, GoesOnFromAReplacedPoint) {
  SampleProblem sample(samples::pendulum({.x = 1.0, .vy = -1.0}), Index1{});
  const auto stepper = make_bdf(sample.problem, sample.start, {.tolerance = 1e-6, .stop = 10.0});
  for (int n = 0; n < 60; ++n) ASSERT_EQ(stepper->step().outcome, Outcome::Success);
  const int order = stepper->last_order();
  const double h = stepper->last_step();
  std::vector<double> y(stepper->y().begin(), stepper->y().end()), yp(stepper->yp().begin(), stepper->yp().end());
  for (double& v : y) v *= 1.0 + 1e-8;
  ASSERT_TRUE(stepper->replace(y, yp));
  std::vector<double> here(y.size()), slope(y.size());
  stepper->interpolate(stepper->time(), here, slope);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_DOUBLE_EQ(here[i], y[i]);
  ASSERT_EQ(stepper->step().outcome, Outcome::Success);
  EXPECT_EQ(stepper->last_order(), order);
  EXPECT_GE(stepper->last_step(), 0.9 * h);
}

// The index-1 form drifts; projected after every step it stays on all levels, at the price of a few more steps.
TEST(Bdf, CanBeProjectedAfterEveryStep) {
  const auto run = [](const Projection& projection) {
    return samples::run(samples::pendulum({.x = 1.0, .vy = -1.0}), Index1{},
                        {.stop = 20.0, .method = method::Bdf{}, .projection = projection, .tolerance = 1e-6});
  };
  const Solution free = run(projection::None{}), held = run(projection::Coordinates{projection::Levels::Both});
  EXPECT_GT(free.largest_residual(), 1e-6);
  EXPECT_LT(held.largest_residual(), 1e-10);
  EXPECT_LE(held.statistics.steps, free.statistics.steps * 11 / 10);
}

TEST(Bdf, KeepsOrderAndStepSizeWhenTheStatesChange) {
  const auto run = [](PivotMode mode) {
    return samples::run(samples::pendulum({.x = 1.0, .vy = -1.0}), Dummy{},
                        {.stop = 20.0, .method = method::Bdf{}, .tolerance = 1e-6, .pivot = mode});
  };
  const Solution through = run(PivotMode::Continue), again = run(PivotMode::Restart);
  ASSERT_GT(through.statistics.pivots, 8);
  EXPECT_GT(through.statistics.mean_order, 4.8);
  EXPECT_LT(through.statistics.steps, again.statistics.steps * 4 / 5);
}

// Between the steps, too, the constraints hold; here the values of the polynomial are neither completed nor projected.
TEST(Bdf, HoldsTheConstraintsBetweenTheSteps) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8})
    for (const Formulation& form : {Formulation(Ggl{}), Formulation(StabilizedIndex1{})}) {
      const Solution solution =
          samples::run(samples::pendulum({.x = 1.0, .vy = -1.0}), form,
                       {.stop = 5.0, .method = method::Bdf{}, .tolerance = tolerance, .intervals = 5000});
      for (const CertificateEntry& entry : solution.certificate)
        if (entry.level < 2) {
          EXPECT_LE(entry.max_residual, 10.0 * tolerance) << to_string(form) << " " << entry.level;
        }
    }
}

// The voltages of the capacitors are what is integrated; the potentials follow with a gain of 100. (IDA takes 10,000
// steps for this, an eighth of which fail the error test.)
TEST(Bdf, IntegratesWhatIsDifferentiated) {
  const Solution solution = samples::run(samples::read(samples::path_of("transistor_amplifier")), Dummy{},
                                         {.stop = 0.2, .method = method::Bdf{}, .tolerance = 1e-6});
  EXPECT_LT(solution.statistics.steps, 2000);
  EXPECT_LT(solution.statistics.rejected_steps, solution.statistics.steps / 8);
}

// After some seconds nothing moves any more, but orders 3 to 5 do not damp modes of -1 ± 20i unless the steps are
// short. Hundreds of steps to come to rest, and a few to t = 10,000.
TEST(Bdf, IsNotHeldUpByOscillationsThatHaveDied) {
  const auto steps = [](double stop) {
    const Solution solution = samples::run(
        from_text("model M Real x(start = 1, fixed = true), v(start = 0, fixed = true); equation der(x) = v; "
                  "der(v) = -2*v - 401*x; end M;"),
        Original{}, {.stop = stop, .method = method::Bdf{}, .tolerance = 1e-4});
    return solution.statistics.steps;
  };
  EXPECT_LT(steps(1e4), steps(20.0) + 100);
}

// The accelerations follow from differences of terms that are 10,000 times as large, and the first steps are so small
// that their rounding exceeds every change: corrections of Newton's iteration stay at that size.
TEST(Bdf, KnowsRoundingFromDivergence) {
  for (const auto& [name, position] : {std::pair("ascher_petzold_2", "x1"), std::pair("ascher_petzold_3", "p1")})
    for (const double tolerance : {1e-10, 6e-11, 1e-11}) {
      SCOPED_TRACE(name);
      const Solution solution = samples::run(samples::read(samples::path_of(name)), Dummy{},
                                             {.stop = 1.0, .method = method::Bdf{}, .tolerance = tolerance});
      EXPECT_LT(solution.statistics.steps, 200);
      EXPECT_NEAR(solution.final(position), std::exp(1.0), 10.0 * tolerance);
    }
}

// ---- what is accepted solves the equations

// Definitions substituted, as in every run.
SampleProblem substituted(const std::string& text) {
  const auto reduced = samples::reduced(from_text(text));
  return SampleProblem(samples::consistent_start(*reduced), reduced);
}

// An amplifier that saturates: where tanh is flat, a matrix made where it is steep gives corrections that are a
// hundredth of the distance to the solution. The voltage vo follows from vc2 alone, so its exact value is known.
TEST(Bdf, DoesNotTakeASmallCorrectionForASmallDistance) {
  for (double tolerance = 2e-3; tolerance > 1e-5; tolerance *= 0.9) {
    SampleProblem sample = substituted(R"(model M
      Real vc1(start = 0, fixed = true), vc2(start = 0.1, fixed = true), vo(start = 0.3), i;
    equation
      vo = 12*tanh(1000*(vc2 - vo/3.2)/12);
      vo = i + vc1 + vc2;
      der(vc1) = i;
      der(vc2) = i - vc2;
    end M;)");
    const auto stepper = make_bdf(sample.problem, sample.start, {.tolerance = tolerance, .stop = 50.0});
    while (stepper->time() < 50.0) {
      ASSERT_EQ(stepper->step().outcome, Outcome::Success) << tolerance << " at " << stepper->time();
      const double in = sample(*stepper, "vc2"), out = sample(*stepper, "vo");
      double low = -12.0, high = 12.0;
      while (high - low > 1e-12) {
        const double middle = 0.5 * (low + high);
        (middle > 12.0 * std::tanh(1000.0 * (in - middle / 3.2) / 12.0) ? high : low) = middle;
      }
      ASSERT_NEAR(out, low, tolerance * (1.0 + std::abs(out))) << tolerance << " at " << stepper->time();
    }
  }
}

// The rates follow from each other in a chain, der(x2) = 100 (...) der(x1) and so on: an error of der(x1) within its
// tolerance is one of 4,000 tolerances in der(x4), and in the last equation.
TEST(Bdf, SolvesRatesThatFollowFromOtherRates) {
  for (double tolerance = 1e-5; tolerance > 1e-7; tolerance *= 0.7) {
    SampleProblem sample = substituted(R"(model M
      Real x1(start = 0.8, fixed = true), x2(start = 0.3, fixed = true), x3(start = 0.4, fixed = true),
        x4(start = 0.3, fixed = true);
    equation
      der(x1)*(2 + sin(x2)) + 1.6*x1 - 0.01*der(x2) - 0.13*x3*x1 = sin(3*time);
      der(x2) + 0.1*x2 - 0.15*der(x3) - 0.13*sin(x3) + 0.01*x4^2 = cos(2*time);
      der(x3) + 1.4*x3 - 0.35*der(x4) - 0.3*x4^2 = 2*cos(3*time);
      der(x4) + 1.5*x4 + 0.2*tanh(x1) - 0.16*x3*x4 = 0.5*sin(time);
    end M;)");
    const auto stepper = make_bdf(sample.problem, sample.start, {.tolerance = tolerance, .stop = 3.0});
    while (stepper->time() < 3.0) {
      ASSERT_EQ(stepper->step().outcome, Outcome::Success);
      const auto value = [&](const char* name) { return sample(*stepper, name); };
      const double exact = 0.5 * std::sin(stepper->time()) - 1.5 * value("x4") - 0.2 * std::tanh(value("x1")) +
                           0.16 * value("x3") * value("x4");
      // Every rate has the error of its unknown divided by the step size; ten times that is allowed.
      const double allowed = 10.0 * tolerance * stepper->last_order() / stepper->last_step();
      ASSERT_NEAR(value("der(x4)"), exact, std::max(allowed, 1e-9)) << tolerance << " at " << stepper->time();
    }
  }
}

// ---- failures are results

TEST(Bdf, SaysThatAnExpressionHasNoValue) {
  SampleProblem sample(from_text("model M Real x(start = 1, fixed = true); equation der(x) = -1/sqrt(x); end M;"),
                       Original{});
  const auto stepper = make_bdf(sample.problem, sample.start, {.stop = 2.0});
  const StepReport report = samples::run_to(*stepper, 2.0);
  EXPECT_NE(report.outcome, Outcome::Success);
  EXPECT_NEAR(stepper->time(), 2.0 / 3.0, 1e-4);  // x^(3/2) = 1 - 3/2 t
}

}  // namespace
}  // namespace driftless
