// Models integrated by their derivative array (docs/derivative-array.md): closed forms, all levels at rounding, orders,
// the stop where ranks change, and refusals.
#include <cmath>
#include <ctime>
#include <filesystem>
#include <functional>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/array_for_start.hpp"
#include "driftless/driftless.hpp"

namespace driftless {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr double rounding = 1e-11;  // of residuals, relative to their terms
const std::filesystem::path own = ARRAY, models = MODELS;

using Closed = std::function<double(double t)>;
struct Case {
  std::string model;  // a file of this folder
  int index, differentiations, degrees_of_freedom;
  int with_one_less;  // differentiations that Kunkel and Mehrmann need
  std::vector<std::pair<std::string, Closed>> solution;
  friend void PrintTo(const Case& one, std::ostream* stream) { *stream << one.model; }
};

double chain(int k, double t) { return std::sin(t + (5 - k) * std::acos(-1.0) / 2.0); }
double z1(double t) { return 1.0 - std::sin(t) + std::exp(-t); }
double z2(double t) { return std::cos(t) + t; }
double v(double t) { return (0.5 + t) * std::exp(-t) + 1.0 + (std::cos(t) - std::sin(t)) / 2.0; }

const std::vector<Case> cases{
    {"unstructured",
     3,
     3,
     1,
     2,
     {{"x1", [](double t) { return std::cos(t) * z1(t) - std::sin(t) * std::sin(t); }},
      {"x2", [](double t) { return std::sin(t) * z1(t) + std::cos(t) * std::sin(t); }},
      {"x3", [](double t) { return std::cos(2.0 * t) * z2(t) - std::sin(2.0 * t) * v(t); }},
      {"x4", [](double t) { return std::sin(2.0 * t) * z2(t) + std::cos(2.0 * t) * v(t); }}}},
    {"product_of_rates",
     2,
     1,
     1,
     1,
     {{"x", [](double t) { return 2.0 * t + std::sin(t); }},
      {"y", [](double t) { return t + (1.0 - std::cos(t)) / 2.0; }},
      {"dy", [](double t) { return 1.0 + std::sin(t) / 2.0; }}}},
    {"chain_of_index_5",
     5,
     4,
     1,
     4,
     {{"x[1]", [](double t) { return chain(1, t); }},
      {"x[3]", [](double t) { return chain(3, t); }},
      {"v", [](double t) { return 0.5 * std::exp(-t) + (std::sin(t) + std::cos(t)) / 2.0; }}}},
};

Solution run(const std::filesystem::path& file, const char* formulation, const char* method,
             SimulateOptions options = {}) {
  options.formulation = *parse_formulation(formulation);
  options.method = *parse_method(method);
  options.backend = Backend::Interpreter;
  return simulate(read_model_file(file), options);
}

double largest_error(const Solution& solution, const Case& one) {
  double largest = 0.0;
  for (const auto& [name, exact] : one.solution) {
    const std::vector<double> values = solution.column(name);
    for (std::size_t row = 0; row < values.size(); ++row)
      largest = std::max(largest, std::abs(values[row] - exact(solution.times[row])));
  }
  return largest;
}

class Arrays : public testing::TestWithParam<Case> {
 protected:
  std::filesystem::path file() const { return own / (GetParam().model + ".mo"); }
};

TEST_P(Arrays, HaveTheirIndex) {
  const Case& one = GetParam();
  const auto index_in = [&](const char* formulation) {
    return *analyze(read_model_file(file()), *parse_formulation(formulation)).array_index;
  };
  const ArrayIndex index = index_in("derivative-array"), less = index_in("derivative-array:kunkel-mehrmann");
  EXPECT_EQ(index.index, one.index);
  EXPECT_EQ(index.differentiations, one.differentiations);
  EXPECT_EQ(index.degrees_of_freedom, one.degrees_of_freedom);
  EXPECT_EQ(less.index, one.index);
  EXPECT_EQ(less.differentiations, one.with_one_less);
  EXPECT_EQ(less.degrees_of_freedom, one.degrees_of_freedom);
}

TEST_P(Arrays, AreIntegratedByEveryKindOfMethod) {
  constexpr double tolerance = 1e-8;
  for (const char* method : {"bdf", "radau", "dopri5", "dop853"}) {
    const Solution solution = run(file(), "derivative-array", method, {.tolerance = tolerance});
    ASSERT_EQ(solution.outcome, Outcome::Success) << method << ": " << solution.message;
    EXPECT_LT(largest_error(solution, GetParam()), 100.0 * tolerance) << method;
    EXPECT_LT(solution.largest_residual(), rounding) << method;
  }
}

// Its differential equations are chosen anew on the way.
TEST_P(Arrays, AreIntegratedInTheFormOfIndexOne) {
  constexpr double tolerance = 1e-8;
  for (const char* method : {"auto", "radau", "bdf", "ida"}) {
    if (std::string(method) == "ida" && !parse_method(method)) continue;
    const Solution solution = run(file(), "derivative-array:kunkel-mehrmann", method, {.tolerance = tolerance});
    ASSERT_EQ(solution.outcome, Outcome::Success) << method << ": " << solution.message;
    EXPECT_LT(solution.largest_residual(), rounding) << method;
    EXPECT_LT(largest_error(solution, GetParam()), 100.0 * tolerance) << method;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Arrays, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.model; });

// Both equations of motion are differential ones for a while, the derivative of x or of y beside them: none of them
// determines the motion all the way round.
TEST(ArrayPendulum, ChangesItsDifferentialEquationsOnTheWay) {
  const Solution reference = run(models / "pendulum.mo", "dummy", "bdf", {.tolerance = 1e-9});
  for (const auto& file : {models / "pendulum.mo", own / "rotated_pendulum.mo"})
    for (const char* method : {"bdf", "radau"}) {
      const Solution solution = run(file, "derivative-array:kunkel-mehrmann", method, {.tolerance = 1e-9});
      ASSERT_EQ(solution.outcome, Outcome::Success) << file << " " << method << ": " << solution.message;
      EXPECT_GE(solution.statistics.pivots, 4) << file << " " << method;
      EXPECT_NEAR(solution.final("x"), reference.final("x"), 1e-6) << file << " " << method;
      EXPECT_NEAR(solution.final("lambda"), reference.final("lambda"), 1e-6) << file << " " << method;
      EXPECT_LT(solution.largest_residual(), rounding) << file << " " << method;
      for (std::size_t row = 0; row < solution.times.size(); ++row) {
        const auto value = [&](const char* name) { return solution.value(row, *solution.find(name)); };
        const double x = value("x"), y = value("y"), vx = value("der(x)"), vy = value("der(y)");
        ASSERT_NEAR(x * x + y * y, 1.0, 1e-13);
        ASSERT_NEAR(x * vx + y * vy, 0.0, 1e-12);
        ASSERT_NEAR(x * value("der(der(x))") + y * value("der(der(y))") + vx * vx + vy * vy, 0.0, 1e-11);
      }
    }
}

// Constant steps of half the size: the error at the end goes down by 2^order.
TEST(ArrayOrders, AreThoseOfTheMethods) {
  const Case& one = cases[0];
  struct Tried {
    const char* method;
    double order, step;
    const char* formulation = "derivative-array";
  };
  constexpr const char* index_one = "derivative-array:kunkel-mehrmann";
  for (const auto& [method, order, step, formulation] :
       {Tried{"backward-euler", 1.0, 0.0125}, Tried{"bdf2", 2.0, 0.0125}, Tried{"bdf3", 3.0, 0.0125},
        Tried{"radau3", 5.0, 0.05}, Tried{"rk4", 4.0, 0.0125}, Tried{"backward-euler", 1.0, 0.0125, index_one},
        Tried{"bdf2", 2.0, 0.0125, index_one}, Tried{"bdf3", 3.0, 0.0125, index_one}}) {
    SCOPED_TRACE(formulation);
    double errors[2];
    for (int k = 0; k < 2; ++k) {
      const Solution solution = run(own / "unstructured.mo", formulation, method, {.step = step / (1 << k)});
      ASSERT_EQ(solution.outcome, Outcome::Success) << method << ": " << solution.message;
      errors[k] = std::abs(solution.final("x4") - one.solution[3].second(2.0));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.1) << method << ": " << errors[0] << ", " << errors[1];
  }
}

// No derivative at all, no constraint, nothing free: every part of the array may be empty.
TEST(ArrayLimits, AreModelsWithoutHiddenConstraints) {
  const auto solved = [](const char* text, const char* formulation) {
    const Solution solution =
        simulate(read_model_text("limit.mo", text),
                 {.stop = 1.0, .tolerance = 1e-8, .formulation = *parse_formulation(formulation)});
    EXPECT_EQ(solution.outcome, Outcome::Success) << formulation << ": " << solution.message;
    return solution.final("x");
  };
  for (const char* formulation : {"derivative-array", "derivative-array:kunkel-mehrmann"}) {
    EXPECT_NEAR(solved("model A Real x(start = 1); equation x^3 + x = 2 + time; end A;", formulation), 1.2134116, 1e-6);
    EXPECT_NEAR(solved("model A Real x(start = 1, fixed = true); equation der(x) = -x; end A;", formulation),
                std::exp(-1.0), 1e-6);
    EXPECT_NEAR(solved("model A Real x, y; equation der(y) = x; y = sin(time); end A;", formulation), std::cos(1.0),
                1e-6);
  }
}

TEST(ArrayPendulum, TurnsAsWithDummyDerivatives) {
  const SimulateOptions options{.tolerance = 1e-9};
  const Solution reference = run(models / "pendulum.mo", "dummy", "bdf", options);
  for (const auto& file : {models / "pendulum.mo", own / "rotated_pendulum.mo"})
    for (const char* method : {"bdf", "radau"}) {
      const Solution solution = run(file, "derivative-array", method, options);
      ASSERT_EQ(solution.outcome, Outcome::Success) << file << " " << method << ": " << solution.message;
      EXPECT_NEAR(solution.final("x"), reference.final("x"), 1e-6) << file << " " << method;
      EXPECT_NEAR(solution.final("lambda"), reference.final("lambda"), 1e-6) << file << " " << method;
      EXPECT_LT(solution.largest_residual(), rounding) << file << " " << method;
      EXPECT_GE(solution.statistics.pivots, 4) << "neither x nor y is a state all the way";
      for (std::size_t row = 0; row < solution.times.size(); ++row) {
        const auto value = [&](const char* name) { return solution.value(row, *solution.find(name)); };
        const double x = value("x"), y = value("y"), vx = value("der(x)"), vy = value("der(y)");
        ASSERT_NEAR(x * x + y * y, 1.0, 1e-13);
        ASSERT_NEAR(x * vx + y * vy, 0.0, 1e-12);
        ASSERT_NEAR(x * value("der(der(x))") + y * value("der(der(y))") + vx * vx + vy * vy, 0.0, 1e-11);
      }
    }
}

// Index 3 with ten bodies, index 1 with dependent rates (a repair finds 5 states), index 5.
TEST(ArrayShipped, ModelsEndWhereDummyDerivativesDo) {
  const std::pair<const char*, int> index_of[] = {{"squeezer", 3}, {"transistor_amplifier", 1}, {"crane", 5}};
  for (const auto& [name, index] : index_of) {
    const std::filesystem::path file = models / (std::string(name) + ".mo");
    const Solution expected = run(file, "dummy", "bdf", {.tolerance = 1e-8});
    const Solution solution = run(file, "derivative-array", "bdf", {.tolerance = 1e-8});
    ASSERT_EQ(solution.outcome, Outcome::Success) << name << ": " << solution.message;
    EXPECT_EQ(solution.structure.structural_index, index) << name;
    EXPECT_EQ(solution.structure.degrees_of_freedom, expected.structure.degrees_of_freedom) << name;
    for (const Variable& variable : read_model_file(file).variables) {
      const double end = expected.final(variable.name);
      EXPECT_NEAR(solution.final(variable.name), end, 1e-4 * (1.0 + std::abs(end))) << name << ": " << variable.name;
    }
  }
}

// Their differential equations are chosen among those of the model; the crane has none, its x is determined.
TEST(ArrayShipped, ModelsEndThereInTheFormOfIndexOne) {
  for (const char* name : {"squeezer", "crane"}) {
    const std::filesystem::path file = models / (std::string(name) + ".mo");
    const Solution expected = run(file, "dummy", "bdf", {.tolerance = 1e-9});
    for (const char* method : {"bdf", "radau"})
      for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8}) {
        const Solution solution = run(file, "derivative-array:kunkel-mehrmann", method, {.tolerance = tolerance});
        ASSERT_EQ(solution.outcome, Outcome::Success) << name << " " << method << ": " << solution.message;
        EXPECT_EQ(solution.structure.degrees_of_freedom, expected.structure.degrees_of_freedom) << name;
        EXPECT_EQ(solution.verdict(), Verdict::Kept) << name << " " << method << " " << tolerance;
        for (const Variable& variable : read_model_file(file).variables) {
          const double end = expected.final(variable.name);
          EXPECT_NEAR(solution.final(variable.name), end, 1e4 * tolerance * (1.0 + std::abs(end)))
              << name << " " << method << ": " << variable.name;
        }
      }
  }
}

