#include "driftless/integrate/system/problem.hpp"

#include <cmath>
#include <random>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

// A model at its consistent start, with its first states.
struct Ready {
  explicit Ready(Model model)
      : reduced(samples::reduced(std::move(model))), system(reduced, Backend::Interpreter), problem(system) {
    Diagnostics diagnostics;
    const auto start = initialize(*reduced, 0.0, diagnostics);
    y = std::get<State>(start).y, yp = std::get<State>(start).yp;
    std::vector<double> values(system.choice_values());
    system.choices({0.0, y, yp}, values);
    StateSelection selection(*reduced, system.choice_entries(), 2.0);
    selection.choose(values);
    problem.set_states(selection.active());
  }

  std::vector<double> residual(double t = 0.0) {
    std::vector<double> out(y.size());
    problem.residual(t, y, yp, out);
    return out;
  }

  std::shared_ptr<const Reduced> reduced;
  System system;
  Problem problem;
  std::vector<double> y, yp;
};

double largest(const std::vector<double>& v) {
  double size = 0.0;
  for (const double value : v) size = std::max(size, std::abs(value));
  return size;
}

class EveryModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(samples::all_names()),
                         [](const auto& name) { return name.param; });

TEST_P(EveryModel, StartSolvesTheProblem) {
  Ready ready(samples::read(samples::path_of(GetParam())));
  EXPECT_LT(largest(ready.residual()), 1e-9 * (1.0 + largest(ready.y) + largest(ready.yp)));
}

// ∂/∂y + alpha ∂/∂y' against differences along random directions: F(y + s v, y' + alpha s v).
TEST_P(EveryModel, MatrixIsTheDerivativeOfTheResidual) {
  Ready ready(samples::read(samples::path_of(GetParam())));
  const linear::Pattern& pattern = ready.problem.pattern();
  const double alpha = 3.0, s = 1e-6, t = 0.0;
  std::vector<double> values(pattern.rows.size());
  ASSERT_TRUE(ready.problem.matrix(t, ready.y, ready.yp, alpha, values));
  std::mt19937_64 random(1);
  for (int sample = 0; sample < 3; ++sample) {
    const std::vector<double> y = ready.y, yp = ready.yp;
    std::vector<double> v(y.size()), product(y.size(), 0.0), size(y.size(), 1.0);
    for (std::size_t j = 0; j < v.size(); ++j)
      v[j] = (std::abs(y[j]) + 0.01) * std::uniform_real_distribution<double>(-1.0, 1.0)(random);
    for (int j = 0; j < pattern.size; ++j)
      for (int k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k) {
        product[pattern.rows[k]] += values[k] * v[j];
        size[pattern.rows[k]] += std::abs(values[k] * v[j]);
      }
    const auto shifted = [&](double step) {
      for (std::size_t j = 0; j < v.size(); ++j)
        ready.y[j] = y[j] + step * v[j], ready.yp[j] = yp[j] + alpha * step * v[j];
      return ready.residual(t);
    };
    const std::vector<double> ahead = shifted(s), behind = shifted(-s);
    ready.y = y, ready.yp = yp;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double difference = (ahead[i] - behind[i]) / (2.0 * s);
      const double noise = 1e-9 * (std::abs(ahead[i]) + std::abs(behind[i])) / s;
      EXPECT_NEAR(difference, product[i], 1e-4 * size[i] + noise)
          << ready.problem.name_of_equation(static_cast<int>(i));
    }
  }
}

