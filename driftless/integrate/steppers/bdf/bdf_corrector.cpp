#include "driftless/integrate/steppers/bdf/bdf_corrector.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/integrate/solve/guarded_iteration.hpp"
#include "driftless/integrate/steppers/bdf/bdf_acceptance.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

constexpr int most_iterations = 5, most_fixed_iterations = 20;  // the latter if no smaller step can be tried
constexpr int most_careful_iterations = 30;
constexpr double newton_tolerance = 0.1;
constexpr double largest_gain = 10.0;            // from rates to rates: a larger one needs a smaller iteration error
constexpr double accept_shortened_below = 0.01;  // of the bound
constexpr double largest_change_of_alpha = 1.6;  // up to which the matrix is kept
constexpr double multiple_of_rounding = 4.0;     // up to which a correction that does not shrink is a rounding error
constexpr int failures_before_last_resort = 3;   // then corrections may be shortened; at once if that helped
constexpr int steps_of_a_failure = 4;            // successful steps before a failure is forgotten
constexpr double smallest_part = 1.0 / 64.0;     // of a correction

}  // namespace

BdfCorrector::BdfCorrector(Problem& problem, const BdfWeights& weights, NewtonTest newton, bool is_fixed)
    : problem_(problem),
      weights_(weights),
      newton_(newton),
      is_fixed_(is_fixed),
      equations_(problem),
      guard_(equations_.overdetermined() ? nullptr : problem.system().guard()),
      y_(problem.size()),
      yp_(problem.size()),
      correction_(problem.size()),
      rounded_(problem.size()),
      sizes_(problem.size()),
      row_weights_(problem.size()),
      row_scale_(problem.size()),
      column_scale_(problem.size()),
      bound_(newton_tolerance) {
  take_pattern();
}

void BdfCorrector::states_changed() {
  equations_.states_changed();
  take_pattern();
}

void BdfCorrector::take_pattern() {
  matrix_.reset(equations_.pattern(), equations_.factorization());
  delta_.assign(equations_.size(), 0.0);
  rounding_.assign(equations_.size(), 0.0);
  rates_use_rates_ = !equations_.overdetermined() && rates_use_rates();
  matrix_is_stale_ = true;
}

void BdfCorrector::begin_step() {
  undefined_ = singular_ = false;
  failures_ = 0;
  is_last_resort_ = std::exchange(resort_helped_, false);
}

void BdfCorrector::note_failure() {
  ++failures_;
  failures_of_late_ += steps_of_a_failure;
  is_last_resort_ =
      failures_ >= failures_before_last_resort || failures_of_late_ >= failures_before_last_resort * steps_of_a_failure;
  matrix_is_stale_ = true;
}

void BdfCorrector::note_success() { failures_of_late_ = std::max(0, failures_of_late_ - 1); }

newton::End BdfCorrector::solve(const BdfHistory& history, double t) {
  alpha_ = history.alpha();
  const double ratio = alpha_ / matrix_alpha_;
  if (std::max(ratio, 1.0 / ratio) > largest_change_of_alpha) matrix_is_stale_ = true;
  bool is_fresh = false;
  for (;;) {
    begin_at_prediction(history);
    if (matrix_is_stale_) {
      const newton::End end = renew_matrix(t);
      if (end != newton::End::Converged) return iterate_guarded(history, t, end);
      is_fresh = true;
    }
    const newton::End end = iterate(t, is_fresh);
    if (end == newton::End::Diverged && is_fresh && !guard_ && is_rounding(t)) return newton::End::Converged;
    if (end == newton::End::Converged) return end;
    if (is_fresh && !guard_ && is_last_resort_) {
      const newton::End last = iterate_shortened(history, t, end);
      resort_helped_ = last == newton::End::Converged;
      return last;
    }
    if (is_fresh) return iterate_guarded(history, t, end);
    matrix_is_stale_ = true;
  }
}

void BdfCorrector::begin_at_prediction(const BdfHistory& history) {
  history.predict(y_, yp_);
  std::ranges::fill(correction_, 0.0);
}

