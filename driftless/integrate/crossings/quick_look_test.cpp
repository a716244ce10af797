#include "driftless/integrate/crossings/quick_look.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/crossings/time_events.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Of the relations of a model with the states x and v.
class Look {
 public:
  explicit Look(const std::string& force)
      : system_(samples::reduced(samples::from_text("model M parameter Real p = 3; Real x(start = 0, fixed = true), "
                                                    "v(start = 1, fixed = true), w; equation der(x) = v; w = x*v; "
                                                    "der(v) = " +
                                                    force + "; end M;")),
                Backend::Interpreter) {
    const Model& model = system_.model();
    const std::shared_ptr<Pool> pool = growable(model.pool);
    std::vector<NodeId> g;
    std::vector<Crossings::Function> functions;
    for (const Held& held : model.discrete.held) {
      const HeldFunction function = held_function(*pool, held.expression);
      g.push_back(function.g);
      functions.push_back({function.kind, true});
    }
    look = QuickLook(system_.compiled(), pool, g, functions);
  }

  void hold(const std::vector<double>& values) {
    std::vector<double> inputs{0.0};
    inputs.insert(inputs.end(), system_.parameters().begin(), system_.parameters().end());
    look.take_parameters(inputs, values);
  }
  bool far(double a, double b, double x0, double x1) {
    const std::vector<double> from = point(x0), to = point(x1);
    return look.is_far(a, b, from, to);
  }

  // x along a step is x0 + bend s (1 - s) + (x1 - x0) s.
  class Parabola final : public Stepper {
   public:
    Parabola(double x0, double x1, double bend, std::vector<double> others)
        : x_{x0, x1 - x0 + bend, -bend}, others_(std::move(others)) {}
    bool along_step(std::span<const SlotWeight> function, AlongStep& out) override {
      out = {0.0, 2.0, {0.0, 0.0, 0.0}};
      for (const SlotWeight& term : function)
        for (std::size_t k = 0; k < 3; ++k)
          out.c[k] += term.weight * (std::isnan(others_[term.slot]) ? x_[k] : k == 0 ? others_[term.slot] : 0.0);
      return exists;
    }
    StepReport step() override { return {}; }
    double time() const override { return 2.0; }
    double last_step() const override { return 2.0; }
    int last_order() const override { return 2; }
    std::span<const double> y() const override { return {}; }
    std::span<const double> yp() const override { return {}; }
    void interpolate(double, std::span<double>, std::span<double>) override {}
    void store(Segment&) override {}
    bool replace(std::span<const double>, std::span<const double>) override { return false; }
    void continue_with_new_states() override {}
    void restart(std::span<const double>, std::span<const double>) override {}
    bool resume(double, std::span<const double>, std::span<const double>, double) override { return false; }
    void add_to(Statistics&) const override {}
    void archive(Archive&) override {}

    bool exists = true;

   private:
    double x_[3];
    std::vector<double> others_;
  };
  bool away(double x0, double x1, double bend = 0.0) {
    Parabola stepper(x0, x1, bend, point(std::nan("")));
    EXPECT_TRUE(look.take_polynomials(stepper, point(x0), point(x1)));
    return look.all_away();
  }

  QuickLook look;

  std::vector<double> point(double x) const {
    std::vector<double> y;
    for (const Slot& slot : system_.reduced().slots)
      y.push_back(system_.reduced().name(slot.quantity) == "x" ? x : 7.0);
    return y;
  }

 private:
  System system_;
};

TEST(QuickLook, IsForFunctionsThatAreLinearInStates) {
  EXPECT_TRUE(Look("if 2*x - v > p then 1 else 2").look.exists());
  EXPECT_TRUE(Look("if x > 1 and v < 3 then 1 else floor(x)").look.exists());
  EXPECT_FALSE(Look("if x*v > 1 then 1 else 2").look.exists());
  EXPECT_FALSE(Look("if x > time then 1 else 2").look.exists());
  EXPECT_FALSE(Look("if w > 1 then 1 else 2").look.exists()) << "a product by its definition";
}

