// Orders of convergence at mesh points on a Hessenberg problem of index 2 with a closed form, and what follows from the
// solution being one of collocation.
#include <gmock/gmock.h>

#include "tests/boundary/boundary_testing.hpp"

namespace driftless {
namespace {

using namespace boundary_testing;
using boundary::CollocationMethod;

struct Errors {
  double states = 0.0, multiplier = 0.0;
};

// At the mesh points, which are output points here.
Errors errors_on_mesh(const CollocationMethod& method, int intervals) {
  const Solution s =
      solve_boundary(shipped("hessenberg2"), {.intervals = intervals, .method = method, .mesh = intervals});
  EXPECT_EQ(s.outcome, Outcome::Success) << s.message;
  EXPECT_EQ(s.boundary->intervals, static_cast<std::size_t>(intervals));
  return {std::max({error_of(s, "x1", [](double t) { return std::cos(std::sin(t)); }),
                    error_of(s, "x2", [](double t) { return std::sin(std::sin(t)); }),
                    error_of(s, "x3", [](double t) { return std::cos(t); })}),
          error_of(s, "z", [](double t) { return 1.0 + t * t; })};
}

struct Case {
  const char* name;
  int coarse, fine;  // meshes on which the error is above rounding and has its order
  double order;
};

class Orders : public ::testing::TestWithParam<Case> {};

// Radau 2s - 1, Gauss with the mesh points on the constraints 2s, for the multiplier as well: it is solved for where
// the states are known.
TEST_P(Orders, AtMeshPointsAreThoseOfTheQuadrature) {
  const CollocationMethod method = *boundary::parse_collocation_method(GetParam().name);
  const Errors coarse = errors_on_mesh(method, GetParam().coarse), fine = errors_on_mesh(method, GetParam().fine);
  const double ratio = std::log(static_cast<double>(GetParam().fine) / GetParam().coarse);
  EXPECT_NEAR(std::log(coarse.states / fine.states) / ratio, GetParam().order, 0.25);
  EXPECT_NEAR(std::log(coarse.multiplier / fine.multiplier) / ratio, GetParam().order, 0.35);
}

INSTANTIATE_TEST_SUITE_P(Collocation, Orders,
                         ::testing::Values(Case{"radau2", 20, 40, 3.0}, Case{"radau3", 8, 16, 5.0},
                                           Case{"radau4", 3, 6, 7.0}, Case{"gauss2", 10, 20, 4.0},
                                           Case{"gauss3", 5, 10, 6.0}, Case{"gauss4", 2, 4, 8.0}),
                         [](const auto& tested) { return tested.param.name; });

TEST(BoundaryValues, AllMethodsReachEveryTolerance) {
  for (const std::string& name : boundary::collocation_method_names())
    for (const double tolerance : {1e-4, 1e-7, 1e-10}) {
      const Solution s = solve_boundary(shipped("hessenberg2"),
                                        {.tolerance = tolerance, .method = *boundary::parse_collocation_method(name)});
      ASSERT_EQ(s.outcome, Outcome::Success) << name << ", " << tolerance << ": " << s.message;
      EXPECT_EQ(s.verdict(), Verdict::Kept);
      EXPECT_LT(error_of(s, "x2", [](double t) { return std::sin(std::sin(t)); }), tolerance) << name;
      EXPECT_LT(error_of(s, "z", [](double t) { return 1.0 + t * t; }), 5 * tolerance) << name;
      EXPECT_LE(*s.boundary->error, tolerance);
      EXPECT_LE(*s.boundary->defect, tolerance);
      EXPECT_LT(largest_condition(s), 1e-3 * tolerance);
    }
}

// The cost of the elimination grows with the number of intervals: what is counted here is that Newton's iteration does
// not depend on it.
TEST(BoundaryValues, NewtonsIterationDoesNotDependOnTheMesh) {
  const auto iterations = [](int mesh) {
    return solve_boundary(shipped("bratu"), {.mesh = mesh}).boundary->newton_iterations;
  };
  EXPECT_EQ(iterations(20), iterations(400));
}

TEST(BoundaryValues, OfLinearProblemsTakeOneIteration) {
  for (const char* name : {"lq_scalar", "lq_oscillator", "lq_oscillator_singular", "adjoint_identity"})
    EXPECT_LE(solve_boundary(shipped(name), {.mesh = 50}).boundary->newton_iterations, 2) << name;
}

TEST(BoundaryValues, DenseOutputLiesOnAllConstraints) {
  const Solution s = solve_boundary(shipped("hessenberg2"), {.tolerance = 1e-9});
  for (const double t : {0.0, 0.123, 0.5, 0.777, 1.0}) {
    EXPECT_NEAR(s.at(t, "x1"), std::cos(std::sin(t)), 1e-9);
    EXPECT_NEAR(s.at(t, "z"), 1.0 + t * t, 1e-8);
    EXPECT_NEAR(std::hypot(s.at(t, "x1"), s.at(t, "x2")), 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace driftless
