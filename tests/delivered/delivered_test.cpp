// A run that says success is right, and one that cannot be right says why: jumps inside steps, poles, singular points,
// mechanisms that lose rank, constraints that drift.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "driftless/driftless.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;

Solution run(const std::string& text, const std::string& method, double tolerance, SimulateOptions options = {}) {
  auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  options.method = *parse_method(method);
  options.tolerance = tolerance;
  options.backend = Backend::Interpreter;
  return simulate(std::move(*model), options);
}

std::string all_of(const Solution& s) { return fmt::format("{}\n{}", s.message, fmt::join(s.details, "\n")); }

std::vector<std::string> methods() {
  std::vector<std::string> names{"bdf", "radau", "explicit", "taylor", "auto"};
  if (ida_available()) names.push_back("ida");
  return names;
}

// ---- jumps

constexpr const char* pulse = R"(model Pulse
  Real x(start = 0, fixed = true);
equation
  der(x) = if time > 0.5 and time < 0.501 then 1000 else 0;
end Pulse;)";

TEST(Jumps, AShortPulseInTimeIsIntegratedAtEveryTolerance) {
  for (const std::string& method : methods())
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      const Solution s = run(pulse, method, tolerance);
      EXPECT_EQ(s.outcome, Outcome::Success) << method << all_of(s);
      EXPECT_NEAR(s.final("x"), 1.0, 2.0 * tolerance) << method << " " << tolerance;
    }
}

TEST(Jumps, ASwitchOfAStateIsBracketed) {
  // x' = 1000 while sin(t) > 0.9999, which is twice within [0, 10].
  const double exact = 4000.0 * std::acos(0.9999);
  for (const std::string& method : methods()) {
    const Solution s = run(R"(model Sine
      Real s(start = 0, fixed = true), c(start = 1, fixed = true), x(start = 0, fixed = true);
    equation
      der(s) = c; der(c) = -s; der(x) = if s > 0.9999 then 1000 else 0;
      annotation(experiment(StopTime = 10));
    end Sine;)",
                           method, 1e-9);
    EXPECT_EQ(s.outcome, Outcome::Success) << method << all_of(s);
    EXPECT_NEAR(s.final("x"), exact, 0.05) << method;  // 1e5 times the error of s: the switch is that flat
  }
}

TEST(Jumps, RelationsOfTimeThatComeAgainAndAgain) {
  for (const std::string& method : methods()) {
    const Solution s = run(R"(model Wave
      Real x(start = 0, fixed = true);
    equation
      der(x) = (if sin(20*time) > 0.9 then 1 else 0) + floor(3*time);
      annotation(experiment(StopTime = 2));
    end Wave;)",
                           method, 1e-6);
    // 40/(2 pi) = 6.4: seven pulses, none of them cut; each lasts 2 acos(0.9)/20. The floors add (0 + ... + 5)/3.
    EXPECT_EQ(s.outcome, Outcome::Success) << method << all_of(s);
    EXPECT_NEAR(s.final("x"), 5.0 + 7.0 * std::acos(0.9) / 10.0, 1e-4) << method;
  }
}

TEST(Jumps, KinksAreLeftToTheErrorTest) {
  const Solution s = run(R"(model Kink
    Real s(start = 0, fixed = true), c(start = 1, fixed = true), x(start = 0, fixed = true);
  equation
    der(s) = c; der(c) = -s; der(x) = if s > 0 then s else 0;
    annotation(experiment(StopTime = 6.283185307179586));
  end Kink;)",
                         "bdf", 1e-7);
  EXPECT_EQ(s.outcome, Outcome::Success);
  EXPECT_NEAR(s.final("x"), 2.0, 1e-5);
}

