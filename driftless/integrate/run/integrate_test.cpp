#include "driftless/integrate/run/integrate.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Solution run(Model model, const IntegrateOptions& options, Backend backend = Backend::Interpreter) {
  const auto reduced = samples::reduced(std::move(model));
  Diagnostics diagnostics;
  const auto start = initialize(*reduced, 0.0, diagnostics);
  Solution solution;
  integrate(std::make_shared<System>(reduced, backend), std::get<State>(start), options, solution);
  return solution;
}

std::string text(const Solution& solution) {
  std::string all = solution.message;
  for (const std::string& line : solution.details) all += "\n" + line;
  return all;
}

// x' = -x + sin t, x(0) = 1/2: x = e^-t + (sin t - cos t)/2.
Model forced_decay() {
  ModelBuilder m("ForcedDecay");
  const Expr x = m.variable("x", {.start = 0.5, .fixed = true});
  m.equation(der(x) == -x + sin(m.time()));
  return m.build();
}
double forced_decay_at(double t) { return std::exp(-t) + 0.5 * (std::sin(t) - std::cos(t)); }

// A free particle on the unit circle, index 3: the angle is t, the force per length 1. Every state must change four
// times per revolution.
Model free_particle() {
  ModelBuilder m("FreeParticle");
  const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y", {.start = 0.0, .fixed = true});
  const Expr lambda = m.variable("lambda");
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y);
  m.equation(x * x + y * y == 1.0, "circle");
  m.initial_equation(der(y) == 1.0);
  return m.build();
}

double largest_error(const Solution& solution, const std::string& name, double (*exact)(double)) {
  const std::vector<double> values = solution.column(name);
  double largest = 0.0;
  for (std::size_t k = 0; k < values.size(); ++k)
    largest = std::max(largest, std::abs(values[k] - exact(solution.times[k])));
  return largest;
}

double cosine(double t) { return std::cos(t); }
double minus_sine(double t) { return -std::sin(t); }
double one(double) { return 1.0; }

// ---- output points

// Many points in a step are evaluated together, few one by one, with identical results. For series if polynomials are
// kept: otherwise many points are read off a longer series (point_series_test.cpp).
TEST(Integrate, PointsHaveTheSameBitsTogetherAndAlone) {
  constexpr int few = 4, many = 128 * few;
  for (const Method& method :
       std::vector<Method>{method::Bdf{}, method::Radau{}, method::ExplicitRungeKutta{}, method::Taylor{}}) {
    const bool keeps_polynomials = std::holds_alternative<method::Taylor>(method);
    const IntegrateOptions options{.stop = 2.0, .method = method, .tolerance = 1e-6, .dense = keeps_polynomials};
    IntegrateOptions of_few = options, of_many = options;
    of_few.intervals = few, of_many.intervals = many;
    const Solution alone = run(free_particle(), of_few), among = run(free_particle(), of_many, Backend::Adaptive);
    ASSERT_EQ(alone.outcome, Outcome::Success) << to_string(method);
    ASSERT_EQ(among.times.size(), std::size_t{many + 1}) << to_string(method);
    const std::size_t series = alone.series();
    for (std::size_t k = 0; k <= few; ++k) {
      EXPECT_EQ(among.times[k * many / few], alone.times[k]);
      for (std::size_t i = 0; i < series; ++i)
        EXPECT_EQ(among.values[k * many / few * series + i], alone.values[k * series + i])
            << to_string(method) << " at t = " << alone.times[k];
    }
  }
}

// ---- accuracy

TEST(Integrate, ErrorFollowsTheTolerance) {
  double before = HUGE_VAL;
  for (const double tolerance : {1e-3, 1e-5, 1e-7, 1e-9}) {
    const Solution solution = run(forced_decay(), {.stop = 10.0, .tolerance = tolerance});
    ASSERT_EQ(solution.outcome, Outcome::Success);
    const double error = largest_error(solution, "x", forced_decay_at);
    EXPECT_LT(error, 10.0 * tolerance);
    EXPECT_LT(error, 0.2 * before);
    before = error;
  }
}

// The possible sum of the errors of a uniform motion. Each of n steps leaves an error of at most 0.3 tolerances, which
// is what the error test sees; that of a velocity is carried on and counts with the time that is left, T/2 in the mean:
// 0.3 n (1 + T/2) tolerances, if all of them have the same sign.
double sum_of_local_errors(const Solution& solution, double tolerance) {
  return 0.3 * static_cast<double>(solution.statistics.steps) * (1.0 + 0.5 * solution.stop) * tolerance;
}

