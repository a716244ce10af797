// The equations of each formulation for the pendulum, as written on paper, and the underlying matrices for mechanisms
// whose mass matrix is not diagonal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/formulate/formulation.hpp"
#include "driftless/formulate/shape.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using namespace formulation;
using samples::RandomPoint;

constexpr ReduceOptions every_level{.keep_constraints = true};

// m x'' = -2 lambda x, m y'' = -2 lambda y - m g, with x^2 + y^2 = 1: the force is along the gradient itself.
Model pendulum() {
  ModelBuilder model("Pendulum");
  const Expr x = model.variable("x", {.start = 0.6}), y = model.variable("y", {.start = -0.8});
  const Expr u = model.variable("u"), v = model.variable("v"), lambda = model.variable("lambda");
  const Expr m = model.parameter("m", 2.0);
  model.equation(der(x) == u);
  model.equation(der(y) == v);
  model.equation(m * der(u) == -2.0 * lambda * x);
  model.equation(m * der(v) == -2.0 * lambda * y - m);
  model.equation(x * x + y * y == 1.0, "rod");
  return model.build();
}

// "x' = u", "0 = ...": the equations of a formulation as text.
std::vector<std::string> written(const Formulation& formulation) {
  const auto base = samples::reduced(pendulum(), every_level);
  EXPECT_FALSE(not_applicable(*base, formulation)) << *not_applicable(*base, formulation);
  const Reduced result = reformulate(*base, formulation);
  const auto text = [&](NodeId e) { return to_string(*result.model->pool, e, names_of(*result.model)); };
  std::vector<std::string> lines;
  for (const Kinematic& k : result.kinematics)
    lines.push_back(fmt::format("{}' = {}", result.name(result.slots[k.slot].quantity), text(k.rate)));
  for (const DerivedEquation& row : result.rows) lines.push_back(fmt::format("0 = {}", text(row.residual)));
  for (const Invariant& i : result.invariants)  // the highest level is there for accelerations and multipliers
    if (i.stage < 0) lines.push_back(fmt::format("invariant {}", text(i.residual)));
  return lines;
}

// The common parts of the formulations.
const std::string free_x = "x' = u", free_y = "y' = v";
const std::string free_u = "u' = -2*lambda*x/m", free_v = "v' = -(m + 2*lambda*y)/m";
const std::string g = "x*x + y*y - 1", gdot = "2*(x*u) + 2*(y*v)",
                  gdotdot = "2*(u*u - x*(2*lambda*x/m)) + 2*(v*v - y*((m + 2*lambda*y)/m))";

// a g + b g' + g'', or a g + g'.
std::string combined(int a, int b) { return fmt::format("{}*({}) + {}*({}) + ({})", a, g, b, gdot, gdotdot); }
std::string damped(int a) { return fmt::format("{}*({}) + ({})", a, g, gdot); }

struct Expected {
  const char* formulation;
  std::vector<std::string> kinematics, rows, invariants;
};

class FormsOnPaper : public testing::TestWithParam<Expected> {};

TEST_P(FormsOnPaper, OfThePendulum) {
  const Expected& expected = GetParam();
  std::vector<std::string> lines = expected.kinematics;
  for (const std::string& row : expected.rows) lines.push_back("0 = " + row);
  for (const std::string& invariant : expected.invariants) lines.push_back("invariant " + invariant);
  const auto formulation = parse_formulation(expected.formulation);
  ASSERT_TRUE(formulation);
  EXPECT_EQ(written(*formulation), lines);
}

const std::vector<std::string> free_motion{free_x, free_y, free_u, free_v};

INSTANTIATE_TEST_SUITE_P(Direct, FormsOnPaper,
                         testing::Values(Expected{"index1", free_motion, {gdotdot}, {g, gdot}},
                                         Expected{"index2", free_motion, {gdot}, {g}},
                                         Expected{"original", free_motion, {g}, {gdot}},
                                         Expected{"overdetermined", free_motion, {gdotdot}, {g, gdot}},
                                         Expected{"overdetermined:index=2", free_motion, {gdot}, {g}}));