TEST(Jumps, ChatteringIsExplainedAfterFewSteps) {
  for (const std::string& method : methods()) {
    const Solution s = run(R"(model Friction
      Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    equation
      der(x) = v; der(v) = -x - 0.3*sign(v);
      annotation(experiment(StopTime = 20));
    end Friction;)",
                           method, 1e-6);
    EXPECT_FALSE(reached_end(s.outcome)) << method;
    EXPECT_LT(s.statistics.steps, 10'000) << method;
    EXPECT_THAT(all_of(s), HasSubstr("sign(v)")) << method;
    EXPECT_THAT(all_of(s), HasSubstr("line 4")) << method;
    EXPECT_NEAR(s.reached, 2.0 * std::numbers::pi, 0.01) << method << ": two half swings, then it sticks";
  }
}

// ---- poles

class Poles : public testing::TestWithParam<const char*> {};

TEST_P(Poles, AreNotSteppedOver) {
  for (const std::string& method : methods())
    for (const double tolerance : {1e-3, 1e-6}) {
      const Solution s = run(GetParam(), method, tolerance);
      EXPECT_FALSE(reached_end(s.outcome)) << method << " " << tolerance;
      EXPECT_LT(s.reached, 1.001) << method << " " << tolerance;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, Poles,
    testing::Values("model A Real x(start = 1, fixed = true); equation der(x) = x^2; "
                    "annotation(experiment(StopTime = 2)); end A;",
                    "model B Real x(start = 0, fixed = true), y; equation der(x) = 1; y = 1/(x - 0.7003); end B;",
                    "model C Real y; equation y = 1/(time - 0.7003); end C;",
                    "model D Real x(start = 0, fixed = true), y; equation der(x) = 2; y = tan(x); end D;",
                    "model E Real x(start = 0, fixed = true), y; equation der(x) = 1; y = x/(x - 0.7003)^2; end E;",
                    "model F Real x(start = 0, fixed = true), y(start = -1); equation der(x) = 1; "
                    "y*(x - 0.7003) = 1; end F;"));

TEST(Poles, AQuotientThatStaysFiniteIsNone) {
  for (const std::string& method : methods()) {
    const Solution s = run(R"(model Sinc
      Real x(start = -1.3, fixed = true), y;
    equation
      der(x) = 1; y = sin(x)/x;
      annotation(experiment(StopTime = 2.7));
    end Sinc;)",
                           method, 1e-6);
    EXPECT_EQ(s.outcome, Outcome::Success) << method << all_of(s);
  }
}

// ---- singular points

// Where the bars are in line, the mechanism may go on as a parallelogram or crossed.
constexpr const char* four_bar = R"(model FourBar
  parameter Real L = 2, r = 1, g = 1;
  Real a(start = 1.2, fixed = true), c(start = 0), b(start = 1.2), va(start = 0, fixed = true), vc, vb, l1, l2;
equation
  va = der(a); vb = der(b); vc = der(c);
  der(va) = -g*cos(a) - l1*r*sin(a) + l2*r*cos(a);
  der(vc) = -l1*L*sin(c) + l2*L*cos(c);
  der(vb) = -g*cos(b) + l1*r*sin(b) - l2*r*cos(b);
  r*cos(a) + L*cos(c) - r*cos(b) = L;
  r*sin(a) + L*sin(c) - r*sin(b) = 0;
  annotation(experiment(StopTime = 10));
end FourBar;)";

// The curve y^2 = x^2 (1 - x) crosses itself at 0.
constexpr const char* node = R"(model Node
  Real x(start = -0.9, fixed = true), y(start = 1.2);
equation
  der(x) = 1;
  y^2 = x^2*(1 - x);
  annotation(experiment(StopTime = 1.5));
end Node;)";

// A bead on the two axes.
constexpr const char* axes = R"(model Axes
  Real x(start = -1, fixed = true), y(start = 0), v(start = 1, fixed = true), w, l;
equation
  der(x) = v; der(y) = w; der(v) = l*y + 0.1*sin(time); der(w) = l*x;
  x*y = 0;
  annotation(experiment(StopTime = 3));
end Axes;)";

