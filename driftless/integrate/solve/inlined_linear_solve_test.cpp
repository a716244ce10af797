#include "driftless/integrate/solve/inlined_linear_solve.hpp"

#include <cmath>

#include "driftless/integrate/solve/linear_rows.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

struct Point {
  std::vector<double> y, yp;
};

// Positions and velocities away from the start, without symmetry.
std::vector<double> beside_the_start(const samples::SampleProblem& sample, double distance) {
  std::vector<double> y = sample.start.y;
  for (int s = 0; s < sample.problem.size(); ++s)
    if (sample.problem.is_state(s)) y[s] += distance * std::sin(1.0 + s);
  return y;
}

Point solved(LinearRows& rows, const samples::SampleProblem& sample, const std::vector<double>& at) {
  Point point{at, sample.start.yp};
  EXPECT_TRUE(rows(0.01, point.y, point.yp));
  return point;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double accuracy) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t s = 0; s < a.size(); ++s) EXPECT_NEAR(a[s], b[s], accuracy * (1.0 + std::abs(b[s]))) << s;
}

class StraightRowsOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, StraightRowsOf,
                         testing::Values("pendulum", "squeezer", "chain", "car_axis", "slider_crank", "fekete"));

// Near the point of their pivots and far from it, where tables may have to take over.
TEST_P(StraightRowsOf, AModelGiveWhatTablesGive) {
  samples::SampleProblem sample(samples::read(samples::path_of(GetParam())), formulation::Index1{});
  const auto tables = LinearRows::of(sample.problem), straight = LinearRows::of(sample.problem);
  ASSERT_NE(straight, nullptr);
  straight->prepare(0.0, sample.start.y);
  for (const double distance : {0.0, 1e-3, 0.1, 0.5}) {
    const std::vector<double> at = beside_the_start(sample, distance);
    const Point a = solved(*straight, sample, at), b = solved(*tables, sample, at);
    expect_near(a.y, b.y, 1e-9);
    expect_near(a.yp, b.yp, 1e-9);
  }
}

TEST_P(StraightRowsOf, AModelSolveWithTheirMatrixAgain) {
  samples::SampleProblem sample(samples::read(samples::path_of(GetParam())), formulation::Index1{});
  const auto tables = LinearRows::of(sample.problem), straight = LinearRows::of(sample.problem);
  straight->prepare(0.0, sample.start.y);
  for (const double distance : {1e-3, 2e-3}) {
    solved(*straight, sample, beside_the_start(sample, distance));
    solved(*tables, sample, beside_the_start(sample, distance));
    std::vector<double> a(tables->unknowns().size());
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = std::cos(static_cast<double>(k));
    std::vector<double> b = a;
    straight->solve(a);
    tables->solve(b);
    expect_near(a, b, 1e-9);
  }
}

TEST_P(StraightRowsOf, AModelAreTheSameOnEveryBackend) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP();
  samples::SampleProblem sample(samples::read(samples::path_of(GetParam())), formulation::Index1{});
  System compiled(std::make_shared<const Reduced>(sample.system.reduced()), Backend::Llvm);
  Problem problem(compiled);
  problem.set_states(compiled.reduced().permanent);
  const auto a = LinearRows::of(sample.problem), b = LinearRows::of(problem);
  a->prepare(0.0, sample.start.y);
  b->prepare(0.0, sample.start.y);
  for (const double distance : {0.0, 1e-2, 0.2}) {
    const std::vector<double> at = beside_the_start(sample, distance);
    const Point one = solved(*a, sample, at), other = solved(*b, sample, at);
    EXPECT_EQ(one.y, other.y);
    EXPECT_EQ(one.yp, other.yp);
  }
}

// Two unknowns whose pivots at p = 0 are the ones, and at p = 1 the others.
Model turning() {
  return samples::from_text(
      "model Turning\n  Real p(start = 0, fixed = true), u, v;\nequation\n  der(p) = 1;\n"
      "  cos(1.5707963267948966*p)*u + (2 + p)*sin(1.5707963267948966*p)*v = 1;\n"
      "  -sin(1.5707963267948966*p)*u + cos(1.5707963267948966*p)*v = 2 + p;\nend Turning;");
}

TEST(InlinedLinearSolve, LeaveItToTablesWhereAPivotHasBecomeSmall) {
  samples::SampleProblem sample(turning(), formulation::Index1{});
  const auto rows = LinearRows::of(sample.problem);
  ASSERT_NE(rows, nullptr);
  rows->prepare(0.0, sample.start.y);
  const Reduced& r = sample.system.reduced();
  const auto at = [&](double p) {
    std::vector<double> y = sample.start.y, yp = sample.start.yp;
    int state = 0;
    while (!sample.problem.is_state(state)) ++state;
    y[state] = p;
    EXPECT_TRUE((*rows)(0.0, y, yp));
    std::vector<double> quantities(r.quantities.size());
    sample.system.observe({0.0, y, yp}, quantities);
    return quantities;
  };
  const auto value = [&](const std::vector<double>& quantities, const std::string& name) {
    for (std::size_t k = 0; k < quantities.size(); ++k)
      if (r.name(r.quantities[k]) == name) return quantities[k];
    throw std::out_of_range(name);
  };
  const std::vector<double> begin = at(0.0), end = at(1.0);
  EXPECT_DOUBLE_EQ(value(begin, "u"), 1.0);
  EXPECT_DOUBLE_EQ(value(begin, "v"), 2.0);
  EXPECT_NEAR(value(end, "u"), -3.0, 1e-14);
  EXPECT_NEAR(value(end, "v"), 1.0 / 3.0, 1e-14);
}

TEST(InlinedLinearSolve, AreNoneWhereTheMatrixIsSingularOrLarge) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .y = 0.0}), formulation::Index1{});
  const std::shared_ptr<Pool> own = sample.system.reduced().model->pool;
  Pool& pool = *own;
  const CompiledSystem& compiled = sample.system.compiled();
  InlinedLinearSolve::Expressions rows{.unknowns = {pool.variable(VarId{0}, 0)},
                                       .places = {{0, 0}},
                                       .entries = {pool.time()},
                                       .b = {pool.one()},
                                       .rates = {}};
  EXPECT_TRUE(InlinedLinearSolve::of(compiled, own, rows, std::vector{1.0}));
  EXPECT_FALSE(InlinedLinearSolve::of(compiled, own, rows, std::vector{0.0}));
  const int many = 100;
  rows = {};
  for (int k = 0; k < many; ++k) {
    rows.unknowns.push_back(pool.variable(VarId{0}, 0));
    rows.places.push_back({k, k});
    rows.entries.push_back(pool.time());
    rows.b.push_back(pool.one());
  }
  EXPECT_FALSE(InlinedLinearSolve::of(compiled, own, rows, std::vector<double>(many, 1.0)));
}

}  // namespace
}  // namespace driftless