// The matrix was made with another alpha: 2 / (1 + alpha / matrix_alpha_) is a compromise between components that scale
// with alpha and those that do not (Brenan, Campbell, Petzold 1996, Section 5.2.2).
newton::End BdfCorrector::iterate(double t, bool matrix_is_fresh) {
  const double relaxation = 2.0 / (1.0 + alpha_ / matrix_alpha_);
  BdfAcceptance test({.bound = bound_,
                      .rounding = weights_.rounding_of_values(),
                      .least_rate = std::abs(1.0 - relaxation),
                      .rate_of_first = newton_ == NewtonTest::One ? rate_ : 0.0,
                      .matrix_is_fresh = matrix_is_fresh});
  const auto correct = [&]() -> newton::Correction {
    ++counts_.residual_evaluations;
    const bool exists = equations_.residual(t, y_, yp_, matrix_alpha_, delta_);
    if (exists) matrix_.solve(delta_);
    const double norm = exists ? advance(-relaxation) : std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(norm)) {
      undefined_ = true;
      return newton::End::Undefined;
    }
    return std::min(norm, std::numeric_limits<double>::max());  // not infinite: the next point may have values
  };
  const newton::End end = newton::iterate(is_fixed_ ? most_fixed_iterations : most_iterations, correct, test).end;
  if (test.rate() > 0.0) rate_ = test.rate();
  return end;
}

newton::End BdfCorrector::iterate_guarded(const BdfHistory& history, double t, newton::End otherwise) {
  if (!guard_) return otherwise;
  begin_at_prediction(history);
  struct Test {
    BdfCorrector& corrector;
    double t;
    QuadraticAcceptance by_size;
    newton::Verdict operator()(double size) {
      const newton::Verdict verdict = by_size(size);
      return by_size.is_slow() && corrector.is_rounding(t) ? newton::Verdict::Converged : verdict;
    }
    void forget() { by_size.forget(); }
  } test{*this, t, {bound_, weights_.rounding_of_values()}};
  const bool found = driftless::iterate_guarded(
                         problem_.system(), {t, y_, yp_}, alpha_, most_careful_iterations,
                         [&] { return correct_by_new_matrix(t); }, test)
                         .converged();
  matrix_is_stale_ = !found;
  if (!found) return otherwise;
  undefined_ = singular_ = false;
  return newton::End::Converged;
}

newton::End BdfCorrector::iterate_shortened(const BdfHistory& history, double t, newton::End otherwise) {
  begin_at_prediction(history);
  const auto next = [&](double part) -> newton::Correction {
    if (part < 1.0) advance(part);  // as twice this part was too much
    ++counts_.residual_evaluations;
    if (!equations_.residual(t, y_, yp_, alpha_, rounding_)) return HUGE_VAL;
    matrix_.solve(rounding_);
    return weights_.norm(rounding_);
  };
  const newton::Report report = newton::iterate_damped(
      most_careful_iterations, smallest_part, [&] { return correct_by_new_matrix(t); },
      newton::Within{accept_shortened_below * bound_}, next);
  return report.converged() ? report.end : otherwise;
}

newton::Correction BdfCorrector::correct_by_new_matrix(double t) {
  ++counts_.residual_evaluations;
  if (const newton::End end = renew_matrix(t); end != newton::End::Converged) return end;
  if (!equations_.residual(t, y_, yp_, alpha_, delta_)) return newton::End::Undefined;
  matrix_.solve(delta_);
  return advance(-1.0);
}

newton::End BdfCorrector::renew_matrix(double t) {
  ++counts_.jacobian_evaluations;
  if (!equations_.overdetermined()) {
    weights_.grading().scales(1.0 / alpha_, row_scale_, column_scale_);
    matrix_.scale(row_scale_, column_scale_);
  }
  if (!equations_.matrix(t, y_, yp_, alpha_, matrix_.values())) {
    undefined_ = true;
    return newton::End::Undefined;
  }
  ++counts_.factorizations;
  matrix_alpha_ = alpha_;
  rate_ = 0.0;
  bound_ = newton_tolerance / std::max(1.0, gain_of_rates() / largest_gain);
  singular_ = !matrix_.factorize();
  matrix_is_stale_ = singular_;
  return singular_ ? newton::End::Singular : newton::End::Converged;
}

