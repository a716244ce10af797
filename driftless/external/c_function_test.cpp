#include "driftless/external/c_function.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace driftless::external {
namespace {

std::shared_ptr<SharedLibrary> compiled(const std::string& text) {
  auto library = compile({text});
  if (const auto* why = std::get_if<std::string>(&library)) ADD_FAILURE() << *why;
  return std::get<std::shared_ptr<SharedLibrary>>(library);
}

CFunction function(const std::shared_ptr<SharedLibrary>& library, Signature signature) {
  auto found = CFunction::find(library, std::move(signature));
  if (const auto* why = std::get_if<std::string>(&found)) ADD_FAILURE() << *why;
  return std::get<CFunction>(found);
}

CArgument numbers(std::initializer_list<double> values) {
  CArgument cells;
  for (const double value : values) cells.push_back({.number = value});
  return cells;
}

TEST(CFunction, TakesNumbersOfAllKindsByValue) {
  const auto library = compiled("#include <stddef.h>\ndouble f(int n, double x, size_t s) { return n*x + (double)s; }");
  const CFunction f = function(library, {"f", CType::Real, {{{CType::Integer}}, {{CType::Real}}, {{CType::Size}}}});
  std::vector<CArgument> arguments{numbers({-3}), numbers({0.5}), numbers({7})};
  Cell result;
  EXPECT_EQ(f(arguments, result), std::nullopt);
  EXPECT_EQ(result.number, 5.5);
}

TEST(CFunction, HasMoreArgumentsThanRegisters) {
  const auto library = compiled(
      "double g(int a, int b, int c, int d, int e, int f, int g, int h, double i, double j, double k, double l, double "
      "m,"
      " double n, double o, double p, double q, int r) { return a + 2*b + h + i + q + 100*r; }");
  Signature signature{"g", CType::Real, {}};
  std::vector<CArgument> arguments;
  for (int k = 0; k < 18; ++k) {
    signature.parameters.push_back({{k >= 8 && k < 17 ? CType::Real : CType::Integer}});
    arguments.push_back(numbers({k + 1.0}));
  }
  Cell result;
  EXPECT_EQ(function(library, signature)(arguments, result), std::nullopt);
  EXPECT_EQ(result.number, 1 + 4 + 8 + 9 + 17 + 1800);
}

TEST(CFunction, WritesArraysAndStructs) {
  const auto library = compiled(
      "typedef struct { int n; double x; const char* s; } R;\n"
      "int h(const double* a, int m, double* b, R* r)\n"
      "{ for (int k = 0; k < m; ++k) b[k] = 2*a[k]; r->x += r->n; r->n = 9; return r->s[1]; }");
  const CFunction h = function(library, {"h",
                                         CType::Integer,
                                         {{{CType::Real}, 3, true},
                                          {{CType::Integer}},
                                          {{CType::Real}, 3, true},
                                          {{CType::Integer, CType::Real, CType::Text}, 1, true}}});
  std::vector<CArgument> arguments{
      numbers({1, 2, 3}), numbers({3}), numbers({0, 0, 0}), {{.number = 4}, {.number = 0.5}, {.text = "abc"}}};
  Cell result;
  EXPECT_EQ(h(arguments, result), std::nullopt);
  EXPECT_EQ(result.number, 'b');
  EXPECT_EQ(arguments[2][0].number, 2);
  EXPECT_EQ(arguments[2][2].number, 6);
  EXPECT_EQ(arguments[3][0].number, 9);
  EXPECT_EQ(arguments[3][1].number, 4.5);
  EXPECT_EQ(arguments[3][2].text, "abc");
}

TEST(CFunction, SaysWhyThereIsNone) {
  const auto library = compiled("int one(void) { return 1; }");
  const auto missing = CFunction::find(library, {"two", CType::Integer, {}});
  EXPECT_THAT(std::get<std::string>(missing), testing::HasSubstr("has no function 'two'"));
  EXPECT_THAT(std::get<std::string>(SharedLibrary::open("/nowhere/libnone.so")), testing::HasSubstr("libnone.so"));
  EXPECT_THAT(std::get<std::string>(compile({"int one(void) { return x; }"})), testing::HasSubstr("refuses the text"));
}

TEST(CFunction, FunctionsOfTheSystemAreFound) {
  const auto library = std::get<std::shared_ptr<SharedLibrary>>(SharedLibrary::open("libm.so.6"));
  const CFunction root = function(library, {"cbrt", CType::Real, {{{CType::Real}}}});
  std::vector<CArgument> arguments{numbers({27})};
  Cell result;
  EXPECT_EQ(root(arguments, result), std::nullopt);
  EXPECT_DOUBLE_EQ(result.number, 3);
}

}  // namespace
}  // namespace driftless::external
