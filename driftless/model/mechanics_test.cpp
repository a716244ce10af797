#include "driftless/model/mechanics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/multibody.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Expressions = std::vector<Expr>;

std::vector<std::string> texts(const Model& model) {
  std::vector<std::string> all;
  for (const Equation& equation : model.equations) all.push_back(equation.label + ": " + equation.text);
  return all;
}

double value_of_energy(const Model& model, const std::vector<double>& p, const std::vector<double>& v) {
  return evaluate(*model.pool, model.invariants.at(0).value, [&](NodeId leaf) {
    const Node& node = (*model.pool)[leaf];
    if (node.op == Op::Parameter) return model.parameters[node.a].value;
    return node.b == 0 ? p.at(node.a) : v.at(node.a);
  });
}

TEST(Mechanics, FormalismSuppliesMassForceAndConstraint) {
  const Model model =
      constrained_motion("Pendulum", {{.name = "x", .start = 1.0}, {.name = "y", .fixed = true}},
                         [](Expr, const Expressions& p, const Expressions&) {
                           return EquationsOfMotion{.mass = diagonal({2.0, 2.0}),
                                                    .force = {0.0, -20.0},
                                                    .constraints = {{"rod", p[0] * p[0] + p[1] * p[1] - 1.0}}};
                         });
  EXPECT_THAT(texts(model), ElementsAre("motion of x: 2*der(der(x)) = -2*x*rod.lambda",
                                        "motion of y: 2*der(der(y)) = -20 - 2*y*rod.lambda", "rod: x*x + y*y - 1 = 0"));
  EXPECT_EQ(model.variables[2].name, "rod.lambda");
  EXPECT_FALSE(model.variables[0].fixed);
  EXPECT_TRUE(model.variables[1].fixed);
  ASSERT_EQ(model.initial_equations.size(), 1u);
  EXPECT_EQ(model.initial_equations[0].text, "der(y) = 0");
}

// The knife edge slides along its direction only: y' cos(a) = x' sin(a).
TEST(Mechanics, NonholonomicConstraintActsAlongItsGradientByTheVelocities) {
  const Model model = constrained_motion(
      "Skate", {{.name = "x"}, {.name = "y"}, {.name = "a"}}, [](Expr, const Expressions& p, const Expressions& v) {
        return EquationsOfMotion{.mass = diagonal({1.0, 1.0, 1.0}),
                                 .force = {0.0, 0.0, 0.0},
                                 .constraints = {{"edge", v[0] * sin(p[2]) - v[1] * cos(p[2])}}};
      });
  EXPECT_THAT(texts(model), ElementsAre("motion of x: der(der(x)) = -sin(a)*edge.lambda",
                                        "motion of y: der(der(y)) = cos(a)*edge.lambda", "motion of a: der(der(a)) = 0",
                                        "edge: der(x)*sin(a) - der(y)*cos(a) = 0"));
}

// In polar coordinates T = (r'² + r² a'²)/2: M = diag(1, r²), f = (r a'² - U', -2 r r' a').
TEST(Mechanics, LagrangeGivesGyroscopicForces) {
  EquationsOfMotion motion;
  const Model model = constrained_motion(
      "Polar", {{.name = "r", .start = 2.0}, {.name = "a"}}, [&](Expr t, const Expressions& p, const Expressions& v) {
        motion = equations_of(Lagrangian{(v[0] * v[0] + p[0] * p[0] * v[1] * v[1]) / 2.0, -1.0 / p[0]}, t, p);
        return motion;
      });
  const auto at = [&](Expr e) {  // r = 2, a = 1, r' = 3, a' = 5
    const double p[] = {2.0, 1.0}, v[] = {3.0, 5.0};
    return evaluate(*model.pool, e.node_in(*model.pool), [&](NodeId leaf) {
      const Node& node = (*model.pool)[leaf];
      return node.b == 0 ? p[node.a] : v[node.a];
    });
  };
  EXPECT_EQ(at(motion.mass[0][0]), 1.0);
  EXPECT_EQ(at(motion.mass[0][1]), 0.0);
  EXPECT_EQ(at(motion.mass[1][1]), 4.0);
  EXPECT_EQ(at(motion.force[0]), 2.0 * 25.0 - 1.0 / 4.0);
  EXPECT_EQ(at(motion.force[1]), -2.0 * 2.0 * 3.0 * 5.0);
  ASSERT_EQ(model.invariants.size(), 1u);
  EXPECT_DOUBLE_EQ(value_of_energy(model, {2.0, 1.0}, {3.0, 5.0}), (9.0 + 4.0 * 25.0) / 2.0 - 0.5);
}

