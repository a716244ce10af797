#include "driftless/integrate/crossings/event_search.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A ball with height h and velocity v, and the equations of `add`; the search follows given functions of time.
class Ball {
 public:
  template <class Add>
  explicit Ball(Add add, double tolerance = 1e-8)
      : problem_(make(add), formulation::Index1{}), search_(problem_.system, tolerance) {
    const auto all = problem_.system.parameters();
    parameters_.assign(all.begin(), all.end());
  }

  EventSearch& search() { return search_; }
  const DiscretePart& discrete() const { return problem_.system.reduced().model->discrete; }

  void set(const std::string& name, double value) {
    const auto& all = problem_.system.reduced().model->parameters;
    const auto found = std::ranges::find(all, name, &Parameter::name);
    if (found == all.end()) throw std::out_of_range(name);
    parameters_[found - all.begin()] = value;
    search_.take_parameters(parameters_);
  }
  void hold(std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) parameters_[index(discrete().held[k].held)] = values[k];
    search_.take_parameters(parameters_);
  }

  struct Along {
    std::function<double(double)> h, v, a;
  };
  std::vector<double> quantities(double t, const Along& along) const {
    std::vector<double> values;
    const Reduced& r = problem_.system.reduced();
    for (const Quantity& q : r.quantities) {
      const std::string name = r.name(q);
      values.push_back(name == "h" ? along.h(t) : name == "v" || name == "der(h)" ? along.v(t) : along.a(t));
    }
    return values;
  }
  std::optional<EventSearch::Found> find(double a, double b, const Along& along,
                                         EventSearch::Steps steps = EventSearch::Steps::Short) {
    return search_.find(
        a, b,
        [&](double t, std::span<double> out) {
          std::ranges::copy(quantities(t, along), out.begin());
          ++looks;
          return true;
        },
        steps);
  }
  std::vector<double> start_values(double t, const Along& along) {
    std::vector<double> values(discrete().held.size());
    search_.values_at(t, quantities(t, along), values);
    return values;
  }
  std::vector<double> new_values(double t, const Along& along, std::vector<int> found) {
    std::vector<double> values(discrete().held.size());
    search_.new_values(t, quantities(t, along), found, values);
    return values;
  }

  int looks = 0;

 private:
  template <class Add>
  static Model make(Add add) {
    ModelBuilder m("Ball");
    const Expr h = m.variable("h", {.start = 1.0, .fixed = true}), v = m.variable("v", {.start = 0.0, .fixed = true});
    m.equation(der(h) == v);
    m.equation(der(v) == -9.81);
    add(m, h, v);
    return m.build();
  }
  samples::SampleProblem problem_;
  EventSearch search_;
  std::vector<double> parameters_;
};

Ball::Along falls() {
  return {[](double t) { return 1.0 - 0.5 * 9.81 * t * t; }, [](double t) { return -9.81 * t; },
          [](double) { return -9.81; }};
}

TEST(EventSearch, AFallIsFoundWhereItEnds) {
  Ball ball([](ModelBuilder& m, Expr h, Expr) { m.when(h < 0.0); });
  ball.hold(ball.start_values(0.0, falls()));
  EXPECT_FALSE(ball.find(0.0, 0.25, falls()));
  const auto found = ball.find(0.25, 1.0, falls());
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at, std::sqrt(2.0 / 9.81), 1e-15);
  EXPECT_LT(falls().h(found->at), 0.0);
  EXPECT_GE(falls().h(found->before), 0.0);
  EXPECT_EQ(found->at, std::nextafter(found->before, 1.0));
  EXPECT_THAT(found->held, ElementsAre(0));
  EXPECT_THAT(found->values, ElementsAre(1.0));
  EXPECT_THAT(found->samplings, IsEmpty());
}

// The work of the event loop: sets the found values, then the other new values.
TEST(EventSearch, AfterABounceNothingHappensUntilTheNext) {
  Ball ball([](ModelBuilder& m, Expr h, Expr) { m.when(h < 0.0); });
  ball.hold(ball.start_values(0.0, falls()));
  const auto found = ball.find(0.0, 1.0, falls());
  ASSERT_TRUE(found);
  ball.hold(found->values);
  const double t1 = found->at, v1 = 3.0;
  for (const double beside : {-1e-17, 0.0, 1e-17, -3e-12, 3e-12}) {
    const Ball::Along flies{[=](double t) { return beside + (t - t1) * (v1 - 0.5 * 9.81 * (t - t1)); },
                            [=](double t) { return v1 - 9.81 * (t - t1); }, [](double) { return -9.81; }};
    ball.hold(ball.new_values(t1, flies, found->held));
    EXPECT_THAT(ball.new_values(t1, flies, found->held), ElementsAre(0.0)) << beside;
    EXPECT_FALSE(ball.find(t1, t1 + 0.3, flies)) << beside;
    const auto next = ball.find(t1 + 0.3, t1 + 0.7, flies);
    ASSERT_TRUE(next) << beside;
    EXPECT_NEAR(next->at, t1 + 2.0 * v1 / 9.81, 1e-15 + std::abs(beside));
    ball.hold(found->values);
  }
}