// 1.05 sin 2θ = 1 is where no steering holds the point on its circle (Hairer, Wanner 1996, (1.9)): y f = 1.05 sin 2θ +
// sin(θ + 2.5 z) on the circle, which has no zero beyond.
TEST(ArraySteering, StopsWhereTheRanksChange) {
  for (const char* formulation : {"dummy", "derivative-array", "derivative-array:kunkel-mehrmann"})
    for (const char* method : {"bdf", "radau"}) {
      const Solution solution = run(own / "steering_into_the_singularity.mo", formulation, method, {.tolerance = 1e-8});
      EXPECT_FALSE(reached_end(solution.outcome)) << formulation << " " << method;
      const double angle = std::atan2(solution.final("y2"), solution.final("y1"));
      EXPECT_NEAR(std::abs(angle), std::asin(1.0 / 1.05) / 2.0, 1e-2) << formulation << " " << method;
    }
}

// Where no repair is found and ranks say that it works, a run takes the array by itself, whatever the method.
TEST(ArrayByItself, IsTakenWhereTheStructureMisleads) {
  const Model model = read_model_file(own / "product_of_rates.mo");
  for (const char* method : {"auto", "bdf", "radau", "explicit"}) {
    const Solution s = simulate(model, {.method = *parse_method(method)});
    EXPECT_EQ(s.outcome, Outcome::Success) << method << s.message;
    EXPECT_EQ(s.formulation, "derivative-array") << method;
    EXPECT_EQ(s.structure.structural_index, 2) << method;
    EXPECT_EQ(s.structure.degrees_of_freedom, 1) << method;
    EXPECT_THAT(s.remarks, testing::Contains(AllOf(HasSubstr("the structure promises"),
                                                   HasSubstr("integrated as --formulation derivative-array"))))
        << method;
    EXPECT_NEAR(s.final("x"), 6.0 + std::sin(3.0), 1e-4) << method;
    EXPECT_NEAR(s.final("y"), 3.0 + (1.0 - std::cos(3.0)) / 2.0, 1e-4) << method;
  }
}

