#include "driftless/integrate/solve/implicit_point.hpp"

#include <gtest/gtest.h>

#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

// Two nodes with a capacitor between them: the difference of the rows has no derivative in it.
std::shared_ptr<const Reduced> pair_of_nodes(const std::string& current) {
  const auto model = std::make_shared<const Model>(
      samples::from_text("model M Real a(start = 1), b(start = 1, nominal = 10); equation\n der(a) - der(b) = -" +
                         current + ";\n der(a) - der(b) = b - 2;\nend M;"));
  return std::make_shared<const Reduced>(reduce_implicit(model, samples::structure_of(*model)));
}

TEST(ImplicitPoint, MovesSlopesFirstAndValuesWhereNoSlopeHelps) {
  const auto reduced = pair_of_nodes("a");
  System system(reduced, Backend::Interpreter);
  std::vector<double> y{1.2, 0.801}, yp{-0.6, 0.6003}, rows(system.rows() + system.candidates());
  ASSERT_TRUE((ImplicitPoint(system)(0.0, y, yp)));
  system.rows_and_rates({0.0, y, yp}, rows);
  EXPECT_NEAR(rows[0], 0.0, 1e-14);
  EXPECT_NEAR(rows[1], 0.0, 1e-14);
  // a + b = 2 is the condition of the rows on y alone: the excess of 0.001 goes to both by the squares of their sizes.
  const auto square = [](double v) { return v * v; };
  const double a = square(1.2 + 1.0), b = square(0.801 + 10.0);
  EXPECT_NEAR(y[0], 1.2 - 0.001 * a / (a + b), 1e-9);
  EXPECT_NEAR(y[1], 0.801 - 0.001 * b / (a + b), 1e-9);
  const double slope_a = square(0.6 + 1.0), slope_b = square(0.6003 + 10.0), excess = -0.6 - 0.6003 + y[0];
  EXPECT_NEAR(yp[0], -0.6 - excess * slope_a / (slope_a + slope_b), 1e-9);
  EXPECT_NEAR(yp[1], 0.6003 + excess * slope_b / (slope_a + slope_b), 1e-9);
}

TEST(ImplicitPoint, StaysWhereItIsIfTheRowsHaveNoValue) {
  const auto reduced = pair_of_nodes("log(a)");
  System system(reduced, Backend::Interpreter);
  std::vector<double> y{-1.0, 1.0}, yp{0.0, 0.0};
  EXPECT_FALSE((ImplicitPoint(system)(0.0, y, yp)));
  EXPECT_EQ(y, (std::vector<double>{-1.0, 1.0}));
  EXPECT_EQ(yp, (std::vector<double>{0.0, 0.0}));
}

}  // namespace
}  // namespace driftless
