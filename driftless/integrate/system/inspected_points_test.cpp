#include "driftless/integrate/system/inspected_points.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

// Definitions, residuals and sizes are those of each point alone, with the parameters of the run.
TEST(InspectedPoints, AreThoseThatTheSystemInspectsOneByOne) {
  const auto compiled = std::make_shared<const CompiledSystem>(
      samples::reduced(samples::from_text("model M parameter Real k = 2; Real x(start = 1), y(start = 1), f; "
                                          "equation der(x) = f*sin(y); f = k*x - y; y^3 + k*y = x + exp(-x); end M;")),
      Backend::Adaptive);
  System system(compiled, with_inputs(compiled->reduced().model, {{"k", 5.0}}, {}));
  InspectedPoints inspect(system);
  const std::size_t n = system.reduced().slots.size(), quantities = system.reduced().quantities.size(),
                    checks = system.checks().size();
  ASSERT_TRUE(inspect.gain());
  for (std::size_t count = 1; count <= InspectedPoints::most; ++count) {
    struct Sample {
      std::vector<double> y, yp, quantities, residuals_and_sizes;
    };
    std::vector<Sample> samples(count);
    std::vector<InspectedPoints::Point> points;
    for (std::size_t p = 0; p < count; ++p) {
      Sample& sample = samples[p];
      for (std::size_t s = 0; s < n; ++s) {
        sample.y.push_back(0.3 + 0.1 * static_cast<double>(p * n + s));
        sample.yp.push_back(1.0 - 0.2 * static_cast<double>(p + s));
      }
      sample.quantities.resize(quantities), sample.residuals_and_sizes.resize(2 * checks);
      points.push_back(
          {{0.1 * static_cast<double>(p), sample.y, sample.yp}, sample.quantities, sample.residuals_and_sizes});
    }
    inspect(points);
    std::vector<double> alone(quantities), residuals_and_sizes(2 * checks);
    for (const InspectedPoints::Point& point : points) {
      system.inspect(point.at, alone, residuals_and_sizes);
      EXPECT_TRUE(std::ranges::equal(point.quantities, alone)) << count << " points";
      EXPECT_TRUE(std::ranges::equal(point.residuals_and_sizes, residuals_and_sizes)) << count << " points";
    }
    system.set_parameters(std::vector{3.0 + static_cast<double>(count)});
  }
}

}  // namespace
}  // namespace driftless
