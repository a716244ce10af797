#include "driftless/integrate/checks/sign_check.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using Values = std::function<double(const std::string& name, double t)>;

// A check and points of its model by the names of their slots; rates are not needed.
struct Watched {
  Watched(std::shared_ptr<const Reduced> reduced, Values along)
      : system(std::move(reduced), Backend::Interpreter), values(std::move(along)), check(system) {}

  SignCheck::Path path() {
    return [this](double t, std::span<double> y, std::span<double> yp) {
      const Reduced& r = system.reduced();
      for (std::size_t s = 0; s < y.size(); ++s) y[s] = values(r.name(r.slots[s].quantity), t), yp[s] = 0.0;
      return true;
    };
  }
  void begin(double t) {
    fill(t);
    check.begin({t, y, yp});
  }
  bool holds_to(double t) {
    fill(t);
    return check.holds_to({t, y, yp});
  }
  void fill(double t) {
    y.resize(system.size()), yp.resize(system.size());
    path()(t, y, yp);
  }

  System system;
  Values values;
  SignCheck check;
  std::vector<double> y, yp;
};

// A mass on a circle with angular velocity 1.
Watched circle() {
  return {samples::reduced(samples::pendulum({.x = 1.0, .y = 0.0, .vx = 0.0, .vy = 0.0}), {}),
          [](const std::string& name, double t) {
            return name == "x"        ? std::cos(t)
                   : name == "y"      ? std::sin(t)
                   : name == "der(x)" ? -std::sin(t)
                   : name == "der(y)" ? std::cos(t)
                                      : 1.0;
          }};
}

// The mass is on one of the two axes, and passes their intersection, where the constraint has no gradient.
Watched axes() {
  return {samples::reduced(samples::from_text(R"(model Axes
            Real x(start = -1, fixed = true), y(start = 0), v(start = 1, fixed = true), w, l;
          equation
            der(x) = v; der(y) = w; der(v) = l*y; der(w) = l*x;
            x*y = 0;
          end Axes;)")),
          [](const std::string& name, double t) { return name == "x"   ? t
                                                         : name == "v" ? 1.0
                                                                       : 0.0; }};
}

TEST(SignCheck, HoldsAllTheWayRoundACircle) {
  Watched mass = circle();
  ASSERT_TRUE(mass.check.applies() && mass.check.has_work());
  mass.begin(0.0);
  for (int k = 1; k < 40; ++k) EXPECT_TRUE(mass.holds_to(0.7 * k)) << k;
}

TEST(SignCheck, WhereTheEndsOfAStepShowNothingPointsInsideDo) {
  Watched mass = circle();
  mass.begin(0.1);
  EXPECT_FALSE(mass.holds_to(2.9));
  EXPECT_TRUE(mass.check.doubtful_pieces(0.1, 2.9, mass.path()).empty());
  EXPECT_TRUE(mass.holds_to(3.3)) << "the next step begins there";
}

TEST(SignCheck, IsNotCertainBehindACrossing) {
  Watched mass = axes();
  ASSERT_TRUE(mass.check.applies());
  mass.begin(-0.7);
  EXPECT_TRUE(mass.holds_to(-0.4));
  EXPECT_FALSE(mass.holds_to(0.25));
  const auto pieces = mass.check.doubtful_pieces(-0.4, 0.25, mass.path());
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_LT(pieces[0].begin, 0.0);
  EXPECT_GT(pieces[0].end, 0.0);
  EXPECT_NEAR(pieces[0].end - pieces[0].begin, 0.65 / 16, 1e-12);
}

// A step that ends at the crossing has no sign there: the next one is compared with the end before.
TEST(SignCheck, IsOpenAtACrossing) {
  Watched mass = axes();
  mass.begin(-0.5);
  EXPECT_TRUE(mass.holds_to(0.0));
  EXPECT_TRUE(mass.check.is_open());
  EXPECT_FALSE(mass.holds_to(0.5));
  EXPECT_FALSE(mass.check.is_open());
  mass.begin(-0.5);
  EXPECT_TRUE(mass.holds_to(0.0));
  EXPECT_TRUE(mass.holds_to(-0.3)) << "back on the same side";
}

TEST(SignCheck, OfABlockThatNoChoiceChanges) {
  const auto reduced = std::make_shared<const Reduced>(reformulate(
      *samples::reduced(samples::from_text("model M Real x(start = 1, fixed = true), y(start = 1), z(start = 1); "
                                           "equation der(x) = 1; cos(x)*y + (2 + x)*z = 1; (2 + x)*y + (4 + 5*x)*z = "
                                           "2; end M;"),
                        {.keep_constraints = true}),
      formulation::Index1{}));
  Watched both{reduced, [](const std::string& name, double t) { return name == "x" ? t - 0.3 : 1.0; }};
  ASSERT_TRUE(both.check.has_work());
  both.begin(0.0);
  EXPECT_TRUE(both.holds_to(0.2));
  EXPECT_FALSE(both.holds_to(0.5));
  EXPECT_TRUE(both.holds_to(0.52));
  both.begin(0.5);
  EXPECT_TRUE(both.holds_to(0.52));
}

TEST(SignCheck, HasNothingToDoWhereNothingVaries) {
  Watched constant{samples::reduced(samples::from_text("model M Real x(start = 1, fixed = true), y, z; equation der(x) "
                                                       "= 1; 3*y + z = x; y - z = sin(x); end M;")),
                   [](const std::string&, double) { return 1.0; }};
  EXPECT_TRUE(constant.check.applies());
  EXPECT_FALSE(constant.check.has_work());
}

TEST(SignCheck, GoesOnFromAnArchive) {
  Watched mass = axes(), other = axes();
  mass.begin(-0.5);
  EXPECT_TRUE(mass.holds_to(0.0));
  Archive writer;
  mass.check.archive(writer);
  Archive reader(writer.bytes());
  other.check.archive(reader);
  EXPECT_TRUE(other.check.is_open());
  EXPECT_FALSE(other.holds_to(0.5));
}

}  // namespace
}  // namespace driftless
