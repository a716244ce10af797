#include "driftless/reduce/conflict.hpp"

#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "driftless/reduce/nearest_point.hpp"

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

// ---- a few among hundreds

// Names the conflicting equations, and no smaller set is in conflict: without any one of them values are found.
void expect_conflict_of(const Model& model, const std::vector<EqnId>& guilty, const std::string& what) {
  const auto found = find_conflict(model, all_of(model));
  ASSERT_TRUE(found) << what;
  EXPECT_EQ(found->equations, guilty) << what;
  EXPECT_EQ(found->witnesses.size(), found->equations.size()) << what;
  for (const double missed : found->witnesses) EXPECT_LE(missed, NearestPoint::satisfied) << what;
  for (std::size_t k = 0; k < found->equations.size(); ++k) {
    std::vector<EqnId> others = found->equations;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    EXPECT_FALSE(find_conflict(model, others)) << what << ", without equation " << index(found->equations[k]);
  }
}

std::vector<EqnId> numbers(std::initializer_list<int> list) {
  std::vector<EqnId> result;
  for (const int i : list) result.push_back(EqnId{i});
  return result;
}

struct Points {
  std::vector<Expr> x, y;
  Expr square(std::size_t i, std::size_t k) const {
    return (x[i] - x[k]) * (x[i] - x[k]) + (y[i] - y[k]) * (y[i] - y[k]);
  }
};

// Two rows of joints, a tenth off their places; every panel has its rods and one diagonal.
Points ladder(ModelBuilder& m, int panels, double unit) {
  Points p;
  for (int i = 0; i < 2 * (panels + 1); ++i) {
    const double off = 0.1 * std::sin(3.0 * i);
    p.x.push_back(m.variable(fmt::format("x{}", i), {.start = unit * (i / 2 + off), .nominal = unit}));
    p.y.push_back(m.variable(fmt::format("y{}", i), {.start = unit * (i % 2 - off), .nominal = unit}));
  }
  m.equation(p.x[0] == 0.0), m.equation(p.y[0] == 0.0), m.equation(p.x[1] == 0.0);
  m.equation(p.square(0, 1) == unit * unit);
  for (std::size_t k = 0; k < static_cast<std::size_t>(panels); ++k) {
    m.equation(p.square(2 * k, 2 * k + 2) == unit * unit);
    m.equation(p.square(2 * k + 1, 2 * k + 3) == unit * unit);
    m.equation(p.square(2 * k + 2, 2 * k + 3) == unit * unit);
    m.equation(p.square(2 * k, 2 * k + 3) == 2.0 * unit * unit);
  }
  return p;
}

// A second diagonal of the 40th of 75 panels does not fit: the conflict consists of its six rods, in any unit of
// length.
TEST(ConflictInLargeModels, NamesTheRodsOfOnePanel) {
  for (const double unit : {1.0, 1e-3, 1e4}) {
    ModelBuilder m("Ladder");
    const Points p = ladder(m, 75, unit);
    m.equation(p.square(81, 82) == 2.5 * unit * unit);
    expect_conflict_of(m.build(), numbers({162, 164, 165, 166, 167, 304}), fmt::format("unit {}", unit));
  }
}

// The same with second diagonals that do fit in many other panels.
TEST(ConflictInLargeModels, LeavesOutWhatOnlyFollows) {
  ModelBuilder m("Braced");
  const Points p = ladder(m, 60, 1.0);
  for (std::size_t k = 0; k < 60; k += 3) m.equation(p.square(2 * k + 1, 2 * k + 2) == (k == 30 ? 2.2 : 2.0));
  expect_conflict_of(m.build(), numbers({122, 124, 125, 126, 127, 254}), "braced");
}

// A chain of 300 quantities, one of which is given; a second condition three links further does not fit.
TEST(ConflictInLargeModels, NamesTheWayBetweenTwoThatDoNotFit) {
  ModelBuilder m("Chain");
  std::vector<Expr> x;
  for (int i = 0; i < 300; ++i) x.push_back(m.variable(fmt::format("x{}", i), {.start = 0.5}));
  for (std::size_t i = 1; i < 300; ++i) m.equation(x[i] == 0.9 * x[i - 1] + 0.2 * sin(x[i - 1]));
  m.equation(x[203] == 2.0 * x[200] * x[200]);
  m.equation(x[200] == 0.8);
  expect_conflict_of(m.build(), numbers({200, 201, 202, 299, 300}), "chain");
}

// A ring of 120 links, each a little longer than the one before, must close: all of them are in the conflict.
TEST(ConflictInLargeModels, NamesAllOfARingThatDoesNotClose) {
  ModelBuilder m("Ring");
  std::vector<Expr> x;
  for (int i = 0; i < 300; ++i) x.push_back(m.variable(fmt::format("x{}", i), {.start = 0.1 * i}));
  std::vector<EqnId> guilty;
  for (std::size_t i = 0; i < 120; ++i) {
    m.equation(x[(i + 1) % 120] == x[i] + 0.1 + 0.02 * sin(x[i]));
    guilty.push_back(EqnId{static_cast<int>(i)});
  }
  for (std::size_t i = 120; i < 300; ++i) m.equation(x[i] == x[i - 1] + 0.1 * cos(x[i - 1]));
  expect_conflict_of(m.build(), guilty, "ring");
}

// Of 150 crossings of two circles some must lie on a third one, which goes through one of the two points; the third
// one of the 99th crossing goes through neither.
TEST(ConflictInLargeModels, IsNotMisledByOtherBranches) {
  ModelBuilder m("Circles");
  std::vector<EqnId> guilty;
  int number = 0;
  for (int i = 0; i < 150; ++i) {
    const Expr x = m.variable(fmt::format("x{}", i), {.start = 0.3}), y = m.variable(fmt::format("y{}", i));
    const double below = i == 99 ? 0.5 : 0.4;
    const bool has_third = i % 10 == 9;
    m.equation(x * x + y * y == 1.0);
    m.equation((x - 1.2) * (x - 1.2) + y * y == 1.0);
    if (has_third) m.equation(x * x + (y + 1.0) * (y + 1.0) == below);
    if (i == 99) guilty = numbers({number, number + 1, number + 2});
    number += has_third ? 3 : 2;
  }
  expect_conflict_of(m.build(), guilty, "circles");
}

// Consistent equations give no conflict, however many of them are redundant.
TEST(ConflictInLargeModels, IsNoneWhereAllFollows) {
  ModelBuilder m("Fits");
  const Points p = ladder(m, 75, 1.0);
  for (std::size_t k = 0; k < 75; ++k) m.equation(p.square(2 * k + 1, 2 * k + 2) == 2.0);
  const Model model = m.build();
  EXPECT_FALSE(find_conflict(model, all_of(model)));
}

}  // namespace
}  // namespace driftless