TEST(Integrate, EveryLevelOfAnIndexThreeProblemConverges) {
  for (const NewtonTest newton : {NewtonTest::One, NewtonTest::Two})
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution solution = run(free_particle(), {.stop = 20.0, .tolerance = tolerance, .newton = newton});
      ASSERT_EQ(solution.outcome, Outcome::Success) << text(solution);
      const double allowed = sum_of_local_errors(solution, tolerance);
      EXPECT_LT(largest_error(solution, "x", cosine), allowed);
      EXPECT_LT(largest_error(solution, "der(x)", minus_sine), allowed);
      EXPECT_LT(largest_error(solution, "lambda", one), allowed);
      EXPECT_LT(solution.largest_residual(), 1e-13);  // whatever the tolerance
    }
}

// ---- output

TEST(Integrate, OutputGridIsWhatWasAsked) {
  for (const int intervals : {1, 7, 500}) {
    const Solution solution = run(forced_decay(), {.stop = 3.0, .intervals = intervals});
    ASSERT_THAT(solution.times, SizeIs(intervals + 1));
    for (int k = 0; k <= intervals; ++k) EXPECT_NEAR(solution.times[k], 3.0 * k / intervals, 1e-15);
    EXPECT_EQ(solution.times.back(), 3.0);
    EXPECT_EQ(solution.reached, 3.0);
  }
}

TEST(Integrate, GridDoesNotChangeTheSteps) {
  const Solution coarse = run(free_particle(), {.stop = 5.0, .intervals = 1});
  const Solution fine = run(free_particle(), {.stop = 5.0, .intervals = 1000});
  EXPECT_EQ(coarse.statistics.steps, fine.statistics.steps);
  EXPECT_EQ(coarse.final("x"), fine.final("x"));
}

TEST(Integrate, DenseOutputIsAccurateAndOnTheConstraints) {
  const double tolerance = 1e-7;
  const Solution solution = run(free_particle(), {.stop = 12.0, .tolerance = tolerance, .intervals = 1, .dense = true});
  ASSERT_EQ(solution.outcome, Outcome::Success);
  ASSERT_GE(solution.pivots.size(), 7u);
  for (double t = 0.0; t <= 12.0; t += 0.0137) {
    const double x = solution.at(t, "x"), y = solution.at(t, "y");
    const double vx = solution.at(t, "der(x)"), vy = solution.at(t, "der(y)");
    EXPECT_NEAR(x, std::cos(t), sum_of_local_errors(solution, tolerance));
    EXPECT_NEAR(x * x + y * y, 1.0, 1e-13);
    EXPECT_NEAR(x * vx + y * vy, 0.0, 1e-13);
    EXPECT_NEAR(solution.at(t, "lambda"), vx * vx + vy * vy, 1e-12);
  }
}

// ---- pivots

struct Around {
  const Segment* before;
  const Segment* after;
};

std::vector<Around> segments_around_pivots(const Solution& solution) {
  std::vector<Around> result;
  for (std::size_t k = 0; k + 1 < solution.segments.size(); ++k)
    if (std::ranges::any_of(solution.pivots, [&](const Pivot& p) { return p.time == solution.segments[k].end; }))
      result.push_back({&solution.segments[k], &solution.segments[k + 1]});
  return result;
}

TEST(Integrate, PivotKeepsOrderAndStepSize) {
  const Solution solution = run(free_particle(), {.stop = 30.0, .dense = true});
  const auto pivots = segments_around_pivots(solution);
  ASSERT_GE(pivots.size(), 18u);  // 30/2π revolutions, four each
  for (const auto [before, after] : pivots) {
    EXPECT_GE(after->order, before->order - 1);
    EXPECT_GE(after->end - after->begin, 0.45 * (before->end - before->begin));
  }
}

TEST(Integrate, RestartAtEveryPivotCostsMore) {
  const Solution kept = run(free_particle(), {.stop = 30.0, .dense = true});
  const Solution restarted = run(free_particle(), {.stop = 30.0, .pivot = PivotMode::Restart, .dense = true});
  ASSERT_EQ(restarted.outcome, Outcome::Success);
  for (const auto [before, after] : segments_around_pivots(restarted)) EXPECT_EQ(after->order, 1);
  EXPECT_GT(restarted.statistics.steps, 3 * kept.statistics.steps / 2);
  EXPECT_LT(largest_error(restarted, "x", cosine), 1000.0 * 1e-6);
}

// Mattsson & Söderlind, Section 6: without pivoting the run stalls where the state is no coordinate, here at x = 0.
TEST(Integrate, WithoutPivotsTheRunStallsAndSaysWhy) {
  const Solution solution = run(samples::read(samples::path_of("pendulum")), {.stop = 10.0, .pivot = PivotMode::Never});
  EXPECT_NE(solution.outcome, Outcome::Success);
  EXPECT_THAT(solution.pivots, IsEmpty());
  EXPECT_THAT(text(solution), HasSubstr("allow pivoting"));
  EXPECT_GT(solution.times.size(), 10u);
  EXPECT_LT(std::abs(solution.final("x")), 0.05);
}

