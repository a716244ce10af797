// Prescribed paths and long chains: models of index 2 to 15 start, run by the default method and by others, and keep
// every level of every constraint. The references are those of make_references.py, formulas solved by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>

#include <fmt/format.h>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {
namespace {

const std::string source_dir = DRIFTLESS_SOURCE_DIR;

Model checked(std::optional<Model> model, const Diagnostics& diagnostics, const Sources& sources) {
  if (!model) throw ModelError(diagnostics, sources);
  return std::move(*model);
}

Model read(const std::string& name, const ReadOptions& options = {}) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_file(source_dir + "/models/high_index/" + name + ".mo", options, sources, diagnostics);
  return checked(std::move(model), diagnostics, *sources);
}

Model read_text(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  return checked(std::move(model), diagnostics, *sources);
}

// A run that reaches its end with every level of every constraint kept.
Solution kept_run(const Model& model, const Method& method, double tolerance, int intervals) {
  Solution solution = simulate(model, {.tolerance = tolerance, .intervals = intervals, .method = method});
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  EXPECT_EQ(solution.verdict(), Verdict::Kept);
  return solution;
}

struct Shape {
  std::string model;
  int index, states;
};

class HighIndexModel : public testing::TestWithParam<Shape> {};

TEST_P(HighIndexModel, HasItsIndexAndStates) {
  const Analysis analysis = analyze(read(GetParam().model));
  EXPECT_EQ(analysis.shape.structural_index, GetParam().index);
  EXPECT_EQ(analysis.shape.degrees_of_freedom, GetParam().states);
}

TEST_P(HighIndexModel, KeepsEveryLevel) {
  for (const double tolerance : {1e-4, 1e-6, 1e-8}) kept_run(read(GetParam().model), method::Auto{}, tolerance, 40);
}

INSTANTIATE_TEST_SUITE_P(Models, HighIndexModel,
                         testing::Values(Shape{"derivative_chain", 10, 0}, Shape{"mass_chain", 11, 0},
                                         Shape{"pendula", 15, 14}, Shape{"reentry", 2, 4}, Shape{"robot_arm", 5, 0}),
                         [](const auto& i) { return i.param.model; });

// max |computed - exact|/(1 + |exact|) over the points of the reference
double error_against_reference(const std::string& name, const Method& method, double tolerance) {
  std::ifstream file(source_dir + "/tests/high_index/" + name + ".json");
  const auto points = nlohmann::json::parse(file).at("points");
  const Model model = read(name);
  const Solution solution = kept_run(model, method, tolerance, static_cast<int>(points.size()) - 1);
  double worst = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    EXPECT_NEAR(solution.times.at(k), points[k].at("t").get<double>(), 1e-12);
    for (const auto& [quantity, value] : points[k].at("values").items()) {
      const double exact = value, error = std::abs(solution.column(quantity)[k] - exact) / (1.0 + std::abs(exact));
      if (!(error <= worst)) worst = error;
    }
  }
  fmt::print("{:12} {:8} tolerance {:.0e}: error {:.1e}\n", name, solution.method, tolerance, worst);
  return worst;
}

