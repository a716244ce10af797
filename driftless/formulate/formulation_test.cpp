#include "driftless/formulate/formulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/formulate/shape.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::RandomPoint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

// The reduction as in a run: every level of every constraint is a row.
constexpr ReduceOptions every_level{.keep_constraints = true};

std::shared_ptr<const Reduced> base_of(const std::string& name) {
  return samples::reduced(samples::read(samples::path_of(name)), every_level);
}

const std::vector<Formulation> without_choice{Index1{},
                                              Index2{},
                                              Original{},
                                              Baumgarte{.gamma = 3.0},
                                              DampedIndex2{.gamma = 2.0},
                                              Ggl{},
                                              Ggl{Unit{}},
                                              Ggl{Mass{}},
                                              StabilizedIndex1{},
                                              StabilizedIndex1{Mass{}},
                                              ProjectedInvariants{},
                                              ProjectedInvariants{.levels = 2},
                                              ProjectedInvariants{.levels = 2, .direction = Mass{}},
                                              ProjectedInvariants{.levels = 2, .coupled = true},
                                              StabilizedOde{},
                                              StabilizedOde{.direction = Mass{}},
                                              Overdetermined{},
                                              Overdetermined{.accelerations = false}};

const DerivedEquation& row_of(const Reduced& reduced, EqnId equation, int level) {
  const auto found =
      std::ranges::find_if(reduced.rows, [&](const auto& r) { return r.equation == equation && r.level == level; });
  if (found == reduced.rows.end()) throw std::logic_error("no such row");
  return *found;
}

std::vector<int> levels_of(const Reduced& reduced, EqnId equation) {
  std::vector<int> levels;
  for (const DerivedEquation& row : reduced.rows)
    if (row.equation == equation) levels.push_back(row.level);
  std::ranges::sort(levels);
  return levels;
}

// ---- which rows, slots and states

struct Counts {
  Formulation formulation;
  std::vector<int> levels;  // of the rod's equation
  std::size_t slots;
};

TEST(Formulations, OfThePendulum) {
  const auto base = samples::reduced(samples::pendulum(), every_level);
  const EqnId rod{2};
  ASSERT_THAT(levels_of(*base, rod), ElementsAre(0, 1, 2));
  for (const Counts& expected :
       {Counts{Index1{}, {2}, 5}, Counts{Index2{}, {1}, 5}, Counts{Original{}, {0}, 5}, Counts{Baumgarte{}, {2}, 5},
        Counts{DampedIndex2{}, {1}, 5}, Counts{Ggl{}, {0, 1}, 6}, Counts{StabilizedIndex1{}, {0, 1, 2}, 7},
        Counts{ProjectedInvariants{}, {0, 2}, 6}, Counts{ProjectedInvariants{.levels = 2}, {0, 1, 2}, 7},
        Counts{StabilizedOde{}, {0, 1, 2}, 7}, Counts{Overdetermined{}, {2}, 5},
        Counts{Overdetermined{.accelerations = false}, {1}, 5}}) {
    SCOPED_TRACE(to_string(expected.formulation));
    const Reduced result = reformulate(*base, expected.formulation);
    EXPECT_EQ(levels_of(result, rod), expected.levels);
    EXPECT_THAT(result.rows, SizeIs(expected.levels.size()));
    EXPECT_THAT(result.slots, SizeIs(expected.slots));
    EXPECT_EQ(result.states(), 4);  // x, y and both velocities
    EXPECT_THAT(result.choices, SizeIs(0));
    EXPECT_FALSE(chooses_states(expected.formulation));
  }
}

class FormulationsOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Models, FormulationsOf, testing::ValuesIn(samples::all_names()),
                         [](const auto& i) { return i.param; });

TEST_P(FormulationsOf, StaysSquareAndKeepsItsSlots) {
  const auto base = base_of(GetParam());
  if (base->implicit) GTEST_SKIP() << "its structure lies";
  const auto mechanical = mechanical_shape(*base);
  const bool coupled_masses =
      mechanical && std::ranges::any_of(mechanical->mass, [](const auto& entry) { return entry.row != entry.column; });
  for (const Formulation& formulation : without_choice) {
    if (not_applicable(*base, formulation)) continue;
    SCOPED_TRACE(to_string(formulation));
    const Reduced result = reformulate(*base, formulation);
    EXPECT_EQ(result.rows.size() + static_cast<std::size_t>(result.states()), result.slots.size());
    EXPECT_EQ(static_cast<std::size_t>(result.states()), result.kinematics.size());
    EXPECT_EQ(result.constraints.size(), base->constraints.size())
        << "the certificate must not depend on the formulation";
    ASSERT_GE(result.slots.size(), base->slots.size());
    for (std::size_t s = 0; s < base->slots.size(); ++s) EXPECT_EQ(result.slots[s].quantity, base->slots[s].quantity);
    // The new unknowns are multipliers, one for each level below the highest that is kept.
    std::size_t below = 0;
    for (const DerivedEquation& row : result.rows) below += row.level < levels_of(result, row.equation).back();
    std::size_t multipliers = 0, others = 0;
    for (std::size_t s = base->slots.size(); s < result.slots.size(); ++s)
      ++(result.name(result.slots[s].quantity).starts_with("mu(") ? multipliers : others);
    EXPECT_EQ(multipliers, below);
    // Unknowns w for multiplier terms weighted by masses exist only if a mass matrix is not diagonal.
    EXPECT_TRUE(others == 0 || coupled_masses) << others;
  }
}

