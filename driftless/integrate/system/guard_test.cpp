#include "driftless/integrate/system/guard.hpp"

#include <cmath>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// A diode behind a resistor; x keeps the model a differential equation.
std::string circuit(const std::string& equations) {
  return "model Circuit\n  parameter Real V = 12, R = 1, Is = 1e-9, Vt = 0.025;\n  Real x(start = 1, fixed = true), u, "
         "w;\n"
         "equation\n  der(x) = -x;\n" +
         equations + "\nend Circuit;";
}
const char* const diode = "V*x = R*Is*(exp(u/Vt) - 1) + u; w = u;";

samples::SampleProblem problem_of(const std::string& equations) {
  return samples::SampleProblem(samples::from_text(circuit(equations)), formulation::Index1{});
}

int slot_of(const samples::SampleProblem& sample, const std::string& name) {
  const Reduced& r = sample.system.reduced();
  for (std::size_t s = 0; s < r.slots.size(); ++s)
    if (r.name(r.slots[s].quantity) == name) return static_cast<int>(s);
  throw std::out_of_range(name);
}

TEST(Guard, IsNotMadeWithoutSteepFunctions) {
  auto sample = problem_of("u^3 + sin(u) = x; w = u;");
  EXPECT_EQ(sample.system.guard(), nullptr);
  auto of_time = problem_of("u^3 + exp(time) = x; w = u;");
  EXPECT_EQ(of_time.system.guard(), nullptr);
}

TEST(Guard, IsTheSystemWhereTheTangentsAre) {
  auto sample =
      problem_of("V*x = exp(u) + sinh(u*x) + cosh(w) + log(2 + u^2) + u; sqrt(1 + exp(exp(0.1*w))) = x + u + w;");
  System& system = sample.system;
  Guard* guard = system.guard();
  ASSERT_NE(guard, nullptr);
  std::vector<double> y = sample.start.y, yp = sample.start.yp;
  for (std::size_t s = 0; s < y.size(); ++s) y[s] += 0.3 * std::sin(1.0 + static_cast<double>(s));
  std::vector<double> rows(system.rows() + system.candidates()), jacobian(system.jacobian_entries().size());
  std::vector<double> guarded_rows = rows, guarded_jacobian = jacobian;
  const System::Point at{0.3, y, yp};
  system.rows_and_rates(at, rows), system.jacobian(at, jacobian);
  guard->place(at, 0.0);
  system.use_guard(true);
  system.rows_and_rates(at, guarded_rows), system.jacobian(at, guarded_jacobian);
  system.use_guard(false);
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NEAR(guarded_rows[i], rows[i], 1e-13 * (1.0 + std::abs(rows[i])));
  for (std::size_t e = 0; e < jacobian.size(); ++e)
    EXPECT_NEAR(guarded_jacobian[e], jacobian[e], 1e-12 * (1.0 + std::abs(jacobian[e])));
}

TEST(Guard, IsLinearInTheUnknownsUntilTheTangentsFollow) {
  auto sample = problem_of(diode);
  System& system = sample.system;
  Guard* guard = system.guard();
  ASSERT_NE(guard, nullptr);
  std::vector<double> y = sample.start.y, yp = sample.start.yp, rows(system.rows() + system.candidates());
  const int u = slot_of(sample, "u");
  y[u] = 0.5;
  guard->place({0.0, y, yp}, 0.0);
  system.use_guard(true);
  std::vector<double> values;
  for (const double at : {0.0, 6.0, 12.0}) {
    y[u] = at;
    system.rows_and_rates({0.0, y, yp}, rows);
    values.push_back(rows[0]);
  }
  system.use_guard(false);
  EXPECT_NEAR(values[2] - values[1], values[1] - values[0], 1e-9 * std::abs(values[0]));
  EXPECT_FALSE(guard->follow({0.0, y, yp}));  // 12 V are 480 units of the argument
}

// ---- the solution from afar

double by_bisection(double low, double high, const std::function<double(double)>& increasing) {
  for (int k = 0; k < 200; ++k) (increasing(0.5 * (low + high)) > 0.0 ? high : low) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

class DiodeFrom : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Guesses, DiodeFrom, testing::Values(-1e4, -20.0, 0.0, 0.3, 0.55, 1.0, 12.0, 100.0));

TEST_P(DiodeFrom, AGuessIsFound) {
  for (const double x : {1.0, 1e-6, -1.0, -50.0, 100.0}) {
    auto sample = problem_of(diode);
    AlgebraicSolve solve(sample.problem);
    std::vector<double> y = sample.start.y, yp = sample.start.yp;
    const int u = slot_of(sample, "u");
    y[u] = GetParam();
    y[slot_of(sample, "x")] = x;
    ASSERT_TRUE(solve(0.0, y, yp)) << x;
    const double reference =
        by_bisection(-2000.0, 2.0, [&](double v) { return 1e-9 * (std::exp(v / 0.025) - 1.0) + v - 12.0 * x; });
    EXPECT_NEAR(y[u], reference, 1e-12 * (1.0 + std::abs(reference))) << x;
    EXPECT_LE(solve.counts().residual_evaluations, 30) << x;
  }
}

