#include "driftless/choose/choose.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/choose/report.hpp"
#include "driftless/reduce/sample_ascher_petzold.hpp"
#include "driftless/reduce/sample_models.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless::choose {
namespace {

using testing::HasSubstr;

Choice chosen(Model model, ChooseOptions options = {}) {
  const auto shared = std::make_shared<const Model>(std::move(model));
  options.stop = shared->experiment.stop;
  const auto result = structure::analyze(signature_of(*shared));
  const auto& shape = std::get<structure::Structure>(result);
  const bool implicit = find_hidden_singularity(*shared, shape).has_value();
  return choose(std::make_shared<const Reduced>(implicit ? reduce_implicit(shared, shape) : reduce(shared, shape)),
                shape, options);
}

Choice shipped(const std::string& name) { return chosen(samples::read(samples::path_of(name))); }

// With constant steps the form matters most: the table with all forms.
Choice with_steps(Model model) { return chosen(std::move(model), {.step = 0.1}); }

// ---- numbers that are known in closed form

// e^t: the third difference h³ e^t is the tolerance 1e-6 (1 + e^t).
TEST(Indicators, AccuracyStepOfTheExponential) {
  const Indicators i = chosen(samples::ascher_petzold_1({})).indicators;
  EXPECT_NEAR(i.accuracy_step, std::cbrt(1e-6 * (1.0 + std::exp(-0.05))), 0.02 * i.accuracy_step);
}

TEST(Indicators, AccuracyStepDoesNotSeeStiffness) {
  const auto relaxing = [](double rate) {
    ModelBuilder m("Relaxing");
    const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), t = m.time();
    m.equation(der(x) == -rate * (x - cos(t)) - sin(t));
    m.experiment({.stop = 10.0});
    return chosen(m.build()).indicators;
  };
  const Indicators slow = relaxing(1.0), stiff = relaxing(1e5);
  EXPECT_NEAR(stiff.accuracy_step / slow.accuracy_step, 1.0, 0.02);
  EXPECT_NEAR(stiff.frozen_stiffness / stiff.accuracy_step, 1e5, 1e2);
  EXPECT_NEAR(slow.frozen_stiffness / slow.accuracy_step, 1.0, 1e-3);
}

TEST(Indicators, ExampleTwoIsStiffBecauseTheConstraintMoves) {
  const Indicators i = chosen(samples::ascher_petzold_2({})).indicators;
  const double nu = 1000.0, t = 0.1, x = 2.0 - t;  // the end of the trial run, where all is largest
  EXPECT_NEAR(i.K1, 1.0 / (4.0 - t * t), 1e-5);
  EXPECT_LT(i.frozen_stiffness, 1e-9) << "A = 0";
  // R'S = -nu/(2 - t) for R = (1/nu - 1, 2 - t), divided by its length.
  const double variable = nu / x - x / (std::pow(1.0 - 1.0 / nu, 2) + x * x);
  EXPECT_NEAR(i.variable_stiffness / i.accuracy_step, variable, 0.01 * variable);
  EXPECT_NEAR(*i.K4, 1.0, 0.01) << "perturbations decay";
  EXPECT_GT(i.heterogeneity, 1000.0);
}

TEST(Indicators, ExampleThreeHasAStiffFrozenAndAStiffVariablePart) {
  const double nu = 1000.0, t = 0.1;
  for (const double e1 : {0.0, 1.0, 2.0}) {
    const Indicators i = chosen(samples::ascher_petzold_3({}, e1)).indicators;
    EXPECT_NEAR(i.frozen_stiffness / i.accuracy_step, e1 * nu / (2.0 - t), 0.01 * nu) << e1;
    EXPECT_GT(i.variable_stiffness / i.accuracy_step, 0.9 * nu / (2.0 - t)) << e1;
  }
}

