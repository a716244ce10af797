#include "driftless/language/external_c.hpp"

#include <gmock/gmock.h>

#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::HasSubstr;
using testing::read;

const ReadOptions allowed{.allow_external = true};

// The parameters of a model with these functions, all of which are known when the text is read.
std::vector<double> parameters(const std::string& text) {
  const auto reading = read(text, allowed);
  EXPECT_EQ(reading.report(), "");
  std::vector<double> values;
  if (reading.model)
    for (const Parameter& parameter : reading.model->parameters) values.push_back(parameter.value);
  return values;
}

std::string message(const std::string& text, const ReadOptions& options = allowed) {
  const auto reading = read(text, options);
  return reading.diagnostics.all().empty() ? "" : reading.diagnostics.all().front().message;
}

const std::string power = "function power input Real u; output Real y; external \"C\" y = exp2(u); end power;\n";

TEST(ExternalC, KnownArgumentsAreEvaluatedWhenTheTextIsRead) {
  EXPECT_EQ(parameters(power + "model M parameter Real p = power(3); end M;"), std::vector<double>{8});
}

TEST(ExternalC, IsRefusedUnlessItIsAllowed) {
  EXPECT_EQ(message(power + "model M parameter Real p = power(3); end M;", {}),
            "'power' calls the C function 'exp2', and calls of C functions are not allowed");
}

TEST(ExternalC, VaryingArgumentsBecomeAForeignFunction) {
  const auto reading = read(power + "model M Real y; equation y = power(time)*power(1); end M;", allowed);
  ASSERT_TRUE(reading.model) << reading.report();
  const Model& model = *reading.model;
  const double residual = evaluate(*model.pool, model.equations[0].residual,
                                   [&](NodeId leaf) { return (*model.pool)[leaf].op == Op::Time ? 2.0 : 0.0; });
  EXPECT_EQ(residual, -8);
}

TEST(ExternalC, TextArraysRecordsAndOutputsArePassed) {
  const std::string text = R"(
record R Real x; Integer n; end R;
function f "all kinds"
  input String s; input Real a[:]; input R r; input Boolean b;
  output Real total; output Real twice[size(a, 1)]; output Integer letters;
  external "C" total = everything(s, a, size(a, 1), r, b, twice, letters)
    annotation(Include = "#include <string.h>
typedef struct { double x; int n; } R;
double everything(const char* s, const double* a, size_t m, R* r, int b, double* twice, int* letters)
{ double sum = r->x*r->n + b; for (size_t k = 0; k < m; ++k) { sum += a[k]; twice[k] = 2*a[k]; }
  *letters = (int)strlen(s); return sum; }");
end f;
model M
  parameter Real p[3](each fixed = true) = g({1, 2});
  function g input Real a[2]; output Real y[3]; protected Real t[2]; Integer n; Real s;
  algorithm (s, t, n) := f("four", a, R(10, 3), true); y := {s, t[2], n}; end g;
end M;)";
  EXPECT_EQ(parameters(text), (std::vector<double>{34, 4, 4}));
}

TEST(ExternalC, DefaultMappingPassesSizesBehindArrays) {
  EXPECT_EQ(parameters(R"(function total input Real a[:,:]; output Real y;
external "C" annotation(Include = "#include <stddef.h>
double total(const double* a, size_t m, size_t n) { double s = 0; for (size_t k = 0; k < m*n; ++k) s += a[k]; return s + 100*m + 10*n; }");
end total;
model M parameter Real p = total([1, 2, 3; 4, 5, 6]); end M;)"),
            std::vector<double>{251});
}

TEST(ExternalC, ObjectsAreMadeUsedAndDestroyed) {
  EXPECT_EQ(parameters(R"(class Counter extends ExternalObject;
  function constructor input Real first; output Counter c;
    external "C" c = make(first) annotation(Include = C); end constructor;
  function destructor input Counter c; external "C" destroy(c) annotation(Include = C); end destructor;
  constant String C = "#include <stdlib.h>
void* make(double x) { double* p = malloc(sizeof(double)); *p = x; return p; }
void destroy(void* p) { free(p); }
double next(void* p) { return *(double*)p += 1; }";
end Counter;
function next input Counter c; input Real dummy; output Real y;
  external "C" y = next(c) annotation(Include = Counter.C); end next;
model M Counter c = Counter(41); parameter Real p = next(c, 0); end M;)"),
            std::vector<double>{42});
}

TEST(ExternalC, TheDerivativeOfTheAnnotationIsUsed) {
  const std::string text = R"(
function law input Real x; input Real k; output Real y;
  external "C" y = pow(x, k) annotation(derivative(noDerivative = k) = law_der); end law;
function law_der input Real x; input Real k; input Real x_der; output Real y_der;
algorithm y_der := k*law(x, k - 1)*x_der; end law_der;
model M Real x, y; parameter Real k = 3; equation y = law(x, k); der(y) = 1; end M;)";
  const auto reading = read(text, allowed);
  ASSERT_TRUE(reading.model) << reading.report();
  Pool& pool = *reading.model->pool;
  const NodeId residual = reading.model->equations[0].residual;  // y - law(x, k)
  Differential by_x(
      pool, [&](NodeId leaf) { return pool[leaf].op == Op::Variable && pool[leaf].a == 0 ? pool.one() : pool.zero(); });
  const double slope =
      evaluate(pool, by_x(residual), [&](NodeId leaf) { return pool[leaf].op == Op::Parameter ? 3.0 : 2.0; });
  EXPECT_EQ(slope, -12) << "3 x^2, exactly";
}

