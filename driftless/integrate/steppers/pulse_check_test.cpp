#include "driftless/integrate/steppers/pulse_check.hpp"

#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// x = sin t; what an exponential of it adds to q.
class Diode {
 public:
  explicit Diode(const std::string& current)
      : problem_(
            samples::from_text(
                "model M Real x(start = 0, fixed = true), w(start = 1, fixed = true), q(start = 0, fixed = true), i;"
                " equation der(x) = w; der(w) = -x; der(q) = i; i = " +
                current + "; end M;"),
            formulation::Index1{}),
        check_(problem_.problem),
        solve_(problem_.problem) {}

  // A step from a to b.
  bool operator()(double a, double b, double tolerance = 1e-6, int places = 5) {
    at(a, y_, yp_), at(b, end_y_, end_yp_);
    return check_({a, y_, yp_}, {b, end_y_, end_yp_}, tolerance, places);
  }

 private:
  void at(double t, std::vector<double>& y, std::vector<double>& yp) {
    y = problem_.start.y, yp = problem_.start.yp;
    const Reduced& r = problem_.system.reduced();
    for (std::size_t s = 0; s < y.size(); ++s) {
      const std::string name = r.name(r.slots[s].quantity);
      if (name == "x") y[s] = std::sin(t), yp[s] = std::cos(t);
      if (name == "w") y[s] = std::cos(t), yp[s] = -std::sin(t);
    }
    ASSERT_TRUE(solve_(t, y, yp));
  }

  samples::SampleProblem problem_;
  PulseCheck check_;
  AlgebraicSolve solve_;
  std::vector<double> y_, yp_, end_y_, end_yp_;
};

constexpr const char* strong = "1e-12*(exp(40*x) - 1)";  // 4e2 at the ends of (1, 2.14), 2e5 between

TEST(PulseCheck, AnExponentialBetweenTheEndsIsSeen) {
  EXPECT_FALSE(Diode(strong)(1.0, 2.14));
  EXPECT_FALSE(Diode(strong)(0.5, 2.64));
  EXPECT_FALSE(Diode(strong)(1.0, 2.14, 1e-6, 1)) << "also by one point in the middle";
}

TEST(PulseCheck, NothingIsSeenWhereAnEndIsAsLarge) {
  EXPECT_TRUE(Diode(strong)(0.5, 1.5));
  EXPECT_TRUE(Diode(strong)(1.5, 1.65));
  EXPECT_TRUE(Diode(strong)(4.0, 5.4)) << "it blocks everywhere";
}

TEST(PulseCheck, WhatAddsLessThanTheToleranceDoesNotCount) {
  EXPECT_TRUE(Diode("1e-40*(exp(40*x) - 1)")(1.0, 2.14));
  EXPECT_FALSE(Diode("1e-20*(exp(40*x) - 1)")(1.0, 2.14, 1e-9));
  EXPECT_TRUE(Diode("1e-20*(exp(40*x) - 1)")(1.0, 2.14, 1e-1));
}

TEST(PulseCheck, WithoutExponentialsNothingIsChecked) { EXPECT_TRUE(Diode("1e9*x^8")(1.0, 2.14)); }

// Two steps in which no argument changes much are trusted; one is not, and one in between that is not quiet neither.
// x = sin t has its peak in the middle of (1.25, 1.8916), where the exponential is exp(40 (1 - sin 1.25)) = 8 times as
// large as at the ends: quiet. The steps after it are less than twice as long.
TEST(PulseCheck, QuietStepsAreTrusted) {
  Diode diode(strong);
  EXPECT_FALSE(diode(1.0, 2.14));
  EXPECT_TRUE(diode(1.25, 1.8916));  // the first quiet one
  EXPECT_TRUE(diode(1.0, 2.14));     // its ends are quiet too
  EXPECT_TRUE(diode(1.0, 1.4));      // a factor of 700 between the ends
  EXPECT_FALSE(diode(1.0, 2.14));
}

TEST(PulseCheck, AMuchLongerStepIsNotTrusted) {
  Diode diode(strong);
  EXPECT_TRUE(diode(1.0, 1.01));
  EXPECT_TRUE(diode(1.0, 1.02));
  EXPECT_FALSE(diode(1.0, 2.14));
}

// 1.553 and 1.58 are the places next to the peak at 1.571: the exponential is below 1e-16 there, at the peak above 10.
TEST(PulseCheck, AnExponentialBetweenThePlacesIsSeen) {
  EXPECT_FALSE(Diode("exp(1e6*(x - 1) + 5)")(1.5, 1.66));
  EXPECT_TRUE(Diode("exp(1e6*(x - 1) - 40)")(1.5, 1.66)) << "it stays small";
}

}  // namespace
}  // namespace driftless
