#include "driftless/reduce/physical_reasons.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/language/read.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

using structure::Col;
using structure::Row;
using testing::HasSubstr;
using testing::StartsWith;

Model model_of(const std::string& variables, const std::string& equations) {
  return read_model_text("m.mo", "model M\n  Real " + variables + ";\nequation\n" + equations + "\nend M;\n");
}

std::string reference_missing_in(const Model& model) { return missing_reference(model, {Row{0}}, {}).value_or("no"); }

structure::DulmageMendelsohn parts_of(const Model& model) {
  const auto result = structure::analyze(signature_of(model));
  return std::get<structure::Singular>(result).parts;
}

TEST(MissingReference, PotentialsThatOccurOnlyInDifferences) {
  EXPECT_THAT(reference_missing_in(model_of("a, b, c", "a - b = 1;\n(b - c)/2 + exp(a - c) = time;")),
              StartsWith("only differences of a, b and c occur in the model"));
  EXPECT_THAT(reference_missing_in(model_of("a, b", "der(a) - der(b) = b - a;\nsin(a - b) = time;")),
              StartsWith("only differences of a and b occur"));
}

TEST(MissingReference, NoneIsMissingWithAGround) {
  EXPECT_EQ(reference_missing_in(model_of("a, b, c", "a - b = 1;\n(b - c)/2 + exp(a - c) = time;\nc = 0;")), "no");
  EXPECT_EQ(reference_missing_in(model_of("a, b", "a - b = 1;\n2*a - b = time;")), "no");
}

// Adding a constant changes nothing in der(a) + der(b), but another function of time does.
TEST(MissingReference, EveryOrderOfDerivativesCounts) {
  EXPECT_EQ(reference_missing_in(model_of("a, b", "a - b = 1;\nder(a) + der(b) = time;")), "no");
  EXPECT_EQ(reference_missing_in(model_of("a, b", "der(a) - b = 1;\nder(b) - a = time;")), "no");
}

// Here a and b can be moved by amounts that differ: no reference of potentials.
TEST(MissingReference, OtherDirectionsAreNoReference) {
  EXPECT_EQ(reference_missing_in(model_of("a, b", "a - 2*b = 1;\n2*a - 4*b = time;")), "no");
}

TEST(MissingReference, OfOneOfTwoCircuits) {
  const Model model = model_of("u, v, p, q", "u = 1;\nv = 2*u + (p - q);\np - q = u;");
  EXPECT_THAT(reference_missing_in(model), StartsWith("only differences of p and q occur"));
}

TEST(MissingReference, LooksOnlyAtWhatIsConnected) {
  const Model model = model_of("x, y, p, q", "x + y = 1;\nx - y = time;\np - q = time;");
  EXPECT_EQ(missing_reference(model, {Row{0}}, {}), std::nullopt);
  EXPECT_TRUE(missing_reference(model, {Row{2}}, {}));
  EXPECT_TRUE(missing_reference(model, {}, {Col{3}}));
}

TEST(PrescribedTwice, NamesVariableAndEquations) {
  const Model model = model_of("x, y", "x = 1;\ny = x;\nx = time;");
  EXPECT_EQ(prescribed_twice(model, {Row{0}, Row{1}, Row{2}}), "x is prescribed twice, by line 4 and line 6");
  EXPECT_EQ(prescribed_twice(model, {Row{0}, Row{1}}), std::nullopt);
}

TEST(RivalSources, NeedOpenVariablesThatAreConnected) {
  const Model shaft = model_of("phi, a, b", "der(der(phi)) = a + b;\nphi = sin(time);\nphi = cos(time);");
  EXPECT_THAT(rival_sources(shaft, parts_of(shaft)).value_or(""), StartsWith("at the same time a and b are not"));
  const Model apart = model_of("phi, a, b", "1 = a + b;\nphi = sin(time);\nphi = cos(time);");
  EXPECT_EQ(rival_sources(apart, parts_of(apart)), std::nullopt);
}

TEST(TooManyConstraints, AreEquationsBetweenCoordinates) {
  const Model mass = model_of("x, y, f", "der(der(x)) = f;\nder(der(y)) = f;\nx + y = 1;\nx - y = 2;\nx*y = 3;");
  const std::span<const Equation> equations = mass.equations;
  EXPECT_THAT(too_many_constraints(mass, equations.last(3)).value_or(""), HasSubstr("over-constrained"));
  EXPECT_EQ(too_many_constraints(mass, equations), std::nullopt) << "two of them are equations of motion";
  EXPECT_EQ(too_many_constraints(mass, equations.last(1)), std::nullopt);
  const Model rates = model_of("x, y", "der(x) + der(y) = 1;\nx + y = time;");
  EXPECT_EQ(too_many_constraints(rates, rates.equations), std::nullopt) << "one of them is no constraint";
  const Model circuit = model_of("u, i", "u = 1;\nu = 2*i;\ni = 5;");
  EXPECT_EQ(too_many_constraints(circuit, circuit.equations), std::nullopt) << "there are no coordinates";
}

}  // namespace
}  // namespace driftless