TEST(SingularPoints, EndTheRunThereAndAreNamed) {
  for (const std::string& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      const Solution s = run(node, method, tolerance);
      EXPECT_FALSE(reached_end(s.outcome)) << method << " " << tolerance;
      EXPECT_LT(s.reached, 0.91) << method << " " << tolerance;
      EXPECT_THAT(all_of(s), testing::AnyOf(HasSubstr("y^2"), HasSubstr("singular"), HasSubstr("Newton")))
          << method << " " << tolerance;
    }
}

// ---- dead centres: the motion goes on with the velocity that it has

// Radau, Taylor and IDA test the forces, which may have a pole there, and may end for that, but never beside the
// motion.
bool comes_through(const std::string& method) { return method == "bdf" || method == "explicit" || method == "auto"; }

// Both cranks move like one pendulum, whose energy is kept, and never crosswise.
TEST(DeadCentres, OfFourBarsArePassed) {
  const Solution pendulum = run(R"(model Pendulum
      Real a(start = 1.2, fixed = true), w(start = 0, fixed = true);
    equation
      der(a) = w; der(w) = -cos(a);
      annotation(experiment(StopTime = 10));
    end Pendulum;)",
                                "taylor", 1e-13);
  for (const std::string& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution s = run(four_bar, method, tolerance);
      if (comes_through(method)) {
        ASSERT_EQ(s.outcome, Outcome::Success) << method << " " << tolerance << all_of(s);
      }
      if (!reached_end(s.outcome)) {
        EXPECT_THAT(all_of(s), HasSubstr("singular")) << method;
      }
      const std::size_t a = *s.find("a"), b = *s.find("b"), c = *s.find("c"), v = *s.find("va");
      for (std::size_t row = 0; row < s.times.size(); ++row) {
        EXPECT_NEAR(s.value(row, a), s.value(row, b), 100 * tolerance) << method << " " << tolerance;
        EXPECT_NEAR(s.value(row, c), 0.0, 100 * tolerance) << method << " " << tolerance;
        const double energy = 0.5 * s.value(row, v) * s.value(row, v) + std::sin(s.value(row, a));
        EXPECT_NEAR(energy, std::sin(1.2), 300 * tolerance) << method << " " << tolerance;
      }
      EXPECT_NEAR(s.final("a"), pendulum.at(s.times.back(), "a"), 300 * tolerance) << method << " " << tolerance;
    }
}

TEST(DeadCentres, OfABeadOnTwoAxesIsPassedByEveryMethod) {
  for (const std::string& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution s = run(axes, method, tolerance);
      ASSERT_EQ(s.outcome, Outcome::Success) << method << " " << tolerance << all_of(s);
      EXPECT_NEAR(s.final("x"), -1.0 + 3.0 + 0.1 * (3.0 - std::sin(3.0)), 30 * tolerance) << method << " " << tolerance;
      EXPECT_NEAR(s.final("y"), 0.0, 30 * tolerance) << method << " " << tolerance;
    }
}

