// System::inspect for several points at once: bit for bit the same results, in less time while kernels are interpreted
// (compile/at_points.hpp). It has inputs of its own, so those of the system stay as they are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/compile/at_points.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class InspectedPoints {
 public:
  static constexpr std::size_t most = KernelAtPoints::most_points;

  // The system of a run, with the parameters that it has at each call.
  explicit InspectedPoints(System& system) : system_(system) {}

  bool gain();  // do several points at once cost less at present?

  struct Point {
    System::Point at;
    std::span<double> quantities, residuals_and_sizes;
  };
  void operator()(std::span<const Point> points);

 private:
  void make_kernels();

  System& system_;
  std::optional<RunAtPoints> definitions_, certificate_;  // at the first call
  std::vector<std::vector<double>> inputs_;               // of each point
  std::vector<double> work_;
};

}  // namespace driftless
