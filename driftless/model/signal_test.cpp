#include "driftless/model/signal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace driftless {
namespace {

using testing::HasSubstr;

constexpr double infinity = std::numeric_limits<double>::infinity();

PiecewiseSignal signal_of(const InputTable& table) {
  const auto result = pieces_of(table);
  EXPECT_TRUE(std::holds_alternative<PiecewiseSignal>(result));
  return std::get<PiecewiseSignal>(result);
}

std::string problem_of(const InputTable& table) {
  const auto result = pieces_of(table);
  const auto* problem = std::get_if<std::string>(&result);
  return problem ? *problem : "";
}

std::vector<double> knots_of(const PiecewiseSignal& signal) {
  std::vector<double> knots;
  for (double t = signal.next_after(-infinity); t < infinity; t = signal.next_after(t)) knots.push_back(t);
  return knots;
}

TEST(InputTables, AreLinearBetweenTheirRowsAndConstantOutside) {
  const PiecewiseSignal signal = signal_of({{1, 2, 4}, {5, 7, 3}});
  for (const auto& [t, value] :
       {std::pair{-3.0, 5.0}, {1.0, 5.0}, {1.5, 6.0}, {2.0, 7.0}, {3.0, 5.0}, {4.0, 3.0}, {9.0, 3.0}})
    EXPECT_DOUBLE_EQ(signal.at(t)(t), value) << t;
  EXPECT_THAT(knots_of(signal), testing::ElementsAre(1, 2, 4));
  for (const double t : {1.0, 2.0, 4.0}) EXPECT_EQ(signal.at(t).jumps, 1) << t;
}

TEST(InputTables, JumpWhereATimeIsRepeated) {
  const PiecewiseSignal signal = signal_of({{0, 1, 1, 1, 2}, {0, 1, 8, 3, 3}});
  EXPECT_DOUBLE_EQ(signal.at(std::nextafter(1.0, 0.0))(1.0), 1.0);
  EXPECT_EQ(signal.at(1.0)(1.0), 3.0);
  EXPECT_EQ(signal.at(1.0).jumps, 0);
  EXPECT_THAT(knots_of(signal), testing::ElementsAre(0, 1));  // constant from 1 on: no event at 2
}

TEST(InputTables, JumpAtTheirEnds) {
  const PiecewiseSignal signal = signal_of({{0, 0, 1, 1}, {2, 3, 3, 5}});
  EXPECT_EQ(signal.at(-1.0)(-1.0), 2.0);
  EXPECT_EQ(signal.at(0.0)(0.0), 3.0);
  EXPECT_EQ(signal.at(1.0)(1.0), 5.0);
  EXPECT_THAT(knots_of(signal), testing::ElementsAre(0, 1));
  EXPECT_EQ(signal.at(0.0).jumps, 0);
  EXPECT_EQ(signal.at(1.0).jumps, 0);
}

TEST(InputTables, OfDiscreteInputsHoldTheirRows) {
  const auto result = pieces_of(InputTable{{0, 1, 2, 3}, {4, 4, 7, 5}}, Between::Held);
  const auto& signal = std::get<PiecewiseSignal>(result);
  EXPECT_THAT(knots_of(signal), testing::ElementsAre(2, 3));
  for (const auto& [t, value] : {std::pair{0.5, 4.0}, {1.9, 4.0}, {2.0, 7.0}, {2.9, 7.0}, {3.0, 5.0}})
    EXPECT_EQ(signal.at(t)(t), value) << t;
}

TEST(InputTables, OneRowIsAConstant) {
  const PiecewiseSignal signal = signal_of({{3}, {4}});
  EXPECT_TRUE(knots_of(signal).empty());
  EXPECT_EQ(signal.at(10.0)(10.0), 4.0);
}

TEST(InputTables, MistakesAreNamed) {
  EXPECT_EQ(problem_of({{}, {}}), "has no rows");
  EXPECT_EQ(problem_of({{1, 2}, {1}}), "has 2 times and 1 values");
  EXPECT_EQ(problem_of({{1, 3, 2}, {1, 1, 1}}), "has times that go back: 2 after 3");
  EXPECT_EQ(problem_of({{1, 2}, {1, NAN}}), "has a row that is not finite: nan at 2");
}

PiecewiseSignal sampled(const InputFunction& function, double start, double stop, double tolerance) {
  const auto result = pieces_of(function, start, stop, tolerance, 1.0);
  if (const auto* problem = std::get_if<std::string>(&result)) ADD_FAILURE() << *problem;
  return std::get<PiecewiseSignal>(result);
}

double largest_error(const PiecewiseSignal& signal, const InputFunction& function, double start, double stop) {
  double largest = 0.0;
  for (int k = 0; k <= 10'000; ++k) {
    const double t = start + (stop - start) * k / 10'000;
    largest = std::max(largest, std::abs(signal.at(t)(t) - function(t)));
  }
  return largest;
}

TEST(InputFunctions, CubicsAreExact) {
  const InputFunction cubic = [](double t) { return 1 - 2 * t + 3 * t * t - t * t * t; };
  const PiecewiseSignal signal = sampled(cubic, -1, 3, 1e-12);
  EXPECT_LT(largest_error(signal, cubic, -1, 3), 1e-12);
  EXPECT_EQ(signal.pieces.size(), 16u);
}

TEST(InputFunctions, AreMetWithinTheToleranceWithFourthOrder) {
  const InputFunction wave = [](double t) { return std::sin(7 * t) * std::exp(-t); };
  std::vector<double> pieces;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
    const PiecewiseSignal signal = sampled(wave, 0, 5, tolerance);
    EXPECT_LT(largest_error(signal, wave, 0, 5), 1.2 * tolerance) << tolerance;
    pieces.push_back(static_cast<double>(signal.pieces.size()));
  }
  EXPECT_NEAR(std::log(pieces[3] / pieces[1]) / std::log(1e4), 0.25, 0.04);  // pieces grow as tolerance^(-1/4)
}

