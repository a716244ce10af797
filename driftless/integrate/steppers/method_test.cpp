#include "driftless/integrate/steppers/method.hpp"

#include <gmock/gmock.h>

#include <set>

#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/solve/projection.hpp"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Optional;

std::string canonical(const std::string& text) {
  const auto method = parse_method(text);
  return method ? to_string(*method) : "";
}

TEST(Method, EveryNameReadsBackAsItself) {
  EXPECT_EQ(method_names().size(), 54u);
  for (const std::string& name : method_names()) EXPECT_EQ(canonical(name), name);
}

TEST(Method, NamesMeanTheirParameters) {
  EXPECT_EQ(std::get<method::ConstantBdf>(*parse_method("bdf4")).order, 4);
  EXPECT_EQ(std::get<method::ConstantBdf>(*parse_method("backward-euler")).order, 1);
  EXPECT_EQ(std::get<method::Radau>(*parse_method("radau5")).stages, 5);
  EXPECT_TRUE(std::get<method::Gauss>(*parse_method("gauss2-projected")).projected);
  EXPECT_EQ(std::get<method::Lobatto>(*parse_method("lobatto-iiia3")).kind, method::LobattoKind::A);
  EXPECT_EQ(std::get<method::HalfExplicit>(*parse_method("half-explicit3")).tableau, method::HalfExplicitTableau::Hem3);
  EXPECT_EQ(std::get<method::Symplectic>(*parse_method("lobatto-pair4")).stages, 4);
  const auto extrapolation =
      std::get<method::HalfExplicit>(*parse_method("half-explicit-extrapolation:columns=6,base=euler"));
  EXPECT_EQ(extrapolation.columns, 6);
  EXPECT_TRUE(extrapolation.euler);
  EXPECT_EQ(to_string(extrapolation), "half-explicit-extrapolation:columns=6,base=euler");
}

TEST(Method, AliasesHaveOneName) {
  EXPECT_EQ(canonical("half-explicit"), "half-explicit5");
  EXPECT_EQ(canonical("bdf1"), "backward-euler");
}

TEST(Method, MultistepCarriesItsCoefficients) {
  const auto trapezoidal = parse_method("multistep:alpha=1/-1,beta=0.5/0.5");
  ASSERT_TRUE(trapezoidal);
  const auto& m = std::get<method::Multistep>(*trapezoidal);
  EXPECT_EQ(m.alpha, (std::vector<double>{1.0, -1.0}));
  EXPECT_EQ(m.beta, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(to_string(*trapezoidal), "multistep:alpha=1/-1,beta=0.5/0.5");
}

TEST(Method, WhatIsNoMethodIsRefused) {
  for (const char* text : {"",
                           "radau0",
                           "radau8",
                           "bdf7",
                           "radau3:x=1",
                           "multistep",
                           "multistep:alpha=1/-1",
                           "multistep:alpha=1/-1,beta=1",
                           "multistep:alpha=0/1,beta=1/0",
                           "multistep:alpha=1,beta=1",
                           "euler",
                           "RADAU3",
                           "taylor:order=3",
                           "taylor:order=65",
                           "taylor:order=4.5",
                           "taylor:precision=half",
                           "half-explicit-extrapolation:columns=1",
                           "half-explicit-extrapolation:columns=11",
                           "half-explicit-extrapolation:base=midpoint",
                           "half-explicit5:columns=3"})
    EXPECT_FALSE(parse_method(text)) << text;
}

TEST(Method, OnlyMethodsWithAnErrorTestGoWithoutAStepSize) {
  const std::set<std::string> with_test{"bdf",
                                        "ida",
                                        "radau",
                                        "radau3",
                                        "radau5",
                                        "radau7",
                                        "explicit",
                                        "dopri5",
                                        "dop853",
                                        "half-explicit5",
                                        "taylor",
                                        "auto",
                                        "half-explicit-extrapolation"};
  for (const std::string& name : method_names())
    EXPECT_EQ(!step_problem(*parse_method(name), {}), with_test.contains(name)) << name;
  EXPECT_THAT(step_problem(method::Radau{2}, {}), Optional(HasSubstr("radau2 has no error test")));
}

TEST(Method, WhatHasNoOrderOfItsOwnTakesNoConstantStep) {
  const std::set<std::string> variable{"bdf", "ida", "radau", "taylor"};
  for (const std::string& name : method_names())
    EXPECT_EQ(!step_problem(*parse_method(name), 0.1), !variable.contains(name)) << name;
}

TEST(Projection, EveryTextReadsBackAsItself) {
  for (const char* text : {"none", "position", "velocity", "both", "both:weight=mass", "post:F=newton,times=1",
                           "invariants", "post:F=force,times=2,frozen", "post:F=normal,times=3", "invariants:output"}) {
    const auto projection = parse_projection(text);
    ASSERT_TRUE(projection) << text;
    EXPECT_EQ(to_string(*projection), text);
  }
  EXPECT_EQ(to_string(*parse_projection("post")), "post:F=force,times=2");
  EXPECT_EQ(to_string(*parse_projection("velocity:weight=identity")), "velocity");
  for (const std::string& name : projection_names()) EXPECT_TRUE(parse_projection(name)) << name;
}

TEST(Projection, WhatIsNoProjectionIsRefused) {
  for (const char* text : {"", "positions", "position:weight=heavy", "position:F=force", "post:F=up", "post:times=0",
                           "post:times=1.5", "post:frozen=1", "none:frozen", "invariants:always"})
    EXPECT_FALSE(parse_projection(text)) << text;
}

TEST(Method, IsExplicitIfStabilityBoundsItsSteps) {
  for (const char* text : {"explicit-euler", "explicit", "dop853", "half-explicit5", "taylor"})
    EXPECT_TRUE(is_explicit(*parse_method(text))) << text;
  for (const char* text : {"bdf", "bdf2", "radau", "gauss2", "lobatto-iiic3"})
    EXPECT_FALSE(is_explicit(*parse_method(text))) << text;
}

TEST(Grid, EndsAtTheStopTime) {
  const Grid even(1.0, 2.0, 0.1);  // 0.1 is no binary fraction
  EXPECT_EQ(even.steps(), 10);
  EXPECT_TRUE(even.divides());
  EXPECT_EQ(even.time(10), 2.0);
  EXPECT_DOUBLE_EQ(even.time(3), 1.3);

  const Grid uneven(0.0, 1.0, 0.3);
  EXPECT_EQ(uneven.steps(), 4);
  EXPECT_FALSE(uneven.divides());
  EXPECT_DOUBLE_EQ(uneven.time(3), 0.9);
  EXPECT_EQ(uneven.time(4), 1.0);

  const Grid longer(0.0, 1.0, 3.0);  // than the interval
  EXPECT_EQ(longer.steps(), 1);
  EXPECT_FALSE(longer.divides());

  EXPECT_EQ(Grid(0.0, 1.0, 1e-19).steps(), 1'000'000'000'000'000) << "counted as far as counting goes";
}

}  // namespace
}  // namespace driftless
