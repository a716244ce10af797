#include "driftless/reduce/definitions.hpp"

#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<std::string> defined(const Model& model) {
  std::vector<std::string> names;
  for (const Explicit& e : choose_definitions(model, samples::structure_of(model).offsets, Definable::Everything))
    names.push_back(derivative_name(model[e.variable].name, e.order));
  return names;
}

TEST(Definitions, ChainOfAliasesNeedsNoUnknown) {
  ModelBuilder m("Chain");
  const Expr a = m.variable("a"), b = m.variable("b"), c = m.variable("c");
  m.equation(a == b);
  m.equation(b == -c);
  m.equation(c == sin(m.time()));
  const Model model = m.build();
  EXPECT_THAT(defined(model), UnorderedElementsAre("a", "b", "c"));
  const auto reduced = samples::reduced(model);
  EXPECT_THAT(reduced->slots, IsEmpty());
  EXPECT_THAT(reduced->rows, IsEmpty());
  samples::RandomPoint point(*reduced, 1);
  EXPECT_EQ(point.value({VarId{0}, 0}), -point.value({VarId{2}, 0}));
}

TEST(Definitions, NamedDerivativeIsDefinedAndTheNameKeepsItsSlot) {
  ModelBuilder m("FirstOrder");
  const Expr x = m.variable("x"), v = m.variable("v");
  m.equation(der(x) == v);
  m.equation(der(v) == -x);
  const Model model = m.build();
  EXPECT_THAT(defined(model), UnorderedElementsAre("der(x)", "der(v)"));
  const auto reduced = samples::reduced(model);
  EXPECT_EQ(reduced->place({VarId{0}, 0}), Place::Slot);
  EXPECT_EQ(reduced->place({VarId{0}, 1}), Place::Defined);
  EXPECT_EQ(reduced->place({VarId{1}, 0}), Place::Slot);
  EXPECT_EQ(reduced->value_of({VarId{0}, 1}), reduced->value_of({VarId{1}, 0}));
  EXPECT_EQ(reduced->permanent.size(), 2u);
}

// (2 + sin(x)) der(x) + c der(y) = -x beside an equation for der(y) alone.
std::vector<std::string> defined_by_rates(double c, double start) {
  ModelBuilder m("Rates");
  const Expr x = m.variable("x", {.start = start}), y = m.variable("y");
  m.equation((2.0 + sin(x)) * der(x) + c * der(y) == -x);
  m.equation((2.0 + sin(y)) * der(y) == -y);
  return defined(m.build());
}

TEST(Definitions, DivideByNoSmallCoefficient) {
  EXPECT_THAT(defined_by_rates(0.5, 0.0), ElementsAre("der(y)"));
  EXPECT_THAT(defined_by_rates(0.03, 0.0), IsEmpty());
  EXPECT_THAT(defined_by_rates(0.5, 300.0), IsEmpty()) << "x is 300 times as large as y";
}

// b follows from x by its own equation. That of a, solved for b, would amplify an error in x by 10⁵.
TEST(Definitions, DivideByNoCoefficientThatIsSmallBesideThatOfAState) {
  const auto defined_with = [](double factor) {
    ModelBuilder m("Chain");
    const Expr x = m.variable("x"), a = m.variable("a"), b = m.variable("b");
    m.equation(der(x) == -x);
    m.equation(b + sin(b) == x);
    m.equation(a + sin(a) + 0.5 * b == factor * x);
    return defined(m.build());
  };
  EXPECT_THAT(defined_with(1.0), UnorderedElementsAre("der(x)", "b"));
  EXPECT_THAT(defined_with(1e5), ElementsAre("der(x)"));
}

TEST(Definitions, TheOnlyUnknownOfAnEquationIsDefinedWhateverItsCoefficient) {
  ModelBuilder m("Alone");
  const Expr x = m.variable("x"), b = m.variable("b");
  m.equation(der(x) == -x + b);
  m.equation(0.01 * b + 0.3 == 1e5 * sin(x));
  EXPECT_THAT(defined(m.build()), UnorderedElementsAre("der(x)", "b"));
}

TEST(Definitions, CycleIsBroken) {
  ModelBuilder m("Cycle");
  const Expr a = m.variable("a"), b = m.variable("b"), c = m.variable("c");
  m.equation(a == 2.0 * b + 1.0);
  m.equation(b == 0.5 * c);
  m.equation(c == a * 3.0 + m.time());
  const auto reduced = samples::reduced(m.build());
  EXPECT_EQ(reduced->definitions.size(), 2u);
  ASSERT_EQ(reduced->slots.size(), 1u);
  ASSERT_EQ(reduced->rows.size(), 1u);
}

// der(x) = v, der(v) = x: each uses the other one stage below, which is no cycle.
TEST(Definitions, UseOfALowerStageIsNoCycle) {
  ModelBuilder m("Ladder");
  const Expr x = m.variable("x"), v = m.variable("v"), w = m.variable("w");
  m.equation(der(x) == v + w);
  m.equation(der(v) == x + w);
  m.equation(w == x - 2.0 * v);
  EXPECT_THAT(defined(m.build()), UnorderedElementsAre("der(x)", "der(v)", "w"));
}