TEST(Integrate, PivotsAreRecorded) {
  const Solution solution = run(free_particle(), {.stop = 3.0});
  ASSERT_THAT(solution.pivots, SizeIs(4));  // position and velocity, twice
  EXPECT_EQ(solution.pivots[0].out, "y");
  EXPECT_EQ(solution.pivots[0].in, "x");
  EXPECT_EQ(solution.pivots[1].out, "der(y)");
  EXPECT_NEAR(solution.pivots[0].time, std::atan(2.0), 0.2);
  EXPECT_GT(solution.pivots[0].margin, 2.0);
}

// ---- runs that end early

TEST(Integrate, TooManySteps) {
  const Solution solution = run(forced_decay(), {.stop = 1e6, .max_steps = 50});
  EXPECT_EQ(solution.outcome, Outcome::TooManySteps);
  EXPECT_EQ(solution.statistics.steps, 50);
  EXPECT_GT(solution.reached, 0.0);
}

TEST(Integrate, InterruptionKeepsWhatWasComputed) {
  IntegrateOptions options{.stop = 10.0, .intervals = 1000};
  options.progress = [](double t) { return t < 4.0; };
  const Solution solution = run(forced_decay(), options);
  EXPECT_EQ(solution.outcome, Outcome::Interrupted);
  EXPECT_GE(solution.reached, 4.0);
  EXPECT_LT(solution.reached, 10.0);
  EXPECT_LE(solution.times.back(), solution.reached);
  EXPECT_GT(solution.times.back(), solution.reached - 0.0101);
  EXPECT_LT(largest_error(solution, "x", forced_decay_at), 1e-5);
}

TEST(Integrate, EndsWhereAnExpressionHasNoValue) {
  ModelBuilder m("Root");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), y = m.variable("y");
  m.equation(der(x) == -1.0);
  m.equation(y == sqrt(x), "root");
  const Solution solution = run(m.build(), {.stop = 2.0});
  EXPECT_EQ(solution.outcome, Outcome::EvaluationFailed);
  EXPECT_NEAR(solution.reached, 1.0, 1e-6);
  EXPECT_NEAR(solution.times.back(), 1.0, 0.0041);
  EXPECT_THAT(text(solution), HasSubstr("root"));
}

TEST(Integrate, FiniteEscapeTimeIsAFailureWithATime) {
  ModelBuilder m("Escape");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(x) == x * x);
  const Solution solution = run(m.build(), {.stop = 2.0});
  EXPECT_NE(solution.outcome, Outcome::Success);
  EXPECT_NEAR(solution.reached, 1.0, 1e-3);
}

// ---- models without dynamics

TEST(Integrate, AlgebraicModelIsFollowedPointByPoint) {
  for (const int intervals : {1, 100}) {
    ModelBuilder m("Cubic");
    const Expr y = m.variable("y");
    m.equation(y * y * y + y == 100.0 * sin(m.time()));
    const Solution solution = run(m.build(), {.stop = 1.5, .intervals = intervals, .dense = true});
    ASSERT_EQ(solution.outcome, Outcome::Success) << text(solution);
    ASSERT_THAT(solution.times, SizeIs(intervals + 1));
    for (std::size_t k = 0; k < solution.times.size(); ++k) {
      const double y_k = solution.value(k, 0);
      EXPECT_NEAR(y_k * y_k * y_k + y_k, 100.0 * std::sin(solution.times[k]), 1e-11);
    }
    const double between = solution.at(1.2345, "y");
    EXPECT_NEAR(between * between * between + between, 100.0 * std::sin(1.2345), 1e-11);
  }
}

TEST(Integrate, AllDefined) {
  ModelBuilder m("Explicit");
  const Expr a = m.variable("a"), b = m.variable("b");
  m.equation(a == sin(m.time()));
  m.equation(b == 2.0 * a);
  const Solution solution = run(m.build(), {.stop = 1.0, .intervals = 10});
  ASSERT_EQ(solution.outcome, Outcome::Success);
  ASSERT_THAT(solution.times, SizeIs(11));
  EXPECT_NEAR(solution.final("b"), 2.0 * std::sin(1.0), 1e-15);
}

TEST(Integrate, NoUnknownsAtAll) {
  const Solution solution = run(ModelBuilder("Nothing").build(), {.stop = 1.0, .intervals = 4});
  EXPECT_EQ(solution.outcome, Outcome::Success);
  EXPECT_THAT(solution.times, ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0));
  EXPECT_THAT(solution.values, IsEmpty());
}

// ---- systems with a misleading structure

