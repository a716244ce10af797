// The rate at which corrections shrink, for iterations to a tolerance: with a constant matrix their sizes fall like a
// geometric series, and the error after the last one is rate / (1 - rate) times its size.
#pragma once

#include <algorithm>
#include <cmath>

namespace driftless::newton {

inline double left_behind(double rate) { return rate / (1.0 - rate); }

// The sizes of the corrections of one iteration that are needed for rates.
class Sizes {
 public:
  void add(double size) {
    quotient_before_ = quotient_;
    quotient_ = size / last_;
    last_ = size;
    if (number_++ == 0) first_ = size;
  }

  int number() const { return number_; }
  double first() const { return first_; }
  double last() const { return last_; }

  // Preconditions: two corrections.
  double quotient() const { return quotient_; }  // the last by the one before
  // The geometric mean of the last two quotients: single ones alternate if the error rotates in a plane.
  double mean_of_two() const { return number_ == 2 ? quotient_ : std::sqrt(quotient_ * quotient_before_); }
  double mean_of_all() const { return std::pow(last_ / first_, 1.0 / (number_ - 1)); }

  // Keeps quotients finite after a first correction of 0.
  void raise_last(double least) { last_ = std::max(last_, least); }

 private:
  int number_ = 0;
  double first_ = 0.0, last_ = 1.0, quotient_ = 1.0, quotient_before_ = 1.0;
};

}  // namespace driftless::newton
