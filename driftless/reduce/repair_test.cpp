#include "driftless/reduce/repair.hpp"

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/sample_models.hpp"
#include "driftless/reduce/vanishing_combination.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

RepairResult result_of(const ModelBuilder& builder) {
  const auto model = std::make_shared<const Model>(builder.build());
  const structure::Structure shape = samples::structure_of(*model);
  const auto hidden = find_hidden_singularity(*model, shape);
  EXPECT_TRUE(hidden);
  return hidden ? repair(model, shape, *hidden) : RepairResult{};
}

std::optional<Repair> repaired(const ModelBuilder& builder) { return result_of(builder).repair; }

// x' + t y' = sin t, x + t y = cos t: what is hidden is y + sin t + sin t = 0.
TEST(Repair, CombinesAnEquationWithTheDerivativeOfAnother) {
  ModelBuilder m("Example5");
  const Expr x = m.variable("x"), y = m.variable("y");
  m.equation(der(x) + m.time() * der(y) == sin(m.time()), "rates");
  m.equation(x + m.time() * y == cos(m.time()), "values");
  const auto found = repaired(m);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, 2);
  EXPECT_EQ(found->shape.degrees_of_freedom, 0);
  EXPECT_EQ(found->shape_as_written.degrees_of_freedom, 1);
  ASSERT_THAT(found->steps, SizeIs(1));
  EXPECT_THAT(found->steps[0], HasSubstr("rates is replaced by (rates) - der(values)"));
  ASSERT_THAT(found->model->replaced, SizeIs(1));
  EXPECT_EQ(found->model->replaced[0].label, "rates");
  const Pool& pool = *found->model->pool;
  EXPECT_THAT(variables_of(pool, found->model->equations[0].residual), SizeIs(1));
  EXPECT_EQ(found->shape.offsets.d, (std::vector{1, 1}));  // the user's equation has x' and y'
}

TEST(Repair, NamesASumOfDerivativesInsideNonlinearFunctions) {
  ModelBuilder m("Sum");
  const Expr x = m.variable("x"), y = m.variable("y"), s = der(x) + der(y);
  m.equation(s + exp(s) == 1.0 + x, "first");
  m.equation(sin(s) + x - y == 0.0, "second");
  const auto found = repaired(m);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape.degrees_of_freedom, 1);
  EXPECT_THAT(found->model->variables, SizeIs(3));
  EXPECT_TRUE(found->model->variables[2].auxiliary);
  EXPECT_THAT(found->steps, ElementsAre(HasSubstr("der(y) + der(x) becomes a variable of its own")));
}

// M^2 = L1 L2 depends on values, so these become part of the structure; a combination that holds for all values does
// not need them.
TEST(Repair, KeepsParametersFreeWhereTheyPlayNoPart) {
  for (const bool by_values : {false, true}) {
    ModelBuilder m("Inductors");
    const Expr x = m.variable("x"), y = m.variable("y");
    const Expr l = m.parameter("L", 2.0), k = m.parameter("M", 2.0);
    m.equation(l * der(x) + k * der(y) == -x);
    m.equation(by_values ? k * der(x) + l * der(y) == -y : l * der(x) + k * der(y) == 2.0 * y);
    const auto found = repaired(m);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->model->parameters[0].structural, by_values);
    EXPECT_EQ(found->model->parameters[1].structural, by_values);
    EXPECT_EQ(found->shape.degrees_of_freedom, 1);
  }
}

TEST(Repair, LeavesOutAConstraintThatFollowsFromAnother) {
  ModelBuilder m("Twice");
  const Expr x = m.variable("x"), y = m.variable("y"), p = m.variable("p"), q = m.variable("q");
  m.equation(der(der(x)) == (p + 3.0 * q) * x, "to the right");
  m.equation(der(der(y)) == (p + 3.0 * q) * y, "upwards");
  m.equation(x * x + y * y == 1.0, "once");
  m.equation(3.0 * x * x + 3.0 * y * y == 3.0, "thrice");
  const auto found = repaired(m);
  ASSERT_TRUE(found);
  ASSERT_THAT(found->steps, SizeIs(1));
  EXPECT_THAT(found->steps[0], HasSubstr("not unique, and taken as small as possible: p, q"));
  EXPECT_EQ(found->shape.degrees_of_freedom, 2);
}