TEST(Definitions, NothingIsDividedByWhatMayBeZero) {
  ModelBuilder m("Zero");
  const Expr zero = m.parameter("zero", 0.0);
  const Expr a = m.variable("a"), b = m.variable("b"), c = m.variable("c");
  m.equation(zero * a + b == 1.0);          // for a only by zero
  m.equation(m.time() * c + b * b == 2.0);  // for c only by time
  m.equation(a + c * c == 3.0);
  EXPECT_THAT(defined(m.build()), UnorderedElementsAre("a", "b"));

  ModelBuilder k("Time");
  const Expr d = k.variable("d");
  k.equation(k.time() * d == 1.0);
  EXPECT_THAT(defined(k.build()), IsEmpty());
}

TEST(Definitions, WantedStatesAreNotEliminated) {
  for (const auto& [select, expected] : {std::pair(StateSelect::Default, "a"), std::pair(StateSelect::Prefer, "b"),
                                         std::pair(StateSelect::Always, "b")}) {
    ModelBuilder m("Alias");
    const Expr a = m.variable("a", {.state_select = select}), b = m.variable("b"), w = m.variable("w");
    m.equation(a == b);
    m.equation(der(b) + pow(w, 3.0) * b == 0.0);
    m.equation(w * w + der(a) == 2.0);
    const Model model = m.build();
    EXPECT_THAT(defined(model), testing::Contains(expected));
  }
}

// s = sum of n variables: substituted where it is used once, kept where it would fill the matrix.
TEST(Definitions, AreLeftAloneWhenTheyWouldFillTheMatrix) {
  for (const bool everywhere : {false, true}) {
    ModelBuilder m("Sum");
    const int n = 20;
    const std::vector<Expr> x = m.variables("x", n);
    const Expr s = m.variable("s");
    Expr sum = 0.0;
    for (const Expr& xi : x) sum += xi;
    m.equation(s == sum);
    for (int i = 0; i < n; ++i) m.equation(der(x[i]) + pow(der(x[i]), 3.0) == (everywhere || i == 0 ? s * s : x[i]));
    EXPECT_THAT(defined(m.build()), testing::Contains("s").Times(everywhere ? 0 : 1));
  }
}

// Two diodes in series: substituting the loop into the second one would make exp(exp(u)) of it.
TEST(Definitions, PutNoExponentialIntoTheArgumentOfAnother) {
  ModelBuilder m("Series");
  const Expr u = m.variable("u"), w = m.variable("w"), v = m.variable("v");
  m.equation(exp(40.0 * u) - 1.0 == 7.0 * exp(40.0 * w) - 7.0);
  m.equation(w == v - (exp(40.0 * u) - 1.0) - u);
  m.equation(der(v) == -u);
  EXPECT_THAT(defined(m.build()), ElementsAre("der(v)"));
}

// Directly or by another name; a derivative that an exponential gives is no such case.
TEST(Definitions, SeeExponentsThroughOtherDefinitions) {
  ModelBuilder m("Renamed");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z"), u = m.variable("u");
  m.equation(der(x) == 1.0 - exp(x));
  m.equation(y == exp(x) + x);
  m.equation(z == 2.0 * y);
  m.equation(u + exp(u + z) == x);
  EXPECT_THAT(defined(m.build()), UnorderedElementsAre("der(x)", "z"));
}

// A source, a resistor, a capacitor and a diode to ground: i = C der(v) would make exp(R C der(v)) of the diode.
TEST(Definitions, PutNoRateIntoTheArgumentOfAnExponential) {
  ModelBuilder m("Charging");
  const Expr v = m.variable("v"), a = m.variable("a"), i = m.variable("i");
  m.equation(2.0 * der(v) == i);
  m.equation(sin(m.time()) == 5.0 * i + v + a);
  m.equation(i == exp(40.0 * a) - 1.0 + a);
  const Model model = m.build();
  EXPECT_THAT(defined(model), UnorderedElementsAre("der(v)", "i"));

  // Without an exponential the text decides.
  ModelBuilder k("Linear");
  const Expr w = k.variable("w"), b = k.variable("b"), j = k.variable("j");
  k.equation(2.0 * der(w) == j);
  k.equation(sin(k.time()) == 5.0 * j + w + b);
  k.equation(j == b * b * b + b);
  EXPECT_THAT(defined(k.build()), testing::Contains("j"));
}

// v = R i stands in an exponential and has a tolerance of its own: 1 V is 0.1 mA.
TEST(Definitions, GiveUnknownsTheScaleOfExponents) {
  ModelBuilder m("Scale");
  const Expr i = m.variable("i"), v = m.variable("v"), w = m.variable("w", {.nominal = 2.0}), u = m.variable("u");
  m.equation(v == 1e4 * i + sin(m.time()));
  m.equation(w == 0.5 * u);
  m.equation(i * i * i + i + exp(40.0 * v) + u == 1.0);
  m.equation(u * u * u + u + exp(w) == i);
  const auto reduced = samples::reduced(m.build());
  ASSERT_EQ(reduced->slots.size(), 2u);
  EXPECT_DOUBLE_EQ(reduced->slots[0].nominal, 1e-4);
  EXPECT_DOUBLE_EQ(reduced->slots[1].nominal, 1.0);  // the scale of w would be larger
}

TEST(Definitions, InImplicitSystemsOnlyAlgebraicVariables) {
  ModelBuilder m("Implicit");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == y);
  m.equation(der(y) == z);
  m.equation(z == -x);
  const Model model = m.build();
  const auto chosen = choose_definitions(model, samples::structure_of(model).offsets, Definable::AlgebraicVariables);
  ASSERT_EQ(chosen.size(), 1u);
  EXPECT_EQ(model[chosen[0].variable].name, "z");
}

}  // namespace
}  // namespace driftless
