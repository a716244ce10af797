#include "driftless/formulate/shape.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/formulate/assignment.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr ReduceOptions every_level{.keep_constraints = true};

std::shared_ptr<const Reduced> base_of(const std::string& name) {
  return samples::reduced(samples::read(samples::path_of(name)), every_level);
}

const std::map<std::string, std::string> shapes{
    {"akzo", "ordinary differential equations"},
    {"ascher_petzold_1", "Hessenberg form of index 2: 1 constraint"},
    {"ascher_petzold_2", "Hessenberg form of index 2: 1 constraint"},
    {"ascher_petzold_3", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"ascher_petzold_4", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"braked_pendulum", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"capacitor_loop", "general: equations are differentiated up to 1 time"},
    {"car_axis", "mechanical: 4 coordinates, 2 constraints of positions"},
    {"chain", "mechanical: 20 coordinates, 10 constraints of positions"},
    {"crane", "general: equations are differentiated up to 4 times"},
    {"derivative_chain", "mechanical: 1 coordinate, 1 constraint of positions"},
    {"double_pendulum", "mechanical: 4 coordinates, 2 constraints of positions"},
    {"fekete", "mechanical: 60 coordinates, 20 constraints of positions"},
    {"four_bar", "mechanical: 3 coordinates, 2 constraints of positions"},
    {"four_pendula", "general: equations are differentiated up to 8 times"},
    {"index1_quadratic", "ordinary differential equations"},
    {"jay", "Hessenberg form of index 3: 1 constraint"},
    {"kepler", "mechanical: 2 coordinates"},
    {"kepler_energy", "mechanical: 2 coordinates"},
    {"knife_edge", "mechanical: 3 coordinates, 1 constraint of velocities"},
    {"lecture_10_1_decoupled", "Hessenberg form of index 2: 1 constraint"},
    {"ms_example1", "general: equations are differentiated up to 2 times"},
    {"opamp_differentiator", "general: equations are differentiated up to 1 time"},
    {"pendulum", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"pendulum_angle", "mechanical: 1 coordinate"},
    {"pendulum_first_order", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"pendulum_small", "mechanical: 2 coordinates, 1 constraint of positions"},
    {"slider_crank", "mechanical: 5 coordinates, 4 constraints of positions"},
    {"spherical_pendulum", "mechanical: 3 coordinates, 1 constraint of positions"},
    {"squeezer", "mechanical: 7 coordinates, 6 constraints of positions"},
    {"steering_wheel", "Hessenberg form of index 2: 1 constraint"},
    {"stiff_spring_pendulum", "mechanical: 4 coordinates, 1 constraint of positions"},
    {"three_pendula", "general: equations are differentiated up to 6 times"},
    {"transistor_amplifier", "differential and algebraic equations of index 1"},
    {"two_pendula", "general: equations are differentiated up to 4 times"},
};

class ShapeOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, ShapeOf, testing::ValuesIn(samples::all_names()),
                         [](const auto& i) { return i.param; });

TEST_P(ShapeOf, IsRecognized) {
  const std::string text = describe_shape(*base_of(GetParam()));
  const auto expected = shapes.find(GetParam());
  ASSERT_NE(expected, shapes.end()) << "not in the table: " << text;
  EXPECT_EQ(text, expected->second);
}

// Random values of leaves; accelerations are leaves, independent of their place.
class AnyPoint {
 public:
  AnyPoint(const Reduced& reduced, unsigned seed) : reduced_(reduced), random_(seed) {}
  double operator()(NodeId expression) {
    return evaluate(*reduced_.model->pool, expression, [&](NodeId leaf) {
      const Node& node = (*reduced_.model->pool)[leaf];
      if (node.op == Op::Parameter) return reduced_.model->parameters[node.a].value;
      return values_.try_emplace(leaf, std::uniform_real_distribution<double>(0.2, 1.2)(random_)).first->second;
    });
  }

 private:
  const Reduced& reduced_;
  std::mt19937_64 random_;
  std::map<NodeId, double> values_;
};

