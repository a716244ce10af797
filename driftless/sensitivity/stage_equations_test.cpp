#include "driftless/sensitivity/stage_equations.hpp"

#include <random>

#include <gtest/gtest.h>

namespace driftless::sensitivity {
namespace {

// Matrices with entries from -1 to 1 and, on the diagonal, modes as fast as `stiffness`; they change along the step.
std::vector<Linearization::Dynamics> dynamics_of(int stages, int states, int directions, double stiffness) {
  std::mt19937 engine(7);
  const auto number = [&] { return 1e-3 * static_cast<double>(engine() % 2001U) - 1.0; };
  std::vector<Linearization::Dynamics> all(static_cast<std::size_t>(stages));
  const Eigen::MatrixXd steady = Eigen::MatrixXd::NullaryExpr(states, states, number);
  for (Linearization::Dynamics& at : all) {
    at.matrix = steady + 0.3 * Eigen::MatrixXd::NullaryExpr(states, states, number);
    for (int i = 0; i < states; i += 3) at.matrix(i, i) -= stiffness * (1.5 + number());
    at.offset = Eigen::MatrixXd::NullaryExpr(states, directions, number);
  }
  return all;
}

TEST(StageEquations, IterationAndEliminationAgree) {
  for (const double stiffness : {0.0, 1e2, 1e6})
    for (const int stages : {3, 6, 10}) {
      const RadauBasis basis(stages);
      const int states = 12;
      const auto dynamics = dynamics_of(stages, states, 2, stiffness);
      const Eigen::MatrixXd start = Eigen::MatrixXd::Ones(states, 2);
      const Eigen::VectorXd scale = Eigen::VectorXd::LinSpaced(states, 0.1, 3.0);
      Eigen::MatrixXd direct, iterated;
      ASSERT_TRUE(StageEquations().solve(basis, 0.3, dynamics, start, scale, direct, StageEquations::Way::Direct));
      ASSERT_TRUE(StageEquations().solve(basis, 0.3, dynamics, start, scale, iterated, StageEquations::Way::Iterative));
      EXPECT_LT((direct - iterated).cwiseAbs().maxCoeff(), 1e-11 * direct.cwiseAbs().maxCoeff())
          << stiffness << " " << stages;
      EXPECT_GT((direct - iterated).cwiseAbs().maxCoeff(), 0.0);  // it was iterated
    }
}

TEST(StageEquations, StagesSatisfyTheirEquations) {
  const RadauBasis basis(5);
  const int states = 30;
  const auto dynamics = dynamics_of(5, states, 1, 1e3);
  const Eigen::MatrixXd start = Eigen::MatrixXd::Ones(states, 1);
  Eigen::MatrixXd stages;
  ASSERT_TRUE(StageEquations().solve(basis, 0.2, dynamics, start, Eigen::VectorXd::Ones(states), stages));
  for (int k = 0; k < 5; ++k) {
    Eigen::MatrixXd right = start;
    for (int l = 0; l < 5; ++l) {
      const auto& at = dynamics[static_cast<std::size_t>(l)];
      right += 0.2 * basis.a(k, l) * (at.matrix * stages.middleRows(l * states, states) + at.offset);
    }
    EXPECT_LT((right - stages.middleRows(k * states, states)).cwiseAbs().maxCoeff(), 1e-11);
  }
}

// The work of more states grows with their cube only where each of them is eliminated, not with that of all stages.
TEST(StageEquations, CostOfManyStates) { EXPECT_LT(20.0 * cost_of_stage_equations(10, 100, 1), std::pow(1000.0, 3)); }

}  // namespace
}  // namespace driftless::sensitivity
