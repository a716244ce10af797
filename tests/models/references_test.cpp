// Every reference, at three tolerances. Error control is per step, so errors add up along a run: 100 tolerances is the
// measure of a good run of some hundred steps, and what needs more has its reason in allowances.json.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/models/measure.hpp"

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double largest_error = 100.0, largest_residual = 100.0, largest_drift = 10.0;  // in tolerances
constexpr double largest_residual_at_steps = 1.0;

class References : public ::testing::TestWithParam<std::string> {
 protected:
  Solution run(double tolerance) const {
    return simulate(analysis, {.stop = reference.stop, .tolerance = tolerance, .method = method::Bdf{}});
  }

  // Every equation without derivatives is a constraint, as written and as often differentiated as the analysis says.
  void expect_all_constraints_in(const std::vector<CertificateEntry>& certificate) const {
    for (std::size_t i = 0; i < model->equations.size(); ++i) {
      const auto leaves = variables_of(*model->pool, model->equations[i].residual);
      if (std::ranges::any_of(leaves, [&](NodeId leaf) { return (*model->pool)[leaf].b > 0; })) continue;
      for (int level = 0; level <= reference.differentiations[i]; ++level)
        EXPECT_EQ(std::ranges::count_if(certificate,
                                        [&](const CertificateEntry& entry) {
                                          return entry.constraint == model->equations[i].label && entry.level == level;
                                        }),
                  1)
            << model->equations[i].text << " level " << level;
    }
  }

  const Reference reference = read_reference(GetParam());
  const std::shared_ptr<const Model> model = std::make_shared<const Model>(reference.model());
  const Analysis analysis = analyze(model);
};

TEST_P(References, Structure) {
  EXPECT_EQ(static_cast<int>(model->equations.size()), reference.equations);
  const structure::Structure& shape = analysis.repair ? analysis.repair->shape_as_written : analysis.shape;
  EXPECT_EQ(shape.structural_index, reference.structural_index);
  EXPECT_EQ(shape.degrees_of_freedom, reference.degrees_of_freedom);
  EXPECT_EQ(shape.offsets.c, reference.differentiations);
  EXPECT_EQ(analysis.shape.degrees_of_freedom, reference.true_degrees_of_freedom);
  const Solution solution =
      simulate(analysis, {.stop = reference.stop * 1e-3, .tolerance = 1e-4, .intervals = 1, .method = method::Bdf{}});
  EXPECT_EQ(solution.structure.degrees_of_freedom, reference.true_degrees_of_freedom);
}

TEST_P(References, ErrorsFollowTheTolerance) {
  std::vector<double> errors;
  for (const double tolerance : reference.tolerances) {
    const Solution solution = run(tolerance);
    ASSERT_EQ(solution.outcome, Outcome::Success) << "tolerance " << tolerance << ": " << solution.message;
    const Worst worst = error_against(reference, *model, solution);
    fmt::print("{:22} tolerance {:5.0e}   error/tolerance {:9.3g}   {} at {:g}\n", reference.name, tolerance,
               worst.error / tolerance, worst.name, worst.t);
    EXPECT_LE(worst.error, largest_error * reference.allowance * tolerance)
        << "tolerance " << tolerance << ": " << worst.name << " at t = " << worst.t;
    errors.push_back(worst.error);
  }
  // Order 5 with error control per step: error ~ tolerance^(5/6). Asked for is the square root.
  const double ratio = reference.tolerances.back() / reference.tolerances.front();
  EXPECT_LE(errors.back(), std::max(std::sqrt(ratio) * errors.front(), 10.0 * reference.tolerances.back()))
      << "errors do not go down with the tolerance";
}

// Without superfluous differentiations (M56): fewer equations, the same solution.
TEST_P(References, TheMinimalFormulationAgrees) {
  const double tolerance = reference.tolerances[1];
  const Solution solution = simulate(
      analyze(model, formulation::Minimal{}),
      {.stop = reference.stop, .tolerance = tolerance, .formulation = formulation::Minimal{}, .method = method::Bdf{}});
  ASSERT_TRUE(reached_end(solution.outcome)) << solution.message;
  const Worst worst = error_against(reference, *model, solution);
  fmt::print("{:22} minimal, {:5.0e}   error/tolerance {:9.3g}   {} at {:g}\n", reference.name, tolerance,
             worst.error / tolerance, worst.name, worst.t);
  EXPECT_LE(worst.error, largest_error * reference.allowance * tolerance) << worst.name << " at t = " << worst.t;
}

TEST_P(References, EveryConstraintHoldsAtEveryLevel) {
  for (const double tolerance : reference.tolerances) {
    const Solution solution = run(tolerance);
    ASSERT_TRUE(reached_end(solution.outcome)) << solution.message;
    if (!analysis.hidden) expect_all_constraints_in(solution.certificate);
    for (const CertificateEntry& entry : solution.certificate)
      EXPECT_LE(entry.max_residual, largest_residual * tolerance)
          << entry.constraint << " level " << entry.level << " at t = " << entry.at_time;
    const Worst raw = residuals_at_steps(analysis, solution);
    fmt::print("{:22} tolerance {:5.0e}   certificate/tolerance {:8.2g}   at the steps {:8.2g}   {} at {:g}\n",
               reference.name, tolerance, solution.largest_residual() / tolerance, raw.error / tolerance, raw.name,
               raw.t);
    EXPECT_LE(raw.error, largest_residual_at_steps * tolerance) << raw.name << " at t = " << raw.t;
  }
}

TEST_P(References, InvariantsStayConstant) {
  for (const Reference::Invariant& invariant : reference.invariants) {
    const Model observed = with_observable(reference, invariant.expression);
    const Probe probe(observed, observed.equations.back().residual);  // observable - expression
    for (const double tolerance : reference.tolerances) {
      const Solution solution = run(tolerance);
      ASSERT_EQ(solution.outcome, Outcome::Success) << solution.message;
      Worst worst;
      double size = 0.0;
      for (std::size_t k = 0; k < solution.times.size(); ++k) {
        const auto series = std::span(solution.values).subspan(k * solution.series(), solution.series());
        const Probe::Sample sample = probe(solution, solution.times[k], series);
        worst.see(std::abs(sample.value + invariant.value), invariant.name, solution.times[k]);
        size = std::max(size, sample.size);
      }
      fmt::print("{:22} tolerance {:5.0e}   drift/tolerance {:8.2g}   {} at {:g}\n", reference.name, tolerance,
                 worst.error / size / tolerance, worst.name, worst.t);
      EXPECT_LE(worst.error, largest_drift * reference.invariants_allowance * tolerance * size)
          << invariant.name << " at t = " << worst.t << ", tolerance " << tolerance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, References, ::testing::ValuesIn(reference_names()),
                         [](const auto& i) { return i.param; });

}  // namespace
}  // namespace driftless
