#include <cmath>
#include <map>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/reduced.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::SizeIs;

Quantity quantity_of(const Pool& pool, NodeId leaf) {
  return {VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
}

constexpr ReduceOptions keep_all{.eliminate = false};
constexpr ReduceOptions minimal{.eliminate = false, .remove_superfluous = true};

std::shared_ptr<const Reduced> reduced_of(const std::string& name, const ReduceOptions& options = {}) {
  return samples::reduced(samples::read(samples::path_of(name)), options);
}

std::string place_name(Place place) {
  return place == Place::Slot ? "slot" : place == Place::Rate ? "rate" : "defined";
}

std::map<std::string, std::string> places(const Reduced& reduced) {
  std::map<std::string, std::string> result;
  for (const Quantity q : reduced.quantities) result[reduced.name(q)] = place_name(reduced.place(q));
  return result;
}

// ---- properties of every model and every reduction

void expect_sound(const Reduced& reduced) {
  const Pool& pool = *reduced.model->pool;

  std::size_t rates = 0;
  for (const Quantity q : reduced.quantities) rates += reduced.place(q) == Place::Rate;
  EXPECT_EQ(reduced.slots.size() + rates + reduced.definitions.size(), reduced.quantities.size());

  // Rows and states determine the slots, and the choices supply exactly the missing states.
  std::size_t states = reduced.permanent.size();
  std::set<int> rows, candidates(reduced.permanent.begin(), reduced.permanent.end());
  for (const Choice& choice : reduced.choices) {
    EXPECT_GE(choice.kinematics.size(), choice.rows.size());
    EXPECT_EQ(choice.preference.size(), choice.kinematics.size());
    states += choice.kinematics.size() - choice.rows.size();
    for (const int r : choice.rows) {
      EXPECT_TRUE(rows.insert(r).second) << "row " << r << " is in two choices";
      EXPECT_EQ(reduced.rows[r].stage, choice.stage);
    }
    for (const int k : choice.kinematics) {
      EXPECT_TRUE(candidates.insert(k).second) << "candidate " << k << " is in two places";
      EXPECT_EQ(reduced.slots[reduced.kinematics[k].slot].stage, choice.stage);
    }
  }
  EXPECT_EQ(candidates.size(), reduced.kinematics.size());
  EXPECT_EQ(reduced.rows.size() + states, reduced.slots.size());

  // Leaves are slots and rates, of the row's stage or below.
  const auto expect_stage = [&](NodeId expression, int stage) {
    for (const NodeId leaf : variables_of(pool, expression)) {
      const Quantity q = quantity_of(pool, leaf);
      EXPECT_THAT(reduced.place(q), AnyOf(Place::Slot, Place::Rate));
      EXPECT_LE(q.order - reduced.offsets.d[index(q.variable)], stage);
    }
  };
  for (const DerivedEquation& row : reduced.rows) {
    EXPECT_EQ(row.stage, row.level - reduced.offsets.c[index(row.equation)]);
    expect_stage(row.residual, row.stage);
  }
  for (const Definition& definition : reduced.definitions)
    expect_stage(definition.value, definition.quantity.order - reduced.offsets.d[index(definition.quantity.variable)]);
}

// Definitions solve their equations, and what was substituted changed no residual.
void expect_same_equations(const Reduced& reduced) {
  TimeDerivative derivative(*reduced.model->pool);
  for (unsigned seed = 1; seed <= 3; ++seed) {
    const samples::RandomPoint point(reduced, seed);
    for (const Definition& definition : reduced.definitions) {
      const double residual = point(derivative((*reduced.model)[definition.equation].residual, definition.level));
      const double size = 1.0 + std::abs(point(definition.value));
      if (!std::isfinite(size)) continue;
      EXPECT_NEAR(residual / size, 0.0, 1e-10) << reduced.name(definition.quantity);
    }
    for (const DerivedEquation& row : reduced.rows) {
      const double expected = point(derivative((*reduced.model)[row.equation].residual, row.level));
      if (!std::isfinite(expected)) continue;
      EXPECT_NEAR(point(row.residual), expected, 1e-9 * (1.0 + std::abs(expected)));
    }
  }
}

class EveryModel : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(samples::all_names()),
                         [](const auto& name) { return name.param; });

TEST_P(EveryModel, IsReducedSoundly) {
  const Model model = samples::read(samples::path_of(GetParam()));
  for (const ReduceOptions& options : {ReduceOptions{}, keep_all, minimal, ReduceOptions{true, true}}) {
    const auto reduced = samples::reduced(model, options);
    expect_sound(*reduced);
    expect_same_equations(*reduced);
  }
}

// ---- places

TEST(Reduce, PlacesOfThePendulum) {
  const auto reduced = samples::reduced(samples::pendulum());
  EXPECT_EQ(places(*reduced), (std::map<std::string, std::string>{{"x", "slot"},
                                                                  {"der(x)", "slot"},
                                                                  {"der(der(x))", "defined"},
                                                                  {"y", "slot"},
                                                                  {"der(y)", "slot"},
                                                                  {"der(der(y))", "defined"},
                                                                  {"lambda", "slot"}}));
  EXPECT_EQ(reduced->states(), 2);
  ASSERT_THAT(reduced->choices, SizeIs(2));  // positions, velocities
  for (const Choice& choice : reduced->choices) {
    EXPECT_THAT(choice.rows, SizeIs(1));
    EXPECT_THAT(choice.kinematics, SizeIs(2));
  }
  EXPECT_EQ(reduced->choices[0].stage, -2);
  EXPECT_EQ(reduced->choices[1].stage, -1);
}

