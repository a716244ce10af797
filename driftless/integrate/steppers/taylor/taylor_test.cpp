#include "driftless/integrate/steppers/taylor/taylor.hpp"

#include <cmath>

#include "driftless/integrate/run/integrate.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

class Sample {
 public:
  explicit Sample(Model model, Backend backend = Backend::Interpreter)
      : reduced_(samples::reduced(std::move(model))),
        start(samples::consistent_start(*reduced_)),
        system(std::make_shared<System>(reduced_, backend)),
        problem(*system) {}

  double operator()(const Stepper& stepper, const std::string& name) {
    return quantity(stepper.time(), stepper.y(), stepper.yp(), name);
  }
  double between(Stepper& stepper, double t, const std::string& name) {
    std::vector<double> y(problem.size()), yp(problem.size());
    stepper.interpolate(t, y, yp);
    return quantity(t, y, yp, name);
  }

 private:
  std::shared_ptr<const Reduced> reduced_;

 public:
  State start;
  std::shared_ptr<System> system;
  Problem problem;

 private:
  double quantity(double t, std::span<const double> y, std::span<const double> yp, const std::string& name) {
    std::vector<double> quantities(reduced_->quantities.size());
    system->observe({t, y, yp}, quantities);
    for (std::size_t k = 0; k < quantities.size(); ++k)
      if (reduced_->name(reduced_->quantities[k]) == name) return quantities[k];
    throw std::out_of_range(name);
  }
};

// ---- a solution in closed form

// sn(u, k) by the arithmetic-geometric mean (Abramowitz & Stegun 16.4).
double jacobi_sn(double u, double k) {
  std::vector<double> a{1.0}, c{k};
  double b = std::sqrt(1.0 - k * k);
  for (int n = 0; n < 6; ++n) {  // converges quadratically
    const double mean = 0.5 * (a.back() + b);
    c.push_back(0.5 * (a.back() - b));
    b = std::sqrt(a.back() * b);
    a.push_back(mean);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] * std::sin(phi) / a[n]));
  return std::sin(phi);
}

// A pendulum of length 1 that starts at rest, level with its pivot: with k = sin(45°) and ω² = g the angle from the
// downward vertical is φ = 2 asin(k sn(K - ω t)); energy and the rod's direction give the rest.
constexpr double gravity = 9.81;
const double modulus = std::sqrt(0.5), quarter_period = std::comp_ellint_1(modulus) / std::sqrt(gravity);

double angle(double t) {
  return 2.0 * std::asin(modulus * jacobi_sn(std::sqrt(gravity) * (quarter_period - t), modulus));
}
double exact_x(double t) { return std::sin(angle(t)); }
double exact_y(double t) { return -std::cos(angle(t)); }
double exact_spin(double t) { return -std::sqrt(2.0 * gravity * std::cos(angle(t))); }  // in the first half period
double exact_vx(double t) { return exact_spin(t) * std::cos(angle(t)); }
double exact_vy(double t) { return exact_spin(t) * std::sin(angle(t)); }
double exact_force(double t) { return -3.0 * gravity * exact_y(t); }

const char* const horizontal_pendulum = R"(
model Horizontal
  parameter Real g = 9.81;
  Real x(start = 1), y(start = 0, fixed = true), lambda(start = 0);
initial equation
  der(y) = 0;
equation
  der(der(x)) = -lambda*x;
  der(der(y)) = -lambda*y - g;
  x^2 + y^2 = 1;
end Horizontal;)";

const char* const angle_pendulum = R"(
model Angle
  Real phi(start = 1.5707963267948966, fixed = true), omega(start = 0, fixed = true);
equation
  der(phi) = omega;
  der(omega) = -9.81*sin(phi);
end Angle;)";

TEST(ClosedForm, SatisfiesTheEquations) {
  for (const double t : {0.3, 0.7, 1.9}) {
    const double h = 1e-3;
    const auto second = [&](double (*f)(double)) { return (f(t + h) - 2.0 * f(t) + f(t - h)) / (h * h); };
    EXPECT_NEAR(second(exact_x), -exact_force(t) * exact_x(t), 1e-4);
    EXPECT_NEAR(second(exact_y), -exact_force(t) * exact_y(t) - gravity, 1e-4);
  }
  EXPECT_NEAR(exact_x(0.0), 1.0, 1e-15);
}

// ---- order