// ---- Baumgarte

// The coefficients of (z + gamma)^m, ascending, by multiplying it out.
std::vector<double> power_of_binomial(double gamma, int m) {
  std::vector<double> p{1.0};
  for (int k = 0; k < m; ++k) {
    p.push_back(0.0);
    for (std::size_t i = p.size() - 1; i > 0; --i) p[i] = p[i - 1] + gamma * p[i];
    p[0] *= gamma;
  }
  return p;
}

// sum of coefficients[level] g^(level) at a point.
double combination(const Reduced& base, EqnId equation, const std::vector<double>& coefficients,
                   const RandomPoint& at) {
  double sum = 0.0;
  for (std::size_t level = 0; level < coefficients.size(); ++level)
    sum += coefficients[level] * at(row_of(base, equation, static_cast<int>(level)).residual);
  return sum;
}

TEST(Baumgarte, CombinesTheLevelsOfTheRod) {
  const auto base = samples::reduced(samples::pendulum(), every_level);
  const RandomPoint at(*base, 1);
  const EqnId rod{2};
  const auto residual = [&](const Baumgarte& b) { return at(row_of(reformulate(*base, b), rod, 2).residual); };
  EXPECT_NEAR(residual({.gamma = 3.0}), combination(*base, rod, {9.0, 6.0, 1.0}, at), 1e-13);
  EXPECT_NEAR(residual({.alpha = 5.0, .beta = 7.0}), combination(*base, rod, {49.0, 10.0, 1.0}, at), 1e-12);
  EXPECT_DOUBLE_EQ(residual({.gamma = 0.0}), combination(*base, rod, {0.0, 0.0, 1.0}, at)) << "gamma = 0 is index1";
  EXPECT_NEAR(residual({.gamma = 4.0}), residual({.alpha = 4.0, .beta = 4.0}), 1e-12) << "critical damping";
}

TEST_P(FormulationsOf, BaumgarteIsAPowerOfABinomial) {
  const auto base = base_of(GetParam());
  const Baumgarte baumgarte{.gamma = 1.75};
  if (base->implicit || not_applicable(*base, baumgarte)) GTEST_SKIP();
  const Reduced result = reformulate(*base, baumgarte);
  const RandomPoint at(*base, 2);
  for (const DerivedEquation& row : result.rows) {
    const int m = base->offsets.c[index(row.equation)];
    EXPECT_EQ(row.level, m);
    const double expected = combination(*base, row.equation, power_of_binomial(baumgarte.gamma, m), at);
    EXPECT_NEAR(at(row.residual), expected, 1e-9 * (1.0 + std::abs(expected))) << (*base->model)[row.equation].label;
  }
}

// ---- multipliers

TEST(Ggl, NamesAMultiplierAndAddsItToTheVelocities) {
  const auto base = samples::reduced(samples::pendulum(), every_level);
  const Reduced result = reformulate(*base, Ggl{});
  ASSERT_THAT(result.slots, SizeIs(6));
  const Quantity mu = result.slots.back().quantity;
  EXPECT_EQ(result.name(mu), "mu(rod)");
  EXPECT_EQ(result.place(mu), Place::Slot);
  EXPECT_EQ(result.slot_of(mu), 5);
  EXPECT_EQ(base->model->variables.size() + 1, result.model->variables.size()) << "the user's model is left alone";

  RandomPoint at(result, 3);
  const double x = at.value({VarId{0}, 0}), y = at.value({VarId{1}, 0}), factor = at.value(mu);
  for (const Kinematic& k : result.kinematics) {
    const Quantity q = result.slots[k.slot].quantity;
    if (q.order > 0) continue;
    const double velocity = at.value({q.variable, 1}), position = q.variable == VarId{0} ? x : y;
    EXPECT_NEAR(at(k.rate), velocity - 2.0 * position * factor, 1e-15) << result.name(q);
  }
}

TEST(StabilizedIndex1, NamesOneMultiplierForEachLowerLevel) {
  const Reduced result = reformulate(*samples::reduced(samples::pendulum(), every_level), StabilizedIndex1{});
  std::vector<std::string> names;
  for (std::size_t s = 5; s < result.slots.size(); ++s) names.push_back(result.name(result.slots[s].quantity));
  EXPECT_THAT(names, ElementsAre("mu(rod)", "mu(rod')"));
}

