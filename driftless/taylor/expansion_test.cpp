#include "driftless/taylor/expansion.hpp"

#include <complex>
#include <cstring>
#include <functional>
#include <numbers>

#include "driftless/reduce/sample_models.hpp"

namespace driftless::taylor {
namespace {

Model from_text(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return std::move(*model);
}

std::shared_ptr<const Recurrences> recurrences(Model model) {
  auto system = natural_system(*samples::reduced(std::move(model)));
  return std::make_shared<const Recurrences>(recurrences_of(std::get<NaturalSystem>(std::move(system))));
}

// ---- elementary functions

using Complex = std::complex<double>;

struct Elementary {
  const char* name;
  const char* text;  // of u = 0.4 + 0.3 t + 0.1 t^2 and v = 0.9 - 0.2 t
  std::function<Complex(Complex u, Complex v)> function;
};

void PrintTo(const Elementary& e, std::ostream* out) { *out << e.name; }

class ElementaryFunction : public testing::TestWithParam<Elementary> {};

INSTANTIATE_TEST_SUITE_P(Taylor, ElementaryFunction,
                         testing::Values(
                             Elementary{"Product", "u*v", [](Complex u, Complex v) { return u * v; }},
                             Elementary{"Square", "u*u", [](Complex u, Complex) { return u * u; }},
                             Elementary{"Quotient", "u/v", [](Complex u, Complex v) { return u / v; }},
                             Elementary{"Reciprocal", "2/v", [](Complex, Complex v) { return 2.0 / v; }},
                             Elementary{"QuotientByConstant", "u/3", [](Complex u, Complex) { return u / 3.0; }},
                             Elementary{"Power2", "u^2", [](Complex u, Complex) { return u * u; }},
                             Elementary{"Power3", "u^3", [](Complex u, Complex) { return u * u * u; }},
                             Elementary{"Power7", "u^7", [](Complex u, Complex) { return std::pow(u, 7); }},
                             Elementary{"PowerMinus3", "v^(-3)", [](Complex, Complex v) { return 1.0 / (v * v * v); }},
                             Elementary{"PowerReal", "v^2.5", [](Complex, Complex v) { return std::pow(v, 2.5); }},
                             Elementary{"PowerExpression", "v^u",
                                        [](Complex u, Complex v) { return std::exp(u * std::log(v)); }},
                             Elementary{"Sqrt", "sqrt(v)", [](Complex, Complex v) { return std::sqrt(v); }},
                             Elementary{"Exp", "exp(u)", [](Complex u, Complex) { return std::exp(u); }},
                             Elementary{"Log", "log(v)", [](Complex, Complex v) { return std::log(v); }},
                             Elementary{"Log10", "log10(v)", [](Complex, Complex v) { return std::log10(v); }},
                             Elementary{"Sin", "sin(u)", [](Complex u, Complex) { return std::sin(u); }},
                             Elementary{"Cos", "cos(u)", [](Complex u, Complex) { return std::cos(u); }},
                             Elementary{"Tan", "tan(u)", [](Complex u, Complex) { return std::tan(u); }},
                             Elementary{"Asin", "asin(u)", [](Complex u, Complex) { return std::asin(u); }},
                             Elementary{"Acos", "acos(u)", [](Complex u, Complex) { return std::acos(u); }},
                             Elementary{"Atan", "atan(u)", [](Complex u, Complex) { return std::atan(u); }},
                             Elementary{"Atan2", "atan2(u, v)", [](Complex u, Complex v) { return std::atan(u / v); }},
                             Elementary{"Sinh", "sinh(u)", [](Complex u, Complex) { return std::sinh(u); }},
                             Elementary{"Cosh", "cosh(u)", [](Complex u, Complex) { return std::cosh(u); }},
                             Elementary{"Tanh", "tanh(u)", [](Complex u, Complex) { return std::tanh(u); }},
                             Elementary{"Asinh", "asinh(u)", [](Complex u, Complex) { return std::asinh(u); }},
                             Elementary{"Acosh", "acosh(1 + u + v)",
                                        [](Complex u, Complex v) { return std::acosh(1.0 + u + v); }},
                             Elementary{"Atanh", "atanh(u)", [](Complex u, Complex) { return std::atanh(u); }},
                             Elementary{"Abs", "abs(u - v)", [](Complex u, Complex v) { return v - u; }},
                             Elementary{"Min", "min(u, v)", [](Complex u, Complex) { return u; }},
                             Elementary{"Max", "max(u, v)", [](Complex, Complex v) { return v; }},
                             Elementary{"IfElse", "noEvent(if u < v then u*u else v)",
                                        [](Complex u, Complex) { return u * u; }},
                             Elementary{"SharedOperations", "exp(u)*sin(exp(u)) + cos(exp(u))/exp(u)",
                                        [](Complex u, Complex) {
                                          const Complex e = std::exp(u);
                                          return e * std::sin(e) + std::cos(e) / e;
                                        }}),
                         [](const auto& tested) { return tested.param.name; });

// The coefficients of der(y) = f about a point.
template <class Scalar>
std::vector<double> coefficients_of(const std::shared_ptr<const Recurrences>& r, double point, int last) {
  Expansion<Scalar> expansion(r, last, compile(*r, Backend::Interpreter));
  Series<Scalar> series = expansion.make_series();
  series.begin = point;
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  EXPECT_EQ(expansion.project(series, weights, 0.0), Expansion<Scalar>::Failure::None);
  expansion.expand(series);
  std::vector<double> coefficients;  // y_{n+1} = f_n / (n + 1)
  for (int n = 0; n <= last; ++n) coefficients.push_back(static_cast<double>(series.at(n + 1)[0]) * (n + 1));
  return coefficients;
}

// Against Cauchy's integrals over a circle, by the trapezoidal rule: f_n = 1/N sum_k f(r w^k) w^(-nk) / r^n. Its error
// is of the size of coefficients of order n + N: none.
TEST_P(ElementaryFunction, HasTheCoefficientsOfCauchysIntegrals) {
  const auto r = recurrences(from_text(std::string("model M Real y(start = 0, fixed = true), u, v; equation "
                                                   "u = 0.4 + 0.3*time + 0.1*time^2; v = 0.9 - 0.2*time; der(y) = ") +
                                       GetParam().text + "; end M;"));
  ASSERT_EQ(r->system.unknowns.size(), 1u);  // u and v cost nothing
  constexpr int last = 20, points = 128;
  constexpr double radius = 0.7;  // within the nearest singularity of all of them
  for (const double point : {-1.3, 0.0, 0.5}) {
    std::vector<Complex> values;
    for (int k = 0; k < points; ++k) {
      const Complex t = point + std::polar(radius, 2.0 * std::numbers::pi * k / points);
      values.push_back(GetParam().function(0.4 + 0.3 * t + 0.1 * t * t, 0.9 - 0.2 * t));
    }
    const auto expect_integrals = [&](const std::vector<double>& coefficients, const char* type) {
      for (int n = 0; n <= last; ++n) {
        Complex sum = 0.0;
        for (int k = 0; k < points; ++k)
          sum += values[k] * std::polar(1.0, -2.0 * std::numbers::pi * ((n * k) % points) / points);
        // compared in units of the circle, where rounding of the integrals is uniform
        EXPECT_NEAR(coefficients[n] * std::pow(radius, n), sum.real() / points, 1e-14)
            << type << ", order " << n << " about " << point;
      }
    };
    expect_integrals(coefficients_of<double>(r, point, last), "double");
    expect_integrals(coefficients_of<long double>(r, point, last), "long double");
#ifdef DRIFTLESS_HAS_QUADMATH
    expect_integrals(coefficients_of<Quadruple>(r, point, last), "quadruple");
#endif
  }
}

// ---- the stages

TEST(Stages, SolveTheIndexThreeSeriesOfJaysProblem) {
  const auto r = recurrences(samples::read(samples::path_of("jay")));
  constexpr int last = 15;
  Expansion<double> expansion(r, last, compile(*r, Backend::Interpreter));
  Series<double> series = expansion.make_series();
  const Model& model = *r->system.model;
  const auto unknown = [&](const std::string& name) {
    for (std::size_t j = 0; j < r->system.unknowns.size(); ++j)
      if (model[r->system.unknowns[j].variable].name == name) return static_cast<int>(j);
    return -1;
  };
  // The equations give y' together with z, one more unknown than equations: exact values stay. All other derivatives
  // are left at zero for the stages to find.
  for (const char* name : {"y1", "y2", "z1", "z2", "u"}) series.at(0)[unknown(name)] = 1.0;
  series.at(1)[unknown("y1")] = 2.0, series.at(1)[unknown("y2")] = -1.0;
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  ASSERT_EQ(expansion.project(series, weights, 0.0), Expansion<double>::Failure::None);
  expansion.expand(series);
  double exp_2t = 1.0, exp_minus_t = 1.0, exp_t = 1.0;
  for (int n = 0; n <= last; ++n) {
    for (const char* name : {"y1", "z1"}) EXPECT_NEAR(series.at(n)[unknown(name)], exp_2t, 1e-13) << name << n;
    for (const char* name : {"y2", "z2"}) EXPECT_NEAR(series.at(n)[unknown(name)], exp_minus_t, 1e-13) << name << n;
    EXPECT_NEAR(series.at(n)[unknown("u")], exp_t, 1e-13) << n;
    exp_2t *= 2.0 / (n + 1), exp_minus_t *= -1.0 / (n + 1), exp_t *= 1.0 / (n + 1);
  }
}

// A point off the circle goes to the nearest one on it, and its velocity to the nearest tangent.
TEST(Stages, UpToZeroMoveAPointAsLittleAsPossible) {
  const auto r = recurrences(samples::pendulum());
  Expansion<double> expansion(r, 3, compile(*r, Backend::Interpreter));
  Series<double> series = expansion.make_series();
  series.at(0)[0] = 0.66, series.at(0)[1] = 0.88;  // x, y: 1.1 times (0.6, 0.8)
  series.at(1)[0] = 1.0, series.at(1)[1] = 0.0;
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  ASSERT_EQ(expansion.project(series, weights, 0.0), Expansion<double>::Failure::None);
  EXPECT_NEAR(series.at(0)[0], 0.6, 1e-14);
  EXPECT_NEAR(series.at(0)[1], 0.8, 1e-14);
  EXPECT_NEAR(series.at(1)[0], 0.64, 1e-14);  // (1, 0) without its part along (0.6, 0.8)
  EXPECT_NEAR(series.at(1)[1], -0.48, 1e-14);
  // x'' = -λ x, y'' = -λ y - 1 and x x'' + y y'' + x'^2 + y'^2 = 0 give λ = v^2 - y
  EXPECT_NEAR(series.at(0)[2], 0.64 - 0.8, 1e-14);
}

// Functions of quantities from three different stages, starting far off the constraint: the series satisfies the
// equations in a neighbourhood, and the constraint with all its derivatives.
TEST(Stages, EvaluateFunctionsWhereTheirArgumentsAreFound) {
  const auto r = recurrences(from_text(R"(
model M
  Real x, y, lam;
equation
  der(der(x)) = -lam*x + 0.1*sin(lam)*exp(der(y));
  der(der(y)) = -lam*y - 1;
  cosh(x) + cosh(y) = 2.5;
end M;)"));
  ASSERT_EQ(r->functions.size(), 3u);
  Expansion<double> expansion(r, 15, compile(*r, Backend::Interpreter));
  Series<double> series = expansion.make_series();
  series.at(0)[0] = 0.7, series.at(0)[1] = 0.8;
  series.at(1)[0] = 1.0, series.at(1)[1] = 0.2;
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  ASSERT_EQ(expansion.project(series, weights, 0.0), Expansion<double>::Failure::None);
  expansion.expand(series);
  for (const double tau : {0.0, 0.02}) {
    const auto at = [&](int unknown, int order) { return derivative(series, unknown, order, tau); };
    const double x = at(0, 0), dx = at(0, 1), y = at(1, 0), dy = at(1, 1), lam = at(2, 0);
    EXPECT_NEAR(at(0, 2) + lam * x - 0.1 * std::sin(lam) * std::exp(dy), 0.0, 1e-13) << tau;
    EXPECT_NEAR(at(1, 2) + lam * y + 1.0, 0.0, 1e-13) << tau;
    EXPECT_NEAR(std::cosh(x) + std::cosh(y), 2.5, 1e-14) << tau;
    EXPECT_NEAR(std::sinh(x) * dx + std::sinh(y) * dy, 0.0, 1e-13) << tau;
  }
}

// Coefficients in another unit of time are the same up to powers of two: bit for bit.
TEST(Stages, DoNotDependOnTheUnitOfTime) {
  const auto r = recurrences(samples::read(samples::path_of("squeezer")));
  Expansion<double> expansion(r, 12, compile(*r, Backend::Interpreter));
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  std::vector<Series<double>> results;
  for (const double unit : {1.0, 0.0009765625}) {
    Series<double>& series = results.emplace_back(expansion.make_series());
    series.unit = unit;
    for (int j = 0; j < expansion.unknowns(); ++j)
      series.at(0)[j] = r->system.model->variables[index(r->system.unknowns[j].variable)].start.value_or(0.0);
    ASSERT_EQ(expansion.project(series, weights, 0.0), Expansion<double>::Failure::None);
    expansion.expand(series);
  }
  double power = 1.0;
  for (int n = 0; n < results[0].rows; ++n, power *= results[1].unit)
    for (int j = 0; j < expansion.unknowns(); ++j)
      EXPECT_NEAR(results[0].at(n)[j] * power, results[1].at(n)[j], 1e-9 * std::abs(results[1].at(n)[j])) << n << j;
}

// Longer number types give the same series, more accurately.
template <class Scalar>
Series<Scalar> expanded(const std::shared_ptr<const Recurrences>& r, int last) {
  Expansion<Scalar> expansion(r, last, compile(*r, Backend::Interpreter));
  const std::vector<double> weights(expansion.unknowns(), 1.0);
  Series<Scalar> series = expansion.make_series();
  series.unit = 0.0009765625;
  for (int j = 0; j < expansion.unknowns(); ++j)
    series.at(0)[j] = Scalar(r->system.model->variables[index(r->system.unknowns[j].variable)].start.value_or(0.0));
  EXPECT_EQ(expansion.project(series, weights, 0.0), Expansion<Scalar>::Failure::None);
  expansion.expand(series);
  return series;
}

TEST(Precisions, GiveTheSameSeries) {
  const auto r = recurrences(samples::read(samples::path_of("squeezer")));
  constexpr int last = 12;
  const auto in_double = expanded<double>(r, last);
  const auto in_extended = expanded<long double>(r, last);
  const auto expect_close = [](const auto& a, const auto& b, double relative) {
    for (int n = 0; n < a.rows; ++n)
      for (int j = 0; j < a.width; ++j) {
        const auto expected = static_cast<long double>(b.at(n)[j]);
        EXPECT_NEAR(static_cast<double>(static_cast<long double>(a.at(n)[j]) - expected), 0.0,
                    static_cast<double>(relative * (std::abs(expected) + 1e-12L)))
            << n << " " << j;
      }
  };
  expect_close(in_double, in_extended, 1e-8);
#ifdef DRIFTLESS_HAS_QUADMATH
  expect_close(in_extended, expanded<Quadruple>(r, last), 1e-11);
#endif
}

class Compiled : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Taylor, Compiled, testing::Values("pendulum", "squeezer", "jay", "chain", "three_pendula"));

TEST_P(Compiled, FormulasGiveTheSeriesOfTheInterpreter) {
  if (!backend_available(Backend::Llvm)) GTEST_SKIP() << "built without LLVM";
  const auto r = recurrences(samples::read(samples::path_of(GetParam())));
  std::vector<Series<double>> results;
  for (const Backend backend : {Backend::Interpreter, Backend::Llvm}) {
    Expansion<double> expansion(r, 14, compile(*r, backend));
    const std::vector<double> weights(expansion.unknowns(), 1.0);
    Series<double>& series = results.emplace_back(expansion.make_series());
    series.unit = 0.0009765625;
    for (int j = 0; j < expansion.unknowns(); ++j)
      series.at(0)[j] = r->system.model->variables[index(r->system.unknowns[j].variable)].start.value_or(0.0);
    ASSERT_EQ(expansion.project(series, weights, 0.0), Expansion<double>::Failure::None);
    expansion.expand(series);
  }
  EXPECT_EQ(results[0].coefficients, results[1].coefficients);
}

// Written between the projection of a point and its expansion, with small and with large matrices.
TEST(Expansion, GoesOnWithTheSameBitsWhereItIsRead) {
  for (const char* name : {"pendulum", "kepler", "akzo", "chain"}) {
    const auto shared = recurrences(samples::read(samples::path_of(name)));
    const auto code = compile(*shared, Backend::Interpreter);
    Expansion<double> writes(shared, 9, code), reads(shared, 9, code);
    auto series = writes.make_series();
    series.unit = 0.125;
    for (int j = 0; j < writes.unknowns(); ++j) series.at(0)[j] = 1.0 + 0.1 * std::sin(j), series.at(1)[j] = 0.01;
    const std::vector<double> weights(writes.unknowns(), 1.0);
    writes.project(series, weights, 1e-3);
    Archive writer;
    writes.archive(writer);
    Archive reader(writer.bytes());
    reads.archive(reader);
    EXPECT_EQ(reader.bytes_left(), 0u);
    auto other = series;
    const auto same = [&] {  // what is not a number equals itself here
      return std::memcmp(other.coefficients.data(), series.coefficients.data(),
                         series.coefficients.size() * sizeof(double)) == 0;
    };
    for (int k = 0; k < 2; ++k) {
      writes.expand(series);
      reads.expand(other);
      EXPECT_TRUE(same()) << name;
      EXPECT_EQ(reads.counts().projections, writes.counts().projections);
      EXPECT_EQ(reads.counts().stages, writes.counts().stages);
      EXPECT_EQ(reads.project(other, weights, 1e-3), writes.project(series, weights, 1e-3));
      EXPECT_TRUE(same()) << name;
    }
  }
}

}  // namespace
}  // namespace driftless::taylor