// Two capacitors' derivatives occur only as a difference: x1 - x2 is the one state, x1 + x2 is algebraic.
TEST(Integrate, ImplicitSystemOfIndexOne) {
  ModelBuilder m("Pair");
  const Expr x1 = m.variable("x1", {.start = 1.0}), x2 = m.variable("x2", {.start = 0.0});
  m.equation(der(x1) - der(x2) == -(x1 - x2));
  m.equation(der(x2) - der(x1) == x1 + 3.0 * x2 - 2.0 * cos(m.time()) - 2.0 * (x1 + x2) + 2.0 * x1);
  m.initial_equation(x1 - x2 == 1.0);
  const double tolerance = 1e-7;
  const Solution solution = run(m.build(), {.stop = 3.0, .tolerance = tolerance});
  ASSERT_EQ(solution.outcome, Outcome::Success) << text(solution);
  // Adding the equations: 0 = -(x1 - x2) + x1 + x2 - 2 cos t, so x2 = cos t and x1 = cos t + e^-t.
  EXPECT_LT(largest_error(solution, "x2", cosine), 100.0 * tolerance);
  EXPECT_LT(largest_error(solution, "x1", [](double t) { return std::cos(t) + std::exp(-t); }), 100.0 * tolerance);
}

// ---- a switch at the very start

// The start is the point before the switch, the steps begin after it: no step is spent on finding it.
TEST(Integrate, BeginsBehindASwitchAtTheStart) {
  const double tolerance = 1e-8;
  for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{}), Method(method::ExplicitRungeKutta{}),
                               Method(method::Taylor{})}) {
    const auto decay = [](const std::string& u) {
      return samples::from_text_without_events("model M Real x(start = 0, fixed = true), u = " + u +
                                               "; equation der(x) = u - x; end M;");
    };
    const IntegrateOptions options{.stop = 2.0, .method = method, .tolerance = tolerance};
    const Solution solution = run(decay("if time > 0 then 1 else 0"), options);
    const Solution smooth = run(decay("1"), options);
    ASSERT_EQ(solution.outcome, Outcome::Success) << text(solution);
    EXPECT_LT(largest_error(solution, "x", [](double t) { return 1.0 - std::exp(-t); }), 200.0 * tolerance);
    EXPECT_LE(solution.statistics.steps, smooth.statistics.steps + 1) << to_string(method);
    const std::vector<double> u = solution.column("u");
    EXPECT_EQ(u[0], 0.0);
    EXPECT_EQ(u[1], 1.0);
  }
}

// ---- quotients whose denominator changes its sign

// With w = t - 0.9997, which no output point hits: some have a limit at w = 0, others grow without bounds although
// their numerator vanishes as well, and the solution does not continue beyond.
TEST(Integrate, GoesThroughAQuotientOnlyIfItHasALimit) {
  struct Case {
    const char* rate;
    bool has_limit;
  };
  for (const auto& [rate, has_limit] :
       {Case{"sin(w)/w", true}, Case{"x/w", true}, Case{"tanh(50*w)/w", true}, Case{"(1 - cos(w))/w", true},
        Case{"x/(2*w)", false}, Case{"0.75*x/w", false}, Case{"sqrt(abs(w))/w", false}, Case{"1/w", false}})
    for (const Method& method : {Method(method::Bdf{}), Method(method::Radau{}), Method(method::ExplicitRungeKutta{}),
                                 Method(method::Taylor{})}) {
      const Solution solution = run(
          samples::from_text(std::string("model M Real w(start = -0.9997, fixed = true), x(start = 1.5, fixed = true); "
                                         "equation der(w) = 1; der(x) = ") +
                             rate + "; end M;"),
          {.stop = 2.0, .method = method});
      EXPECT_EQ(solution.outcome == Outcome::Success, has_limit) << rate << " " << to_string(method) << "\n"
                                                                 << text(solution);
      if (!has_limit) {
        EXPECT_NEAR(solution.reached, 1.0, 0.01) << rate << " " << to_string(method);
      }
    }
}

// A square root has a value at 0 and no slope: the series does not exist there.
TEST(Integrate, NamesTheSlopeThatTheSeriesLacks) {
  const Solution solution =
      run(samples::from_text("model M Real x(start = 0, fixed = true), y(start = 1, fixed = true); equation "
                             "der(x) = sqrt(x*y); der(y) = 1; end M;"),
          {.stop = 2.0, .method = method::Taylor{}});
  EXPECT_EQ(solution.outcome, Outcome::EvaluationFailed);
  EXPECT_THAT(text(solution), HasSubstr("has no finite slope in x at x = 0"));
}

// ---- identical results every time

TEST(Integrate, IsDeterministic) {
  const Solution first = run(free_particle(), {.stop = 10.0}), second = run(free_particle(), {.stop = 10.0});
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(first.statistics.residual_evaluations, second.statistics.residual_evaluations);
}

}  // namespace
}  // namespace driftless