// Everything but the states is recomputed, and the states are unchanged.
TEST_P(EveryModel, AlgebraicSolveReturnsToTheConstraints) {
  Ready ready(samples::read(samples::path_of(GetParam())));
  if (ready.reduced->implicit) GTEST_SKIP() << "no states were chosen";
  AlgebraicSolve on_constraints(ready.problem);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> noise(-1e-4, 1e-4);
  std::vector<double> y = ready.y, yp = ready.yp;
  for (std::size_t s = 0; s < y.size(); ++s)
    if (!ready.problem.is_state(static_cast<int>(s))) y[s] += noise(random) * std::abs(y[s]);
  ASSERT_TRUE(on_constraints(0.0, y, yp));
  for (std::size_t s = 0; s < y.size(); ++s) {
    if (ready.problem.is_state(static_cast<int>(s)))
      EXPECT_EQ(y[s], ready.y[s]);
    else
      EXPECT_NEAR(y[s], ready.y[s], 1e-9 * (1.0 + std::abs(ready.y[s])));
  }
}

TEST(AlgebraicSolve, LeavesThePointAloneWhereThereIsNoSolution) {
  Ready ready(samples::pendulum({.x = 1.0, .y = 0.0, .vy = -1.0}));
  AlgebraicSolve on_constraints(ready.problem);
  std::vector<double> y = ready.y, yp = ready.yp;
  for (const int k : ready.problem.active()) y[ready.reduced->kinematics[k].slot] = 5.0;  // far beyond the rod
  const std::vector<double> before = y;
  EXPECT_FALSE(on_constraints(0.0, y, yp));
  EXPECT_EQ(y, before);
}

TEST(Problem, MissingValueIsReported) {
  ModelBuilder m("Log");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(x) + pow(der(x), 3.0) == log(x));
  Ready ready(m.build());
  std::vector<double> out(1), values(ready.problem.pattern().rows.size());
  EXPECT_TRUE(ready.problem.residual(0.0, ready.y, ready.yp, out));
  ready.y[0] = -1.0;
  EXPECT_FALSE(ready.problem.residual(0.0, ready.y, ready.yp, out));
  EXPECT_EQ(ready.problem.undefined_at().y[0], -1.0);
  ready.y[0] = 0.0;
  EXPECT_FALSE(ready.problem.matrix(0.0, ready.y, ready.yp, 1.0, values));
}

// Positions and velocities are tested, accelerations and the multiplier follow from them.
TEST(ErrorTest, LeavesOutWhatIsHighest) {
  Ready ready(samples::pendulum());
  const std::vector<bool> included = in_error_test(ready.problem, grade(ready.problem));
  for (std::size_t s = 0; s < included.size(); ++s) {
    const Quantity q = ready.reduced->slots[s].quantity;
    EXPECT_EQ(included[s], q.order < ready.reduced->offsets.d[index(q.variable)]) << ready.reduced->name(q);
  }
}

TEST(Problem, IsTheSameWhereItIsRead) {
  Ready writes(samples::pendulum()), reads(samples::pendulum());
  writes.problem.set_states(std::vector<Combination>{{{0, 0.6}, {1, 0.8}}, {{2, 0.6}, {3, 0.8}}});
  std::vector<double> out(writes.y.size());
  ASSERT_TRUE(writes.problem.differentiate(0.0, writes.y, writes.yp));
  writes.y[0] = std::nan("");
  ASSERT_FALSE(writes.problem.residual(0.7, writes.y, writes.yp, out));
  Archive writer;
  writes.problem.archive(writer);
  Archive reader(writer.bytes());
  reads.problem.archive(reader);
  EXPECT_EQ(reader.bytes_left(), 0u);
  EXPECT_EQ(reads.problem.states(), writes.problem.states());
  EXPECT_EQ(reads.problem.pattern().rows, writes.problem.pattern().rows);
  std::vector<double> a(writes.problem.pattern().rows.size()), b(a.size(), 1.0);
  writes.problem.assemble(3.0, a);
  reads.problem.assemble(3.0, b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(reads.problem.undefined_at().t, 0.7);
  EXPECT_TRUE(std::isnan(reads.problem.undefined_at().y[0]));
  EXPECT_EQ(reads.problem.undefined_at().yp[1], writes.yp[1]);
}

}  // namespace
}  // namespace driftless
