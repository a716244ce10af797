#include "driftless/integrate/system/residuals_at_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

struct Sampled {
  explicit Sampled(Backend backend)
      : system(std::make_shared<const CompiledSystem>(
            samples::reduced(samples::from_text("model M parameter Real k = 2; Real x(start = 1), y(start = 1); "
                                                "equation der(x) = k*sin(y); y^3 + k*log(y) = x; end M;")),
            backend)),
        problem(system) {
    std::vector<int> all(system.reduced().kinematics.size());
    std::iota(all.begin(), all.end(), 0);
    problem.set_states(all);
  }
  void add(double t, double value) {
    y.emplace_back(system.size(), value), yp.emplace_back(system.size(), 1.0 - t);
    times.push_back(t);
  }
  std::vector<System::Point> points() const {
    std::vector<System::Point> all;
    for (std::size_t p = 0; p < y.size(); ++p) all.push_back({times[p], y[p], yp[p]});
    return all;
  }

  System system;
  Problem problem;
  std::vector<double> times;
  std::vector<std::vector<double>> y, yp;
};

// Whether they are evaluated together or one by one, and with the parameters that are in force.
TEST(ResidualsAtPoints, AreThoseOfEachPointAlone) {
  for (const Backend backend : {Backend::Adaptive, Backend::Interpreter}) {
    Sampled sample(backend);
    ResidualsAtPoints residuals(sample.problem);
    const auto n = static_cast<std::size_t>(sample.system.size());
    for (std::size_t count = 1; count <= KernelAtPoints::most_points + 1; ++count) {
      sample.system.set_parameters(std::vector{3.0 + static_cast<double>(count)});
      sample.add(0.1 * static_cast<double>(count), 0.3 + 0.1 * static_cast<double>(count));
      const std::vector<System::Point> points = sample.points();
      std::vector<double> together(count * n), alone(n);
      ASSERT_TRUE(residuals(points, together));
      for (std::size_t p = 0; p < count; ++p) {
        ASSERT_TRUE(sample.problem.residual(points[p].t, points[p].y, points[p].yp, alone));
        EXPECT_TRUE(std::ranges::equal(std::span(together).subspan(p * n, n), alone)) << count << " points";
      }
    }
  }
}

TEST(ResidualsAtPoints, TheFirstPointWithoutAValueIsKnown) {
  Sampled sample(Backend::Adaptive);
  for (const double y : {1.0, -1.0, 2.0, -2.0}) sample.add(y, y);  // log(y)
  std::vector<double> out(4 * static_cast<std::size_t>(sample.system.size()));
  EXPECT_FALSE(ResidualsAtPoints(sample.problem)(sample.points(), out));
  EXPECT_EQ(sample.problem.undefined_at().t, -1.0);
}

}  // namespace
}  // namespace driftless