TEST(InputFunctions, AreTwiceDifferentiable) {
  const PiecewiseSignal signal = sampled([](double t) { return std::sin(3 * t); }, 0, 4, 1e-7);
  for (std::size_t k = 1; k < signal.pieces.size(); ++k) {
    const SignalPiece &before = signal.pieces[k - 1], &behind = signal.pieces[k];
    const double s = behind.from - before.origin;
    EXPECT_NEAR(before(behind.from), behind.c[0], 1e-13);
    EXPECT_NEAR(before.c[1] + s * (2 * before.c[2] + 3 * s * before.c[3]), behind.c[1], 1e-11);
    EXPECT_NEAR(2 * before.c[2] + 6 * s * before.c[3], 2 * behind.c[2], 1e-9);
    EXPECT_EQ(behind.jumps, 3);
  }
}

TEST(InputFunctions, KinksAreResolvedAndJumpsRefused) {
  const InputFunction kink = [](double t) { return std::abs(t - 0.3); };
  const PiecewiseSignal signal = sampled(kink, 0, 1, 1e-6);
  EXPECT_LT(largest_error(signal, kink, 0, 1), 2e-6);
  EXPECT_LT(signal.pieces.size(), 200u);
  const auto jump = pieces_of([](double t) { return t < 0.3 ? 0.0 : 1.0; }, 0, 1, 1e-6, 1.0);
  ASSERT_TRUE(std::holds_alternative<std::string>(jump));
  EXPECT_THAT(std::get<std::string>(jump), HasSubstr("jumps, or has no slope, near t = 0.3"));
  const auto pole = pieces_of([](double t) { return 1 / (t - 0.5); }, 0, 1, 1e-6, 1.0);
  EXPECT_THAT(std::get<std::string>(pole), HasSubstr("has no finite value at t = 0.5"));
}

}  // namespace
}  // namespace driftless
