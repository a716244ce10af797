#include "driftless/integrate/states/highest_stage.hpp"

#include <Eigen/Dense>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/states/level_propagation.hpp"

namespace driftless {
namespace {

// M = [2 0.5; 0.5 3], g = x + 2 y^2 - 1, G = (1, 4 y); the multiplier enters as -G^T lambda.
Model coupled_masses() {
  return samples::from_text(R"(
    model Coupled
      Real x(start = 0.5, fixed = true), y(start = 0.5), lambda;
    equation
      2*der(der(x)) + 0.5*der(der(y)) = -lambda;
      0.5*der(der(x)) + 3*der(der(y)) = -4*y*lambda - 1;
      x + 2*y^2 = 1;
    end Coupled;)");
}

Eigen::MatrixXd full(const HighestStage& stage) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(stage.size(), stage.size());
  for (std::size_t k = 0; k < stage.entries().size(); ++k)
    matrix(stage.entries()[k].row, stage.entries()[k].col) += stage.matrix()[k];
  return matrix;
}

template <class Values>
auto& slot(const samples::SampleProblem& sample, Values&& values, const std::string& name) {
  const Reduced& r = sample.system.reduced();
  for (std::size_t s = 0; s < r.slots.size(); ++s)
    if (r.name(r.slots[s].quantity) == name) return values[s];
  throw std::out_of_range(name);
}

const Formulation every_level[] = {formulation::Index1{}, formulation::Index2{}, formulation::Original{},
                                   formulation::Ggl{}};

// G M⁻¹ Gᵀ (q).
double compliance(double y) {
  Eigen::Matrix2d mass;
  mass << 2.0, 0.5, 0.5, 3.0;
  const Eigen::Vector2d gradient(1.0, 4.0 * y);
  return gradient.dot(mass.inverse() * gradient);
}

// det [M Gᵀ; G 0] = -det M G M⁻¹ Gᵀ, up to a constant factor where an acceleration is eliminated.
TEST(HighestStage, HasTheSaddlePointMatrixWhicheverLevelIsImposed) {
  for (const Formulation& formulation : every_level) {
    samples::SampleProblem sample(coupled_masses(), formulation);
    HighestStage stage(sample.system);
    ASSERT_TRUE(stage.determined());
    const auto determinant = [&](double y) {
      std::vector<double> at = sample.start.y;
      slot(sample, at, "y") = y;
      stage.evaluate({0.0, at, sample.start.yp});
      return full(stage).determinant();
    };
    for (const double y : {-0.3, 0.8})
      EXPECT_NEAR(determinant(y) / determinant(0.5), compliance(y) / compliance(0.5), 1e-13) << to_string(formulation);
  }
}

// M⁻¹Gᵀ (G M⁻¹ Gᵀ)⁻¹, for velocities and positions alike.
TEST(HighestStage, LeadsToTheDirectionsOfTheForces) {
  Eigen::Matrix2d mass;
  mass << 2.0, 0.5, 0.5, 3.0;
  const Eigen::Vector2d gradient(1.0, 2.0), pull = mass.inverse() * gradient, expected = pull / gradient.dot(pull);
  for (const Formulation& formulation : every_level) {
    samples::SampleProblem sample(coupled_masses(), formulation);
    HighestStage stage(sample.system);
    LevelPropagation propagation(sample.system);
    stage.evaluate({0.0, sample.start.y, sample.start.yp});
    propagation.take(stage.jacobian());
    const auto constraint = stage.equation_of(EqnId{2});
    ASSERT_TRUE(constraint);
    const Eigen::VectorXd z = full(stage).fullPivLu().solve(Eigen::VectorXd::Unit(stage.size(), *constraint));
    propagation.run(stage.unknowns().all(), {z.data(), static_cast<std::size_t>(z.size())});
    for (const auto& [x, y] : {std::pair("x", "y"), std::pair("der(x)", "der(y)")}) {
      EXPECT_NEAR(slot(sample, propagation.of_slots(), x), expected[0], 1e-14) << to_string(formulation);
      EXPECT_NEAR(slot(sample, propagation.of_slots(), y), expected[1], 1e-14) << to_string(formulation);
    }
  }
}

TEST(HighestStage, LeavesOutMultipliersThatAFormulationAdds) {
  for (const Formulation& formulation : every_level) {
    samples::SampleProblem sample(coupled_masses(), formulation);
    const Reduced& r = sample.system.reduced();
    EXPECT_EQ(HighestStage(sample.system).idle().size(), r.slots.size() - r.base->slots.size())
        << to_string(formulation);
  }
}

TEST(HighestStage, IsNotDeterminedWhereTheDynamicsHaveFurtherMultipliers) {
  samples::SampleProblem sample(coupled_masses(), formulation::StabilizedIndex1{});
  EXPECT_FALSE(HighestStage(sample.system).determined());
}

}  // namespace
}  // namespace driftless
