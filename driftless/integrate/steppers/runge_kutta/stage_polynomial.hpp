// The polynomial through the points that a one-step method has computed within its last step: interpolation, dense
// output, and the first guess for the next step.
//
// With tau = (t - end) / h the nodes of the method are numbers in [-1, 0]; the coefficients of the powers of tau are a
// constant matrix times the values.
#pragma once

#include <span>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/steppers/along_step.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class StagePolynomial {
 public:
  // `nodes`: within (0, 1), in units of the step; both ends are added, and nodes that agree with them left out.
  StagePolynomial(const std::vector<double>& nodes, int components);
  StagePolynomial(const StagePolynomial& of_same_nodes, int components);

  // Values at the inner nodes, one after the other, in the order of inner_nodes().
  const std::vector<double>& inner_nodes() const { return inner_; }
  void set(double begin, double h, std::span<const double> start, std::span<const double> inner,
           std::span<const double> end);
  void replace_end(std::span<const double> end);

  bool empty() const { return h_ == 0.0; }
  void clear() { h_ = 0.0; }
  void value(double t, std::span<double> y) const;
  void slope(double t, std::span<double> yp) const;
  void store(Segment& segment) const;
  void along_step(std::span<const SlotWeight> function, AlongStep& out) const;

  // Extrapolates beyond the step, as a guess for the next one. Where from_start[k] is 0 instead of 1, only the values
  // at the nodes are used: the value of a multiplier at the start belongs to another step, and the difference, of the
  // size of its error, would be multiplied by 1 / (c_1 ... c_s) and more.
  void extrapolate(double t, std::span<const double> from_start, std::span<double> y) const;

  void archive(Archive& archive) {  // reads into one with the same nodes
    archive.expect(values_.size(), "number of stages");
    archive(values_, coefficients_, begin_, h_);
  }

 private:
  double node(int i) const { return i == 0 ? -1.0 : i == degree_ ? 0.0 : inner_[i - 1] - 1.0; }
  void find_coefficients();

  std::vector<double> inner_;
  int components_, degree_;
  std::vector<double> inverse_;       // (degree + 1)^2: from values at the nodes to coefficients
  std::vector<double> values_;        // (degree + 1) rows: start, inner nodes, end
  std::vector<double> coefficients_;  // (degree + 1) rows, as in Segment
  double begin_ = 0.0, h_ = 0.0;
};

}  // namespace driftless
