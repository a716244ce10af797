#include "driftless/integrate/solve/index_scaling.hpp"

#include <cmath>
#include <map>
#include <random>

#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/states/selection.hpp"

namespace driftless {
namespace {

using samples::fitted_order;
using samples::from_text;
using samples::SampleProblem;
using testing::AllOf;
using testing::Contains;
using testing::Pair;

Model swinging() { return samples::pendulum({.x = 0.6, .y = -0.8, .vx = 0.4, .fixed = true}); }

// The numbers of a grading by the names of the unknowns.
std::map<std::string, int> by_name(const Problem& problem, const std::vector<int>& numbers) {
  std::map<std::string, int> result;
  for (std::size_t s = 0; s < numbers.size(); ++s)
    result[problem.reduced().name(problem.reduced().slots[s].quantity)] = numbers[s];
  return result;
}
std::map<std::string, int> indices(const Model& model, const Formulation& formulation) {
  SampleProblem sample(model, formulation);
  return by_name(sample.problem, grade(sample.problem).index);
}

// Labels of the literature: 4.14, 4.15 and the remarks on every formulation.
TEST(IndexScaling, LabelsTheUnknownsOfEveryFormulationOfThePendulum) {
  using namespace formulation;
  const Model model = swinging();
  EXPECT_THAT(indices(model, Index1{}),
              AllOf(Contains(Pair("x", 0)), Contains(Pair("der(x)", 0)), Contains(Pair("lambda", 1))));
  EXPECT_THAT(indices(model, Baumgarte{}), Contains(Pair("lambda", 1)));
  EXPECT_THAT(indices(model, Index2{}),
              AllOf(Contains(Pair("x", 0)), Contains(Pair("der(x)", 1)), Contains(Pair("lambda", 2))));
  EXPECT_THAT(indices(model, Original{}),
              AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 2)), Contains(Pair("lambda", 3))));
  EXPECT_THAT(indices(model, Ggl{}), AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 1)),
                                           Contains(Pair("lambda", 2)), Contains(Pair("mu(rod)", 2))));
  EXPECT_THAT(indices(model, StabilizedIndex1{}),
              AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 1)), Contains(Pair("lambda", 1)),
                    Contains(Pair("mu(rod)", 2)), Contains(Pair("mu(rod')", 2))));
}

// y' = f(y, z), z' = k(y, z, u), 0 = g(y): rows and unknowns of Hessenberg form, up to a common factor as in the table
// of 4.15.
TEST(IndexScaling, ScalesHessenbergFormsAsTheLiteratureDoes) {
  const Model hessenberg3 = from_text(R"(
    model Hessenberg3
      Real y, z, u;
    equation
      der(y) = z + y;
      der(z) = u + y*z;
      y = sin(time);
    end Hessenberg3;)");
  SampleProblem sample(samples::reduced(hessenberg3, {.eliminate = false, .keep_constraints = true}),
                       formulation::Original{});
  const IndexScaling grading = grade(sample.problem);
  const auto columns = by_name(sample.problem, grading.columns);
  EXPECT_EQ(columns.at("y"), 2);
  EXPECT_EQ(columns.at("z"), 1);
  EXPECT_EQ(columns.at("u"), 0);
  const auto index = by_name(sample.problem, grading.index);
  EXPECT_EQ(index.at("y"), 1);
  EXPECT_EQ(index.at("z"), 2);
  EXPECT_EQ(index.at("u"), 3);
  EXPECT_EQ(*std::ranges::max_element(grading.rows), 2);
}

ConditionNumbers condition_at(SampleProblem& sample, double h) {
  IterationMatrix matrix;
  matrix.reset(sample.problem.pattern(), linear::make_factorization(sample.problem.pattern()));
  const IndexScaling grading = grade(sample.problem);
  std::vector<double> rows(sample.problem.size()), columns(sample.problem.size());
  grading.scales(h, rows, columns);
  matrix.scale(rows, columns);
  EXPECT_TRUE(sample.problem.matrix(0.0, sample.start.y, sample.start.yp, 1.0 / h, matrix.values()));
  EXPECT_TRUE(matrix.factorize());
  return matrix.condition();
}

// 7-L4: cond = O(h^-index), and bounded after scaling.
TEST(IndexScaling, KeepsTheConditionBounded) {
  using namespace formulation;
  const std::vector<std::pair<Formulation, int>> forms{{Index1{}, 1},   {Baumgarte{}, 1}, {Index2{}, 2},
                                                       {Original{}, 3}, {Ggl{}, 2},       {StabilizedIndex1{}, 2}};
  for (const auto& [formulation, index] : forms) {
    SCOPED_TRACE(to_string(formulation));
    SampleProblem sample(swinging(), formulation);
    std::vector<double> steps, unscaled, scaled;
    for (double h = 1e-2; h > 1e-5; h /= 4.0) {
      const ConditionNumbers c = condition_at(sample, h);
      steps.push_back(h), unscaled.push_back(c.matrix), scaled.push_back(c.scaled);
    }
    EXPECT_NEAR(fitted_order(steps, unscaled), -index, 0.1);
    EXPECT_NEAR(fitted_order(steps, scaled), 0.0, 0.1);
    EXPECT_LT(scaled.back(), 1000.0);
  }
}

// Whichever states are chosen, as long as the rows determine the rest.
TEST(IndexScaling, OfIndex1IsKnownWhenTheStatesChange) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const char* name : {"pendulum", "spherical_pendulum", "four_bar", "slider_crank", "squeezer", "chain"}) {
    SCOPED_TRACE(name);
    const auto reduced = samples::reduced(samples::read(samples::path_of(name)));
    System system(reduced, Backend::Interpreter);
    Problem problem(system);
    StateSelection selection(*reduced, system.choice_entries(), 2.0);
    std::vector<double> values(system.choice_values());
    IndexScaling before;
    for (int trial = 0; trial < 20; ++trial) {
      for (double& v : values) v = normal(random);
      ASSERT_TRUE(selection.choose(values));
      problem.set_states(selection.active());
      const IndexScaling analysed = grade(problem), known = grade_again(problem, before);
      before = known;
      EXPECT_EQ(known.highest_index(), 1);
      EXPECT_EQ(known.rows, analysed.rows);
      EXPECT_EQ(known.columns, analysed.columns);
      EXPECT_EQ(known.index, analysed.index);
    }
  }
}

// M50: multipliers of index 2 never, of index 1 only where nothing else holds the constraints.
TEST(ErrorTest, CoversWhatItsIndexAllows) {
  using namespace formulation;
  const auto tested = [](const Formulation& formulation) {
    SampleProblem sample(swinging(), formulation);
    const std::vector<bool> included = in_error_test(sample.problem, grade(sample.problem));
    return by_name(sample.problem, {included.begin(), included.end()});
  };
  EXPECT_THAT(tested(Index1{}),
              AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 1)), Contains(Pair("lambda", 1))));
  for (const Formulation& f :
       {Formulation(Baumgarte{.gamma = 3.0}), Formulation(StabilizedOde{.gamma = 3.0}), Formulation(Index2{}),
        Formulation(Ggl{}), Formulation(StabilizedIndex1{}), Formulation(Overdetermined{})})
    EXPECT_THAT(tested(f), AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 1)), Contains(Pair("lambda", 0))))
        << to_string(f);
  EXPECT_THAT(tested(Ggl{}), Contains(Pair("mu(rod)", 0)));
  EXPECT_THAT(tested(Original{}),
              AllOf(Contains(Pair("x", 1)), Contains(Pair("der(x)", 0)), Contains(Pair("lambda", 0))));
}

}  // namespace
}  // namespace driftless