// rate - (∂r/∂y)ᵀ mu, with the derivatives from differences of the residuals: all of them, or only those with respect
// to slots of the row's own stage.
enum class Along { AllStages, OwnStage };
void expect_gradients_in_rates(const Reduced& base, const Formulation& formulation, Along along) {
  const Reduced result = reformulate(base, formulation);
  RandomPoint at(result, 4);
  const RandomPoint at_base(base, 4);
  std::vector<std::pair<DerivedEquation, double>> kept;  // a row below the highest level, its multiplier
  for (const DerivedEquation& row : result.rows)
    if (row.level < levels_of(result, row.equation).back())
      kept.emplace_back(row, at.value(result.slots[base.slots.size() + kept.size()].quantity));
  ASSERT_EQ(base.slots.size() + kept.size(), result.slots.size());

  for (std::size_t k = 0; k < result.kinematics.size(); ++k) {
    double& moved = at.value(result.slots[result.kinematics[k].slot].quantity);
    const double middle = moved, step = 1e-5;
    double expected = at_base(base.kinematics[k].rate), size = std::abs(expected) + 1.0;
    for (const auto& [row, mu] : kept) {
      if (along == Along::OwnStage && row.stage != base.slots[base.kinematics[k].slot].stage) continue;
      moved = middle + step;
      const double above = at(row.residual);
      moved = middle - step;
      const double below = at(row.residual);
      expected -= mu * (above - below) / (2.0 * step);
      size += std::abs(mu) * (std::abs(above) + std::abs(below));
    }
    moved = middle;
    EXPECT_NEAR(at(result.kinematics[k].rate), expected, 1e-7 * size)
        << result.name(result.slots[result.kinematics[k].slot].quantity);
  }
}

TEST_P(FormulationsOf, MultipliersActAlongTheGradients) {
  const auto base = base_of(GetParam());
  if (base->implicit || not_applicable(*base, Ggl{})) GTEST_SKIP();
  expect_gradients_in_rates(*base, Ggl{}, Along::OwnStage);
  expect_gradients_in_rates(*base, ProjectedInvariants{.levels = 2, .coupled = true}, Along::AllStages);
  expect_gradients_in_rates(*base, ProjectedInvariants{.levels = 2}, Along::OwnStage);
}

TEST_P(FormulationsOf, VanishingMultipliersChangeNothing) {
  const auto base = base_of(GetParam());
  if (base->implicit || not_applicable(*base, StabilizedIndex1{})) GTEST_SKIP();
  const Reduced result = reformulate(*base, StabilizedIndex1{});
  RandomPoint at(result, 5);
  const RandomPoint at_base(*base, 5);
  for (std::size_t s = base->slots.size(); s < result.slots.size(); ++s) at.value(result.slots[s].quantity) = 0.0;
  for (std::size_t k = 0; k < base->kinematics.size(); ++k)
    EXPECT_EQ(at(result.kinematics[k].rate), at_base(base->kinematics[k].rate));
}

// ---- models to which they do not apply

TEST(NotApplicable, NothingToStabilize) {
  ModelBuilder m("Decay");
  const Expr x = m.variable("x", {.start = 1.0});
  m.equation(der(x) == -x);
  const auto base = samples::reduced(m.build(), every_level);
  for (const Formulation& formulation :
       {Formulation(Dummy{}), Formulation(Minimal{}), Formulation(Index1{}), Formulation(Original{})})
    EXPECT_FALSE(not_applicable(*base, formulation)) << to_string(formulation);
  for (const Formulation& formulation :
       {Formulation(Index2{}), Formulation(Baumgarte{}), Formulation(Ggl{}), Formulation(StabilizedIndex1{})})
    EXPECT_EQ(not_applicable(*base, formulation),
              to_string(formulation) +
                  " does not apply: no equation has to be differentiated, there is nothing to stabilize");
}

TEST(NotApplicable, AlphaAndBetaAreForTwoDifferentiations) {
  const Baumgarte both{.alpha = 1.0, .beta = 1.0};
  EXPECT_FALSE(not_applicable(*samples::reduced(samples::pendulum(), every_level), both));
  ModelBuilder m("Slide");  // a velocity is prescribed: differentiated once
  const Expr x = m.variable("x"), v = m.variable("v"), force = m.variable("force");
  m.equation(der(x) == v);
  m.equation(der(v) == force - v);
  m.equation(v * v * v + v == sin(m.time()), "profile");
  const auto base = samples::reduced(m.build(), every_level);
  const auto reason = not_applicable(*base, both);
  ASSERT_TRUE(reason);
  EXPECT_THAT(*reason, HasSubstr("baumgarte:alpha=1,beta=1 does not apply: profile ("));
  EXPECT_THAT(*reason, HasSubstr("is differentiated once, and alpha and beta are for two; give gamma"));
  EXPECT_FALSE(not_applicable(*base, Baumgarte{.gamma = 1.0}));
}

}  // namespace
}  // namespace driftless