// Equations are multiplied and added to others, with factors that depend on unknowns: the structure promises one state
// more, and the system Jacobian is singular wherever the equations hold. A method that trusted it would compute noise.
TEST(ArrayByItself, IsTakenWhereTheMatrixIsSingularWhereverTheEquationsHold) {
  struct Mixed {
    const char* text;
    int index, states;
    double x;
  };
  const Mixed mixed[] = {{R"(model Added
  Real x(start = 1, fixed = true), y(start = 0), m(start = 1);
equation
  der(x) = -x + (y - sin(time))*m;
  y + (2 + m)*(der(x) + x - (y - sin(time))*m) = sin(time);
  der(y) = m;
end Added;)",
                          2, 1, std::exp(-1.0)},
                         {R"(model Multiplied
  Real x, v, u;
equation
  der(x) = v;
  der(v) = u;
  x*(1 + v^2) = (1 - cos(time))*(1 + v^2);
end Multiplied;)",
                          3, 0, 1.0 - std::cos(1.0)},
                         {R"(model Hessenberg
  Real x(start = 0), y(start = 0), z(start = 1);
equation
  der(x) + x - z + (1.6 + sin(x))*(der(y) + y/2 - 2*z - cos(time)/2 + 2*cos(time) - sin(time)/4) = sin(time);
  der(y) + y/2 - 2*z = cos(time)/2 - 2*cos(time) + sin(time)/4;
  x + y - 1.5*sin(time) + (1.6 + sin(z))*(der(x) + x - z - sin(time)) = 0;
end Hessenberg;)",
                          2, 1, std::sin(1.0)}};
  for (const Mixed& c : mixed)
    for (const char* method : {"auto", "bdf", "radau", "explicit"}) {
      const Solution s = simulate(read_model_text("model.mo", c.text), {.method = *parse_method(method)});
      EXPECT_EQ(s.outcome, Outcome::Success) << s.model << method << s.message;
      EXPECT_EQ(s.formulation, "derivative-array") << s.model << method;
      EXPECT_EQ(s.structure.structural_index, c.index) << s.model << method;
      EXPECT_EQ(s.structure.degrees_of_freedom, c.states) << s.model << method;
      EXPECT_NEAR(s.final("x"), c.x, 1e-4) << s.model << method;
    }
  // Where nothing is singular nothing changes.
  const Solution pendulum = simulate(read_model_file(models / "pendulum.mo"), {.stop = 0.1});
  EXPECT_NE(pendulum.formulation, "derivative-array");
}

