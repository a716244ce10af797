// Initial value problems turned around: the fixed starts of a model are given up, and the values that a run found at
// the end are imposed there. Initial equations, mostly velocities, stay at the start. The solution must lead back to
// it. Index 1 to 5, with charts that change on the way.
#include <gmock/gmock.h>

#include "driftless/driftless.hpp"
#include "tests/boundary/boundary_testing.hpp"

namespace driftless {
namespace {

using namespace boundary_testing;

struct Case {
  const char* name;
  double stop;
  double accuracy;  // of the recovered start: tolerances times how sensitive the start is to the end
};

class Reversed : public ::testing::TestWithParam<Case> {};

std::vector<std::string> names_of_conditions(const Model& model) {
  std::vector<std::string> names;
  for (const Variable& variable : model.variables)
    if (variable.fixed) names.push_back(variable.name);
  return names;
}

TEST_P(Reversed, LeadsBackToTheStart) {
  const std::string file = std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + GetParam().name + ".mo";
  const Model forward = read_model_file(file);
  const Solution run = simulate(forward, {.stop = GetParam().stop, .tolerance = 1e-11});
  ASSERT_EQ(run.outcome, Outcome::Success) << run.message;

  Model backward = read_model_file(file);
  Pool& pool = *backward.pool;
  const std::vector<std::string> names = names_of_conditions(forward);
  for (std::size_t j = 0; j < backward.variables.size(); ++j) {
    Variable& variable = backward.variables[j];
    if (!variable.fixed) continue;
    variable.fixed = false;
    const NodeId leaf = pool.variable(VarId{static_cast<int>(j)});
    backward.final_equations.push_back(
        {pool.sub(leaf, pool.constant(run.final(variable.name))), "end of " + variable.name, variable.name, {}});
  }
  const Solution s = solve_boundary(backward, {.stop = GetParam().stop, .tolerance = 1e-8});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message << (s.details.empty() ? "" : "; " + s.details.front());
  EXPECT_EQ(s.verdict(), Verdict::Kept);
  for (const std::string& name : names) {
    const double start = run.at(0.0, name);
    EXPECT_NEAR(s.at(0.0, name), start, GetParam().accuracy * (1.0 + std::abs(start))) << name;
  }
  for (std::size_t k = 0; k < run.series(); ++k) {
    const double middle = run.at(0.5 * GetParam().stop, run.columns[k].name);
    EXPECT_NEAR(s.at(0.5 * GetParam().stop, run.columns[k].name), middle,
                10 * GetParam().accuracy * (1.0 + std::abs(middle)))
        << run.columns[k].name;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Reversed,
                         ::testing::Values(Case{"pendulum", 3.0, 1e-6}, Case{"spherical_pendulum", 1.0, 1e-6},
                                           Case{"double_pendulum", 1.0, 1e-6}, Case{"four_bar", 0.5, 1e-6},
                                           Case{"slider_crank", 0.5, 1e-6}, Case{"pendulum_first_order", 1.0, 1e-6},
                                           Case{"kepler", 1.0, 1e-6}, Case{"car_axis", 0.1, 1e-6},
                                           Case{"transistor_amplifier", 0.001, 1e-6}, Case{"jay", 0.5, 1e-6},
                                           Case{"two_pendula", 1.0, 1e-6}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace driftless
