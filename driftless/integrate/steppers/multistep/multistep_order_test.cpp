// Orders of convergence of multistep formulas, by the index of the form they are applied to. Errors are the largest on
// the second half of the interval: after the start.
#include <cmath>
#include <numbers>

#include "driftless/integrate/steppers/multistep/multistep.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::driven_pendulum;
using samples::fitted_order;
using samples::from_text;
using samples::SampleProblem;

struct Errors {
  double position = 0.0, velocity = 0.0, multiplier = 0.0;
};

Errors errors(const MultistepFormula& formula, const Formulation& form, double h) {
  SampleProblem sample(driven_pendulum(), form);
  const double stop = 1.6;
  const auto stepper = make_multistep(formula, sample.problem, sample.start, {.stop = stop, .step = h});
  Errors e;
  while (stepper->time() < stop) {
    const StepReport report = stepper->step();
    EXPECT_EQ(report.outcome, Outcome::Success) << report.reason;
    if (report.outcome != Outcome::Success) return {NAN, NAN, NAN};
    const double t = stepper->time(), phi = std::sin(t), w = std::cos(t);
    if (t < 0.5 * stop) continue;
    const auto miss = [&](double& worst, const char* name, double exact) {
      worst = std::max(worst, std::abs(sample(*stepper, name) - exact));
    };
    miss(e.position, "x", std::sin(phi)), miss(e.position, "y", -std::cos(phi));
    miss(e.velocity, "der(x)", std::cos(phi) * w), miss(e.velocity, "der(y)", std::sin(phi) * w);
    miss(e.multiplier, "lambda", 2.0 + std::cos(t));
  }
  return e;
}

struct Orders {
  double position, velocity, multiplier;
};

Orders orders(const MultistepFormula& formula, const Formulation& form, const std::vector<double>& steps) {
  std::vector<double> position, velocity, multiplier;
  for (const double h : steps) {
    const Errors e = errors(formula, form, h);
    position.push_back(e.position), velocity.push_back(e.velocity), multiplier.push_back(e.multiplier);
  }
  return {fitted_order(steps, position), fitted_order(steps, velocity), fitted_order(steps, multiplier)};
}

void expect_order(const MultistepFormula& formula, const Formulation& form, double order,
                  const std::vector<double>& steps) {
  SCOPED_TRACE(to_string(form) + ", order " + std::to_string(order));
  const Orders o = orders(formula, form, steps);
  EXPECT_NEAR(o.position, order, 0.15);
  EXPECT_NEAR(o.velocity, order, 0.15);
  EXPECT_NEAR(o.multiplier, order, 0.15);
}

// M39, M40, M24: order k in every variable of every form, the index-3 form with constant steps included.
class BdfOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, BdfOrder, testing::Range(1, 7), testing::PrintToStringParamName());

TEST_P(BdfOrder, IsReachedAtEveryIndex) {
  const int k = GetParam();
  const std::vector<double> steps = k <= 2   ? std::vector{0.004, 0.002, 0.001}
                                    : k <= 4 ? std::vector{0.016, 0.01, 0.008, 0.005}
                                             : std::vector{0.032, 0.025, 0.02, 0.016};
  for (const Formulation& form : {Formulation(Index1{}), Formulation(Index2{}), Formulation(Original{}),
                                  Formulation(Ggl{}), Formulation(StabilizedIndex1{})})
    expect_order(bdf_formula(k), form, k, steps);
}

// b (y'_n - r y'_{n-1}) = the same combination of derivatives of the cubic through four points: order 3, sigma has the
// root r.
MultistepFormula third_order(double r, bool one_leg) {
  const std::vector<double> here{11. / 6, -3, 3. / 2, -1. / 3}, before{1. / 3, 1. / 2, -1, 1. / 6};
  method::Multistep m{{}, {1.0, -r, 0.0, 0.0}, one_leg};
  for (int j = 0; j < 4; ++j) m.alpha.push_back(here[j] - r * before[j]);
  EXPECT_EQ(not_applicable(m), std::nullopt) << r;
  return formula_of(Method(m));
}

const std::vector<double> moderate{0.016, 0.01, 0.008, 0.005};

