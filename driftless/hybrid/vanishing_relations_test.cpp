#include "driftless/hybrid/vanishing_relations.hpp"

#include <gtest/gtest.h>

#include "driftless/hybrid/structural_conditions.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

// A rope that is taut from the time on at which the mass reaches its length, and a wall.
Model rope() {
  ModelBuilder m("Rope");
  const Expr x = m.variable("x"), y = m.variable("y"), force = m.variable("force"), L = m.parameter("L", 1.0);
  const Expr taut = m.discrete("taut", {.type = DiscreteType::Boolean});
  m.equation(der(der(x)) == -force * x);
  m.equation(der(der(y)) == -force * y - 9.81);
  m.equation(if_else(taut, x * x + y * y - L * L, force) == 0.0, "rope");
  m.discrete_equation(taut == (m.pre(taut) || x * x + y * y > L * L));
  m.terminate(x > 0.5, "the wall");
  return m.build();
}

std::vector<std::string> vanishing(const Model& model) {
  const std::vector<bool> vanishes = vanishing_relations(model);
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < vanishes.size(); ++k)
    if (vanishes[k]) texts.push_back(model.discrete.held[k].text);
  return texts;
}

TEST(VanishingRelations, AreThoseOfTheConstraintsOfAMode) {
  const Model model = rope();
  const std::vector<NodeId> conditions = structural_conditions(model);
  ASSERT_EQ(conditions.size(), 1u);
  ASSERT_EQ(model.discrete.held.size(), 2u);
  EXPECT_EQ(vanishing(with_branches(model, conditions, {true})).size(), 1u);
  EXPECT_TRUE(vanishing(with_branches(model, conditions, {false})).empty());
}

TEST(VanishingRelations, OfAFrozenModel) {
  const Model model = rope();
  const Model taut = with_branches(model, structural_conditions(model), {true});
  taut.pool->freeze();
  ASSERT_EQ(vanishing(taut).size(), 1u);
  EXPECT_EQ(vanishing(taut)[0].substr(0, 3), "L*L");
}

}  // namespace
}  // namespace driftless