TEST(Repair, RefusesContradictionsAndMotionsThatAreNotDetermined) {
  for (const double right : {2.0, 3.0}) {
    ModelBuilder m("Rates");
    const Expr x = m.variable("x"), y = m.variable("y");
    m.equation(der(x) + der(y) == 1.0, "once");
    m.equation(2.0 * der(x) + 2.0 * der(y) == right, "twice");
    const RepairResult result = result_of(m);
    EXPECT_FALSE(result.repair) << right;
    ASSERT_EQ(result.contradiction.has_value(), right == 3.0);
    if (!result.contradiction) continue;
    EXPECT_EQ(result.contradiction->combination, "(once) - 0.5*(twice)");
    EXPECT_EQ(result.contradiction->left_over, "0.5");
    EXPECT_THAT(result.contradiction->equations, SizeIs(2));
  }
}

// a = b for the present values: the second equation follows from the first, and contradicts nothing.
TEST(Repair, JudgesAContradictionByThePresentValues) {
  for (const double b : {1.0, 2.0}) {
    ModelBuilder m("Sums");
    const Expr x = m.variable("x"), y = m.variable("y"), left = m.parameter("a", 1.0), right = m.parameter("b", b);
    m.equation(x + y == left);
    m.equation(2.0 * x + 2.0 * y == 2.0 * right);
    const RepairResult result = result_of(m);
    EXPECT_FALSE(result.repair);
    EXPECT_EQ(result.contradiction.has_value(), b == 2.0);
  }
}

// A ring of 150 differences: their sum is 0, and the factors are found numerically.
TEST(Repair, AddsUpLongChains) {
  const int n = 150;
  ModelBuilder m("Ring");
  const std::vector<Expr> x = m.variables("x", n);
  for (int i = 0; i < n; ++i) m.equation(der(x[i]) - der(x[(i + 1) % n]) == -x[i] * x[i]);
  const auto found = repaired(m);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->shape.degrees_of_freedom, n - 1);
}

TEST(VanishingCombination, HasAsFewRowsAsPossibleAndConstantsWhereTheyAre) {
  ModelBuilder m("Rows");
  const Expr x = m.variable("x");
  m.equation(x == 0.0);
  const Model model = m.build();
  Pool& pool = *model.pool;
  const structure::Offsets offsets{{0}, {0}};
  std::vector<GenericPoint> points;
  for (const unsigned seed : {1u, 2u, 3u}) points.emplace_back(model, offsets, seed, true);
  const NodeId time = pool.time(), one = pool.one(), v = pool.variable(VarId{0}, 0);
  // Row 2 = t row 0; row 3 is another one; row 1 = 2 row 4.
  const ExpressionRows rows = {{{0, one}, {1, v}},
                               {{2, pool.constant(2.0)}, {3, pool.mul(pool.constant(2.0), v)}},
                               {{0, time}, {1, pool.mul(time, v)}},
                               {{0, v}, {3, one}},
                               {{2, one}, {3, v}}};
  const auto found = find_vanishing_combination(pool, rows, 4, points);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->rows, SizeIs(2));
  const ExpressionRows independent(rows.begin(), rows.begin() + 2);
  EXPECT_FALSE(find_vanishing_combination(pool, independent, 4, points));
  const auto constants = find_vanishing_combination(pool, {rows[1], rows[4]}, 4, points);
  ASSERT_TRUE(constants);
  EXPECT_TRUE(pool.is_constant(constants->factors[1], -2.0) || pool.is_constant(constants->factors[1], 2.0));
}

}  // namespace
}  // namespace driftless
