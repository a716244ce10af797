// One step of backward Euler in every form of the linear mechanical models (Ascher, Petzold 1993, Examples 3 and 4):
// the discrete equations themselves, to all digits that are known.
#include <gtest/gtest.h>

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using samples::SampleProblem;

struct Checkpoint {
  const char* formulation;
  double p1, p2, v1, v2;
  double mu;  // its size, NAN: the form has no multiplier
};

void expect_one_step(const std::string& model, double kappa, const Checkpoint& expected) {
  SCOPED_TRACE(expected.formulation);
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  ReadOptions options;
  options.overrides.emplace_back("nu", "100");
  if (model == "ascher_petzold_3") options.overrides.emplace_back("kappa", std::to_string(kappa));
  auto read = read_model_file(samples::path_of(model), options, sources, diagnostics);
  ASSERT_TRUE(read) << render(diagnostics, *sources);
  const auto formulation = parse_formulation(expected.formulation);
  ASSERT_TRUE(formulation);
  SampleProblem sample(std::move(*read), *formulation);
  const auto stepper = make_stepper(method::ConstantBdf{1}, sample.problem, sample.start, {.stop = 0.01, .step = 0.01});
  const StepReport report = stepper->step();
  ASSERT_EQ(report.outcome, Outcome::Success) << report.reason;
  constexpr double digits = 6e-8;
  EXPECT_NEAR(sample(*stepper, "p1"), expected.p1, digits);
  EXPECT_NEAR(sample(*stepper, "p2"), expected.p2, digits);
  EXPECT_NEAR(sample(*stepper, "v1"), expected.v1, digits);
  EXPECT_NEAR(sample(*stepper, "v2"), expected.v2, digits);
  if (std::isnan(expected.mu)) return;
  for (const Quantity q : sample.problem.reduced().quantities) {
    const std::string name = sample.problem.reduced().name(q);
    if (!name.starts_with("mu(") || name.ends_with("')")) continue;
    EXPECT_NEAR(std::abs(sample(*stepper, name)), expected.mu, 6e-5 * expected.mu);
    return;
  }
  ADD_FAILURE() << "no multiplier";
}

TEST(Checkpoints, OfTheMechanicalModel) {
  for (const Checkpoint& c : {Checkpoint{"pa:D=mass", 1.0151343, 1.0126050, 1.0100668, 1.0100839, 1.2584e-03},
                              Checkpoint{"pa", 1.0101108, 1.0100806, 1.0100668, 1.0100839, 1.0148e-03},
                              Checkpoint{"pa:D=unit", 1.0101007, 1.0100755, 1.0100668, 1.0100839, 2.5295e-03},
                              Checkpoint{"index2", 1.0101005, 1.0101008, 1.0100502, 1.0100756, NAN},
                              Checkpoint{"ggl:D=mass", 1.0134675, 1.0117674, 0.6767140, 0.8434075, 1.6751e-03},
                              Checkpoint{"ggl", 1.0101308, 1.0100907, 1.0120657, 1.0110833, 1.0128e-03},
                              Checkpoint{"ggl:D=unit", 1.0101257, 1.0100881, 1.0125733, 1.0113372, 2.5232e-03}})
    expect_one_step("ascher_petzold_3", 1.0, c);
}

TEST(Checkpoints, OfTheMechanicalModelWithoutDamping) {
  for (const Checkpoint& c : {Checkpoint{"pa:D=mass", 1.0151340, 1.0126048, 1.0100500, 1.0100754, 1.2584e-03},
                              Checkpoint{"pa", 1.0101106, 1.0100806, 1.0100500, 1.0100754, 1.0148e-03},
                              Checkpoint{"pa:D=unit", 1.0101005, 1.0100755, 1.0100500, 1.0100754, 2.5294e-03},
                              Checkpoint{"index2", 1.0101003, 1.0101007, 1.0100333, 1.0100671, NAN},
                              Checkpoint{"ggl:D=mass", 1.0151340, 1.0126048, 0.7596166, 0.8854879, 1.8845e-03},
                              Checkpoint{"ggl", 1.0101239, 1.0100872, 1.0113783, 1.0107362, 1.0121e-03},
                              Checkpoint{"ggl:D=unit", 1.0101172, 1.0100838, 1.0117168, 1.0109046, 2.5210e-03}})
    expect_one_step("ascher_petzold_3", 0.0, c);
}

TEST(Checkpoints, OfTheMechanicalModelThatIsNotStiff) {
  for (const Checkpoint& c : {Checkpoint{"pa:D=mass", 1.0151350, 1.0126053, 1.0101005, 1.0101010, 1.2585e-03},
                              Checkpoint{"pa", 1.0101112, 1.0100808, 1.0101005, 1.0101010, 1.0149e-03},
                              Checkpoint{"pa:D=unit", 1.0101010, 1.0100757, 1.0101005, 1.0101010, 2.5296e-03},
                              Checkpoint{"index2", 1.0101010, 1.0101010, 1.0101015, 1.0101015, NAN},
                              Checkpoint{"ggl:D=mass", 1.0101008, 1.0100756, 0.5092212, 0.7583901, 1.2522e-03},
                              Checkpoint{"ggl", 1.0101518, 1.0101012, 1.0141616, 1.0121419, 1.0149e-03},
                              Checkpoint{"ggl:D=unit", 1.0101519, 1.0101013, 1.0151869, 1.0126571, 2.5298e-03}})
    expect_one_step("ascher_petzold_3", 2.0, c);
}

TEST(Checkpoints, OfTheRotatingConstraint) {
  for (const Checkpoint& c : {Checkpoint{"pa", 1.0100420, 1.0100629, 1.0101089, 1.0100880, 7.0249e-03},
                              Checkpoint{"pb", 1.0100420, 1.0100629, 1.0113258, 1.0108694, 8.4712e-03},
                              Checkpoint{"pc", 1.0100498, 1.0100508, 1.0101090, 1.0100881, 7.0251e-03},
                              Checkpoint{"ggl", 1.0100420, 1.0100629, 1.0113258, 1.0108694, 8.4712e-03}})
    expect_one_step("ascher_petzold_4", 0.0, c);
}

}  // namespace
}  // namespace driftless
