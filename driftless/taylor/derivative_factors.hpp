// Converts between Taylor coefficients of a function and those of its derivatives, in a unit of time: with
//
//   rising[k][m] = (k + 1) ... (k + m),
//
// the coefficient of order k of der^m(x) is rising[k][m] / unit^m times that of order k + m of x.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace driftless::taylor {

template <class Scalar>
class DerivativeFactors {
 public:
  DerivativeFactors() = default;
  // For orders up to this one and derivatives up to der^highest.
  DerivativeFactors(int orders, int highest)
      : stride_(highest + 1),
        rising_(static_cast<std::size_t>(orders + 1) * stride_),
        reciprocal_rising_(rising_.size()),
        to_derivative_(rising_.size()),
        from_derivative_(rising_.size()) {
    for (int k = 0; k <= orders; ++k) {
      reciprocals_.push_back(Scalar(1) / Scalar(std::max(k, 1)));
      for (int m = 0; m <= highest; ++m) {
        Scalar product(1);
        for (int i = 1; i <= m; ++i) product *= Scalar(k + i);
        rising_[k * stride_ + m] = product;
        reciprocal_rising_[k * stride_ + m] = Scalar(1) / product;
      }
    }
  }

  double unit() const { return unit_; }
  // False if the unit is unchanged. Precondition of all below: it was called.
  bool set_unit(double unit) {
    if (unit_ == unit) return false;
    unit_ = unit;
    powers_.assign(stride_, Scalar(1));
    for (int m = 1; m < stride_; ++m) powers_[m] = powers_[m - 1] * Scalar(unit);
    for (std::size_t k = 0; k < rising_.size(); k += stride_)
      for (int m = 0; m < stride_; ++m) {
        to_derivative_[k + m] = rising_[k + m] / powers_[m];
        from_derivative_[k + m] = reciprocal_rising_[k + m] * powers_[m];
      }
    return true;
  }

  // The factors by m, for coefficients of order k; those of order k + 1 follow after `stride` numbers.
  const Scalar* to_derivative(int k) const { return to_derivative_.data() + static_cast<std::ptrdiff_t>(k) * stride_; }
  const Scalar* from_derivative(int k) const {
    return from_derivative_.data() + static_cast<std::ptrdiff_t>(k) * stride_;
  }
  int stride() const { return stride_; }
  Scalar reciprocal(int k) const { return reciprocals_[k]; }  // 1 / k; 1 for k = 0

 private:
  int stride_ = 0;
  double unit_ = 0.0;
  std::vector<Scalar> rising_, reciprocal_rising_, to_derivative_, from_derivative_, reciprocals_, powers_;
};

}  // namespace driftless::taylor
