#include "driftless/integrate/crossings/needed_quantities.hpp"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

constexpr const char* text = R"(model M
  parameter Real p = 3;
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), energy, force, other;
equation
  der(x) = v;
  der(v) = force;
  force = -p*x + sin(time);
  energy = v^2/2 + p*x^2/2;
  other = exp(energy)*force;
end M;)";

class Needed : public ::testing::Test {
 protected:
  Needed() : system(std::make_shared<System>(samples::reduced(samples::from_text(text), {}), Backend::Interpreter)) {
    std::mt19937 random(5);
    std::uniform_real_distribution<> uniform(-2.0, 2.0);
    for (std::size_t s = 0; s < system->reduced().slots.size(); ++s)
      y.push_back(uniform(random)), yp.push_back(uniform(random));
    expected.resize(system->reduced().quantities.size());
    system->observe({0.7, y, yp}, expected);
  }

  std::shared_ptr<System> system;
  std::vector<double> y, yp, expected;
};

// Each alone, and all together.
TEST_F(Needed, QuantitiesAreThoseOfTheSystem) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    all.push_back(k);
    const std::size_t one[] = {k};
    NeededQuantities needed(system->compiled(), one);
    needed.take_parameters(system->parameters());
    std::vector<double> found(expected.size(), -7.0);
    EXPECT_TRUE(needed(0.7, y, yp, found));
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], i == k ? expected[k] : -7.0) << i << " " << k;
  }
  NeededQuantities needed(system->compiled(), all);
  needed.take_parameters(system->parameters());
  std::vector<double> found(expected.size());
  EXPECT_TRUE(needed(0.7, y, yp, found));
  EXPECT_EQ(found, expected);
}

TEST_F(Needed, QuantitiesFollowTheParameters) {
  std::vector<std::size_t> all;
  for (std::size_t k = 0; k < expected.size(); ++k) all.push_back(k);
  NeededQuantities needed(system->compiled(), all);
  const std::vector<double> other(system->parameters().size(), 4.0);
  system->set_parameters(other);
  needed.take_parameters(other);
  std::vector<double> found(expected.size()), now(expected.size());
  system->observe({0.7, y, yp}, now);
  EXPECT_TRUE(needed(0.7, y, yp, found));
  EXPECT_EQ(found, now);
  EXPECT_NE(found, expected);
}

TEST_F(Needed, QuantitiesWithoutAValueAreNoticed) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const std::size_t one[] = {k};
    NeededQuantities needed(system->compiled(), one);
    needed.take_parameters(system->parameters());
    std::vector<double> found(expected.size()), inf(y.size(), std::numeric_limits<double>::infinity());
    system->observe({0.7, inf, inf}, expected);
    EXPECT_EQ(needed(0.7, inf, inf, found), std::isfinite(expected[k])) << k;
  }
}

}  // namespace
}  // namespace driftless