// The user's equations of motion are factor⁻¹ (M a - f + Gᵀ S lambda) at any point, and M is symmetric.
TEST_P(ShapeOf, MechanicalSaysTheEquationsOfMotion) {
  const auto base = base_of(GetParam());
  const auto shape = mechanical_shape(*base);
  if (!shape || !shape->auxiliary.empty()) GTEST_SKIP() << shape.why_not;
  const Pool& pool = *base->model->pool;
  AnyPoint at(*base, 1);
  const auto leaf = [&](int slot) {
    const Quantity q = base->slots[slot].quantity;
    return base->model->pool->variable(q.variable, q.order);
  };
  const std::size_t n = shape->coordinates.size();
  std::vector<double> sum(n);
  std::vector mass(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) sum[i] = -at(shape->forces[i]);
  for (const Mechanical::Entry& e : shape->mass) {
    mass[e.row][e.column] = at(e.value);
    sum[e.row] += mass[e.row][e.column] * at(shape->coordinates[e.column].acceleration);
  }
  for (const Mechanical::Entry& e : shape->gradients) {
    const Mechanical::Joint& joint = shape->joints[e.row];
    sum[e.column] += at(e.value) * joint.factor * at(leaf(joint.multiplier));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Mechanical::Coordinate& q = shape->coordinates[i];
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_NEAR(mass[i][j], mass[j][i], 1e-12 * (std::abs(mass[i][j]) + std::abs(mass[j][i])));
    EXPECT_GE(mass[i][i], 0.0);
    // The equation as the user wrote it, if it contains only slots and accelerations.
    const NodeId residual = base->model->equations[index(q.equation)].residual;
    bool plain = true;
    std::set<NodeId> accelerations;
    for (const auto& other : shape->coordinates) accelerations.insert(other.acceleration);
    for (const NodeId v : variables_of(pool, residual)) {
      const Node node = pool[v];
      plain =
          plain && (accelerations.contains(v) || base->place({VarId(node.a), static_cast<int>(node.b)}) == Place::Slot);
    }
    if (!plain) continue;
    const double expected = q.factor * at(residual);
    EXPECT_NEAR(sum[i], expected, 1e-10 * (1.0 + std::abs(expected))) << base->model->equations[index(q.equation)].text;
  }
}

TEST(MechanicalShape, OfThePendulum) {
  const auto base = base_of("pendulum");
  const auto shape = mechanical_shape(*base);
  ASSERT_TRUE(shape) << shape.why_not;
  ASSERT_EQ(shape->joints.size(), 1u);
  const Mechanical::Joint& rod = shape->joints[0];
  EXPECT_EQ(base->name(base->slots[rod.multiplier].quantity), "lambda");
  EXPECT_DOUBLE_EQ(rod.factor, 0.5) << "the force is lambda (x, y), the gradient 2 (x, y)";
  EXPECT_TRUE(rod.holonomic);
  EXPECT_EQ(rod.levels.size(), 3u);
  EXPECT_TRUE(shape->constant_mass);
  EXPECT_TRUE(shape->forces_of_positions);
  EXPECT_TRUE(shape->autonomous);
  EXPECT_TRUE(shape->holonomic());
}