// Without states nothing is integrated: the equations are solved at each point, to rounding errors times their
// condition.
TEST(HighIndex, RobotArmFollowsItsPath) {
  EXPECT_LT(error_against_reference("robot_arm", method::Auto{}, 1e-6), 1e-12);
}
// Paths of index 5 by dummy derivatives and by both forms of derivative arrays: the torques of Campbell's robot arm,
// and the forces of the crane.
TEST(HighIndex, PathsOfIndexFiveAreFollowedByDummyDerivativesAndByDerivativeArrays) {
  const Model arm = read("robot_arm");
  const Model crane = read("../crane");
  for (const char* formulation : {"dummy", "derivative-array", "derivative-array:kunkel-mehrmann"})
    for (const char* method : {"bdf", "radau"}) {
      const SimulateOptions options{.tolerance = 1e-8,
                                    .intervals = 20,
                                    .formulation = *parse_formulation(formulation),
                                    .method = *parse_method(method)};
      const Solution of_arm = simulate(arm, options);
      ASSERT_EQ(of_arm.outcome, Outcome::Success) << formulation << " " << method << ": " << of_arm.message;
      EXPECT_EQ(of_arm.structure.structural_index, 5) << formulation;
      EXPECT_EQ(of_arm.structure.degrees_of_freedom, 0) << formulation;
      EXPECT_LT(of_arm.largest_residual(), 1e-10) << formulation << " " << method;
      for (std::size_t row = 0; row < of_arm.times.size(); ++row) {
        const double t = of_arm.times[row];
        EXPECT_NEAR(of_arm.value(row, *of_arm.find("x1")), 1.0 - std::exp(t), 1e-10) << formulation << " " << method;
        EXPECT_NEAR(of_arm.value(row, *of_arm.find("x3")), std::exp(t) - t, 1e-10) << formulation << " " << method;
      }
      const Solution of_crane = simulate(crane, options);
      ASSERT_EQ(of_crane.outcome, Outcome::Success) << formulation << " " << method << ": " << of_crane.message;
      EXPECT_EQ(of_crane.structure.structural_index, 5) << formulation;
      EXPECT_LT(of_crane.largest_residual(), 1e-10) << formulation << " " << method;
      // s = x + z x''/(g - z'') at the middle of the move, where x'' = z'' = 0.
      EXPECT_NEAR(of_crane.value(10, *of_crane.find("s")), 2.5, 1e-9) << formulation << " " << method;
    }
}

TEST(HighIndex, MassChainNeedsTheForceOfTheFormula) {
  EXPECT_LT(error_against_reference("mass_chain", method::Auto{}, 1e-6), 1e-12);
}

TEST(HighIndex, DerivativesOfASignalAreExact) {
  const Solution chain = kept_run(read("derivative_chain"), method::Auto{}, 1e-6, 20);
  for (int k = 0; k < 10; ++k) {
    const std::vector<double> values = chain.column(fmt::format("x[{}]", k + 1));
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], std::exp2(k) * std::sin(2 * chain.times[i] + k * std::numbers::pi / 2),
                  1e-13 * std::exp2(k));
  }
}

// Index 15: errors follow the tolerance, by methods that have nothing in common.
TEST(HighIndex, SevenPendulaSwingAsInPolarCoordinates) {
  for (const Method& method : std::vector<Method>{method::Auto{}, method::Bdf{}, method::Radau{}, method::Taylor{}})
    for (const double tolerance : {1e-6, 1e-8})
      EXPECT_LT(error_against_reference("pendula", method, tolerance), tolerance);
}

// The chain may be as long as one likes: index 2 P + 1.
TEST(HighIndex, OfPendulaGrowsByTwo) {
  for (const int pendula : {1, 2, 5}) {
    const Model model = read("pendula", {.model = {}, .overrides = {{"P", std::to_string(pendula)}}});
    EXPECT_EQ(analyze(model).shape.structural_index, 2 * pendula + 1);
    kept_run(model, method::Auto{}, 1e-8, 10);
  }
}

// Pulled aside by 0.3, the seventh pendulum loses its length, L + c lambda[6] = 0 at t = 0.06022: its rod force has a
// pole there. The run ends at this point and says so.
TEST(HighIndex, RunEndsWhereARodLosesItsLength) {
  const Model model = read("pendula", {.model = {}, .overrides = {{"x0", "0.3"}}});
  const Solution solution = simulate(model, {.tolerance = 1e-8, .intervals = 4000});
  EXPECT_FALSE(reached_end(solution.outcome));
  EXPECT_FALSE(solution.message.empty());
  const std::vector<double> force = solution.column("lambda[6]");
  const std::size_t last = force.size() - 1;
  const double length = 1 + 0.1 * force[last], before = 1 + 0.1 * force[last - 1];
  EXPECT_GT(length, 0.0);
  const double zero =
      solution.times[last] + length / (before - length) * (solution.times[last] - solution.times[last - 1]);
  EXPECT_NEAR(solution.reached, zero, 1e-5);
}