// F = C^T turns as fast as C; R S' vanishes, so nothing is stiff.
TEST(Indicators, ExampleOneTurnsFastButIsNotStiff) {
  const Indicators i = chosen(samples::ascher_petzold_1({})).indicators;
  EXPECT_NEAR(i.constraint_speed / i.accuracy_step, 1000.0, 1.0);
  EXPECT_LT(i.variable_stiffness, 0.5);
  EXPECT_NEAR(i.frozen_stiffness / i.accuracy_step, 1.0, 2e-3) << "A = -I";
  EXPECT_NEAR(i.heterogeneity, 1.0, 1e-9) << "B = C^T";
  EXPECT_NEAR(i.K1, 1.0, 1e-9);
  EXPECT_NEAR(i.K2, 1.0, 1e-9);
  EXPECT_NEAR(i.K3, 1000.0, 1.0);
  EXPECT_NEAR(*i.K4, 1.0, 0.02);
}

// x'' = x: over the trial run of length T = 1 the transition matrix has the norm e^T.
TEST(Indicators, GrowthOfAnUnstableProblem) {
  ModelBuilder m("Unstable");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(der(x)) == x);
  m.initial_equation(der(x) == -1.0);
  m.experiment({.stop = 10.0});
  EXPECT_NEAR(*chosen(m.build()).indicators.K4, std::exp(1.0), 1e-3);
}

TEST(Indicators, Report) {
  const std::string mechanics = report(shipped("stiff_spring_pendulum")), ordinary = report(shipped("akzo"));
  EXPECT_THAT(mechanics, HasSubstr("kind                constraints in Hessenberg form\n"));
  EXPECT_THAT(mechanics, HasSubstr("heterogeneity               1   |F| / |C^+|, large above 10\n"));
  EXPECT_THAT(mechanics, HasSubstr("case                3, stiff even if the constraints are held\n"));
  EXPECT_THAT(mechanics, HasSubstr("recommended         row 22: dummy, radau; "));
  EXPECT_THAT(ordinary, testing::Not(HasSubstr("heterogeneity"))) << "there are no constraints";
}

// ---- labels

struct Label {
  const char* name;
  Case problem_case;
  int row;
};

void expect(const Choice& choice, const Label& label) {
  EXPECT_EQ(choice.indicators.problem_case(), label.problem_case) << label.name;
  EXPECT_EQ(choice.recommendation.row, label.row) << label.name << ": " << to_string(choice.recommendation);
}

TEST(Choose, LabelsOfAscherAndPetzold) {
  expect(with_steps(samples::ascher_petzold_1({})), {"example 1", Case::FastConstraints, 9});
  expect(with_steps(samples::ascher_petzold_2({})), {"example 2", Case::StiffVariable, 11});
  for (const double e1 : {0.0, 1.0, 2.0})
    expect(with_steps(samples::ascher_petzold_3({}, e1)), {"example 3", Case::StiffVariable, 11});
}

// With nu = 1 the same equations are harmless.
TEST(Choose, LabelsOfHarmlessParameters) {
  for (Model model : {samples::ascher_petzold_1({.nu = 1.0}), samples::ascher_petzold_2({.nu = 1.0}),
                      samples::ascher_petzold_3({.nu = 1.0})})
    expect(with_steps(model), {"nu = 1", Case::Slow, 7});
}

TEST(Choose, LabelsOfShippedModels) {
  const std::vector<Label> labels{
      {"pendulum", Case::Slow, 7},       {"pendulum_first_order", Case::Slow, 7},
      {"slider_crank", Case::Slow, 7},   {"stiff_spring_pendulum", Case::StiffFrozen, 10},
      {"akzo", Case::None, 3},           {"transistor_amplifier", Case::None, 15},
      {"capacitor_loop", Case::Slow, 1}, {"two_pendula", Case::Slow, 14},
      {"crane", Case::None, 14},
  };
  for (const Label& label : labels) expect(with_steps(samples::read(samples::path_of(label.name))), label);
}