TEST(EventSearch, WhatWasFoundIsNotFoundAgainWhereSolvingTheEquationsHasMovedIt) {
  Ball ball([](ModelBuilder& m, Expr h, Expr) { m.when(h < 0.0); });
  ball.hold(ball.start_values(0.0, falls()));
  const auto found = ball.find(0.0, 1.0, falls());
  ASSERT_TRUE(found);
  Ball::Along goes_on = falls();
  goes_on.h = [](double t) { return falls().h(t) + 3e-12; };
  ball.hold(found->values);
  ball.hold(ball.new_values(found->at, goes_on, found->held));
  EXPECT_FALSE(ball.find(found->at, 0.6, goes_on));
  // A function moved far from its bound has the value of its new side.
  goes_on.h = [](double) { return 2.0; };
  EXPECT_THAT(ball.new_values(found->at, goes_on, found->held), ElementsAre(0.0));
}

TEST(EventSearch, AJumpOntoTheBoundHasTheValueOfThePoint) {
  Ball ball([](ModelBuilder& m, Expr, Expr v) {
    m.when(v < 0.0);
    m.when(v <= 0.0);
  });
  const Ball::Along rises{[](double) { return 1.0; }, [](double) { return 2.0; }, [](double) { return 0.0; }},
      rests{[](double) { return 1.0; }, [](double) { return 0.0; }, [](double) { return 0.0; }};
  ball.hold(ball.start_values(0.0, rises));
  EXPECT_FALSE(ball.find(0.0, 1.0, rises));
  EXPECT_THAT(ball.new_values(1.0, rests, {}), ElementsAre(0.0, 1.0));
}

TEST(EventSearch, InstantsAreExact) {
  Ball ball([](ModelBuilder& m, Expr, Expr) {
    const Expr next = m.discrete("next", {.start = 0.1 + 0.2});
    m.when(m.time() >= next);
    m.when(m.time() > 1.0);
    m.when(2.0 * m.time() < 1.4);
  });
  ball.hold(ball.start_values(0.0, falls()));
  EXPECT_EQ(ball.search().next_instant(0.0), 0.1 + 0.2);
  EXPECT_FALSE(ball.find(0.0, 0.3, falls()));  // before 0.30000000000000004
  auto found = ball.find(0.3, 0.1 + 0.2, falls());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 0.1 + 0.2);
  EXPECT_EQ(found->before, std::nextafter(found->at, 0.0));
  EXPECT_THAT(found->held, ElementsAre(0));
  EXPECT_THAT(found->values, ElementsAre(1.0));
  ball.set("next", 0.9);
  ball.hold(ball.new_values(0.1 + 0.2, falls(), {}));
  EXPECT_THAT(ball.new_values(0.1 + 0.2, falls(), {}), ElementsAre(0.0, 0.0, 1.0));
  EXPECT_EQ(ball.search().next_instant(0.3), 0.7);
  ball.hold(ball.new_values(0.7, falls(), {}));
  EXPECT_THAT(ball.new_values(0.7, falls(), {}), ElementsAre(0.0, 0.0, 0.0));
  EXPECT_EQ(ball.search().next_instant(0.7), 0.9);
  ball.hold(ball.new_values(0.9, falls(), {}));
  EXPECT_EQ(ball.search().next_instant(0.9), 1.0);
  found = ball.search().at_instant(1.0);
  EXPECT_THAT(found->held, ElementsAre(1));
  ball.hold(ball.new_values(1.0, falls(), {}));
  EXPECT_THAT(ball.new_values(1.0, falls(), {}), ElementsAre(1.0, 1.0, 0.0));
  EXPECT_FALSE(ball.search().next_instant(1.0));
}

// time > 0 is false at the start, and true right after it.
TEST(EventSearch, AnInstantAtTheStartIsAnEventThere) {
  Ball ball([](ModelBuilder& m, Expr, Expr) {
    m.when(m.time() > 0.0);
    m.when(m.time() >= 0.0);
  });
  EXPECT_THAT(ball.start_values(0.0, falls()), ElementsAre(0.0, 1.0));
  ball.hold(ball.start_values(0.0, falls()));
  EXPECT_EQ(ball.search().next_instant(0.0), 0.0);
  EXPECT_THAT(ball.search().at_instant(0.0).held, ElementsAre(0));
  ball.hold(ball.new_values(0.0, falls(), {}));
  EXPECT_FALSE(ball.search().next_instant(0.0));
}

