#include "driftless/solution/comparison_table.hpp"

#include <sstream>

#include "driftless/solution/sample_comparison.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(ComparisonTable, AlignsEveryKindOfRunAndTellsReasonsOnce) {
  EXPECT_EQ(comparison_table(sample_comparison()),
            R"(Pendulum   0 … 10; error: against taylor at the tolerance 2.5e-10, exact to 2e-11

formulation  tol     outcome                  steps  residuals  Jacobians  CPU time    error
dummy        1e-4    success                    150        400         20    1.2 ms  3.0e-03
dummy        1e-6    success                    301        900         34     12 ms  3.0e-05
index1       1e-4    success                    137        362         19    1.0 ms  2.0e-03
index1       2.5e-7  success                    314       1000         23   1234 ms  2.0e-06
original     1e-4    stopped at t = 0.25 (1)     12         99          7    0.1 ms        -

                     largest residual
formulation  tol     as written  1st der.  2nd der.
dummy        1e-4       0.0e+00   2.2e-16   1.8e-15
dummy        1e-6       0.0e+00   2.2e-16   1.8e-15
index1       1e-4       2.0e-03   8.4e-04   5.1e-05
index1       2.5e-7     2.0e-05   1.3e-05   5.4e-07
original     1e-4             -         -         -

(1) step size too small

does not apply
  baumgarte:gamma=1, ggl: there is nothing to stabilize
)");
}

TEST(ComparisonTable, FitsAHundredColumns) {
  for (const Comparison& comparison : {sample_comparison(), sample_of_methods()}) {
    std::istringstream lines(comparison_table(comparison));
    for (std::string line; std::getline(lines, line) && !line.starts_with("(1)");) EXPECT_LE(line.size(), 102u) << line;
  }
}

TEST(ComparisonTable, HasNoDriftColumnsWithoutConstraints) {
  Comparison comparison = sample_comparison();
  comparison.runs.resize(1);
  comparison.runs[0].drift.clear();
  const std::string text = comparison_table(comparison);
  EXPECT_THAT(text, Not(HasSubstr("residual\n")));
  EXPECT_THAT(text, EndsWith("  3.0e-03\n"));
}

TEST(ComparisonTable, SaysThatTheReferenceFailed) {
  Comparison comparison = sample_comparison();
  comparison.reference_outcome = Outcome::TooManySteps;
  comparison.reference_reached = 7.5;
  comparison.reference_error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(comparison_table(comparison), HasSubstr("2.5e-10, which stopped at t = 7.5: too many steps\n"));
}

TEST(ComparisonTable, TellsMethodsAndProjectionsApartWhereTheyDiffer) {
  EXPECT_EQ(comparison_table(sample_of_methods()), R"(Kepler   0 … 1; error: against exact.csv

formulation  method  projection  tol or step  outcome                 steps  residuals  Jacobians
dummy        dopri5  none        1e-6         success                     0          0          0
dummy        radau3  none        h = 0.1      success                    10          0          0
dummy        radau3  invariants  h = 0.1      success                    10          0          0

index1       radau3  none        h = 0.1      stopped at t = 0.5 (1)      0          0          0

                                                                            largest change
formulation  method  projection  tol or step  CPU time    error  condition   energy  momentum
dummy        dopri5  none        1e-6           0.0 ms  1.0e-05          -  2.0e-03   0.0e+00
dummy        radau3  none        h = 0.1        0.0 ms  1.0e-07    1.0e+05  2.0e-03   0.0e+00
dummy        radau3  invariants  h = 0.1        0.0 ms  1.0e-08    1.0e+05  2.0e-03   0.0e+00

index1       radau3  none        h = 0.1        0.0 ms        -          -        -         -

(1) the run was interrupted

does not apply
  rattle with projection invariants on dummy, index1: no constraints
)");
}

TEST(ComparisonTable, NamesAMethodThatAllHaveInCommonOnce) {
  Comparison comparison = sample_of_methods();
  comparison.runs = {comparison.runs[2]};
  const std::string text = comparison_table(comparison);
  EXPECT_THAT(text, HasSubstr("error: against exact.csv; method: radau3; projection: invariants\n"));
  EXPECT_THAT(text, Not(HasSubstr("formulation  method")));
}

}  // namespace
}  // namespace driftless