TEST(Choose, OrdinaryDifferentialEquations) {
  const auto van_der_pol = [](double mu, bool energy) {
    ModelBuilder m("VanDerPol");
    const Expr x = m.variable("x", {.start = 2.0, .fixed = true});
    m.equation(der(der(x)) == mu * (1.0 - x * x) * der(x) - x);
    m.initial_equation(der(x) == 0.0);
    m.experiment({.stop = 10.0});
    Model model = m.build();
    if (energy) model.invariants.push_back({"energy", (x * x).node_in(*model.pool), {}});
    return with_steps(std::move(model)).recommendation;
  };
  const auto method_of = [](const Recommendation& r) { return driftless::to_string(r.method); };
  EXPECT_EQ(van_der_pol(0.1, false).row, 2);
  EXPECT_EQ(method_of(van_der_pol(0.1, false)), "dopri5");
  EXPECT_EQ(van_der_pol(1000.0, false).row, 2);
  EXPECT_EQ(method_of(van_der_pol(1000.0, false)), "radau3");
  EXPECT_EQ(van_der_pol(0.1, true).row, 6);
  EXPECT_EQ(van_der_pol(1000.0, true).row, 2) << "projections are for what is not stiff";
}

// A knife edge on ice: y' cos(a) = x' sin(a).
TEST(Choose, ConstraintsOnVelocities) {
  ModelBuilder m("Skate");
  const Expr x = m.variable("x", {.start = 0.0, .fixed = true}), y = m.variable("y", {.start = 0.0, .fixed = true}),
             a = m.variable("a", {.start = 0.0, .fixed = true}), lambda = m.variable("lambda");
  m.equation(der(der(x)) == -lambda * sin(a) + 1.0);
  m.equation(der(der(y)) == lambda * cos(a));
  m.equation(der(der(a)) == 0.0);
  m.equation(der(x) * sin(a) == der(y) * cos(a), "edge");
  m.initial_equation(der(x) == 1.0);
  m.initial_equation(der(a) == 1.0);
  const Choice choice = with_steps(m.build());
  EXPECT_EQ(choice.indicators.kind, Kind::Nonholonomic);
  expect(choice, {"skate", Case::Slow, 8});
}

TEST(Choose, HamiltonianWithAConstantStep) {
  Model model = samples::read(samples::path_of("pendulum"));
  model.experiment.stop = 100.0;
  model.invariants.push_back({"energy", model.pool->variable(VarId{1}), {}});
  EXPECT_EQ(chosen(model, {.step = 0.01}).recommendation.row, 5);
  EXPECT_EQ(chosen(model, {.step = 1.0}).recommendation.row, 7) << "a hundred steps are not many";
}

TEST(Choose, WithAConstantStepNoMethodControlsIt) {
  for (const char* name : {"stiff_spring_pendulum", "akzo", "two_pendula"})
    EXPECT_EQ(driftless::to_string(chosen(samples::read(samples::path_of(name)), {.step = 1e-3}).recommendation.method),
              "radau3");
}

TEST(Choose, OneOfTheTwoMayBeGiven) {
  const Indicators slow = shipped("pendulum").indicators, stiff = shipped("stiff_spring_pendulum").indicators;
  const auto with = [](const auto& given, const Indicators& i) { return to_string(decide_for(given, i)); };
  for (const Indicators& i : {slow, stiff}) {
    EXPECT_THAT(with(Formulation(formulation::Index1{}), i), HasSubstr("index1, bdf;")) << "BDF solves every form";
    EXPECT_THAT(with(Formulation(formulation::Ggl{}), i), HasSubstr("ggl, bdf;"));
  }
  Indicators slow_steps = slow, stiff_steps = stiff;
  slow_steps.fixed_step = stiff_steps.fixed_step = true;
  slow_steps.invariants = 0;  // not a matter of long runs
  EXPECT_THAT(with(Formulation(formulation::Index1{}), slow_steps),
              HasSubstr("row 7: index1, dopri5, projection velocity;"));
  EXPECT_THAT(with(Formulation(formulation::Index1{}), stiff_steps), HasSubstr("row 10: index1, radau3;"));
  EXPECT_THAT(with(Method(method::Bdf{}), slow), HasSubstr("row 7: dummy, bdf;")) << "a bare index-1 form drifts";
  EXPECT_THAT(with(Method(method::Radau{3}), slow), HasSubstr("row 7: ggl, radau3;"));
  EXPECT_THAT(with(Method(method::ExplicitRungeKutta{}), stiff), HasSubstr("index1, dopri5, projection velocity;"));
  EXPECT_THAT(with(Method(method::HalfExplicit{}), slow), HasSubstr("index2, "));
}