struct Exact {
  const char* variable;
  double (*value)(double t);
};
using VariableClass = std::vector<Exact>;

// Constant steps; the error of each class of variables, in the maximum norm, at the end of the last step, which is
// projected, and inside it, by the series itself.
void expect_order(int order, const std::vector<int>& numbers_of_steps, double stop, Model (*model)(),
                  const std::vector<VariableClass>& classes) {
  constexpr double slack = 0.35;
  std::vector<double> steps;
  std::vector<std::vector<double>> at_end(classes.size()), inside(classes.size());
  for (const int n : numbers_of_steps) {
    Sample sample(model());
    const double h = stop / n, within = stop - 0.2 * h;
    const auto stepper = make_taylor({.order = order}, sample.problem, sample.start, {.stop = stop, .step = h});
    ASSERT_EQ(samples::run_to(*stepper, stop).outcome, Outcome::Success);
    steps.push_back(h);
    for (std::size_t k = 0; k < classes.size(); ++k) {
      at_end[k].push_back(0.0), inside[k].push_back(0.0);
      for (const auto& [variable, exact] : classes[k]) {
        at_end[k].back() = std::max(at_end[k].back(), std::abs(sample(*stepper, variable) - exact(stop)));
        inside[k].back() =
            std::max(inside[k].back(), std::abs(sample.between(*stepper, within, variable) - exact(within)));
      }
    }
  }
  for (std::size_t k = 0; k < classes.size(); ++k) {
    EXPECT_NEAR(samples::fitted_order(steps, at_end[k]), order, slack) << classes[k][0].variable << " at the end";
    EXPECT_GT(samples::fitted_order(steps, inside[k]), order - slack) << classes[k][0].variable << " inside the step";
  }
}

class TaylorOrder : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Taylor, TaylorOrder, testing::Values(4, 6, 8));

TEST_P(TaylorOrder, IsReachedByEveryClassOfJaysProblem) {
  const auto growing = [](double t) { return std::exp(2.0 * t); };
  const auto decaying = [](double t) { return std::exp(-t); };
  const std::vector<int> steps = GetParam() < 8 ? std::vector{16, 23, 32, 45} : std::vector{8, 11, 16, 23};
  expect_order(GetParam(), steps, 1.0, [] { return samples::read(samples::path_of("jay")); },
               {{{"y1", growing}, {"y2", decaying}}, {{"z1", growing}, {"z2", decaying}}, {{"u", [](double t) {
                                                                                              return std::exp(t);
                                                                                            }}}});
}

TEST_P(TaylorOrder, IsReachedByVelocitiesAndForceOfThePendulum) {
  expect_order(GetParam(), {32, 45, 64, 90}, 1.0, [] { return samples::from_text(horizontal_pendulum); },
               {{{"der(x)", exact_vx}, {"der(y)", exact_vy}}, {{"lambda", exact_force}}});
}

// ---- accuracy

// With gravity 1 the motion is the same in the time t / sqrt(9.81).
TEST(Taylor, KeepsThirteenDigitsOverHundredUnits) {
  Model model = samples::from_text(horizontal_pendulum);
  model.parameters[0].value = 1.0;
  Sample sample(std::move(model));
  const double stop = 100.0, in_other_time = stop / std::sqrt(gravity);
  const auto stepper = make_taylor({}, sample.problem, sample.start, {.tolerance = 1e-16, .stop = stop});
  ASSERT_EQ(samples::run_to(*stepper, stop).outcome, Outcome::Success);
  EXPECT_NEAR(sample(*stepper, "x"), exact_x(in_other_time), 1e-13);
  EXPECT_NEAR(sample(*stepper, "y"), exact_y(in_other_time), 1e-13);
  EXPECT_NEAR(std::hypot(sample(*stepper, "x"), sample(*stepper, "y")), 1.0, 1e-15);
}

// From rest at exactly 90 degrees three of four coefficients of the angle vanish by symmetry. A step size from
// the last two of them is sometimes unbounded.
class FromRest : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Taylor, FromRest, testing::Values(1e-3, 1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12, 1e-14));

