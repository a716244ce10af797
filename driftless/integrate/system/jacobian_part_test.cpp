#include "driftless/integrate/system/jacobian_part.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

// Two unknowns with short derivatives, and long derivatives by the states.
Model with_long_forces() {
  return samples::from_text(
      "model M parameter Real k = 2; Real x(start = 0.3), y(start = 0.7), a(start = 1), b(start = 1); "
      "equation der(x) = 2*a - y; der(y) = b - x; "
      "2*a + a^3 + b + b^3 = k*exp(-x*y)*sin(x)/(1 + y^2) + log(2 + x^2*y^2)*cos(x*y) - tanh(x - y)*sqrt(1 + x^2); "
      "a + a^3 - 3*b - b^3 = sin(k*y)*exp(-x^2) + cos(x*y^2)/(2 + x^2) + sqrt(2 + sin(x)*cos(y)); end M;");
}

struct Sample {
  explicit Sample(Backend backend = Backend::Adaptive)
      : system(std::make_shared<const CompiledSystem>(samples::reduced(with_long_forces()), backend)), problem(system) {
    problem.set_states(system.reduced().permanent);
    for (std::size_t e = 0; e < system.jacobian_entries().size(); ++e) {
      const System::Entry& entry = system.jacobian_entries()[e];
      if (entry.row < system.rows() && !problem.is_state(entry.slot)) of_unknowns.push_back(static_cast<int>(e));
    }
  }
  System::Point at(int k) {
    y.assign(system.size(), 0.1 + 0.01 * k), yp.assign(system.size(), 1.0);
    return {0.0, y, yp};
  }

  System system;
  Problem problem;
  std::vector<int> of_unknowns;
  std::vector<double> y, yp;
};

TEST(JacobianPart, GetsAKernelOfItsOwnWhenTheWholeWasEvaluatedOften) {
  Sample sample;
  ASSERT_EQ(sample.of_unknowns.size(), 4u);
  JacobianPart part(sample.system);
  part.take(sample.of_unknowns);
  std::vector<double> whole(sample.system.jacobian_entries().size()), values(whole.size());
  bool is_whole = true;
  for (int k = 0; k < 200; ++k) {
    std::ranges::fill(values, -77.0);
    is_whole = part(sample.at(k), values);
    sample.system.jacobian(sample.at(k), whole);
    for (const int e : sample.of_unknowns) EXPECT_EQ(values[e], whole[e]) << k;
    EXPECT_EQ(values == whole, is_whole) << k;
  }
  EXPECT_FALSE(is_whole);
  part.take({0});
  EXPECT_TRUE(part(sample.at(0), values)) << "other entries begin anew";
}

TEST(JacobianPart, IsOfTheParametersInForce) {
  Sample sample;
  JacobianPart part(sample.system);
  part.take(sample.of_unknowns);
  std::vector<double> whole(sample.system.jacobian_entries().size()), values(whole.size());
  for (int k = 0; k < 200; ++k) static_cast<void>(part(sample.at(k), values));
  sample.system.set_parameters(std::vector{5.0});
  ASSERT_FALSE(part(sample.at(1), values));
  sample.system.jacobian(sample.at(1), whole);
  for (const int e : sample.of_unknowns) EXPECT_EQ(values[e], whole[e]);
}

TEST(JacobianPart, WithoutAdaptiveKernelsEverythingStaysAsItIs) {
  Sample sample(Backend::Interpreter);
  JacobianPart part(sample.system);
  part.take(sample.of_unknowns);
  std::vector<double> values(sample.system.jacobian_entries().size());
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(part(sample.at(k), values));
}

// Derivatives by the states are not evaluated until somebody asks for them.
TEST(AlgebraicSolve, SpreadsChangesOfStatesAlsoWhereOnlyAPartWasEvaluated) {
  Sample often, once;
  AlgebraicSolve warm(often.problem), fresh(once.problem);
  for (int k = 0; k <= 200; ++k) {
    often.at(k);
    ASSERT_TRUE(warm(0.0, often.y, often.yp));
  }
  once.at(200);
  ASSERT_TRUE(fresh(0.0, once.y, once.yp));
  std::vector<double> change(often.y.size(), 0.0), expected(change.size(), 0.0);
  for (std::size_t s = 0; s < change.size(); ++s)
    if (often.problem.is_state(static_cast<int>(s))) change[s] = expected[s] = 1e-3;
  warm.spread(change);
  fresh.spread(expected);
  EXPECT_EQ(change, expected);
}

}  // namespace
}  // namespace driftless