// M41: beyond BDF, with sigma strictly stable.
TEST(MultistepOrder, OfAGeneralFormulaHoldsAtEveryIndexIfSigmaIsStrictlyStable) {
  const MultistepFormula formula = third_order(0.4, false);
  ASSERT_TRUE(is_strictly_stable_at_infinity(formula));
  ASSERT_EQ(order(formula), 3);
  for (const Formulation& form : {Formulation(Index1{}), Formulation(Index2{}), Formulation(Ggl{})})
    expect_order(formula, form, 3, moderate);
}

// M41: the same coefficients in one-leg form violate the further conditions and drop to order 2; BDF does not.
TEST(MultistepOrder, OfOneLegFormsIsTwoUnlessTheFurtherConditionsHold) {
  const MultistepFormula formula = third_order(0.4, true);
  ASSERT_EQ(order(formula), 3);
  ASSERT_EQ(one_leg_order(formula), 2);
  for (const Formulation& form : {Formulation(Index1{}), Formulation(Index2{})})
    expect_order(formula, form, 2, moderate);
  MultistepFormula bdf = bdf_formula(3);
  bdf.one_leg = true;
  for (const Formulation& form : {Formulation(Index1{}), Formulation(Index2{})}) expect_order(bdf, form, 3, moderate);
}

// M41, S6: sigma of the trapezoidal rule has the root -1. At index 1 it has its order 2, and at index 2 if everything
// is exact at the start; but there an error of the multiplier at the start is carried on for ever with alternating
// sign, whatever the step size. BDF forgets it.
TEST(MultistepOrder, OfTheTrapezoidalRuleIsLostInTheMultiplierOfIndexTwo) {
  const MultistepFormula trapezoidal = formula_of(Method(method::Multistep{{1.0, -1.0}, {0.5, 0.5}}));
  expect_order(trapezoidal, Index1{}, 2, moderate);
  const double wrong = 1e-2;
  const auto error_at_end = [&](const MultistepFormula& formula, double h) {
    SampleProblem sample(driven_pendulum(), Index2{});
    for (std::size_t s = 0; s < sample.start.y.size(); ++s)
      if (sample.system.reduced().name(sample.system.reduced().slots[s].quantity) == "lambda")
        sample.start.y[s] += wrong;
    const auto stepper = make_multistep(formula, sample.problem, sample.start, {.stop = 1.6, .step = h});
    EXPECT_EQ(samples::run_to(*stepper, 1.6).outcome, Outcome::Success);
    return std::abs(sample(*stepper, "lambda") - 2.0 - std::cos(1.6));
  };
  for (const double h : {0.01, 0.005, 0.0025}) EXPECT_NEAR(error_at_end(trapezoidal, h), wrong, 0.1 * wrong) << h;
  EXPECT_LT(error_at_end(bdf_formula(2), 0.0025), 1e-4);
}

// sigma of the third-order Adams-Moulton formula has the root -1.72: at index 2 the multiplier grows like its powers.
TEST(MultistepOrder, OfAdamsMoultonIsLostAtIndexTwo) {
  const MultistepFormula adams =
      formula_of(Method(method::Multistep{{1.0, -1.0, 0.0}, {5.0 / 12.0, 8.0 / 12.0, -1.0 / 12.0}}));
  const auto sigma = roots(adams.beta);
  double largest = 0.0;
  for (const auto z : sigma) largest = std::max(largest, std::abs(z));
  EXPECT_NEAR(largest, (4.0 + std::sqrt(21.0)) / 5.0, 1e-12);
  expect_order(adams, Index1{}, 3, moderate);
  const double coarse = errors(adams, Index2{}, 0.1).multiplier, fine = errors(adams, Index2{}, 0.05).multiplier;
  EXPECT_GT(fine, 100.0 * coarse);  // 16 more steps: 1.72^16 = 5600, from a start that is 4 times closer or more
}

