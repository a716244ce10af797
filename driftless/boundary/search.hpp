// The solution of a boundary value problem within a tolerance: Newton's iteration on a mesh, a better mesh, and so on,
// until the defect is small; then once more with every interval halved. The difference of the last two solutions is the
// reported error, and the finer one is delivered.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driftless/boundary/newton.hpp"
#include "driftless/boundary/trajectory.hpp"

namespace driftless::boundary {

// Gives all unknowns at a time, as initial guess of the first iteration.
using GuessAt = std::function<Eigen::VectorXd(double t)>;

struct SearchSettings {
  double start = 0.0, stop = 1.0;
  double tolerance = 1e-6;
  int first_intervals = 10;
  int most_intervals = 20'000;
  bool constant = false;  // the first mesh is the only one: there is no estimate of the error
};

struct Found {
  std::shared_ptr<Trajectory> trajectory;  // null: none was found
  bool within_tolerance = false;
  double error = 0.0, defect = 0.0;  // 0 on a constant mesh: unknown
  int newton_iterations = 0, meshes = 0;
  std::string reason;  // if it failed
  std::vector<std::string> details;
};

Found search(Collocation& collocation, const GuessAt& guess, const SearchSettings& settings);

// A mesh on which the defects are equal, where defects[k] is that of interval k of the given mesh and shrinks with the
// given power of its length.
std::vector<double> equidistributed(const std::vector<double>& mesh, const std::vector<double>& defects, double power,
                                    std::size_t intervals);

}  // namespace driftless::boundary