TEST(Mechanics, EnergyIsDeclaredOnlyIfItIsConstant) {
  const auto declared = [](const auto& change) {
    Mechanism m("Pendulum");
    const Body bob = m.body("bob", {.mass = 2.0, .x = 1.0});
    m.revolute("pivot", m.ground(0, 0), bob.at(-1, 0));
    change(m, bob);
    return m.build().invariants.size();
  };
  EXPECT_EQ(declared([](auto&, auto&) {}), 1u);
  EXPECT_EQ(
      declared([](auto& m, auto& b) { m.spring("s", m.ground(0, 3), b.centre(), {.stiffness = 1.0, .length = 1}); }),
      1u);
  EXPECT_EQ(declared([](auto& m, auto& b) { m.spring("s", m.ground(0, 3), b.centre(), {.damping = 1.0}); }), 0u);
  EXPECT_EQ(declared([](auto& m, auto& b) { m.torque(b, 1.0); }), 0u);
  EXPECT_EQ(declared([](auto& m, auto& b) { m.constraint("drive", b.angle - m.time()); }), 0u);
}

TEST(Mechanics, NamesOfAMechanismAreReadable) {
  Mechanism m("Arm");
  const Body arm = m.body("arm", {.x = 1.0});
  m.revolute("hinge", m.ground(0, 0), arm.at(-1, 0));
  m.hold(arm.angle, 0.5, 2.0);
  const Model model = m.build();
  std::vector<std::string> names;
  for (const Variable& variable : model.variables) names.push_back(variable.name);
  EXPECT_THAT(names, ElementsAre("arm.x", "arm.y", "arm.angle", "hinge.fx", "hinge.fy"));
  EXPECT_EQ(texts(model)[0], "motion of arm.x: arm.mass*der(der(arm.x)) = hinge.fx");
  EXPECT_EQ(texts(model)[3].substr(0, 8), "hinge.x:");
  EXPECT_EQ(model.variables[2].start, 0.5);
  EXPECT_TRUE(model.variables[2].fixed);
}

std::string reason(const std::function<void()>& action) {
  try {
    action();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Mechanics, MistakesAreNamed) {
  const auto made = [](EquationsOfMotion motion) {
    return reason([&] {
      constrained_motion("Bad", {{.name = "x"}, {.name = "y"}},
                         [&](Expr, const Expressions&, const Expressions&) { return motion; });
    });
  };
  EXPECT_THAT(made({.mass = diagonal({1.0}), .force = {0.0, 0.0}}),
              HasSubstr("the mass matrix has 1 entries for 2 coordinates"));
  EXPECT_THAT(made({.mass = diagonal({1.0, 1.0}), .force = {0.0}}), HasSubstr("the force has 1 entries"));
  EXPECT_THAT(made({.mass = diagonal({1.0, 1.0}), .force = {0.0, 0.0}, .constraints = {{"rod", 1.0}}}),
              HasSubstr("constraint rod: no coordinate occurs in it"));
  Mechanism m("Bad");
  const Body bob = m.point_mass("bob", {});
  EXPECT_THAT(reason([&] { m.hold(bob.x + bob.y, 0.0, 0.0); }), HasSubstr("must be a coordinate"));
  EXPECT_THAT(reason([&] { m.torque(bob, 1.0); }), HasSubstr("must be a coordinate"));
  EXPECT_THAT(reason([&] { partial(bob.x, bob.x + 1.0); }), HasSubstr("no variable"));
}

}  // namespace
}  // namespace driftless
