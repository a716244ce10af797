// Values of a run between its output points. If these are dense, a polynomial through several of them is as accurate as
// the run, and no equations have to be solved; if they are not, or if two polynomials differ, there is no value.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless::sensitivity {

class OutputInterpolation {
 public:
  static constexpr std::size_t fewest_points = 8, most_points = 12;  // of a polynomial

  // Of the rows `first`, ..., `last` - 1, at ascending times without an event between them; `columns` of the solution,
  // and the nominal value of each. The solution must live as long as this.
  OutputInterpolation(const Solution& solution, std::size_t first, std::size_t last, std::vector<int> columns,
                      std::vector<double> nominal, double tolerance);

  // Values in the order of the columns. False if they are unknown at t.
  bool operator()(double t, std::vector<double>& values) const;
  // The value of the polynomial, regardless of its accuracy. False if there are too few points.
  bool roughly(double t, std::vector<double>& values) const;

 private:
  using Weights = std::array<double, most_points>;
  struct Window {
    std::size_t row = 0;         // the first of its points
    Weights weights{}, check{};  // of the values; of what a polynomial through all adds to one less
  };
  std::size_t first_of_window(double t) const;
  bool find_window(double t, Window& window) const;
  void find_resolved();

  const Solution& solution_;
  std::size_t first_, last_;
  std::vector<int> columns_;
  std::vector<double> nominal_;
  double tolerance_;
  std::size_t points_;         // of a polynomial
  std::vector<int> resolved_;  // by row: how many intervals before it, from the first row on, follow the trajectory
};

}  // namespace driftless::sensitivity