// ---- step size control: linearization at the start

// x' = -50 (x - cos t), T = 10
TEST(Glance, CountsHowOftenTheFastestModeDecays) {
  ModelBuilder m("Relaxing");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true}), t = m.time();
  m.equation(der(x) == -50.0 * (x - cos(t)));
  m.experiment({.stop = 10.0});
  const Indicators i = chosen(m.build(), {.effort = Effort::Glance}).indicators;
  EXPECT_NEAR(i.decay, 500.0, 1e-6);
  EXPECT_NEAR(i.oscillation, 0.0, 1e-6);
  EXPECT_FALSE(i.measured) << "nothing was run";
}

TEST(Glance, CountsHowOftenTheFastestModeTurns) {
  ModelBuilder m("Oscillator");
  const Expr x = m.variable("x", {.start = 1.0, .fixed = true});
  m.equation(der(der(x)) == -100.0 * x);
  m.initial_equation(der(x) == 0.0);
  m.experiment({.stop = 3.0});
  const Indicators i = chosen(m.build(), {.effort = Effort::Glance}).indicators;
  EXPECT_NEAR(i.oscillation, 30.0, 1e-6);
  EXPECT_NEAR(i.decay, 0.0, 1e-6);
}

TEST(Glance, SeesWhetherTheSolutionHasASeries) {
  EXPECT_TRUE(shipped("pendulum").indicators.smooth);
  ModelBuilder m("Kink");
  const Expr x = m.variable("x", {.start = -1.0, .fixed = true});
  m.equation(der(x) == abs(x) + 1.0);
  EXPECT_FALSE(chosen(m.build(), {.effort = Effort::Glance}).indicators.smooth);
}

struct ByTolerance {
  const char* name;
  double tolerance;
  int row;
  const char* method;
};

TEST(Choose, ByToleranceAndStructure) {
  for (const ByTolerance& expected : {ByTolerance{"transistor_amplifier", 1e-6, 21, "bdf"},
                                      ByTolerance{"transistor_amplifier", 1e-8, 21, "radau"},
                                      ByTolerance{"akzo", 1e-3, 22, "bdf"},
                                      ByTolerance{"akzo", 1e-4, 22, "radau"},
                                      ByTolerance{"akzo", 1e-6, 22, "radau"},
                                      ByTolerance{"stiff_spring_pendulum", 1e-4, 22, "bdf"},
                                      ByTolerance{"stiff_spring_pendulum", 1e-8, 22, "radau"},
                                      ByTolerance{"ascher_petzold_2", 1e-6, 22, "radau"},
                                      ByTolerance{"kepler", 1e-6, 23, "explicit"},
                                      ByTolerance{"kepler", 1e-8, 24, "taylor"},
                                      ByTolerance{"slider_crank", 1e-4, 25, "explicit"},
                                      ByTolerance{"slider_crank", 1e-6, 24, "taylor"},
                                      ByTolerance{"double_pendulum", 1e-4, 24, "taylor"},
                                      ByTolerance{"pendulum", 1e-6, 24, "taylor"},
                                      ByTolerance{"two_pendula", 1e-10, 24, "taylor"},
                                      ByTolerance{"two_pendula", 1e-6, 25, "explicit"},
                                      ByTolerance{"fekete", 1e-6, 25, "explicit"},
                                      ByTolerance{"crane", 1e-6, 20, "bdf"},
                                      ByTolerance{"capacitor_loop", 1e-6, 24, "taylor"},
                                      ByTolerance{"capacitor_loop", 1e-8, 24, "taylor"}}) {
    const Recommendation r = chosen(samples::read(samples::path_of(expected.name)),
                                    {.tolerance = expected.tolerance, .effort = Effort::Glance})
                                 .recommendation;
    EXPECT_EQ(r.row, expected.row) << expected.name << ": " << to_string(r);
    EXPECT_EQ(driftless::to_string(r.method), expected.method) << expected.name;
  }
}