// Two cranks of equal length and a rod between them, turning over. Whenever all bars are in line the constraints depend
// on each other; the motion is that of a pendulum, whose speed carries it through. A force on one of the masses has to
// be handed over by the rod, with a force without bound where the bars are in line.
TEST(DeadCentres, OfAParallelogramThatTurnsOverArePassed) {
  for (const double force : {0.0, 5.0}) {
    const Solution pendulum = run(fmt::format(R"(model Pendulum
      Real a(start = 0, fixed = true), w(start = 8, fixed = true);
    equation
      der(a) = w; der(w) = (-9.81 + {}/2)*sin(a);
      annotation(experiment(StopTime = 3));
    end Pendulum;)",
                                              force),
                                  "taylor", 1e-13);
    for (const std::string& method : methods())
      for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        const Solution s = run(fmt::format(R"(model Parallelogram
        Real x1(start = 0), y1(start = -1, fixed = true), x2(start = 2), y2(start = -1), l1, l2, l3;
      initial equation
        der(x1) = 8;
      equation
        der(der(x1)) = -l1*x1 + l3*(x2 - x1);
        der(der(y1)) = -l1*y1 + l3*(y2 - y1) - 9.81 + {};
        der(der(x2)) = -l2*(x2 - 2) - l3*(x2 - x1);
        der(der(y2)) = -l2*y2 - l3*(y2 - y1) - 9.81;
        x1^2 + y1^2 = 1;
        (x2 - 2)^2 + y2^2 = 1;
        (x2 - x1)^2 + (y2 - y1)^2 = 4;
        annotation(experiment(StopTime = 3));
      end Parallelogram;)",
                                           force),
                               method, tolerance);
        if (comes_through(method) && (method != "bdf" || tolerance > 1e-7)) {  // it may step right onto the point
          EXPECT_EQ(s.outcome, Outcome::Success) << method << " " << tolerance << " " << force << all_of(s);
        }
        const double angle = pendulum.at(s.times.back(), "a");
        EXPECT_NEAR(s.final("x1"), std::sin(angle), 100 * tolerance) << method << " " << tolerance << " " << force;
        EXPECT_NEAR(s.final("y2"), -std::cos(angle), 100 * tolerance) << method << " " << tolerance << " " << force;
      }
  }
}

// Parallelograms of random sizes, speeds and masses, with a force on one crank that the rod hands over to the other: it
// grows without bound where all bars are in line. Both cranks move like one pendulum. No point is ever that of the
// crossed mechanism, whether the run comes to its end or not.
TEST(DeadCentres, OfRandomParallelogramsArePassedOnTheRightBranch) {
  std::mt19937 random(3);
  const auto between = [&](double a, double b) { return a + (b - a) * static_cast<double>(random()) / 4294967295.0; };
  int runs = 0, passed = 0;
  for (int k = 0; k < 16; ++k) {
    const double L = between(1, 5), r = between(0.5, 2), g = between(0, 4), a = between(-1.2, 1.2), v = between(-3, 3),
                 m = between(0.5, 3), n = between(0.5, 3), force = k % 3 == 0 ? 0.0 : between(-2, 2);
    const Solution pendulum = run(fmt::format(R"(model Pendulum
      Real a(start = {}, fixed = true), v(start = {}, fixed = true);
    equation
      der(a) = v; der(v) = ({} - {})*cos(a)/{};
      annotation(experiment(StopTime = 5));
    end Pendulum;)",
                                              a, v, force / (m + n), g, r),
                                  "taylor", 1e-13);
    const std::string text = fmt::format(R"(model Parallelogram
      parameter Real L = {}, r = {}, g = {}, m = {}, n = {}, F = {};
      Real a(start = {}, fixed = true), va(start = {}, fixed = true), b(start = {}), c(start = 0), vb, vc, l1, l2;
    equation
      va = der(a); vb = der(b); vc = der(c);
      m*r*der(va) = (F - m*g)*cos(a) - l1*sin(a) + l2*cos(a);
      n*r*der(vb) = -n*g*cos(b) + l1*sin(b) - l2*cos(b);
      der(vc) = -l1*L*sin(c) + l2*L*cos(c);
      r*cos(a) + L*cos(c) - r*cos(b) = L;
      r*sin(a) + L*sin(c) - r*sin(b) = 0;
      annotation(experiment(StopTime = 5));
    end Parallelogram;)",
                                         L, r, g, m, n, force, a, v, a);
    for (const std::string& method : methods()) {
      const Solution s = run(text, method, 1e-6, {.intervals = 50});
      ++runs, passed += s.outcome == Outcome::Success;
      const std::size_t of_a = *s.find("a"), of_b = *s.find("b"), of_c = *s.find("c");
      for (std::size_t row = 0; row < s.times.size(); ++row) {
        const double angle = pendulum.at(s.times[row], "a");
        ASSERT_NEAR(s.value(row, of_a), angle, 1e-3) << method << " " << k << " " << s.times[row];
        ASSERT_NEAR(s.value(row, of_b), angle, 1e-3) << method << " " << k << " " << s.times[row];
        ASSERT_NEAR(s.value(row, of_c), 0.0, 1e-3) << method << " " << k << " " << s.times[row];
      }
    }
  }
  EXPECT_GE(passed, 0.9 * runs);
}