// The same pendulum with unusual factors, signs and order of equations.
TEST(MechanicalShape, FindsFactorsSignsAndOrder) {
  ModelBuilder m("Disguised");
  const Expr x = m.variable("x", {.start = 0.6}), y = m.variable("y", {.start = -0.8}),
             z = m.variable("z", {.start = 0.3});
  const Expr a = m.variable("a"), b = m.variable("b");
  m.equation(x * y + z == sin(m.time()), "second");
  m.equation(-3.0 * der(der(y)) == 9.0 + a * y * 6.0 + b * x * 3.0, "motion of y");  // M = 1, divided by -1/3
  m.equation(der(der(z)) == -b * 0.5, "motion of z");                                // M = 2
  m.equation(der(der(x)) == (-2.0 * a * x - b * y) / 5.0 - der(x), "motion of x");   // M = 5
  m.equation(x * x + y * y == 1.0, "first");
  const auto base = samples::reduced(m.build(), every_level);
  const auto shape = mechanical_shape(*base);
  ASSERT_TRUE(shape) << shape.why_not;
  std::map<std::string, double> factors,
      expected{{"motion of x", 5.0}, {"motion of y", -1.0 / 3.0}, {"motion of z", 2.0}};
  for (const auto& q : shape->coordinates) factors[base->model->equations[index(q.equation)].label] = q.factor;
  for (const auto& [name, factor] : expected)
    EXPECT_NEAR(factors[name] / factors["motion of z"], factor / 2.0, 1e-12) << name;
  std::map<std::string, std::string> pairs;
  for (const auto& joint : shape->joints)
    pairs[base->model->equations[index(joint.equation)].label] = base->name(base->slots[joint.multiplier].quantity);
  EXPECT_EQ(pairs["first"], "a");
  EXPECT_EQ(pairs["second"], "b");
  EXPECT_FALSE(shape->forces_of_positions);
  EXPECT_FALSE(shape->autonomous);
  EXPECT_TRUE(shape->constant_mass);
}

TEST(MechanicalShape, SaysWhyNot) {
  EXPECT_THAT(mechanical_shape(*base_of("jay")).why_not, HasSubstr("y1 is neither a position nor the velocity of one"));
  EXPECT_THAT(mechanical_shape(*base_of("two_pendula")).why_not, HasSubstr("is differentiated 4 times"));
  ModelBuilder m("Sideways");  // the force is not along the gradient
  const Expr x = m.variable("x", {.start = 1.0}), y = m.variable("y"), force = m.variable("force");
  m.equation(der(der(x)) == -force * x, "motion of x");
  m.equation(der(der(y)) == -force * (x + y), "motion of y");
  m.equation(x * x + y * y == 1.0, "rod");
  EXPECT_THAT(mechanical_shape(*samples::reduced(m.build(), every_level)).why_not,
              HasSubstr("no force acts along the gradient of rod"));
}

TEST(HessenbergShape, OfJayAndTheSteeringWheel) {
  const auto jay = hessenberg_shape(*base_of("jay"));
  ASSERT_TRUE(jay) << jay.why_not;
  EXPECT_EQ(jay->order, 2);
  EXPECT_TRUE(jay->explicit_rates);
  const auto wheel = base_of("steering_wheel");
  const auto shape = hessenberg_shape(*wheel);
  ASSERT_TRUE(shape) << shape.why_not;
  EXPECT_EQ(shape->order, 1);
  ASSERT_EQ(shape->multipliers.size(), 1u);
  EXPECT_EQ(wheel->name(wheel->slots[shape->multipliers[0]].quantity), "z");
  EXPECT_FALSE(hessenberg_shape(*base_of("squeezer"))->explicit_rates);
  EXPECT_THAT(hessenberg_shape(*base_of("akzo")).why_not, HasSubstr("no equation has to be differentiated"));
  EXPECT_THAT(hessenberg_shape(*base_of("crane")).why_not, HasSubstr("is differentiated 2 times, another equation 4"));
}

TEST(Assignment, IsTheCheapest) {
  EXPECT_THAT(cheapest_assignment({}), IsEmpty());
  EXPECT_THAT(cheapest_assignment({{4, 1, 3}, {2, 0, 5}, {3, 2, 2}}), ElementsAre(1, 0, 2));
  std::mt19937_64 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector cost(5, std::vector<double>(5));
    for (auto& row : cost)
      for (double& c : row) c = static_cast<double>(random() % 50) - 20.0;
    const auto total = [&](const std::vector<int>& column_of) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 5; ++i) sum += cost[i][column_of[i]];
      return sum;
    };
    std::vector<int> order{0, 1, 2, 3, 4};
    double best = total(order);
    while (std::next_permutation(order.begin(), order.end())) best = std::min(best, total(order));
    EXPECT_EQ(total(cheapest_assignment(cost)), best);
  }
}

}  // namespace
}  // namespace driftless
