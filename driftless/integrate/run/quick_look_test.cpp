#include "driftless/integrate/run/quick_look.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/run/time_events.hpp"
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

  QuickLook look;

 private:
  std::vector<double> point(double x) const {
    std::vector<double> y;
    for (const Slot& slot : system_.reduced().slots)
      y.push_back(system_.reduced().name(slot.quantity) == "x" ? x : 7.0);
    return y;
  }
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

}  // namespace
}  // namespace driftless
