#include "driftless/integrate/solve/linear_rows.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/solve/slopes.hpp"

namespace driftless {
namespace {

// Positions and velocities away from the start, without symmetry.
void disturb(samples::SampleProblem& sample) {
  for (int s = 0; s < sample.problem.size(); ++s)
    if (sample.problem.is_state(s)) sample.start.y[s] += 1e-3 * std::sin(1.0 + s);
}

class LinearRowsOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, LinearRowsOf, testing::Values("pendulum", "squeezer", "chain", "car_axis", "fekete"));

TEST_P(LinearRowsOf, AModelGiveWhatNewtonsIterationGives) {
  samples::SampleProblem sample(samples::read(samples::path_of(GetParam())), formulation::Index1{});
  disturb(sample);
  const auto rows = LinearRows::of(sample.problem);
  ASSERT_NE(rows, nullptr);
  Slopes newton(sample.problem);
  std::vector<double> y = sample.start.y, yp = sample.start.yp, y_newton = y, yp_newton = yp;
  ASSERT_TRUE((*rows)(0.01, y, yp));
  ASSERT_TRUE(newton(0.01, y_newton, yp_newton));
  for (std::size_t s = 0; s < y.size(); ++s) {
    EXPECT_NEAR(y[s], y_newton[s], 1e-9 * (1.0 + std::abs(y_newton[s]))) << s;
    EXPECT_NEAR(yp[s], yp_newton[s], 1e-9 * (1.0 + std::abs(yp_newton[s]))) << s;
  }
}

// Of 20 points on a sphere: the squared distances are functions of the positions, and each multiplier stands alone.
TEST(LinearRows, PutInWhatRowsGive) {
  samples::SampleProblem sample(samples::read(samples::path_of("fekete")), formulation::Index1{});
  const auto rows = LinearRows::of(sample.problem);
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(sample.system.rows(), 210);
  EXPECT_EQ(rows->unknowns().size(), 20u);
  disturb(sample);
  std::vector<double> y = sample.start.y, yp = sample.start.yp;
  ASSERT_TRUE((*rows)(0.0, y, yp));
  std::vector<double> residual(sample.system.rows() + sample.system.candidates());
  sample.system.rows_and_rates({0.0, y, yp}, residual);
  for (int i = 0; i < sample.system.rows(); ++i) EXPECT_NEAR(residual[i], 0.0, 1e-12) << i;
}

TEST(LinearRows, AreNotThoseOfANonlinearModel) {
  samples::SampleProblem sample(samples::from_text("model Cubic\n  Real x(start = 1, fixed = true), z(start = 1);\n"
                                                   "equation\n  der(x) = -z;\n  z^3 + z = x;\nend Cubic;"),
                                formulation::Index1{});
  EXPECT_EQ(LinearRows::of(sample.problem), nullptr);
}

TEST(LinearRows, SayWhereTheyAreSingular) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .y = 0.0}), formulation::Index1{});
  const auto rows = LinearRows::of(sample.problem);
  std::vector<double> y = sample.start.y, yp = sample.start.yp;
  ASSERT_TRUE((*rows)(0.0, y, yp));
  for (double& value : y) value = 0.0;  // no rod, no direction of its force
  EXPECT_FALSE((*rows)(0.0, y, yp));
}

}  // namespace
}  // namespace driftless
