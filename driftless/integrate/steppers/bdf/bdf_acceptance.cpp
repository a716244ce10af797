#include "driftless/integrate/steppers/bdf/bdf_acceptance.hpp"

#include <algorithm>

namespace driftless {
namespace {

constexpr double accept_first_below = 3e-8;
constexpr double accept_fresh_below = 0.01;      // of the bound: rounding if it no longer shrinks with a new matrix
constexpr double widest_neighbourhood = 10.0;    // of a prediction, in which its matrix is trusted
constexpr double unexplained_rate = 0.05;        // not explained by the change of alpha: one more correction is made
constexpr double worst_rate = 0.5;               // beyond, a new matrix is cheaper than more iterations
constexpr double slowest_quadratic = 0.5;        // rate of an iteration with a new matrix each time, near its end
constexpr double accept_quadratic_below = 0.01;  // of the bound

}  // namespace

newton::Verdict BdfAcceptance::operator()(double size) {
  sizes_.add(size);
  if (sizes_.number() == 1) return look_at_first();
  return size <= limits_.rounding ? newton::Verdict::Converged : look_at_rate();
}

newton::Verdict BdfAcceptance::look_at_first() const {
  const double rate = limits_.rate_of_first, size = sizes_.first();
  const bool is_trusted = rate > 0.0 && rate < 1.0 && newton::left_behind(rate) * size <= limits_.bound;
  return size <= accept_first_below || is_trusted ? newton::Verdict::Converged : newton::Verdict::GoOn;
}

newton::Verdict BdfAcceptance::look_at_rate() {
  const double size = sizes_.last();
  rate_ = std::max(sizes_.quotient(), limits_.least_rate);
  if (is_foretold_ && size <= limits_.bound) return newton::Verdict::Converged;
  if (size <= 1.0 && rate_ < 1.0 && newton::left_behind(rate_) * size <= limits_.bound) {
    const bool is_explained = size <= limits_.bound || rate_ <= 1.5 * limits_.least_rate + unexplained_rate;
    if (sizes_.number() > 2 || (sizes_.first() <= widest_neighbourhood && is_explained))
      return newton::Verdict::Converged;
    is_foretold_ = true;
  }
  if (rate_ <= worst_rate) return newton::Verdict::GoOn;
  return limits_.matrix_is_fresh && size <= accept_fresh_below * limits_.bound ? newton::Verdict::Converged
                                                                               : newton::Verdict::Diverged;
}

newton::Verdict QuadraticAcceptance::operator()(double size) {
  is_slow_ = false;
  if (!is_reached_) {
    is_reached_ = true;
    before_ = 0.0;
    return newton::Verdict::GoOn;
  }
  if (size <= rounding_) return newton::Verdict::Converged;
  const double rate = before_ > 0.0 ? size / before_ : slowest_quadratic;
  before_ = size;
  if (rate <= slowest_quadratic)
    return rate * size <= accept_quadratic_below * bound_ ? newton::Verdict::Converged : newton::Verdict::GoOn;
  is_slow_ = size <= bound_;
  return newton::Verdict::GoOn;
}

}  // namespace driftless