TEST_P(FromRest, TheFirstStepIsNotWild) {
  const double tolerance = GetParam(), stop = 2.2;
  for (const int order : {0, 8, 9, 10, 11, 12, 13, 14, 15, 16}) {
    Sample cartesian(samples::from_text(horizontal_pendulum));
    const auto stepper =
        make_taylor({.order = order}, cartesian.problem, cartesian.start, {.tolerance = tolerance, .stop = stop});
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    EXPECT_LT(stepper->last_step(), 2.0 * quarter_period);
    ASSERT_EQ(samples::run_to(*stepper, stop).outcome, Outcome::Success);
    EXPECT_NEAR(cartesian(*stepper, "x"), exact_x(stop), 200.0 * tolerance) << order;

    Sample polar(samples::from_text(angle_pendulum));
    const auto other =
        make_taylor({.order = order}, polar.problem, polar.start, {.tolerance = tolerance, .stop = stop});
    ASSERT_EQ(other->step().outcome, Outcome::Success);
    EXPECT_LT(other->last_step(), 2.0 * quarter_period);
    ASSERT_EQ(samples::run_to(*other, stop).outcome, Outcome::Success);
    EXPECT_NEAR(polar(*other, "phi"), angle(stop), 200.0 * tolerance) << order;
  }
}

// ---- whole runs

Solution run(Model model, const IntegrateOptions& options) {
  Sample sample(std::move(model));
  Solution solution;
  integrate(sample.system, sample.start, options, solution);
  return solution;
}

class WholeRun : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Taylor, WholeRun,
                         testing::Values("pendulum", "squeezer", "jay", "two_pendula", "three_pendula", "four_pendula",
                                         "car_axis", "slider_crank", "pendulum_first_order"));

// The certificate uses symbolic derivatives of the constraints, which the method does not use. Points between the steps
// come from the series alone.
TEST_P(WholeRun, AgreesWithATighterRunOfHigherOrder) {
  const Model model = samples::read(samples::path_of(GetParam()));
  const double stop = 0.4 * model.experiment.stop;
  const Solution solution =
      run(samples::read(samples::path_of(GetParam())),
          {.stop = stop, .method = method::Taylor{}, .tolerance = 1e-8, .intervals = 37, .dense = true});
  const Solution tight =
      run(samples::read(samples::path_of(GetParam())),
          {.stop = stop, .method = method::Taylor{.order = 30}, .tolerance = 1e-13, .intervals = 37, .dense = true});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  ASSERT_EQ(tight.outcome, Outcome::Success) << tight.message;
  for (std::size_t column = 0; column < solution.series(); ++column) {
    if (solution.columns[column].is_derivative) continue;
    for (std::size_t row = 0; row < solution.times.size(); ++row) {
      const double expected = tight.value(row, column);
      EXPECT_NEAR(solution.value(row, column), expected, 1e-6 * (1.0 + std::abs(expected)))
          << solution.columns[column].name << " at " << solution.times[row];
    }
    // and by the stored polynomials
    const double t = 0.613 * stop, expected = tight.at(t)[column];
    EXPECT_NEAR(solution.at(t)[column], expected, 1e-6 * (1.0 + std::abs(expected))) << solution.columns[column].name;
  }
  EXPECT_EQ(solution.statistics.pivots, 0);
}

TEST(Taylor, AgreesWithAnotherMethod) {
  for (const char* name : {"squeezer", "two_pendula"}) {
    const double stop = 0.5 * samples::read(samples::path_of(name)).experiment.stop;
    const IntegrateOptions series{.stop = stop, .method = method::Taylor{}, .tolerance = 1e-10, .intervals = 1};
    const IntegrateOptions implicit{.stop = stop, .method = method::Radau{5}, .step = stop / 4000.0, .intervals = 1};
    const Solution a = run(samples::read(samples::path_of(name)), series);
    const Solution b = run(samples::read(samples::path_of(name)), implicit);
    ASSERT_EQ(b.outcome, Outcome::Success) << b.message;
    for (std::size_t column = 0; column < a.series(); ++column)
      if (!a.columns[column].is_derivative) {
        const double expected = b.value(1, column);
        EXPECT_NEAR(a.value(1, column), expected, 1e-7 * (1.0 + std::abs(expected)))
            << name << " " << a.columns[column].name;
      }
  }
}

// Seven pendula in cascade, the force in each rod setting the length of the next (Nedialkov & Pryce 2005): the first
// length is differentiated 14 times.
const char* const seven_pendula = R"(
model Seven
  parameter Integer N = 7;
  parameter Real G = 9.8, L = 1, c = 0.1;
  Real x[N](each start = 0.05, each fixed = true), y[N](start = {0.99875, 1.97, 1.49, 1.66, 1.59, 1.61, 1.61});
  Real lam[N](start = {9.79, 4.95, 6.6, 5.9, 6.1, 6.1, 6.1});