// The successor is chosen with the method: an implicit one that restarts at low cost, series where they would be
// chosen, and none where nothing else applies.
TEST(Choose, SuccessorsFitTheProblem) {
  using Names = std::pair<std::string, std::string>;
  const auto successors = [](const char* name, double tolerance) {
    return chosen(samples::read(samples::path_of(name)), {.tolerance = tolerance, .effort = Effort::Glance})
        .recommendation.successors;
  };
  const auto names = [](const Successors& s) {
    return Names(s.when_stiff ? driftless::to_string(*s.when_stiff) : "",
                 s.when_not_stiff ? driftless::to_string(*s.when_not_stiff) : "");
  };
  EXPECT_EQ(names(successors("braked_pendulum", 1e-6)), Names("radau", "taylor"));
  EXPECT_EQ(names(successors("braked_pendulum", 1e-8)), Names("radau", "taylor"));
  EXPECT_EQ(names(successors("kepler", 1e-3)), Names("radau", "explicit"));
  EXPECT_EQ(names(successors("kepler", 1e-4)), Names("radau", "explicit"));
  EXPECT_EQ(names(successors("akzo", 1e-6)), Names("radau", "explicit"));
  EXPECT_EQ(names(successors("chain", 1e-6)), Names("radau", "explicit"));
  EXPECT_EQ(names(successors("transistor_amplifier", 1e-6)), Names("", ""));
}

// ---- events

bool is_bdf(const Method& method) { return std::holds_alternative<method::Bdf>(method); }
bool is_radau(const Method& method) { return std::holds_alternative<method::Radau>(method); }

TEST(Decide, StiffModelsWithRestartsGetAMethodThatBeginsAtLowCost) {
  Indicators i;
  i.kind = Kind::Index1;
  i.unknowns = 20, i.degrees_of_freedom = 10;
  i.tolerance = 1e-4;
  i.decay = 1e6;
  EXPECT_TRUE(is_bdf(decide(i).method));
  i.restarts = true;
  EXPECT_TRUE(is_radau(decide(i).method));
  EXPECT_TRUE(is_radau(*decide(i).successors.when_stiff));
  i.unknowns = 1000;
  EXPECT_TRUE(is_bdf(decide(i).method)) << "a step of Radau costs more than twenty of BDF";
}

// BDF would begin with order 1 and small steps, and an explicit step may be bounded by an oscillating mode.
TEST(Decide, RadauTakesOverFromExplicitMethodsButOnLargeModels) {
  Indicators i;
  i.kind = Kind::Index1;
  i.unknowns = 20, i.degrees_of_freedom = 10;
  i.tolerance = 1e-4;
  i.series_by_explicit = 2.0;
  EXPECT_TRUE(is_radau(*decide(i).successors.when_stiff));
  i.unknowns = 1000;
  EXPECT_TRUE(is_bdf(*decide(i).successors.when_stiff));
}

TEST(Decide, RestartsSpeakAgainstSeries) {
  Indicators i;
  i.kind = Kind::General;
  i.unknowns = 5, i.degrees_of_freedom = 2, i.index = 2;
  i.tolerance = 1e-8;
  EXPECT_TRUE(std::holds_alternative<method::Taylor>(decide(i).method));
  i.restarts = true;
  EXPECT_TRUE(is_radau(decide(i).method));
  i.tolerance = 1e-12;
  EXPECT_TRUE(std::holds_alternative<method::Taylor>(decide(i).method)) << "few methods reach that many digits";
}

}  // namespace
}  // namespace driftless::choose
