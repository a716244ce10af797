#include "driftless/solution/summary.hpp"

#include <algorithm>
#include <limits>
#include <regex>
#include <sstream>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const auto width = std::count_if(line.begin(), line.end(), [](char c) { return (c & 0xC0) != 0x80; });
    widest = std::max(widest, static_cast<std::size_t>(width));
  }
  return widest;
}

TEST(Summary, ShowsStructureCostAndDrift) {
  EXPECT_EQ(summary(sample_solution()), R"(Pendulum   index 3, 2 degrees of freedom, 3 equations
run        0 … 10 in 21 ms of CPU time, 812 steps (12 rejected), 1830 residuals, 41 Jacobians,
           states changed 4 times
method     bdf, order 4.6 on average, with hidden constraints (dummy derivatives), tolerance 1e-06,
           compiled
CPU time   parse 1 ms, analyze 0.4 ms, compile 12 ms, initialize 0.3 ms, integrate 7 ms
drift      constraint                level            largest residual    at t
           line 7  x^2 + y^2 = L^2   as written                1.2e-13    3.41
                                     1st derivative            4.2e-12   8.021
                                     2nd derivative            3.7e-05   8.021
           not kept: 1 of 3 residuals exceed 1e-06 of the size of their terms
)");
}

TEST(Summary, AfterAFailureTellsWhatHappenedAndWhatIsThere) {
  Solution s = sample_solution();
  s.outcome = Outcome::StepTooSmall;
  s.code = Code::StepTooSmall;
  s.message = "at t = 5 the error test failed again and again, most of all in line 6";
  s.details = {"line 6: m*der(vy) = -lambda*y - m*g"};
  s.remarks = {"the start value of y was moved from 0 to -1"};
  s.reached = 5.0;
  s.times.pop_back();
  s.certificate.clear();
  EXPECT_EQ(summary(s, {.width = 60}), R"(Pendulum   index 3, 2 degrees of freedom, 3 equations
failed     D0703: at t = 5 the error test failed again and
           again, most of all in line 6
           line 6: m*der(vy) = -lambda*y - m*g
advice     Look at the last values (they are written with
           --output): does something run away? Stop before
           it, or correct the equation that is named.
run        0 … 5 (of 10) in 21 ms of CPU time,
           812 steps (12 rejected), 1830 residuals,
           41 Jacobians, states changed 4 times
method     bdf, order 4.6 on average,
           with hidden constraints (dummy derivatives),
           tolerance 1e-06, compiled
CPU time   parse 1 ms, analyze 0.4 ms, compile 12 ms,
           initialize 0.3 ms, integrate 7 ms
computed   2 output points, the last at t = 5
note       the start value of y was moved from 0 to -1
)");
}

TEST(Summary, ColourChangesNoText) {
  const std::string coloured = summary(sample_solution(), {.colour = true});
  EXPECT_THAT(coloured, HasSubstr("\033[32m         1.2e-13\033[0m"));
  EXPECT_THAT(coloured, HasSubstr("\033[33m         3.7e-05\033[0m")) << "beyond the tolerance";
  EXPECT_EQ(std::regex_replace(coloured, std::regex("\033\\[[0-9;]*m"), ""), summary(sample_solution()));
}

TEST(Summary, CondensesManyConstraintsToTheWorstPerLevel) {
  Solution s = sample_solution();
  s.certificate.clear();
  for (int k = 0; k < 40; ++k) {
    for (int level = 0; level < 2; ++level) {
      const double residual = k == 7 && level == 1 ? 5e-6 : 1e-9 * k;
      s.certificate.push_back({std::string("line ").append(std::to_string(k)), k, level, "", residual, 1.0, residual});
    }
  }
  const std::string text = summary(s);
  EXPECT_THAT(text, HasSubstr("line 39            as written                3.9e-08"));
  EXPECT_THAT(text, HasSubstr("line 7             1st derivative            5.0e-06"));
  EXPECT_THAT(text, HasSubstr("not kept: 1 of 80 residuals exceed 1e-06 of the size of their terms"));
  EXPECT_THAT(text, Not(HasSubstr("line 38")));

  s.certificate[30].max_residual = s.certificate[30].max_relative = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(summary(s), HasSubstr("line 15            as written                    nan"));
  EXPECT_THAT(summary(s), HasSubstr("not kept: 2 of 80"));
}

TEST(Summary, PrintsTheVerdict) {
  Solution s = sample_solution();
  s.certificate[2].max_relative = 1e-6;
  EXPECT_THAT(summary(s), HasSubstr("\n           kept: every residual is within 1e-06 of the size of its terms\n"));
  s.certificate[2].max_relative = 1.1e-6;
  s.certificate[2].imposed = false;
  s.outcome = Outcome::NotKept;
  s.message = "the end was reached";
  EXPECT_THAT(summary(s), HasSubstr("\ndrifted    the end was reached\n"));
  EXPECT_THAT(summary(s), HasSubstr("not kept: 1 of 3 residuals exceed 1e-06 of the size of their terms; the"));
  EXPECT_THAT(summary(s), HasSubstr("not impose these"));
}

TEST(Summary, SaysTheFormInWords) {
  Solution s = sample_solution();
  s.formulation = "index1";
  EXPECT_THAT(summary(s), HasSubstr("constraints differentiated (index1)"));
  s.formulation = "ggl";
  EXPECT_THAT(summary(s), HasSubstr("formulation ggl"));
  s.formulation = "dummy";
  s.structure.differentiations = {{"line 5", 0}};
  EXPECT_THAT(summary(s), HasSubstr("on average, tolerance")) << "nothing was differentiated";
}