initial equation
  for i in 1:N loop
    der(x[i]) = 0;
  end for;
equation
  for i in 1:N loop
    der(der(x[i])) + lam[i]*x[i] = 0;
    der(der(y[i])) + lam[i]*y[i] - G = 0;
  end for;
  x[1]^2 + y[1]^2 = L^2;
  for i in 2:N loop
    x[i]^2 + y[i]^2 = (L + c*lam[i - 1])^2;
  end for;
end Seven;)";

TEST(Taylor, IntegratesIndexFifteen) {
  const double stop = 2.0;
  const Solution solution = run(samples::from_text(seven_pendula),
                                {.stop = stop, .method = method::Taylor{}, .tolerance = 1e-10, .intervals = 10});
  const Solution tight =
      run(samples::from_text(seven_pendula),
          {.stop = stop, .method = method::Taylor{.order = 30}, .tolerance = 1e-14, .intervals = 10});
  ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
  ASSERT_EQ(tight.outcome, Outcome::Success) << tight.message;
  // The first pendulum is independent of the others: an elliptic function.
  const double k = std::sin(0.5 * std::asin(0.05)), omega = std::sqrt(9.8);
  const double phi = 2.0 * std::asin(k * jacobi_sn(std::comp_ellint_1(k) - omega * stop, k));
  EXPECT_NEAR(solution.final("x[1]"), std::sin(phi), 1e-10);
  for (const char* name : {"x[2]", "x[4]", "x[7]", "y[7]", "lam[7]"})
    EXPECT_NEAR(solution.final(name), tight.final(name), 1e-8) << name;
  for (const CertificateEntry& entry : solution.certificate) {
    if (entry.level > 0) continue;
    EXPECT_LT(entry.max_residual, 1e-12) << entry.text;
  }
}

// Both longer types are accurate where double has lost its digits; the closed form, in double, has 14 digits.
TEST(Taylor, LongerTypesAgreeWithTheClosedForm) {
  const double stop = 10.0;
  for (const auto& [precision, tolerance] :
       {std::pair{method::Precision::Extended, 1e-18}, {method::Precision::Quadruple, 1e-28}}) {
    Sample sample(samples::from_text(horizontal_pendulum));
    const method::Taylor method{.precision = precision};
    if (const auto reason = not_applicable(method, sample.problem)) GTEST_SKIP() << *reason;
    const auto stepper = make_taylor(method, sample.problem, sample.start, {.tolerance = tolerance, .stop = stop});
    ASSERT_EQ(samples::run_to(*stepper, stop).outcome, Outcome::Success);
    EXPECT_NEAR(sample(*stepper, "x"), exact_x(stop), 1e-13);
    EXPECT_NEAR(sample(*stepper, "lambda"), exact_force(stop), 1e-12);
    EXPECT_NEAR(std::hypot(sample(*stepper, "x"), sample(*stepper, "y")), 1.0, 3e-16);
  }
}

TEST(Taylor, TakesTolerancesDownToTheRoundingOfItsNumbers) {
  EXPECT_EQ(smallest_tolerance(method::Ida{}), 1e-14);
  EXPECT_LT(smallest_tolerance(method::Taylor{}), 1e-15);
  EXPECT_LT(smallest_tolerance(method::Taylor{.precision = method::Precision::Quadruple}), 1e-30);
}

// ---- refusals and failures

std::string refusal(Model model, const Formulation& formulation) {
  samples::SampleProblem sample(std::move(model), formulation);
  return not_applicable(method::Taylor{}, sample.problem).value_or("");
}

TEST(Taylor, RefusesFormulations) {
  EXPECT_THAT(refusal(samples::pendulum(), formulation::Index1{}), testing::HasSubstr("as they stand"));
}

TEST(Taylor, StopsWhereAValueEnds) {
  const Solution solution = run(samples::from_text("model M Real x(start = 1, fixed = true); equation "
                                                   "der(x) = -1/sqrt(x); end M;"),
                                {.stop = 1.0, .method = method::Taylor{}, .tolerance = 1e-8});
  EXPECT_NE(solution.outcome, Outcome::Success);
  EXPECT_NEAR(solution.reached, 2.0 / 3.0, 1e-3);  // x^(3/2) = 1 - 3 t / 2
}

}  // namespace
}  // namespace driftless