// Series become shorter and shorter towards the second dead centre, and none of them fails.
TEST(DeadCentres, AreNotCrawledTo) {
  const Solution s = run(R"(model FourBar
  parameter Real L = 4.797983042459249, r = 1.7407095236821593, g = 1.7422509607101764;
  Real a(start = 0.48220366111552637, fixed = true), b(start = 0.48220366111552637), c(start = 0);
  Real va(start = 0.08437609784036049, fixed = true), vb, vc, l1, l2;
equation
  va = der(a); vb = der(b); vc = der(c);
  der(va) = -g*cos(a) - l1*r*sin(a) + l2*r*cos(a);
  der(vc) = -l1*L*sin(c) + l2*L*cos(c);
  der(vb) = -g*cos(b) + l1*r*sin(b) - l2*r*cos(b);
  r*cos(a) + L*cos(c) - r*cos(b) = L;
  r*sin(a) + L*sin(c) - r*sin(b) = 0;
  annotation(experiment(StopTime = 5));
end FourBar;)",
                         "auto", 1e-7);
  EXPECT_EQ(s.outcome, Outcome::Success) << all_of(s);
  EXPECT_LT(s.statistics.steps, 5000);
  EXPECT_NEAR(s.final("a"), s.final("b"), 1e-5);
  EXPECT_NEAR(s.final("c"), 0.0, 1e-5);
}

// The cranks come to rest just where the bars are in line, at t = 1: back, or on crosswise?
TEST(DeadCentres, WhereTheMotionComesToRestAreTheEnd) {
  for (const char* method : {"bdf", "radau"}) {
    const Solution s = run(R"(model Rest
  Real a(start = 0.5, fixed = true), c(start = 0), b(start = 0.5), va(start = -1, fixed = true), vc, vb, l1, l2;
equation
  va = der(a); vb = der(b); vc = der(c);
  der(va) = 1 - l1*sin(a) + l2*cos(a);
  der(vc) = -l1*2*sin(c) + l2*2*cos(c);
  der(vb) = 1 + l1*sin(b) - l2*cos(b);
  cos(a) + 2*cos(c) - cos(b) = 2;
  sin(a) + 2*sin(c) - sin(b) = 0;
  annotation(experiment(StopTime = 2));
end Rest;)",
                           method, 1e-6);
    EXPECT_FALSE(reached_end(s.outcome)) << method;
    EXPECT_NEAR(s.reached, 1.0, 0.05) << method << all_of(s);
  }
}

TEST(SingularPoints, AChangeOfStatesIsNone) {
  for (const std::string& method : methods()) {
    const Solution s = run(R"(model Pendulum
      Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = -9, fixed = true), F;
    equation
      der(x) = vx; der(y) = vy; der(vx) = F*x; der(vy) = F*y - 9.81;
      x^2 + y^2 = 1;
      annotation(experiment(StopTime = 5));
    end Pendulum;)",
                           method, 1e-6);
    EXPECT_EQ(s.outcome, Outcome::Success) << method << all_of(s);
  }
}

// ---- the verdict

constexpr const char* pendulum = R"(model Pendulum
  Real x(start = 1, fixed = true), y(start = 0), vx, vy(start = 0, fixed = true), F;
equation
  der(x) = vx; der(y) = vy; der(vx) = F*x; der(vy) = F*y - 9.81;
  x^2 + y^2 = 1;
  annotation(experiment(StopTime = 20));
end Pendulum;)";

TEST(Verdict, IsKeptWhereConstraintsAreImposed) {
  const Solution s = run(pendulum, "bdf", 1e-6);
  EXPECT_EQ(s.outcome, Outcome::Success);
  EXPECT_EQ(s.verdict(), Verdict::Kept);
  for (const CertificateEntry& entry : s.certificate) EXPECT_TRUE(entry.imposed && entry.kept(1e-6));
}

