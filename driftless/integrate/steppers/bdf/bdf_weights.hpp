// The weights of the components in a BDF step: an error is small enough if weight times error is at most 1.
//
// The weights of Newton's iteration are nonzero for every component; an unknown of index i may be left with a larger
// error, as it affects the others only by h^(i-1) (index_scaling.hpp). The weights of the error test are 0 for
// components that are not in it.
#pragma once

#include <span>
#include <vector>

#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/system/problem.hpp"

namespace driftless {

class BdfWeights {
 public:
  // The error test allows this fraction of the tolerance, so that global errors stay within a moderate multiple of the
  // user's tolerance.
  static constexpr double safety = 0.3;

  // `is_fixed`: order and step size are given, and there is no error test.
  BdfWeights(Problem& problem, double tolerance, bool is_fixed);

  void states_changed();

  // Computes the weights of a step of size h from y; h is 0 for a first step whose size is not known yet.
  void prepare(double h, std::span<const double> y);

  std::span<const double> of_error_test() const { return of_error_test_; }
  double operator[](std::size_t i) const { return of_iteration_[i]; }  // of the iteration
  const IndexScaling& grading() const { return grading_; }

  // The weighted root mean square, with the weights of the iteration or of the error test.
  double norm(std::span<const double> x) const;
  double norm_in_error_test(std::span<const double> x) const;
  // The norm of a correction that changes values by their last digits only.
  double rounding_of_values() const;

  void archive(Archive& archive) { archive(grading_, is_in_error_test_); }

 private:
  void set_relative(double h);

  Problem& problem_;
  double tolerance_;
  bool is_fixed_;
  IndexScaling grading_;
  std::vector<bool> is_in_error_test_;
  double relative_step_ = 0.0;  // the step size that relative_ belongs to
  std::vector<double> nominal_, relative_, of_iteration_, of_error_test_;
};

}  // namespace driftless
