#include "driftless/integrate/run/event_search.hpp"

#include <cmath>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A ball with height h and velocity v, and what `add` says besides; the search follows given functions of time.
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

}  // namespace
}  // namespace driftless