// LN Example 10.1 and 7-L1: E(t) y' with a kernel that turns. Backward Euler obeys
// (1 + eta) v_n = eta v_{n-1} - (q_n - q_{n-1})/h: errors are multiplied by eta/(1 + eta).
Model turning_kernel(double eta) {
  ModelBuilder m("TurningKernel");
  const Expr y1 = m.variable("y1", {.start = 0.0}), y2 = m.variable("y2", {.start = -1.0});
  const Expr t = m.time();
  m.equation(y1 + eta * t * y2 == sin(t));
  m.equation(der(y1) + eta * t * der(y2) + (1.0 + eta) * y2 == 0.0);
  return m.build();
}

struct TurningRun {
  double error = 0.0;
  Outcome outcome = Outcome::Success;
};

// The equations as they stand, without any reduction.
TurningRun run_turning_kernel(double eta, double h) {
  const auto model = std::make_shared<const Model>(turning_kernel(eta));
  structure::Structure shape = samples::structure_of(*model);
  shape.offsets = {{0, 0}, {1, 1}};
  const auto reduced = std::make_shared<const Reduced>(reduce_implicit(model, shape));
  SampleProblem sample(State{.t = 0.0, .y = {0.0, -1.0}, .yp = {1.0 + eta * 1.0, 0.0}, .remarks = {}}, reduced);
  const auto stepper = make_multistep(bdf_formula(1), sample.problem, sample.start, {.stop = 1.0, .step = h});
  TurningRun run;
  while (stepper->time() < 1.0) {
    run.outcome = stepper->step().outcome;
    if (run.outcome != Outcome::Success) return run;
    run.error = std::max(run.error, std::abs(sample(*stepper, "y2") + std::cos(stepper->time())));
  }
  return run;
}

TEST(TurningKernel, BreaksBackwardEulerAsItsRecursionSays) {
  struct Row {
    double eta, errors[3];
  };
  for (const Row& row :
       {Row{-2, {2.2e1, 5.7e3, 2.7e26}}, Row{-1.1, {7.2e7, 4.7e17, 3.8e99}}, Row{-0.9, {2.7e6, 2.3e15, 2.0e90}},
        Row{-0.6, {5.0e-2, 6.1e-1, 3.0e12}}, Row{-0.51, {1.64e-3, 7.7e-4, 5.3e-4}},
        Row{-0.5, {1.66e-3, 4.2e-4, 1.67e-5}}, Row{-0.4, {8.8e-3, 4.3e-3, 8.5e-4}}, Row{0, {4.1e-2, 2.1e-2, 4.2e-3}},
        Row{1, {1.12e-1, 6.0e-2, 1.25e-2}}, Row{10, {3.4e-1, 2.6e-1, 8.2e-2}}}) {
    const double steps[3] = {0.1, 0.05, 0.01};
    for (int k = 0; k < 3; ++k) {
      const TurningRun run = run_turning_kernel(row.eta, steps[k]);
      ASSERT_EQ(run.outcome, Outcome::Success);
      EXPECT_NEAR(run.error / row.errors[k], 1.0, 0.03) << "eta " << row.eta << ", h " << steps[k];
    }
  }
  EXPECT_EQ(run_turning_kernel(-1.0, 0.1).outcome, Outcome::SingularIteration);
}

// The decoupled form u = q, u' + v = 0: u exact, v_n = -(q_n - q_{n-1})/h, whatever eta.
TEST(TurningKernel, DoesNoHarmWhenDecoupled) {
  SampleProblem sample(from_text("model Decoupled Real u, v; equation u = sin(time); der(u) + v = 0; end Decoupled;"),
                       Original{});
  const auto stepper = make_multistep(bdf_formula(1), sample.problem, sample.start, {.stop = 1.0, .step = 0.1});
  double error = 0.0, before = 0.0;
  while (stepper->time() < 1.0) {
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    const double q = std::sin(stepper->time());
    EXPECT_NEAR(sample(*stepper, "u"), q, 1e-15);
    EXPECT_NEAR(sample(*stepper, "v"), -(q - before) / 0.1, 1e-13);
    error = std::max(error, std::abs(sample(*stepper, "v") + std::cos(stepper->time())));
    before = q;
  }
  EXPECT_NEAR(error, 4.1e-2, 0.1e-2);
}

}  // namespace
}  // namespace driftless