TEST(Summary, LetsNoEscapeSequencePass) {
  Solution s = sample_solution();
  s.model = "a\033[31m";
  s.remarks = {"b\033[31m"};
  s.certificate[0].text = "c\033[31m = 0";
  EXPECT_THAT(summary(s), Not(HasSubstr("\033")));
  EXPECT_THAT(summary(s), HasSubstr("a\uFFFD[31m"));
}

TEST(Summary, StaysWithinItsWidth) {
  Solution s = sample_solution();
  s.model = "Modelica.Mechanics.MultiBody.Examples.Loops.EngineV6_analytic_with_a_name_beyond_every_measure_and_more";
  s.remarks = {"many words make a long remark that has to be broken into lines, λ included: λ λ λ λ λ λ λ λ λ λ λ λ"};
  for (auto& entry : s.certificate) entry.text = "(x[1] - x[2])^2 + (y[1] - y[2])^2 + (z[1] - z[2])^2 = L[1, 2]^2 + 0";
  for (const int width : {60, 72, 100}) {
    EXPECT_LE(widest_line(summary(s, {.width = width})), std::size_t(width));
    EXPECT_THAT(summary(s, {.width = width}), HasSubstr("           line 7  "));
  }
}

TEST(Summary, OfAnOrdinaryDifferentialEquationHasNothingToDrift) {
  Solution s = sample_solution();
  s.certificate.clear();
  EXPECT_THAT(summary(s), HasSubstr("drift      none possible: the model has no constraints\n"));
}

TEST(Summary, TellsHowFarInvariantsChanged) {
  Solution s = sample_solution();
  s.invariants = {{"energy", 9, 0.5, 1.25e-7, 3.0, -1e-8}, {"momentum[1]", 9, -12.3456789, 2e-3, 0.25, 1e-3}};
  EXPECT_THAT(summary(s), HasSubstr(R"(
invariant  name             at the start   largest change    at t   final change
           energy                    0.5          1.2e-07       3       -1.0e-08
           momentum[1]       -12.3456789          2.0e-03    0.25        1.0e-03
)"));
}

TEST(Summary, OfABoundaryValueProblemHasItsMeshErrorAndConditions) {
  Solution s = sample_solution();
  s.boundary = BoundarySummary{.intervals = 40,
                               .meshes = 3,
                               .newton_iterations = 1,
                               .error = 1.5e-9,
                               .defect = 2e-10,
                               .conditions = {{"the fixed start x = 1", false, 0.0}, {"line 9: v = 0", true, 3e-17}}};
  EXPECT_THAT(summary(s), HasSubstr("40 mesh intervals, 1 Newton iteration on 3 meshes\n"));
  EXPECT_THAT(summary(s), Not(HasSubstr("steps")));
  EXPECT_THAT(summary(s), HasSubstr(R"(
error      estimated 1.5e-09, defect between collocation points 2.0e-10, relative to |x| + nominal
condition                          at      residual
           the fixed start x = 1   start    0.0e+00
           line 9: v = 0           stop     3.0e-17
)"));
  s.boundary->error = s.boundary->defect = std::nullopt;
  EXPECT_THAT(summary(s), HasSubstr("error      not known: the mesh is constant\n"));
  s.outcome = Outcome::BoundaryUnsolved;
  s.times.clear();
  s.boundary->intervals = 0;
  EXPECT_THAT(summary(s), HasSubstr("computed   nothing: no solution was found\n"));
  EXPECT_THAT(summary(s), Not(HasSubstr("mesh interval")));
}

TEST(Summary, NamesAStepSizeInsteadOfATolerance) {
  Solution s = sample_solution();
  s.step = 0.01;
  s.projection = "velocity";
  EXPECT_THAT(summary(s),
              HasSubstr("(dummy derivatives),\n           projection velocity, step size 0.01, compiled\n"));
  EXPECT_THAT(summary(s), Not(HasSubstr("tolerance")));
}

TEST(Summary, CountsEventsByTheirCauses) {
  Solution s = bouncing_ball();
  s.statistics.events = 17;
  s.statistics.event_iterations = 40;
  s.statistics.modes = 2;
  s.statistics.events_by_cause = {{"sample(0, 0.1)", 1}, {"h < 0", 16}};
  EXPECT_THAT(summary(s), HasSubstr("\nevents     17 (h < 0: 16, sample(0, 0.1): 1), 2 modes, 40 iterations\n"));
  s.statistics.events_by_cause.clear();
  for (int k = 0; k < 100; ++k) s.statistics.events_by_cause.emplace_back("x[" + std::to_string(k) + "] < 0", 100 - k);
  EXPECT_THAT(summary(s), HasSubstr("17 (x[0] < 0: 100, x[1] < 0: 99, x[2] < 0: 98, x[3] < 0: 97, 96 other causes: "));
  s.statistics = {};
  s.statistics.modes = 1;
  EXPECT_THAT(summary(s), HasSubstr("\nevents     none\n"));
  EXPECT_THAT(summary(sample_solution()), Not(HasSubstr("events")));
}

TEST(Summary, ShowsTheLargestImpulseOfEachUnknown) {
  Solution s = bouncing_ball();
  s.events[0].impulses = {{"rope.lambda", -3.25, "N.s"}, {"i", 1e-3, "A.s"}};
  s.events[1].impulses = {{"rope.lambda", 1.5, "N.s"}};
  s.events[0].time = 1.204;
  EXPECT_THAT(summary(s), HasSubstr("impulse    unknown       largest impulse    at t   impulses\n"
                                    "           rope.lambda         -3.25 N.s   1.204          2\n"
                                    "           i                   0.001 A.s   1.204          1\n"));
}

}  // namespace
}  // namespace driftless
