#include "driftless/newton/iterate.hpp"

#include <gtest/gtest.h>

#include "driftless/newton/rounding.hpp"

namespace driftless::newton {
namespace {

// x^2 = 2 by Newton's method.
struct RootOfTwo {
  double x = 1.0;
  Correction operator()() {
    const double change = (x * x - 2.0) / (2.0 * x);
    x -= change;
    return std::abs(change / x);
  }
};

TEST(NewtonIterate, EndsAtRounding) {
  RootOfTwo root;
  const Report report = iterate(20, root, ToRounding(at_a_point));
  EXPECT_TRUE(report.converged());
  EXPECT_DOUBLE_EQ(root.x, std::sqrt(2.0));
  EXPECT_EQ(report.iterations, 6);  // 0.33, 0.06, 2e-3, 2e-6, 2e-12 and one at rounding
}

TEST(NewtonIterate, CountsTheCorrectionsThatWereMade) {
  RootOfTwo root;
  const Report report = iterate(3, root, ToRounding(at_a_point));
  EXPECT_EQ(report.end, End::Diverged);
  EXPECT_EQ(report.iterations, 3);
}

TEST(NewtonIterate, SaysWhyNoCorrectionWasMade) {
  int made = 0;
  const auto correct = [&]() -> Correction {
    if (made == 2) return End::Singular;
    return 1.0 / ++made;
  };
  const Report report = iterate(20, correct, Within{1e-3});
  EXPECT_EQ(report.end, End::Singular);
  EXPECT_EQ(report.iterations, 2);
}

TEST(NewtonIterate, DoesNotTestWhatIsNotANumber) {
  int tests = 0;
  const auto test = [&](double) { return ++tests, Verdict::Converged; };
  EXPECT_EQ(iterate(
                20, [] { return Correction(NAN); }, test)
                .end,
            End::Diverged);
  EXPECT_EQ(iterate(
                20, [] { return Correction(HUGE_VAL); }, test)
                .end,
            End::Diverged);
  EXPECT_EQ(tests, 0);
}

TEST(NewtonIterate, EndsWhenTheTestSaysSo) {
  const auto test = [](double size) { return size < 0.3 ? Verdict::Diverged : Verdict::GoOn; };
  double size = 1.0;
  const Report report = iterate(
      20, [&] { return Correction(size *= 0.5); }, test);
  EXPECT_EQ(report.end, End::Diverged);
  EXPECT_EQ(report.iterations, 2);
}

// arctan x = 0: from beyond 1.39 full corrections lead away.
struct ArcTangent {
  double x, change = 0.0, slope = 1.0, shortened = 0.0;
  Correction correct() {
    slope = 1.0 / (1.0 + x * x);
    change = std::atan(x) / slope;
    x -= change;
    return std::abs(change);
  }
  Correction next(double part) {
    shortened = part;
    x += part == 1.0 ? 0.0 : part * change;
    return std::abs(std::atan(x) / slope);
  }
};

TEST(NewtonIterate, DampedCorrectionsConvergeWhereFullOnesDoNot) {
  ArcTangent full{10.0};
  EXPECT_FALSE(iterate(
                   50, [&] { return full.correct(); }, ToRounding(at_a_point))
                   .converged());
  ArcTangent damped{10.0};
  const Report report = iterate_damped(
      50, 1e-4, [&] { return damped.correct(); }, ToRounding(at_a_point),
      [&](double part) { return damped.next(part); });
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(damped.x, 0.0, 1e-14);
  EXPECT_EQ(damped.shortened, 1.0);  // in the end they are full
}

TEST(NewtonIterate, GivesUpAtTheSmallestPart) {
  double smallest = 1.0;
  const auto next = [&](double part) { return smallest = part, Correction(2.0); };
  EXPECT_FALSE(shorten_until_next_is_smaller(1.0, 0.1, next));
  EXPECT_EQ(smallest, 0.125);
}

TEST(NewtonIterate, AnEndStopsTheSearchForAPart) {
  int tried = 0;
  const auto next = [&](double) -> Correction { return ++tried, End::Diverged; };
  EXPECT_FALSE(shorten_until_next_is_smaller(1.0, 0.1, next));
  EXPECT_EQ(tried, 1);
}

TEST(NewtonIterate, AsksForLessOfSmallerParts) {
  const auto by = [](double gain) { return [gain](double) { return Correction(1.0 - gain); }; };
  EXPECT_TRUE(shorten_until_next_is_smaller(1.0, 1.0, by(0.25)));
  EXPECT_FALSE(shorten_until_next_is_smaller(1.0, 1.0, by(0.24)));
  EXPECT_TRUE(shorten_until_next_is_smaller(1.0, 0.5, by(0.13)));
}

}  // namespace
}  // namespace driftless::newton