TEST(EventSearch, FloorAndCeilOfTimeStepAtTheirIntegers) {
  for (const double slope : {3.0, -3.0, 0.1, -10.0})
    for (const bool is_floor : {true, false}) {
      Ball ball([&](ModelBuilder& m, Expr, Expr) {
        const Expr line = slope * m.time() + 0.5;
        m.when((is_floor ? floor(line) : ceil(line)) > m.discrete("n", {.start = 0.0}));
      });
      const auto held = [&](double t) { return ball.new_values(t, falls(), {})[0]; };
      ball.hold(ball.start_values(0.0, falls()));
      double t = 0.0;
      for (int k = 0; k < 200; ++k) {
        const auto next = ball.search().next_instant(t);
        ASSERT_TRUE(next);
        const double level = slope > 0.0 ? k + 1.0 : -static_cast<double>(k);
        ASSERT_EQ(*next, (level - 0.5) / slope) << k;
        const double below = slope > 0.0 ? level : level - 1.0;
        EXPECT_EQ(held(*next), is_floor ? below : below + 1.0);
        EXPECT_EQ(held(std::nextafter(*next, 0.0)), held(*next) - (slope > 0.0 ? 1.0 : -1.0));
        t = *next;
        ball.hold(ball.new_values(t, falls(), {}));
      }
    }
}

TEST(EventSearch, SamplesAreMultiplesOfTheIntervalAndNoSums) {
  Ball ball([](ModelBuilder& m, Expr, Expr) { m.when(m.sample(0.05, 0.1)); });
  ASSERT_TRUE(ball.search().exist());
  EXPECT_EQ(ball.search().next_instant(-1.0), 0.05);
  double t = 0.0;
  for (int k = 0; k < 10000; ++k) {
    const auto next = ball.search().next_instant(t);
    ASSERT_TRUE(next);
    ASSERT_EQ(*next, 0.05 + k * 0.1);
    EXPECT_THAT(ball.search().at_instant(*next).samplings, ElementsAre(0));
    EXPECT_THAT(ball.search().at_instant(*next * (1 + 1e-14)).samplings, IsEmpty());
    t = *next;
  }
  const auto found = ball.find(0.0, 0.05, falls());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 0.05);
  EXPECT_THAT(found->samplings, ElementsAre(0));
}

TEST(EventSearch, AFunctionOfTimeAloneNeedsNoState) {
  Ball ball([](ModelBuilder& m, Expr, Expr) { m.when(sin(40.0 * m.time()) > 0.5); });
  ball.hold(ball.start_values(0.0, falls()));
  EXPECT_FALSE(ball.search().needs_path());
  const auto found = ball.find(0.0, 1.0, falls());
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at, std::asin(0.5) / 40.0, 1e-16);
  EXPECT_EQ(ball.looks, 0);
}

// It is searched once for many steps, and the result is then a known instant.
TEST(EventSearch, AFunctionOfTimeAloneIsFoundBeforeTheStepsComeThere) {
  Ball ball([](ModelBuilder& m, Expr, Expr) { m.when(sin(m.time()) > 0.5); });
  ball.hold(ball.start_values(0.0, falls()));
  double t = 0.0;
  for (; !ball.search().next_instant(t); t += 0.01) ASSERT_FALSE(ball.find(t, t + 0.01, falls()));
  const double instant = *ball.search().next_instant(t);
  EXPECT_NEAR(instant, std::asin(0.5), 2.3e-16);
  EXPECT_LT(t, instant - 0.01);
  for (; t + 0.01 < instant; t += 0.01) ASSERT_FALSE(ball.find(t, t + 0.01, falls()));
  Archive writer;
  ball.search().archive(writer);
  Ball other([](ModelBuilder& m, Expr, Expr) { m.when(sin(m.time()) > 0.5); });
  Archive reader(writer.bytes());
  other.search().archive(reader);
  for (Ball* each : {&ball, &other}) {
    const auto found = each->find(t, instant, falls());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->at, instant);
    EXPECT_THAT(found->held, ElementsAre(0));
    EXPECT_THAT(found->values, ElementsAre(1.0));
  }
}

// sqrt(1 - time) does not exist after 1.
TEST(EventSearch, AFunctionOfTimeAloneIsFoundWhereItExists) {
  Ball ball([](ModelBuilder& m, Expr, Expr) { m.when(sqrt(1.0 - m.time()) < 0.1); });
  ball.hold(ball.start_values(0.0, falls()));
  for (double t = 0.0; t < 0.95; t += 0.05) ASSERT_FALSE(ball.find(t, std::min(t + 0.05, 0.95), falls())) << t;
  const auto found = ball.find(0.95, 1.0, falls());
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->at, 0.99, 1e-15);
}

TEST(EventSearch, CausesThatCoincideAreOneEvent) {
  Ball ball([](ModelBuilder& m, Expr h, Expr) {
    m.when(h < 0.75);
    m.when(m.time() > 0.5);
    m.when(m.sample(0.25, 0.25));
    m.when(sin(2.0 * m.time()) > std::sin(1.0));
  });
  const Ball::Along line{[](double t) { return 1.0 - 0.5 * t; }, [](double) { return -0.5; },
                         [](double) { return 0.0; }};
  ball.hold(ball.start_values(0.0, line));
  auto found = ball.find(0.0, 0.25, line);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->samplings, ElementsAre(0));
  EXPECT_THAT(found->held, IsEmpty());
  ball.hold(ball.new_values(0.25, line, found->held));
  found = ball.find(0.25, 0.5, line);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->at, 0.5);
  EXPECT_THAT(found->samplings, ElementsAre(0));
  EXPECT_THAT(found->held, testing::UnorderedElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace driftless