TEST(Verdict, OfAConstraintThatDriftsIsNotKeptAndNoSuccess) {
  const Solution s = run(pendulum, "bdf", 1e-4, {.formulation = formulation::Index1{}});
  EXPECT_EQ(s.outcome, Outcome::NotKept) << all_of(s);
  EXPECT_EQ(s.verdict(), Verdict::NotKept);
  EXPECT_EQ(s.reached, 20.0) << "the experiment is whole";
  EXPECT_FALSE(s.certificate[0].imposed);
  EXPECT_THAT(s.message, HasSubstr("not kept within 0.0001"));
  // The certificate holds the largest residual of all output points, not the last.
  double largest = 0.0;
  for (std::size_t row = 0; row < s.times.size(); ++row)
    largest = std::max(largest, std::abs(std::pow(s.column("x")[row], 2) + std::pow(s.column("y")[row], 2) - 1.0));
  EXPECT_NEAR(s.certificate[0].max_residual, largest, 1e-12);
}

TEST(Verdict, RectifiersDeliverOnlyPointsThatSolveTheEquations) {
  for (const std::string& method : methods())
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
      const Solution s = run(R"(model Rectifier
        parameter Real R = 100, C = 1e-3, Rs = 1, Is = 1e-9, Vt = 0.025;
        Real vs, i, ud, v(start = 0, fixed = true);
      equation
        vs = 12*sin(314.159265358979*time);
        vs = Rs*i + ud + v;
        i = Is*(exp(ud/Vt) - 1);
        C*der(v) = i - v/R;
        annotation(experiment(StopTime = 0.1));
      end Rectifier;)",
                             method, tolerance);
      if (s.outcome == Outcome::Success) {
        EXPECT_EQ(s.verdict(), Verdict::Kept) << method;
      }
      for (std::size_t row = 0; row < s.times.size(); ++row) {
        const double vs = 12.0 * std::sin(314.159265358979 * s.times[row]);
        const double i = s.column("i")[row], ud = s.column("ud")[row], v = s.column("v")[row];
        EXPECT_LE(std::abs(vs - i - ud - v),
                  tolerance * (std::abs(vs) + std::abs(i) + std::abs(ud) + std::abs(v) + 4.0))
            << method << " " << tolerance << " " << s.times[row];
      }
    }
}

// ---- the longest step

TEST(LongestStep, IsNotExceeded) {
  for (const std::string& method : methods()) {
    const Solution s =
        run("model M Real x(start = 1, fixed = true); equation der(x) = -x; end M;", method, 1e-4, {.max_step = 0.01});
    EXPECT_EQ(s.outcome, Outcome::Success) << method;
    EXPECT_LE(s.statistics.largest_step, 0.01 * (1.0 + 1e-9)) << method;
    EXPECT_GE(s.statistics.steps, 100) << method;
  }
}

TEST(LongestStep, ShowsASmoothPulseThatLongStepsMiss) {
  constexpr const char* model = R"(model Bell
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1000*exp(-((time - 6.17)/1e-3)^2);
    annotation(experiment(StopTime = 10));
  end Bell;)";
  for (const std::string method : {"bdf", "radau", "explicit"})
    EXPECT_NEAR(run(model, method, 1e-6, {.max_step = 1e-3}).final("x"), std::sqrt(std::numbers::pi), 1e-3) << method;
}

// ---- dense output

TEST(DenseOutput, SatisfiesTheEquationsBetweenOutputPoints) {
  for (const std::string& method : methods()) {
    const Solution s = run(pendulum, method, 1e-6, {.intervals = 7});
    for (double t = 0.013; t < 20.0; t += 0.37) {
      const double x = s.at(t, "x"), y = s.at(t, "y");
      EXPECT_NEAR(x * x + y * y, 1.0, 2e-6) << method << " " << t;
    }
  }
}

}  // namespace
}  // namespace driftless