TEST(ExternalC, SaysWhatIsWrong) {
  EXPECT_THAT(message("function f input Real u; output Real y; external \"C\" y = no_such_function(u); end f;\n"
                      "model M parameter Real p = f(1); end M;"),
              HasSubstr("has no function 'no_such_function'"));
  EXPECT_THAT(message("function f input Real u; output Real y; external \"C\" y = f(u) annotation(Library = "
                      "\"no_such_library\"); end f;\nmodel M parameter Real p = f(1); end M;"),
              HasSubstr("libno_such_library.so"));
  EXPECT_EQ(message("function f input Real u; output Real y; external \"FORTRAN 77\" y = f(u); end f;\n"
                    "model M parameter Real p = f(1); end M;"),
            "not supported yet: the external function 'f' in FORTRAN 77");
  EXPECT_EQ(message(power + "model M Real x; equation der(power(x)) = 1; end M;"),
            "the external function power has no derivative");
  EXPECT_THAT(message("function f input Real u; output Real y; external \"C\" y = cbrt(2*u); end f;\n"
                      "model M Real y = f(time); end M;"),
              HasSubstr("argument 1 is computed from inputs that vary during the run"));
}

// The generator with the state 1, computed by hand: x = 1 + 2^25, the number x * 2685821657736338717 modulo 2^64, which
// is also the next state, the lower half first.
TEST(ExternalC, RandomNumbersAreThoseOfTheGenerator) {
  const std::string generator =
      "function random input Integer s[2]; output Real r; output Integer t[2];\n"
      "external \"C\" ModelicaRandom_xorshift64star(s, t, r); end random;\n";
  const std::string first =
      "function first input Integer s[2]; output Real y[3]; protected Integer t[2]; Real r;\n"
      "algorithm (r, t) := random(s); y := {r, t[1], t[2]}; end first;\n";
  EXPECT_EQ(parameters(generator + first + "model M parameter Real p[3] = first({1, 0}); end M;"),
            (std::vector<double>{0.7808350500503596, -1989354211, 1206177355}));
  const Model later =
      testing::read_clean(generator +
                          "model M Real y(start = 0, fixed = true); Integer s[2](start = {1, 0}, each fixed = true);\n"
                          "equation when sample(1, 1) then (y, s) = random(pre(s)); end when; end M;");
  EXPECT_EQ(later.discrete.variables.size(), 4U) << "y, s and the condition";
}

// 1 + cos(2 pi k/6), k = 0, ..., 5: X = {6, 3, 0, 0}, and the amplitudes are |X|/4.
TEST(ExternalC, FourierTransformOfSixPoints) {
  const std::string transform =
      "function transform input Real u[:]; output Integer info; output Real a[div(size(u, 1), 2) + 1];\n"
      "output Real phases[div(size(u, 1), 2) + 1];\n"
      "protected Real work[3*size(u, 1) + 2*(div(size(u, 1), 2) + 1)];\n"
      "external \"C\" info = ModelicaFFT_kiss_fftr(u, size(u, 1), work, size(work, 1), a, phases); end transform;\n"
      "function amplitudes input Real u[:]; output Real a[div(size(u, 1), 2) + 1]; protected Integer info;\n"
      "algorithm (info, a) := transform(u); end amplitudes;\n"
      "function signal output Real u[6] = {2, 1.5, 0.5, 0, 0.5, 1.5}; end signal;\n";
  const std::vector<double> amplitudes =
      parameters(transform + "model M parameter Real p[4] = amplitudes(signal()); end M;");
  ASSERT_EQ(amplitudes.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(amplitudes[k], std::vector<double>({1.5, 0.75, 0, 0})[k], 1e-15);
  const Model later = testing::read_clean(
      transform + "model M Real y[4]; equation when time > 1 then y = amplitudes(time*signal()); end when; end M;");
  EXPECT_EQ(later.discrete.variables.size(), 5U) << "y and the condition";
}

}  // namespace
}  // namespace driftless