// x < 3 with x = 0: the distance is 3.
TEST(QuickLook, ComparesTheDistanceWithTheLastTwoChanges) {
  Look look("if x < p then 1 else 2");
  look.hold({1.0});
  EXPECT_FALSE(look.far(0.0, 1.0, 0.0, 0.1)) << "there is no step before";
  EXPECT_TRUE(look.far(1.0, 2.0, 0.1, 0.2));
  EXPECT_TRUE(look.far(2.0, 3.0, 0.2, 0.3));
  EXPECT_FALSE(look.far(3.0, 5.0, 0.3, 0.4)) << "the step is twice as long: 8*(0.1 + 4*0.1) exceeds 2.6";
  EXPECT_FALSE(look.far(5.5, 6.0, 0.4, 0.4)) << "it does not follow";
  EXPECT_FALSE(look.far(6.0, 6.5, 0.4, 0.8)) << "8*0.4 exceeds 2.2";
  EXPECT_FALSE(look.far(6.5, 7.0, 0.8, 3.1)) << "it has crossed";
  look.hold({0.0});
  EXPECT_FALSE(look.far(7.0, 7.5, 3.1, 3.1)) << "another value is held: all begins anew";
  EXPECT_TRUE(look.far(7.5, 8.0, 3.1, 3.1));
  EXPECT_FALSE(look.far(8.0, 8.5, 3.1, std::numeric_limits<double>::quiet_NaN()));
}

TEST(QuickLook, KnowsBothBoundsOfFloorAndCeil) {
  for (const char* function : {"floor(x)", "ceil(x)"}) {
    Look look(function);
    look.hold({function[0] == 'f' ? 2.0 : 3.0});
    look.far(0.0, 1.0, 2.5, 2.5);
    EXPECT_TRUE(look.far(1.0, 2.0, 2.5, 2.5));
    EXPECT_FALSE(look.far(2.0, 3.0, 2.5, 2.6)) << "8*0.1 exceeds 0.4";
    look.far(3.0, 4.0, 3.2, 3.2);
    EXPECT_FALSE(look.far(4.0, 5.0, 3.2, 3.2)) << "beyond the upper bound";
    look.far(5.0, 6.0, 1.8, 1.8);
    EXPECT_FALSE(look.far(6.0, 7.0, 1.8, 1.8)) << "beyond the lower bound";
  }
}

// x < 3: x goes from 0 to 1 and in between higher by a quarter of the bend.
TEST(QuickLook, ComparesTheDistanceWithABoundOfThePolynomial) {
  Look look("if x < p then 1 else 2");
  look.hold({1.0});
  EXPECT_TRUE(look.away(0.0, 1.0));
  EXPECT_TRUE(look.away(0.0, 0.0, 0.5));
  EXPECT_FALSE(look.away(0.0, 0.0, 13.0)) << "it crosses";
  EXPECT_FALSE(look.away(0.0, 0.0, 2.0)) << "the bound of the coefficients, 4, tells less than the polynomial";
  EXPECT_FALSE(look.away(2.9999, 2.9999)) << "so near to the bound rounding and corrections count";
  EXPECT_FALSE(look.away(3.5, 1.0)) << "the beginning is beyond the bound";
  EXPECT_FALSE(look.away(1.0, 3.5)) << "the end is beyond the bound";
  EXPECT_FALSE(look.away(0.0, std::numeric_limits<double>::quiet_NaN()));
  look.hold({0.0});
  EXPECT_FALSE(look.away(0.0, 1.0));
  EXPECT_TRUE(look.away(5.0, 5.5));
}

TEST(QuickLook, HasValuesAlongThePolynomialAndSizesOfTerms) {
  Look look("if 2*x - v > p then 1 else 2");  // v = 7, p = 3
  look.hold({1.0});
  EXPECT_FALSE(look.away(4.0, 5.0, 1.0));
  double values[2], sizes[2];
  look.look.values(0.5, values);  // a quarter of the step
  EXPECT_NEAR(values[0], 3.0 - (2.0 * (4.25 + 0.1875) - 7.0), 1e-15);
  EXPECT_NEAR(values[1], -2.0 * (1.0 + 0.5) / 2.0, 1e-15);
  look.look.sizes(look.point(4.0), sizes);
  EXPECT_EQ(sizes[0], 15.0);
  EXPECT_EQ(sizes[1], 18.0) << "the nominal values are 1";
}

}  // namespace
}  // namespace driftless
