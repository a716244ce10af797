#include "driftless/hybrid/modes.hpp"

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/hybrid/structural_conditions.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {
namespace {

std::vector<double> parameters_of(const Model& model) {
  std::vector<double> values;
  for (const Parameter& parameter : model.parameters) values.push_back(parameter.value);
  return values;
}

std::size_t parameter(const Model& model, const std::string& name) {
  return std::ranges::find(model.parameters, name, &Parameter::name) - model.parameters.begin();
}

std::vector<std::string> texts(const Model& model, const std::vector<NodeId>& conditions) {
  std::vector<std::string> texts;
  for (const NodeId condition : conditions) texts.push_back(to_string(*model.pool, condition, names_of(model)));
  return texts;
}

std::vector<std::string> structural(const Model& model) { return texts(model, structural_conditions(model)); }

int states(const Model& model) {
  return std::get<structure::Structure>(structure::analyze(signature_of(model))).degrees_of_freedom;
}

int index_of(const Model& model) {
  return std::get<structure::Structure>(structure::analyze(signature_of(model))).structural_index;
}

using testing::ElementsAre;
using testing::IsEmpty;

const DiscreteOptions boolean{.type = DiscreteType::Boolean};

// Two rotors; a clutch between them transmits a torque, or keeps their speeds equal.
Model clutch() {
  ModelBuilder m("Clutch");
  const Expr w1 = m.variable("w1"), w2 = m.variable("w2"), torque = m.variable("torque");
  const Expr locked = m.discrete("locked", boolean);
  m.discrete_equation(locked == (m.time() > 1.0));
  m.equation(2.0 * der(w1) == 1.0 - torque);
  m.equation(3.0 * der(w2) == torque);
  m.equation(if_else(locked, w1 - w2, torque) == 0.0, "clutch");
  return m.build();
}

TEST(Modes, AClutchHasTwoWithOtherIndexAndStates) {
  const auto model = std::make_shared<const Model>(clutch());
  EXPECT_THAT(structural(*model), ElementsAre("locked"));
  Modes modes(model);
  EXPECT_TRUE(modes.change());
  std::vector<double> values = parameters_of(*model);
  const int open = modes.at(values);
  values[parameter(*model, "locked")] = 1.0;
  const int locked = modes.at(values);
  EXPECT_NE(open, locked);
  EXPECT_EQ(modes.at(values), locked);
  EXPECT_EQ(modes.size(), 2);
  EXPECT_EQ(modes.description(open), "locked = false");
  EXPECT_EQ(modes.description(locked), "locked = true");
  EXPECT_EQ(states(*modes.model(open)), 2);
  EXPECT_EQ(index_of(*modes.model(open)), 1);
  EXPECT_EQ(states(*modes.model(locked)), 1);
  EXPECT_EQ(index_of(*modes.model(locked)), 2);
}

TEST(Modes, OnlyBranchesOfStructuralConditionsAreTaken) {
  const Model model = clutch();
  const Model mode = with_branches(model, structural_conditions(model), {true});
  const Names names = names_of(mode);
  EXPECT_EQ(mode.equations[0].residual, model.equations[0].residual);
  EXPECT_EQ(to_string(*mode.pool, mode.equations[2].residual, names), "w1 - w2");
  EXPECT_EQ(mode.equations[2].text, model.equations[2].text);
  EXPECT_EQ(mode.parameters.size(), model.parameters.size());
  EXPECT_EQ(mode.discrete.equations.size(), model.discrete.equations.size());
}

TEST(Modes, AHeldRelationIsDescribedByItsText) {
  ModelBuilder m("Rope");
  const Expr x = m.variable("x"), force = m.variable("force");
  m.equation(der(der(x)) == 1.0 - force);
  m.equation(if_else(x < 2.0, force, x - 2.0) == 0.0);
  m.terminate(m.time() > 9.0, "the end");
  const auto model = std::make_shared<const Model>(m.build());
  Modes modes(model);
  EXPECT_EQ(modes.description(modes.at(parameters_of(*model))), "x < 2: false");
}

TEST(StructuralConditions, AStateMayVanishFromAnEquation) {
  ModelBuilder m("Integrator");
  const Expr x = m.variable("x"), y = m.variable("y"), saturated = m.discrete("saturated", boolean);
  m.discrete_equation(saturated == (x > 1.0));
  m.equation(der(x) == if_else(saturated, 1.0, -y));
  m.equation(der(y) == if_else(saturated, x, 2.0) * y);
  const Model model = m.build();
  EXPECT_THAT(structural(model), IsEmpty());
  Modes modes(std::make_shared<const Model>(model));
  EXPECT_FALSE(modes.change());
  EXPECT_EQ(modes.at(parameters_of(model)), 0);
  EXPECT_EQ(modes.size(), 1);
  EXPECT_EQ(modes.description(0), "");
}

// The same variables in both branches.
TEST(StructuralConditions, OtherCoefficientsAreNone) {
  ModelBuilder m("Diode");
  const Expr i = m.variable("i"), v = m.variable("v"), s = m.variable("s"), on = m.discrete("on", boolean);
  m.discrete_equation(on == (m.time() > 1.0));
  m.equation(v == s * if_else(on, 1e-3, 1.0));
  m.equation(i == s * if_else(on, 1.0, 1e-3));
  m.equation(v + 10.0 * i == m.time());
  EXPECT_THAT(structural(m.build()), IsEmpty());
}

TEST(StructuralConditions, AFactorThatIsZeroTakesTheVariableAway) {
  ModelBuilder m("IdealDiode");
  const Expr i = m.variable("i"), v = m.variable("v"), s = m.variable("s"), on = m.discrete("on", boolean);
  m.discrete_equation(on == (m.time() > 1.0));
  m.equation(v == s * if_else(on, 0.0, 1.0));
  m.equation(i == s * if_else(on, 1.0, 0.0));
  m.equation(v + 10.0 * i == m.time());
  const Model model = m.build();
  const std::vector<NodeId> conditions = structural_conditions(model);
  EXPECT_THAT(texts(model, conditions), ElementsAre("on"));
  const Model on_mode = with_branches(model, conditions, {true});
  EXPECT_EQ(variables_of(*on_mode.pool, on_mode.equations[0].residual).size(), 1u);
}

// Neither condition alone takes the torque away, both together do.
TEST(StructuralConditions, TwoTermsThatVanishTogether) {
  ModelBuilder m("TwoClutches");
  const Expr w = m.variable("w"), torque = m.variable("torque");
  const Expr a = m.discrete("a", boolean), b = m.discrete("b", boolean);
  m.discrete_equation(a == (m.time() > 1.0));
  m.discrete_equation(b == (m.time() > 2.0));
  m.equation(der(w) == torque);
  m.equation(if_else(a, torque, 0.0) + if_else(b, torque, 0.0) + w == 1.0);
  EXPECT_THAT(structural(m.build()), ElementsAre("a", "b"));
}

// A leaf that also occurs outside of the branches always occurs.
TEST(StructuralConditions, ATermBesideTheBranches) {
  ModelBuilder m("Beside");
  const Expr y = m.variable("y"), a = m.discrete("a", boolean);
  m.discrete_equation(a == (m.time() > 1.0));
  m.equation(2.0 * y + if_else(a, y, 0.0) == m.time());
  EXPECT_THAT(structural(m.build()), IsEmpty());
}

TEST(StructuralConditions, NegationIsTheSameCondition) {
  ModelBuilder m("Negated");
  const Expr w = m.variable("w"), p = m.variable("p"), q = m.variable("q"), on = m.discrete("on", boolean);
  m.discrete_equation(on == (m.time() > 1.0));
  m.equation(der(w) == p + q);
  m.equation(if_else(on, w, p) == 0.0);
  m.equation(if_else(!on, q, q + p) == m.time());
  const Model model = m.build();
  const std::vector<NodeId> conditions = structural_conditions(model);
  EXPECT_THAT(texts(model, conditions), ElementsAre("on"));
  const Model off = with_branches(model, conditions, {false});
  EXPECT_EQ(to_string(*off.pool, off.equations[2].residual, names_of(off)), "q - time");
}

// while (first) ..., elseif (second): the second condition distinguishes no modes where the first one is true.
TEST(Modes, AConditionOfABranchThatIsNotTakenDistinguishesNone) {
  ModelBuilder m("Chain");
  const Expr w = m.variable("w"), torque = m.variable("torque");
  const Expr first = m.discrete("first", boolean), second = m.discrete("second", boolean);
  m.discrete_equation(first == (m.time() > 1.0));
  m.discrete_equation(second == (m.time() > 2.0));
  m.equation(der(w) == torque);
  m.equation(if_else(first, torque, if_else(second, w, torque + w)) == 1.0);
  const auto model = std::make_shared<const Model>(m.build());
  Modes modes(model);
  std::vector<double> values = parameters_of(*model);
  values[parameter(*model, "first")] = 1.0;
  const int one = modes.at(values);
  values[parameter(*model, "second")] = 1.0;
  EXPECT_EQ(modes.at(values), one);
  EXPECT_EQ(modes.description(one), "first = true");
  values[parameter(*model, "first")] = 0.0;
  const int two = modes.at(values);
  EXPECT_EQ(modes.description(two), "first = false, second = true");
  EXPECT_EQ(modes.size(), 2);
}

// Relations without events are evaluated everywhere: no mode.
TEST(StructuralConditions, ConditionsOfVariablesAreNone) {
  ModelBuilder m("Quiet");
  const Expr y = m.variable("y"), z = m.variable("z");
  m.equation(m.no_event(if_else(y < 1.0, z, y)) == m.time());
  m.equation(y + z == 1.0);
  EXPECT_THAT(structural(m.build()), IsEmpty());
}

TEST(Modes, AFrozenModelHasModes) {
  const auto model = std::make_shared<const Model>(clutch());
  model->pool->freeze();
  Modes modes(model);
  EXPECT_EQ(states(*modes.model(modes.at(parameters_of(*model)))), 2);
}

}  // namespace
}  // namespace driftless
