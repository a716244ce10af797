#include "driftless/reduce/pure_index2.hpp"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<const Model> model_of(const std::string& declarations, const std::string& equations) {
  std::string text = "model Sample\n";
  text.append(declarations).append("\nequation\n").append(equations).append("\nend Sample;\n");
  return std::make_shared<const Model>(read_model_text("sample.mo", text));
}

PureIndex2 pure(const std::shared_ptr<const Model>& model) { return std::get<PureIndex2>(to_pure_index2(model)); }

std::string refusal(const std::shared_ptr<const Model>& model) { return std::get<std::string>(to_pure_index2(model)); }

std::vector<std::string> names(const PureIndex2& result) {
  std::vector<std::string> list;
  for (const PureIndex2::Eliminated& one : result.eliminated) list.push_back(one.variable);
  return list;
}

// No equation without derivatives has a variable without derivative.
bool is_pure(const Model& model) {
  std::vector<bool> differentiated(model.variables.size(), false);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual))
      if ((*model.pool)[leaf].b > 0) differentiated[(*model.pool)[leaf].a] = true;
  return std::ranges::all_of(model.equations, [&](const Equation& equation) {
    const auto leaves = variables_of(*model.pool, equation.residual);
    const bool has_derivative = std::ranges::any_of(leaves, [&](NodeId l) { return (*model.pool)[l].b > 0; });
    return has_derivative || std::ranges::all_of(leaves, [&](NodeId l) { return differentiated[(*model.pool)[l].a]; });
  });
}

TEST(PureIndex2, EliminatesWhatIsOfIndexOne) {
  const auto model = model_of("Real x, y, u, v;", "der(x) = u + v; der(y) = -y + v; 0 = u - 2*v + x; x = sin(time);");
  const PureIndex2 result = pure(model);
  EXPECT_EQ(result.index, 2);
  EXPECT_THAT(names(result), ElementsAre("v"));
  EXPECT_EQ(to_string(*result.model->pool, result.eliminated[0].value, names_of(*result.model)), "(u + x)/2");
  EXPECT_EQ(result.model->variables.size(), 3u);
  EXPECT_EQ(result.model->equations.size(), 3u);
  EXPECT_TRUE(is_pure(*result.model));
  EXPECT_EQ(model->variables.size(), 4u);
}

// The last equation depends on u and v only through the result of the previous one: after substituting it both cancel,
// although 1.61 - 0.69*0.7/0.3 is not zero in floating point numbers.
TEST(PureIndex2, SeesWhatCancels) {
  const auto model = model_of(
      "Real x, u, v;", "der(x) = u; 0 = 0.7*u + 0.3*v - x; x/2 + sin(x) + cos(x)*x^2 = 1.61*u + 0.69*v + sin(time);");
  const PureIndex2 result = pure(model);
  EXPECT_THAT(result.eliminated, testing::SizeIs(1));
  EXPECT_TRUE(is_pure(*result.model));
  EXPECT_EQ(result.index, 2);
}

TEST(PureIndex2, GivesWhatIsEliminatedInWhatIsLeft) {
  const PureIndex2 result = pure(model_of("Real x, u, v;", "der(x) = -u; 0 = u - v; 0 = v - 2*x;"));
  ASSERT_THAT(result.eliminated, testing::SizeIs(2));
  for (const PureIndex2::Eliminated& one : result.eliminated)
    EXPECT_EQ(to_string(*result.model->pool, one.value, names_of(*result.model)), "2*x") << one.variable;
}

TEST(PureIndex2, LeavesAPureProblemAsItIs) {
  const auto model = model_of("Real x, z;", "der(x) = -x + z; x = cos(time);");
  const PureIndex2 result = pure(model);
  EXPECT_THAT(names(result), testing::IsEmpty());
  EXPECT_EQ(result.model->equations.size(), 2u);
  EXPECT_EQ(result.index, 2);
}

TEST(PureIndex2, OfIndexOneIsAnOrdinaryDifferentialEquation) {
  const PureIndex2 result = pure(model_of("Real x, z;", "der(x) = -z; z = 2*x;"));
  EXPECT_THAT(names(result), ElementsAre("z"));
  EXPECT_EQ(result.index, 0);
  EXPECT_EQ(result.model->variables.size(), 1u);
}

TEST(PureIndex2, KeepsWhatWasFixed) {
  const PureIndex2 result = pure(
      model_of("Real x, y, u(start = 4, fixed = true), v;", "der(x) = u + v; der(y) = v; 0 = u - y; x = sin(time);"));
  ASSERT_EQ(result.model->initial_equations.size(), 1u);
  EXPECT_EQ(to_string(*result.model->pool, result.model->initial_equations[0].residual, names_of(*result.model)),
            "y - 4");
}

TEST(PureIndex2, RefusesWithAReason) {
  EXPECT_THAT(refusal(model_of("Real x, z, w;", "der(x) = z + w;\nx = sin(time);\nw^3 + w = x;")),
              "line 6 cannot be solved for w by symbols");
  EXPECT_THAT(refusal(model_of("Real x, z;", "der(der(x)) = z; x = time;")), HasSubstr("second order"));
  EXPECT_THAT(refusal(model_of("Real x, v, z;", "der(x) = v; der(v) = z; x = sin(time);")), "the index is 3, not 2");
  EXPECT_THAT(refusal(model_of("Real x, y, z;", "der(x) + y = z; der(x) = y; z = time; ")),
              HasSubstr("2 equations have derivatives, but 1 of 3 variables do"));
  EXPECT_THAT(refusal(model_of("parameter Real p = 0.49; Real x, z;",
                               "der(x) = z;\n0 = x - time + (if p > 0.5 then z else 0);")),
              HasSubstr("line 5 depends on z at some points only"));
}

}  // namespace
}  // namespace driftless
