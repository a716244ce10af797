#include "driftless/array/kunkel_mehrmann.hpp"

#include <gmock/gmock.h>

#include "driftless/array/array_start.hpp"
#include "driftless/array/sample_models.hpp"

namespace driftless {
namespace {

using testing::SizeIs;

std::optional<StrangenessFree> form_of(const DerivativeArray& array) {
  const auto start = find_start(array, array.model(), 0.0);
  const ArrayPoint& point = std::get<ArrayPoint>(start);
  return strangeness_free(array, array.evaluate(array.model(), 0.0, point.values).jacobian);
}

TEST(StrangenessFree, NeedsEnoughDifferentiations) {
  for (int m = 0; m <= 3; ++m) EXPECT_EQ(form_of(DerivativeArray(pendulum(), m)).has_value(), m >= 2) << m;
}

// As many equations as unknowns: 9 of the array, 2 defects of equations of motion, and of the relations 2 differential
// equations, for x, y, their rates, the force, 8 further derivatives, of which 2 are open and held, and 2 integrals of
// defects.
TEST(StrangenessFree, OfThePendulumIsSquare) {
  const DerivativeArray array(pendulum(), 2);
  const auto found = form_of(array);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->constraints, 3);
  EXPECT_EQ(found->degrees_of_freedom, 2);
  EXPECT_EQ(found->open, 2);
  const StrangenessFreeForm form = strangeness_free_form(array, *found);
  const EquationChoice& choice = form.reduced.equation_choice;
  EXPECT_THAT(choice.rows, SizeIs(2));
  EXPECT_THAT(choice.equations, SizeIs(4));
  EXPECT_THAT(choice.differential, SizeIs(5));
  EXPECT_THAT(choice.derivatives, SizeIs(8));
  EXPECT_EQ(form.reduced.slots.size(), 15u);
  EXPECT_EQ(form.reduced.slots.size(),
            form.reduced.rows.size() + static_cast<std::size_t>(choice.number + choice.held));
  EXPECT_EQ(form.reduced.place({VarId{0}, 2}), Place::Rate);
  EXPECT_TRUE(form.reduced.implicit);
}

TEST(StrangenessFree, OfAnAlgebraicChainHasNoDifferentialEquation) {
  const DerivativeArray array(jordan_block(3), 2);
  const auto found = form_of(array);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->degrees_of_freedom, 0);
  EXPECT_EQ(found->constraints, 3);
}

}  // namespace
}  // namespace driftless