TEST_P(DiodeFrom, AGuessIsFoundInSeries) {
  auto sample = problem_of("Is*(exp(u/Vt) - 1) = 7*Is*(exp(w/Vt) - 1); V*x = R*Is*(exp(u/Vt) - 1) + u + w;");
  AlgebraicSolve solve(sample.problem);
  for (const double x : {1.0, -1.0, 1e-4}) {
    std::vector<double> y = sample.start.y, yp = sample.start.yp;
    const int u = slot_of(sample, "u"), w = slot_of(sample, "w");
    y[u] = GetParam(), y[w] = -GetParam();
    y[slot_of(sample, "x")] = x;
    ASSERT_TRUE(solve(0.0, y, yp)) << x;
    const double i = 1e-9 * std::expm1(y[u] / 0.025);
    EXPECT_NEAR(i, 7e-9 * std::expm1(y[w] / 0.025), 1e-12 * (1.0 + std::abs(i))) << x;
    EXPECT_NEAR(12.0 * x, i + y[u] + y[w], 1e-11) << x;
  }
}

TEST(Guard, FindsALogarithmFromBeyondItsDomain) {
  auto sample = problem_of("u + log(u) = x; w = u;");
  AlgebraicSolve solve(sample.problem);
  for (const double guess : {-3.0, 1e-9, 50.0}) {
    std::vector<double> y = sample.start.y, yp = sample.start.yp;
    y[slot_of(sample, "u")] = guess;
    ASSERT_TRUE(solve(0.0, y, yp)) << guess;
    EXPECT_NEAR(y[slot_of(sample, "u")], 1.0, 1e-12);
  }
}

// Between two diodes that do not conduct no equation depends on the voltage, so it stays unchanged.
TEST(Guard, HoldsANodeThatNothingDetermines) {
  auto sample = problem_of("Is*(exp((-u)/Vt) - 1) = Is*(exp((u - 10)/Vt) - 1); w = u;");
  AlgebraicSolve solve(sample.problem);
  std::vector<double> y = sample.start.y, yp = sample.start.yp;
  const int u = slot_of(sample, "u");
  y[u] = 4.0;
  ASSERT_TRUE(solve(0.0, y, yp));
  EXPECT_NEAR(1e-9 * std::exp(-y[u] / 0.025), 1e-9 * std::exp((y[u] - 10.0) / 0.025), 1e-20);
}

// Every step begins where the last one ended, unless that one was taken again.
TEST(Guard, KnowsAQuietStepByItsArguments) {
  auto sample = problem_of("exp(u) = x; w = u;");
  Guard* guard = sample.problem.system().guard();
  ASSERT_TRUE(guard && guard->has_exponentials());
  const std::vector<double> yp = sample.start.yp;
  const auto with = [&](double value) {
    std::vector<double> y = sample.start.y;
    y[slot_of(sample, "u")] = value;
    return y;
  };
  const std::vector<double> one = with(1.0), two = with(2.0), nine = with(9.0);
  EXPECT_TRUE(guard->is_quiet({0.0, one, yp}, {1.0, two, yp}));
  EXPECT_FALSE(guard->is_quiet({1.0, two, yp}, {2.0, nine, yp})) << "from the end of the last step";
  EXPECT_TRUE(guard->is_quiet({2.0, two, yp}, {3.0, one, yp})) << "another point at the same time";
}

TEST(Guard, LeavesThePointUnchangedWhereThereIsNoSolution) {
  auto sample = problem_of("exp(u) = x; w = u;");
  AlgebraicSolve solve(sample.problem);
  std::vector<double> y = sample.start.y, yp = sample.start.yp;
  y[slot_of(sample, "x")] = -1.0;
  const std::vector<double> before = y;
  EXPECT_FALSE(solve(0.0, y, yp));
  EXPECT_EQ(y, before);
}

// Between two corrections, and within a step that is watched.
TEST(Guard, GoesOnWithTheSameBitsWhereItIsRead) {
  const auto model = [] { return samples::from_text(circuit("V - u = R*Is*(exp(u/Vt) - 1); w = u*exp(x);")); };
  samples::SampleProblem p(model(), formulation::Index1{}), q(model(), formulation::Index1{});
  const auto copy = [&] {
    Archive writer;
    p.system.archive(writer);
    Archive reader(writer.bytes());
    q.system.archive(reader);
    EXPECT_EQ(reader.bytes_left(), 0u);
  };
  std::vector<double> y = p.start.y, yp = p.start.yp, there = y;
  for (double& value : there) value += 5.0;
  const auto seen_by = [&](System& system) {
    Guard& guard = *system.guard();
    std::vector<double> seen(system.rows() + system.candidates()), jacobian(system.jacobian_entries().size());
    guard.rows_and_rates({0.0, there, yp}, seen);
    guard.jacobian({0.0, there, yp}, jacobian);
    seen.insert(seen.end(), jacobian.begin(), jacobian.end());
    seen.push_back(guard.follow({0.0, there, yp}));
    return seen;
  };
  p.system.guard()->begin({0.0, y, yp}, 3.0);
  copy();
  const std::vector<double> first = seen_by(p.system);
  EXPECT_EQ(seen_by(q.system), first);
  const std::vector<double> second = seen_by(p.system);
  EXPECT_NE(second, first) << "the tangents have moved";
  EXPECT_EQ(seen_by(q.system), second);

  std::vector<double> between = y;
  p.system.guard()->watch({0.0, y, yp}, 3.0, 1e-6);
  copy();
  for (int k = 0; k < 40; ++k) {
    for (double& value : between) value += 0.02;
    EXPECT_EQ(q.system.guard()->stays_small({0.0, between, yp}), p.system.guard()->stays_small({0.0, between, yp}))
        << k;
  }
  EXPECT_FALSE(p.system.guard()->stays_small({0.0, between, yp}));
}

}  // namespace
}  // namespace driftless