// ---- the space shuttle

TEST(HighIndex, ReentryStartsWithThePublishedControls) {
  const Solution flight = kept_run(read("reentry"), method::Auto{}, 1e-8, 10);
  EXPECT_NEAR(flight.column("alpha").front(), 2.6728700742, 5e-8);
  EXPECT_NEAR(flight.column("beta").front() * 180 / std::numbers::pi, -0.0522095862, 5e-10);
}

// With gamma, A and their rates as functions of time, lift cos(beta) and lift sin(beta) are formulas: an explicit
// differential equation for four states.
TEST(HighIndex, ReentryIsTheExplicitFormByHand) {
  const Model by_hand = read_text(R"(model ByHand
    parameter Real ae = 20902900, mu = 1.407653916e16, w = 7.2921159e-5, m = 2.890532728, rho0 = 0.002378, Hs = 23800;
    constant Real degree = Modelica.Constants.pi/180;
    Real H(start = 100000, fixed = true, nominal = 1e5), xi(start = 0, fixed = true), lat(start = 0, fixed = true);
    Real V(start = 12000, fixed = true, nominal = 1e4);
    Real gamma = -(1 + 9*(time/300)^2)*degree, A = (45 + 90*(time/300)^2)*degree;
    Real up = m*V*(-18*time/300^2*degree - cos(gamma)/V*(V^2/r - mu/r^2) - 2*w*cos(lat)*sin(A)
      - w^2*r*cos(lat)/V*(sin(lat)*cos(A)*sin(gamma) + cos(lat)*cos(gamma)));
    Real side = m*V*cos(gamma)*(180*time/300^2*degree - V/r*cos(gamma)*sin(A)*tan(lat)
      + 2*w*(cos(lat)*cos(A)*tan(gamma) - sin(lat)) - w^2*r*cos(lat)*sin(lat)*sin(A)/(V*cos(gamma)));
    Real r = ae + H, pressure = rho0*exp(-H/Hs)*V^2/2, cL = sqrt(up^2 + side^2)/pressure;
    Real alpha = 100*cL, beta = atan2(side, up);
  equation
    der(H) = V*sin(gamma);
    der(xi) = V*cos(gamma)*sin(A)/(r*cos(lat));
    der(lat) = V*cos(gamma)*cos(A)/r;
    der(V) = -pressure*(0.04 + 0.1*cL^2)/m - mu/r^2*sin(gamma)
      - w^2*r*cos(lat)*(sin(lat)*cos(A)*cos(gamma) - cos(lat)*sin(gamma));
    annotation(experiment(StopTime = 300));
  end ByHand;)");
  const Solution exact = kept_run(by_hand, method::ExplicitRungeKutta{method::Explicit::Dop853}, 1e-13, 30);
  for (const Method& method : std::vector<Method>{method::Auto{}, method::Bdf{}, method::Radau{}})
    for (const double tolerance : {1e-6, 1e-9}) {
      const Solution flight = kept_run(read("reentry"), method, tolerance, 30);
      for (const char* name : {"H", "xi", "lat", "V", "alpha", "beta"}) {
        const std::vector<double> ours = flight.column(name), theirs = exact.column(name);
        for (std::size_t k = 0; k < ours.size(); ++k)
          EXPECT_NEAR(ours[k], theirs[k], 10 * tolerance * (1 + std::abs(theirs[k])))
              << name << " at " << flight.times[k] << ", " << flight.method << ' ' << tolerance;
      }
    }
}

}  // namespace
}  // namespace driftless