TEST(Reduce, ImplicitDerivativeOfAPermanentStateIsARate) {
  ModelBuilder m("Cubic");
  const Expr x = m.variable("x");
  m.equation(der(x) + pow(der(x), 3.0) == -x);
  const auto reduced = samples::reduced(m.build());
  EXPECT_EQ(places(*reduced), (std::map<std::string, std::string>{{"x", "slot"}, {"der(x)", "rate"}}));
  EXPECT_EQ(reduced->slot_of({VarId{0}, 1}), 0);
  EXPECT_THAT(reduced->kinematics, SizeIs(0));
}

TEST(Reduce, FirstAndSecondOrderPendulumAreTheSameSystem) {
  const auto second = reduced_of("pendulum"), first = reduced_of("pendulum_first_order");
  EXPECT_EQ(first->slots.size(), second->slots.size());
  EXPECT_EQ(first->states(), second->states());
  ASSERT_EQ(first->rows.size(), second->rows.size());
  ASSERT_EQ(first->choices.size(), second->choices.size());
  const auto named = [](const Reduced& reduced, const std::string& name, int order) {
    const auto found = std::ranges::find(reduced.model->variables, name, &Variable::name);
    return Quantity{VarId{static_cast<int>(found - reduced.model->variables.begin())}, order};
  };
  samples::RandomPoint at_first(*first, 1), at_second(*second, 2);
  for (const char* name : {"x", "y"}) {
    at_first.value(named(*first, name, 0)) = at_second.value(named(*second, name, 0));
    at_first.value(named(*first, std::string("v") + name, 0)) = at_second.value(named(*second, name, 1));
  }
  at_first.value(named(*first, "lambda", 0)) = at_second.value(named(*second, "lambda", 0));
  for (std::size_t r = 0; r < first->rows.size(); ++r) {
    EXPECT_EQ(first->rows[r].stage, second->rows[r].stage);
    EXPECT_NEAR(at_first(first->rows[r].residual), at_second(second->rows[r].residual), 1e-14);
  }
}

// ---- Mattsson & Söderlind, Examples 1 and 2

TEST(Reduce, CountsOfTheFourLinearEquations) {
  EXPECT_THAT(reduced_of("ms_example1", keep_all)->rows, SizeIs(9));
  EXPECT_THAT(reduced_of("ms_example1", minimal)->rows, SizeIs(6));
  for (const ReduceOptions& options : {ReduceOptions{}, keep_all})
    EXPECT_EQ(reduced_of("ms_example1", options)->states(), 2);
}

// The block of x is dropped at its top and has no candidates of its own, but its equation contains one of another
// block.
TEST(Reduce, SuperfluousDifferentiationsDoNotDisturbOtherChoices) {
  ModelBuilder m("TwoBlocks");
  const Expr u = m.variable("u"), v = m.variable("v"), l = m.variable("l"), x = m.variable("x"), z = m.variable("z");
  m.equation(u + v == cos(m.time()));
  m.equation(der(u) == -u + l);
  m.equation(der(v) == -v - 2.0 * l);
  m.equation(x == sin(u));
  m.equation(z == der(x));
  const auto reduced = samples::reduced(m.build(), minimal);
  expect_sound(*reduced);
  ASSERT_THAT(reduced->choices, SizeIs(1));
  EXPECT_THAT(reduced->choices[0].rows, SizeIs(1));
  EXPECT_THAT(reduced->choices[0].kinematics, SizeIs(2));
}

// ---- stateSelect

TEST(Reduce, StateSelectBecomesAPreference) {
  const auto preference_of_x = [](StateSelect select) {
    return samples::reduced(samples::pendulum({}, select))->choices[0].preference[0];
  };
  const std::vector<double> ascending{preference_of_x(StateSelect::Never), preference_of_x(StateSelect::Avoid),
                                      preference_of_x(StateSelect::Default), preference_of_x(StateSelect::Prefer),
                                      preference_of_x(StateSelect::Always)};
  EXPECT_TRUE(std::ranges::is_sorted(ascending, std::less_equal<>()));
  EXPECT_EQ(ascending[2], 1.0);
}

// A wheel turns an axle by a gear: which of both angles is the state is a matter of units and wishes. On a circle it is
// not.
TEST(Reduce, WishesForStatesWeighMoreInLinearConstraints) {
  const auto weight = [](const char* constraint) {
    Diagnostics diagnostics;
    const auto model = read_model_text(
        "test.mo",
        std::string("model M Real x(start = 1, stateSelect = StateSelect.prefer), y, F; equation der(der(x)) = F; "
                    "der(der(y)) = -y - F; ") +
            constraint + " end M;",
        {}, std::make_shared<Sources>(), diagnostics);
    return samples::reduced(*model, {.eliminate = false})->choices.at(0).preference[0];
  };
  EXPECT_EQ(weight("y = 100*x + sin(time);"), weight("3*x - y = 1;"));
  EXPECT_LT(10.0 * weight("x^2 + y^2 = 1;"), weight("x = 100*y;"));
  EXPECT_LT(10.0 * weight("y = sin(x);"), weight("x = 100*y;"));
}

// ---- constraints for the certificate

TEST(Reduce, ConstraintsAreWhatTheUserWrote) {
  const auto reduced = samples::reduced(samples::pendulum());
  std::vector<std::pair<std::string, int>> list;
  for (const Constraint& constraint : reduced->constraints)
    list.emplace_back((*reduced->model)[constraint.equation].label, constraint.level);
  EXPECT_THAT(list, ElementsAre(std::pair("rod", 0), std::pair("rod", 1), std::pair("rod", 2)));
}

}  // namespace
}  // namespace driftless