// Linear, of index 1: the algebraic equation of z must not be differentiated, but that of x is, and x occurs in one
// equation alone with its derivative. The structure counts one differentiation more.
TEST(ArrayIndex, IsTheTrueOneWhereTheStructureCountsMore) {
  const Analysis analysis = analyze(read_model_text("model.mo", R"(model Counted
  Real x, y, z;
equation
  der(x) + der(y) + x = 0;
  x - y = sin(time);
  z = 2*x;
end Counted;)"));
  EXPECT_EQ(analysis.shape.structural_index, 2);
  EXPECT_EQ(index_by_ranks(analysis), 1);
  EXPECT_EQ(index_by_ranks(analyze(read_model_file(models / "pendulum.mo"))), std::nullopt) << "the bound is reached";
}

// What is left out because it follows from the rest is no row of the array, and is checked.
TEST(ArrayOfWhatIsLeft, ChecksWhatWasLeftOut) {
  const Solution s = run(own / ".." / "doctor" / "position_and_velocity.mo", "derivative-array", "bdf", {.stop = 1.0});
  ASSERT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_TRUE(std::ranges::any_of(
      s.certificate, [](const CertificateEntry& entry) { return entry.constraint == "line 11" && entry.level == 0; }));
}

// Cells coupled with their neighbours in both equations: as a sparse matrix.
class ArrayOfALadder : public testing::TestWithParam<int> {
 protected:
  static Model ladder(int cells) {
    return read_model_file(own / "ladder.mo", {.overrides = {{"N", std::to_string(cells)}}});
  }
};

TEST_P(ArrayOfALadder, IsIntegratedByEveryKindOfMethod) {
  const int cells = GetParam();
  constexpr double tolerance = 1e-6;
  for (const char* method : {"auto", "bdf", "radau", "dopri5"}) {
    const Solution s =
        simulate(ladder(cells), {.tolerance = tolerance, .intervals = 10, .method = *parse_method(method)});
    ASSERT_EQ(s.outcome, Outcome::Success) << method << s.message;
    EXPECT_EQ(s.formulation, "derivative-array") << method;
    EXPECT_EQ(s.structure.structural_index, 2) << method;
    EXPECT_EQ(s.structure.degrees_of_freedom, cells) << method;
    EXPECT_EQ(s.certificate.size(), 10u * cells) << method;  // all equations, and their derivatives
    EXPECT_LT(s.largest_residual(), rounding) << method;
    for (int k = 1; k <= cells; ++k) {
      const std::string index = "[" + std::to_string(k) + "]";
      EXPECT_NEAR(s.final("x" + index), 2.0 + std::sin(1.0 + k), 100.0 * tolerance) << method << k;
      EXPECT_NEAR(s.final("y" + index), 1.0 - std::cos(1.0 + k) / 2.0, 100.0 * tolerance) << method << k;
      EXPECT_NEAR(s.final("dy" + index), 1.0 + std::sin(1.0 + k) / 2.0, 100.0 * tolerance) << method << k;
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Cells, ArrayOfALadder, testing::Values(8, 40, 200), testing::PrintToStringParamName());

// By the time of the processor, everything included: four times the cells cost some four times as much, and a dense
// matrix would cost 64 times as much.
TEST(ArrayOfALargeLadder, CostsInProportionToItsSize) {
  const auto seconds = [](int cells) {
    const std::clock_t begin = std::clock();
    const Solution s =
        simulate(read_model_file(own / "ladder.mo", {.overrides = {{"N", std::to_string(cells)}}}),
                 {.stop = 0.1, .intervals = 2, .method = *parse_method("bdf"), .backend = Backend::Interpreter});
    EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
    EXPECT_LT(s.largest_residual(), rounding);
    EXPECT_EQ(s.structure.degrees_of_freedom, cells);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  };
  seconds(100);
  EXPECT_LT(seconds(1200), 8.0 * seconds(300));
}

// The factor of the equation that a combination replaces vanishes at 2.74, and at pi/2.
TEST(ArrayByItself, IsTakenByAutoWhereARepairBecomesSingular) {
  const Solution pendulum = simulate(read_model_file(own / "rotated_pendulum.mo"), {.method = *parse_method("auto")});
  EXPECT_EQ(pendulum.outcome, Outcome::Success) << pendulum.message;
  EXPECT_EQ(pendulum.formulation, "derivative-array");
  EXPECT_LT(pendulum.largest_residual(), rounding);
  // Alone, and beside many other equations.
  for (const auto& [variables, equations] :
       {std::pair{"", ""}, std::pair{"Real f[60](each start = 1, each fixed = true);",
                                     "for k in 1:60 loop der(f[k]) = -f[k]; end for;"}}) {
    const std::string text = fmt::format(
        "model A Real x(start = 1, fixed = true), y, z; {} equation "
        "cos(time)*(der(x) + x - z) + sin(time)*(x + y - sin(time)) = 0; "
        "-sin(time)*(der(x) + x - z) + cos(time)*(x + y - sin(time)) = 0; der(y) = z - y*x; {} end A;",
        variables, equations);
    const Solution mixed = simulate(read_model_text("mixed.mo", text), {.stop = 2.0, .method = *parse_method("auto")});
    EXPECT_EQ(mixed.outcome, Outcome::Success) << mixed.message;
    EXPECT_NEAR(mixed.final("x") + mixed.final("y"), std::sin(2.0), 1e-9);
  }
}

TEST(ArrayByItself, IsNotTakenForEquationsThatSayTheSameNorInTheFormThatWasAskedFor) {
  const auto message = [](const Model& model, const char* formulation) -> std::string {
    try {
      simulate(model, {.formulation = *parse_formulation(formulation)});
      return "solved";
    } catch (const ModelError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(
      message(read_model_text("bad.mo", "model A Real x, y; equation x + y = 1; 2*x + 2*y = 2; end A;"), "dummy"),
      AllOf(HasSubstr("say the same"), testing::Not(HasSubstr("derivative-array"))));
  EXPECT_THAT(message(read_model_file(own / "product_of_rates.mo"), "minimal"),
              AllOf(HasSubstr("rank 1 of 2"), HasSubstr("--formulation derivative-array integrates this model"),
                    HasSubstr("index 2 and 1 degree of freedom")));
}

TEST(ArrayRefusals, SayWhatToDo) {
  const auto message = [](const char* text, const char* formulation = "derivative-array") -> std::string {
    try {
      simulate(read_model_text("bad.mo", text), {.formulation = *parse_formulation(formulation)});
      return "solved";
    } catch (const ModelError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(message("model A Real x, y; equation der(x) = x*y; x = noEvent(floor(time)); end A;"),
              HasSubstr("floor"));
  EXPECT_THAT(message("model A parameter Real p(fixed = false) = 1; Real x(start = 1, fixed = true); initial equation "
                      "der(x) = 2; equation der(x) = p*x; end A;"),
              AllOf(HasSubstr("derivative-array does not apply"), HasSubstr("p has fixed = false")));
  EXPECT_THAT(message("model A Real x(start = 2, fixed = true), y; equation x^2 + y^2 = 1; der(x) = y; end A;"),
              AllOf(HasSubstr("no consistent start"), HasSubstr("fixed starts: x = 2")));
}

}  // namespace
}  // namespace driftless
