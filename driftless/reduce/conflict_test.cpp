#include "driftless/reduce/conflict.hpp"

#include <cmath>

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

std::vector<EqnId> all_of(const Model& model) {
  std::vector<EqnId> all;
  for (std::size_t i = 0; i < model.equations.size(); ++i) all.push_back(EqnId{static_cast<int>(i)});
  return all;
}

// The first and the third circle do not meet; the second has nothing to do with it.
TEST(Conflict, NamesTheEquationsThatMissEachOther) {
  ModelBuilder m("Circles");
  const Expr x = m.variable("x", {.start = 0.5}), y = m.variable("y", {.start = 0.8});
  m.equation(x * x + y * y == 1.0);
  m.equation((x - 1.0) * (x - 1.0) + y * y == 1.0);
  m.equation((x - 3.0) * (x - 3.0) + y * y == 1.0);
  const Model model = m.build();
  const auto found = find_conflict(model, all_of(model));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->equations, ElementsAre(EqnId{0}, EqnId{2}));
  ASSERT_THAT(found->point, SizeIs(2));
  EXPECT_NEAR(found->point[0].second, 1.5, 1e-3);  // half way between the two
  EXPECT_NEAR(found->point[1].second, 0.0, 1e-3);
  EXPECT_NEAR(found->residuals[0], 1.25, 1e-2);
  EXPECT_NEAR(found->residuals[1], 1.25, 1e-2);
}

TEST(Conflict, IsNoneWhereEquationsHoldTogether) {
  ModelBuilder m("Consistent");
  const Expr x = m.variable("x", {.start = 0.9}), y = m.variable("y", {.start = 0.1});
  m.equation(x * x + y * y == 1.0);
  m.equation((x - 2.0) * (x - 2.0) + y * y == 1.0);  // they touch in (1, 0)
  m.equation(x + y == 1.0);
  const Model model = m.build();
  EXPECT_FALSE(find_conflict(model, all_of(model)));
}

// Three of the links fit each other in other positions; all four do not.
TEST(Conflict, NeedsAllLinksOfAPlate) {
  ModelBuilder m("Plate");
  const Expr x = m.variable("x", {.start = 0.6}), y = m.variable("y", {.start = -0.8}), turn = m.variable("turn");
  const double places[] = {-2.0, -0.5, 1.0, 2.5};
  for (const double a : places) {
    const Expr u = x + a * cos(turn) - a, v = y + a * sin(turn);
    m.equation(u * u + v * v == (a > 2.0 ? 1.1 : 1.0));
  }
  const Model model = m.build();
  const auto found = find_conflict(model, all_of(model));
  ASSERT_TRUE(found);
  EXPECT_THAT(found->equations, SizeIs(4));
}

}  // namespace
}  // namespace driftless