// Where definitions divide by small coefficients, as 0.01 der(x2) in an equation for der(x1), rates follow from other
// rates with large factors. An error that is small in every unknown may then be a large error of the equations. Returns
// the largest of these factors, from the last matrix, in units of the tolerances.
double BdfCorrector::gain_of_rates() {
  if (!rates_use_rates_) return 1.0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = 1.0 / weights_[i];
  problem_.rates_times_sizes(sizes_, row_weights_);
  double gain = 1.0;
  const std::size_t rows = sizes_.size() - problem_.states().size();
  for (std::size_t k = 0; k < problem_.states().size(); ++k) {
    double own = 0.0;
    for (const Term& term : problem_.states()[k])
      own += std::abs(term.weight) * sizes_[problem_.reduced().kinematics[term.candidate].slot];
    gain = std::max(gain, row_weights_[rows + k] / own);
  }
  return gain;
}

// Does a rate that a definition gives contain another one?
bool BdfCorrector::rates_use_rates() const {
  const linear::Pattern& pattern = problem_.pattern();
  const std::size_t rows = sizes_.size() - problem_.states().size();
  std::size_t entries = 0, own = 0;
  for (const Combination& state : problem_.states()) own += state.size();
  for (std::size_t k = 0; k < pattern.rows.size(); ++k)
    if (static_cast<std::size_t>(pattern.rows[k]) >= rows && problem_.rate_enters()[k]) ++entries;
  return entries > own;
}

void BdfCorrector::weights_of_rows(std::vector<double>& weights) {
  for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = 1.0 / weights_[i];
  problem_.rates_times_sizes(sizes_, weights);
  for (double& w : weights) w = w > 0.0 ? 1.0 / w : 0.0;
}

// Is the last correction a rounding error: does it not affect the error test, and is it no larger than the effect on
// the residuals of one unit in the last digit of y, with y' unchanged? If a highest derivative follows from differences
// of large terms, its corrections do not become smaller than that. With steep functions this can only be decided with
// the matrix at the iterate: an exponential makes that of the prediction useless.
bool BdfCorrector::is_rounding(double t) {
  const double norm = weights_.norm(delta_);
  if (!(weights_.norm_in_error_test(delta_) <= newton_tolerance)) return false;
  constexpr double digit = std::numeric_limits<double>::epsilon();
  for (std::size_t i = 0; i < rounded_.size(); ++i) rounded_[i] = y_[i] * (i % 2 == 0 ? 1.0 + digit : 1.0 - digit);
  counts_.residual_evaluations += 2;
  if (!equations_.residual(t, y_, yp_, matrix_alpha_, delta_) ||
      !equations_.residual(t, rounded_, yp_, matrix_alpha_, rounding_))
    return false;
  for (std::size_t i = 0; i < delta_.size(); ++i) rounding_[i] -= delta_[i];
  matrix_.solve(rounding_);
  return norm <= multiple_of_rounding * weights_.norm(rounding_);
}

// Adds factor * delta_ to the iterate; returns its norm.
double BdfCorrector::advance(double factor) {
  double sum = 0.0;
  for (std::size_t i = 0; i < correction_.size(); ++i) {
    const double d = factor * delta_[i];
    correction_[i] += d;
    y_[i] += d;
    yp_[i] += alpha_ * d;
    sum += (weights_[i] * d) * (weights_[i] * d);
  }
  return std::sqrt(sum / static_cast<double>(correction_.size()));
}

StepReport BdfCorrector::failure() const {
  if (undefined_) return {Outcome::EvaluationFailed, "an expression has no value"};
  if (singular_) return {Outcome::SingularIteration, "the iteration matrix is singular"};
  return {Outcome::StepTooSmall, "Newton's iteration does not converge"};
}

void BdfCorrector::add_to(Statistics& statistics) const {
  statistics += counts_;
  statistics.newton_iterations += counts_.residual_evaluations;
  statistics.largest_condition = matrix_.largest_condition();
}

void BdfCorrector::archive(Archive& archive) {
  archive(equations_, matrix_, matrix_alpha_, bound_, rate_, matrix_is_stale_, resort_helped_, failures_of_late_);
  archive(counts_);
}

}  // namespace driftless