INSTANTIATE_TEST_SUITE_P(Combined, FormsOnPaper,
                         testing::Values(Expected{"baumgarte:gamma=3", free_motion, {combined(9, 6)}, {g, gdot}},
                                         Expected{"baumgarte:alpha=3,beta=2", free_motion, {combined(4, 6)}, {g, gdot}},
                                         Expected{
                                             "baumgarte:coefficients=5/4/1", free_motion, {combined(5, 4)}, {g, gdot}},
                                         Expected{"damped-index2:gamma=3", free_motion, {damped(3)}, {g, gdot}}));

// Gᵀ mu, and Gᵀ mu + Γᵀ eta.
const std::string pull_x = "2*x*mu(rod)", pull_y = "2*y*mu(rod)", both_x = "(2*x*mu(rod) + 2*u*mu(rod'))",
                  both_y = "(2*y*mu(rod) + 2*v*mu(rod'))", pull_u = "2*x*mu(rod')", pull_v = "2*y*mu(rod')";

INSTANTIATE_TEST_SUITE_P(
    StabilizedIndex2, FormsOnPaper,
    testing::Values(Expected{"ggl", {free_x + " - " + pull_x, free_y + " - " + pull_y, free_u, free_v}, {g, gdot}, {}},
                    Expected{"ggl:D=mass",
                             {free_x + " - " + pull_x + "/m", free_y + " - " + pull_y + "/m", free_u, free_v},
                             {g, gdot},
                             {}},
                    Expected{"ggl:D=unit", {free_x, free_y + " - mu(rod)", free_u, free_v}, {g, gdot}, {}},
                    Expected{"ggl:D=given,columns=7/8",
                             {free_x + " - 7*mu(rod)", free_y + " - 8*mu(rod)", free_u, free_v},
                             {g, gdot},
                             {}}));

// Ascher & Petzold (1993), (4.14), (4.16), (4.17).
INSTANTIATE_TEST_SUITE_P(
    ProjectedInvariants, FormsOnPaper,
    testing::Values(
        Expected{"pa", {free_x + " - " + pull_x, free_y + " - " + pull_y, free_u, free_v}, {g, gdotdot}, {gdot}},
        Expected{"pb",
                 {free_x + " - " + pull_x, free_y + " - " + pull_y, free_u + " - " + pull_u, free_v + " - " + pull_v},
                 {g, gdot, gdotdot},
                 {}},
        Expected{"pc",
                 {free_x + " - " + both_x, free_y + " - " + both_y, free_u + " - " + pull_u, free_v + " - " + pull_v},
                 {g, gdot, gdotdot},
                 {}}));

// Führer & Leimkuhler (1991), (31)-(35); Hairer & Wanner (1996), (2.27).
INSTANTIATE_TEST_SUITE_P(StabilizedIndex1, FormsOnPaper,
                         testing::Values(Expected{"stabilized-index1",
                                                  {free_x + " - " + both_x, free_y + " - " + both_y,
                                                   free_u + " - " + pull_u + "/m", free_v + " - " + pull_v + "/m"},
                                                  {g, gdot, gdotdot},
                                                  {}},
                                         Expected{"stabilized-index1:D=mass",
                                                  {free_x + " - " + both_x + "/m", free_y + " - " + both_y + "/m",
                                                   free_u + " - " + pull_u + "/m", free_v + " - " + pull_v + "/m"},
                                                  {g, gdot, gdotdot},
                                                  {}}));

INSTANTIATE_TEST_SUITE_P(StabilizedOde, FormsOnPaper,
                         testing::Values(Expected{
                             "stabilized-ode:gamma=3,D=unit",
                             {free_x, free_y + " - mu(rod)", free_u, free_v + " - mu(rod')"},
                             {"2*y*mu(rod) - 3*(" + g + ")", "2*v*mu(rod) + 2*y*mu(rod') - 3*(" + gdot + ")", gdotdot},
                             {g, gdot}}));

// ---- directions of forces if M is not diagonal

// The rows of the multiplier terms w are M w = Gᵀ mu, coordinate by coordinate, with w = velocity - rate.
TEST(ForceDirections, SatisfyTheMassMatrix) {
  const auto base = samples::reduced(samples::read(samples::path_of("squeezer")), every_level);
  const auto mechanical = mechanical_shape(*base);
  ASSERT_TRUE(mechanical) << mechanical.why_not;
  const Reduced result = reformulate(*base, Ggl{Mass{}});
  RandomPoint at(result, 7);
  const std::size_t n = mechanical->coordinates.size();
  std::vector<double> residual(n, 0.0);  // M w - Gᵀ mu, per coordinate
  for (const Mechanical::Entry& e : mechanical->mass) {
    const int slot = mechanical->coordinates[e.column].position;
    for (const Kinematic& k : result.kinematics) {
      if (k.slot != slot) continue;
      const double velocity = at.value(base->slots[mechanical->coordinates[e.column].velocity].quantity);
      residual[e.row] += at(e.value) * (velocity - at(k.rate));
    }
  }
  for (const Mechanical::Entry& e : mechanical->gradients)
    residual[e.column] -= at(e.value) * at.value(result.slots[base->slots.size() + e.row].quantity);
  // The rows that define the multiplier terms are these residuals; gamma, whose mass stands alone, needs no row.
  std::vector<double> rows;
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    const NodeId node = result.rows[r].residual;
    bool defines_pull = false;
    for (const NodeId leaf : variables_of(*result.model->pool, node))
      defines_pull = defines_pull || result.name({VarId((*result.model->pool)[leaf].a), 0}).starts_with("w(");
    if (defines_pull) rows.push_back(at(node));
  }
  ASSERT_EQ(rows.size(), 6u);
  std::size_t matched = 0;
  for (const double r : residual) {
    const bool found = std::ranges::any_of(rows, [&](double row) { return std::abs(row - r) < 1e-12 * std::abs(row); });
    matched += found;
    EXPECT_TRUE(found || std::abs(r) < 1e-15) << r;
  }
  EXPECT_EQ(matched, 6u);
}

// Of a Hessenberg form that is not mechanical: D = B = ∂y''/∂u for the positions of Jay's problem, ∂z'/∂u for z.
TEST(ForceDirections, AnswerTheMultipliersOfAHessenbergForm) {
  const auto base = samples::reduced(samples::read(samples::path_of("jay")), every_level);
  ASSERT_FALSE(mechanical_shape(*base));
  const Reduced result = reformulate(*base, ProjectedInvariants{.levels = 2, .direction = Mass{}});
  RandomPoint at(result, 8);
  const auto value = [&](const char* name, int order = 0) -> double& {
    for (const Quantity q : result.quantities)
      if ((*result.model)[q.variable].name == name && q.order == order) return at.value(q);
    throw std::logic_error(name);
  };
  const double y1 = value("y1"), y2 = value("y2"), z1 = value("z1"), z2 = value("z2"), u = value("u");
  const double mu = value("mu(line 17)"), tau = value("mu(line 17')");
  const double k1 = y1 * y2 + z1 * z2, k2 = -y1 * y2 * y2 * z2 * z2;                 // ∂z'/∂u
  const double b1 = 2 * y1 * y2 * (k1 * z2 + z1 * k2), b2 = -2 * y1 * y2 * z2 * k2;  // f_z k_u
  std::vector<double> rates;
  for (const Kinematic& k : result.kinematics) rates.push_back(at(k.rate));
  ASSERT_EQ(rates.size(), 4u);
  EXPECT_NEAR(rates[0], 2 * y1 * y2 * z1 * z2 - b1 * mu, 1e-14);
  EXPECT_NEAR(rates[1], -y1 * y2 * z2 * z2 - b2 * mu, 1e-14);
  EXPECT_NEAR(rates[2], k1 * u - k1 * tau, 1e-14);
  EXPECT_NEAR(rates[3], k2 * u - k2 * tau, 1e-14);
}

TEST(ForceDirections, NeedForces) {
  const auto base = samples::reduced(samples::read(samples::path_of("two_pendula")), every_level);
  const auto reason = not_applicable(*base, Ggl{Mass{}});
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason,
            "ggl:D=mass does not apply: the model is not mechanical, line 19 (x^2 + y^2 - L^2 = 0) is differentiated 4 "
            "times");
}

TEST(GivenDirections, MustFit) {
  const auto base = samples::reduced(pendulum(), every_level);
  EXPECT_FALSE(not_applicable(*base, Ggl{Given{{{1.0, 0.0}}}}));
  for (const Given& given : {Given{{{1.0}}}, Given{{{1.0, 0.0}, {0.0, 1.0}}}, Given{}})
    EXPECT_THAT(not_applicable(*base, Ggl{given}).value_or(""),
                testing::HasSubstr("does not apply: 1 constraints of 2 variables need 1 columns of 2 entries"));
}

}  // namespace
}  // namespace driftless
