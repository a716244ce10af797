#include "driftless/integrate/steppers/bdf/bdf.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "driftless/integrate/steppers/bdf/bdf_control.hpp"
#include "driftless/integrate/steppers/bdf/bdf_history.hpp"
#include "driftless/integrate/solve/step_equations.hpp"
#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/system/guard.hpp"
#include "driftless/integrate/system/known_states.hpp"
#include "driftless/integrate/solve/implicit_point.hpp"
#include "driftless/integrate/solve/iteration_matrix.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

// The error test sees this part of the tolerance, so that global errors stay within a moderate multiple of what the
// user asked for.
constexpr double safety = 0.3;
constexpr double sharpest_algebraic = 1e-10;
constexpr double loosest_multiplier =
    1e-3;  // relative: a loose multiplier harms no other unknown, but is in the output

constexpr int most_error_failures = 15, most_newton_failures = 20;  // in one step

constexpr double last_steps = 6.0;

constexpr int most_iterations = 5, most_fixed_iterations = 20;  // the latter where no smaller step can be tried
constexpr double newton_tolerance = 0.1;
constexpr double largest_gain = 10.0;  // from rate to rate: beyond, the iteration goes on for as much longer
constexpr double accept_first_below = 3e-8;
constexpr double multiple_of_rounding = 4.0;     // up to which a correction that does not shrink is rounding
constexpr double accept_fresh_below = 0.01;      // of the bound: what no longer shrinks with a new matrix is rounding
constexpr double widest_neighbourhood = 10.0;    // of a prediction, in which its matrix is trusted
constexpr double unexplained_rate = 0.05;        // by the change of alpha: one more correction is made
constexpr double slowest_quadratic = 0.5;        // rate of an iteration with a new matrix each time, near its end
constexpr double accept_quadratic_below = 0.01;  // of the bound
constexpr double worst_rate = 0.5;               // beyond, a new matrix is cheaper than more iterations
constexpr double largest_change_of_alpha = 1.6;  // up to which the matrix is kept
constexpr int most_guarded_iterations = 30;
constexpr int failures_before_last_resort = 3;  // then every iteration has a matrix of its own; at once if that helped
constexpr int steps_of_a_failure = 4;           // that are right before it is forgotten
constexpr double smallest_part = 1.0 / 64.0;    // of a correction
constexpr int places_between = 5;               // where exponentials are looked at within a step

// Rounding of the constraints divided by what h leaves of them: in a tiny first step, multipliers of index 3 have no
// digit.
double rounding_of(int index, double h) {
  return index <= 1 || !(h > 0.0) ? 0.0 : 4.0 * std::numeric_limits<double>::epsilon() * std::pow(h, 1 - index);
}

double mean_root(std::span<const double> weights, std::span<const double> x) {
  return root_mean_square(weights.size(), [&](std::size_t i) { return weights[i] * x[i]; });
}

class Bdf final : public Stepper {
 public:
  Bdf(Problem& problem, const State& start, const StepSettings& settings, const std::optional<FixedFormula>& fixed)
      : problem_(problem),
        known_states_(problem),
        equations_(problem),
        guard_(equations_.overdetermined() ? nullptr : problem.system().guard()),
        pulse_check_(problem),
        settings_(settings),
        fixed_(fixed.has_value()),
        time_(start.t),
        y_(start.y),
        yp_(start.yp),
        new_y_(start.y.size()),
        new_yp_(start.y.size()),
        correction_(start.y.size()),
        nominal_(start.y.size()),
        relative_(start.y.size()),
        weights_(start.y.size()),
        test_weights_(start.y.size()),
        rounded_(start.y.size()),
        sizes_(start.y.size()),
        row_weights_(start.y.size()),
        row_scale_(start.y.size()),
        column_scale_(start.y.size()) {
    for (std::size_t i = 0; i < y_.size(); ++i) nominal_[i] = problem.reduced().slots[i].nominal;
    label_components();
    if (fixed) {
      next_ = {fixed->step, fixed->order};
      history_.start(fixed->past, fixed->step);
    } else {
      begin();
    }
  }

  StepReport step() override {
    undefined_ = singular_ = false;
    is_last_resort_ = std::exchange(resort_helped_, false);
    int error_failures = 0, newton_failures = 0;
    NewtonEnd last_end = NewtonEnd::Converged;
    divide_what_is_left();
    while (time_ + next_.h > time_) {
      const double h = next_.h;
      const int order = next_.order;
      last_end = solve(h, order);
      if (last_end == NewtonEnd::Converged) {
        const BdfHistory::Errors errors = estimated_errors();
        if (fixed_ || (errors.accepted <= 1.0 && misses_no_pulse(h))) {
          accept(errors);
          return {};
        }
        ++counts_.rejected_steps;
        if (++error_failures >= most_error_failures) return {Outcome::StepTooSmall, "the error test fails repeatedly"};
        next_ = errors.accepted > 1.0 ? control_.rejected(h, order, errors, error_failures)
                                      : BdfControl::Next{0.25 * h, order};
      } else {
        ++counts_.convergence_failures;
        if (fixed_ || ++newton_failures >= most_newton_failures) return explain();
        failures_of_late_ += steps_of_a_failure;
        is_last_resort_ = newton_failures >= failures_before_last_resort ||
                          failures_of_late_ >= failures_before_last_resort * steps_of_a_failure;
        next_.h = 0.25 * h;
        matrix_is_stale_ = true;
      }
      if (accepted_ == 0 && !fixed_) history_.rescale_slope(next_.h / h);
    }
    return last_end != NewtonEnd::Converged
               ? explain()
               : StepReport{Outcome::StepTooSmall, "the step size became too small to advance the time"};
  }

  double time() const override { return time_; }
  double last_step() const override { return last_step_; }
  int last_order() const override { return last_order_; }
  std::span<const double> y() const override { return y_; }
  std::span<const double> yp() const override { return yp_; }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    history_.interpolate(t - time_, y, yp);
  }

  void store(Segment& segment) override {
    segment = {time_ - last_step_, time_, last_order_, std::vector<double>((last_order_ + 1) * y_.size())};
    history_.taylor(last_step_, segment.coefficients);
  }

  std::shared_ptr<PointSolver> point_solver() override {
    return problem_.reduced().implicit ? std::make_shared<ImplicitPoint>(problem_.system()) : nullptr;
  }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    for (std::size_t i = 0; i < y_.size(); ++i) correction_[i] = y[i] - y_[i];
    history_.move(correction_);
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    return true;
  }

  void continue_with_new_states() override {
    equations_.states_changed();
    pulse_check_.states_changed();
    label_components();
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    continue_with_new_states();
    begin();
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    settings_.stop = stop;
    time_ = t;
    last_step_ = 0.0;
    restart(y, yp);
    return true;
  }
  // The equations have the same structure, so their grades and the pattern of the matrix stay.
  bool resume_behind_event(double t, std::span<const double> y, std::span<const double> yp, double stop,
                           double) override {
    settings_.stop = stop;
    time_ = t;
    last_step_ = 0.0;
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    matrix_is_stale_ = true;
    begin();
    return true;
  }
  void limit_steps(double longest) override { settings_.longest_step = longest; }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    return !fixed_;
  }

  ConditionNumbers condition() const override { return matrix_.condition(); }

  void add_to(Statistics& statistics) const override {
    statistics += counts_;
    statistics.newton_iterations += counts_.residual_evaluations;
    statistics.largest_condition = matrix_.largest_condition();
  }

  void archive(Archive& archive) override {
    archive.section("bdf");
    archive(problem_);
    known_states_.archive(archive, [this] {
      equations_.states_changed();
      label_components();
    });
    archive(equations_, pulse_check_, settings_.stop, time_, last_step_, last_order_, y_, yp_);
    archive(grading_, included_, history_, control_, next_);
    archive(matrix_, matrix_alpha_, bound_, rate_, matrix_is_stale_, resort_helped_, failures_of_late_);
    archive(accepted_, counts_);
  }

 private:
  enum class NewtonEnd { Converged, Diverged, Singular, Undefined };

  void label_components() {
    known_states_.update();
    grading_ = grade_again(problem_, grading_);
    included_ = in_error_test(problem_, grading_);
    matrix_.reset(equations_.pattern(), equations_.factorization());
    delta_.assign(equations_.size(), 0.0);
    rounding_.assign(equations_.size(), 0.0);
    rates_use_rates_ = !equations_.overdetermined() && rates_use_rates();
    matrix_is_stale_ = true;
    relative_step_ = 0.0;
  }

  // From the present point, with a step in which y moves by half of what is allowed.
  void begin() {
    set_weights(0.0);
    const double speed = mean_root(weights_, yp_);
    double h = 1e-3 * (settings_.stop - time_);
    if (speed * h > 0.5) h = 0.5 / speed;
    control_.start();
    next_ = {h, 1};
    history_.start(y_, yp_, h);
    accepted_ = 0;
  }

  // The last steps are equal, and not larger than the one before them: a step of another size than those in the history
  // leaves errors of the size tolerance / h in multipliers of index 2, here at the very point that people look at.
  void divide_what_is_left() {
    const double left = settings_.stop - time_, h = next_.h;
    next_.h = std::min(h, settings_.longest_step);
    if (last_step_ > 0.0 && left < last_steps * last_step_) next_.h = std::min(next_.h, last_step_);
    if (left < last_steps * next_.h) next_.h = left / std::ceil(left / next_.h * (1.0 - 1e-10));
    if (accepted_ == 0 && !fixed_ && next_.h != h) history_.rescale_slope(next_.h / h);
  }

  // weights_[i] times an error of component i: at most 1 is small enough for Newton's iteration. What is not in the
  // error test enters there only; rounding keeps highest derivatives and multipliers from being solved more sharply.
  void set_weights(double h) {
    if (h != relative_step_ || h == 0.0) {
      const double tolerance = safety * settings_.tolerance;
      for (std::size_t i = 0; i < relative_.size(); ++i) {
        const double relative = std::max(tolerance, included_[i] || fixed_ ? 0.0 : sharpest_algebraic);
        const double allowance = fixed_ ? 1.0 : newton_allowance(grading_.index[i], h);
        const double looser = std::min(relative * allowance, loosest_multiplier);
        relative_[i] = std::max({relative, looser, rounding_of(grading_.index[i], h)});
        if (const Slot& slot = problem_.reduced().slots[i]; slot.tested) relative_[i] = tolerance * slot.allowance;
      }
      relative_step_ = h;
    }
    for (std::size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = 1.0 / (relative_[i] * (std::abs(y_[i]) + nominal_[i]));
    for (std::size_t i = 0; i < weights_.size(); ++i) test_weights_[i] = included_[i] ? weights_[i] : 0.0;
  }

  // ---- Newton's iteration

  NewtonEnd solve(double h, int order) {
    history_.prepare(h, order, fixed_ ? BdfHistory::Formulas::Backward : BdfHistory::Formulas::Numerical);
    set_weights(h);
    const double ratio = history_.alpha() / matrix_alpha_;
    if (std::max(ratio, 1.0 / ratio) > largest_change_of_alpha) matrix_is_stale_ = true;
    bool fresh = false;
    for (;;) {
      history_.predict(new_y_, new_yp_);
      if (matrix_is_stale_) {
        const NewtonEnd end = renew_matrix(time_ + h);
        if (end != NewtonEnd::Converged) return iterate_guarded(time_ + h, end);
        fresh = true;
      }
      const NewtonEnd end = iterate(time_ + h, fresh);
      if (end == NewtonEnd::Diverged && fresh && !guard_ && is_rounding(time_ + h)) return NewtonEnd::Converged;
      if (end == NewtonEnd::Converged) return end;
      if (fresh && !guard_ && is_last_resort_) {
        const NewtonEnd last = iterate_monotonically(time_ + h, end);
        resort_helped_ = last == NewtonEnd::Converged;
        return last;
      }
      if (fresh) return iterate_guarded(time_ + h, end);
      matrix_is_stale_ = true;
    }
  }

  // Once more from the prediction, with tangents in the place of steep functions and a new matrix in every iteration.
  NewtonEnd iterate_guarded(double t, NewtonEnd otherwise) {
    if (!guard_) return otherwise;
    const double alpha = history_.alpha();
    history_.predict(new_y_, new_yp_);
    std::ranges::fill(correction_, 0.0);
    guard_->begin({t, new_y_, new_yp_}, alpha);
    problem_.system().use_guard(true);
    const bool found = follow_tangents(t, alpha);
    problem_.system().use_guard(false);
    matrix_is_stale_ = !found;
    if (!found) return otherwise;
    undefined_ = singular_ = false;
    return NewtonEnd::Converged;
  }

  // A correction tells of the distance to the solution if it was made by the rows of the model: if the tangents had
  // reached their functions before it, and after it still have. The next one is then norm * rate, or less.
  bool follow_tangents(double t, double alpha) {
    double before = 0.0;  // the norm of the correction before, if it was one of those
    bool reached = false;
    for (int m = 0; m < most_guarded_iterations; ++m) {
      ++counts_.residual_evaluations;
      if (renew_matrix(t) != NewtonEnd::Converged) return false;
      if (!equations_.residual(t, new_y_, new_yp_, alpha, delta_)) return false;
      matrix_.solve(delta_);
      const double norm = advance(-1.0, alpha);
      if (!std::isfinite(norm)) return false;
      const bool was_reached = reached;
      reached = guard_->follow({t, new_y_, new_yp_});
      if (!was_reached || !reached) {
        before = 0.0;
        continue;
      }
      if (norm <= rounding_of_values()) return true;
      const double rate = before > 0.0 ? norm / before : slowest_quadratic;
      if (rate <= slowest_quadratic && rate * norm <= accept_quadratic_below * bound_) return true;
      if (rate > slowest_quadratic && norm <= bound_ && is_rounding(t)) return true;
      before = norm;
    }
    return false;
  }

  // Once more from the prediction, with a new matrix in every iteration. A correction is halved until the next one, by
  // the same matrix, is smaller (the natural monotonicity test).
  NewtonEnd iterate_monotonically(double t, NewtonEnd otherwise) {
    const double alpha = history_.alpha();
    history_.predict(new_y_, new_yp_);
    std::ranges::fill(correction_, 0.0);
    for (int m = 0; m < most_guarded_iterations; ++m) {
      ++counts_.residual_evaluations;
      if (renew_matrix(t) != NewtonEnd::Converged) return otherwise;
      if (!equations_.residual(t, new_y_, new_yp_, alpha, delta_)) return otherwise;
      matrix_.solve(delta_);
      const double norm = advance(-1.0, alpha);
      if (!std::isfinite(norm)) return otherwise;
      if (norm <= accept_quadratic_below * bound_) return NewtonEnd::Converged;
      if (!halve_until_smaller(t, norm)) return otherwise;
    }
    return otherwise;
  }

  // The last correction, of this norm.
  bool halve_until_smaller(double t, double norm) {
    const double alpha = history_.alpha();
    for (double part = 1.0; part >= smallest_part; part *= 0.5) {
      ++counts_.residual_evaluations;
      if (equations_.residual(t, new_y_, new_yp_, alpha, rounding_)) {
        matrix_.solve(rounding_);
        if (mean_root(weights_, rounding_) <= (1.0 - 0.25 * part) * norm) return true;
      }
      advance(0.5 * part, alpha);
    }
    return false;
  }

  NewtonEnd renew_matrix(double t) {
    const double alpha = history_.alpha();
    ++counts_.jacobian_evaluations;
    if (!equations_.overdetermined()) {
      grading_.scales(1.0 / alpha, row_scale_, column_scale_);
      matrix_.scale(row_scale_, column_scale_);
    }
    if (!equations_.matrix(t, new_y_, new_yp_, alpha, matrix_.values())) {
      undefined_ = true;
      return NewtonEnd::Undefined;
    }
    ++counts_.factorizations;
    matrix_alpha_ = alpha;
    rate_ = 0.0;
    bound_ = newton_tolerance / std::max(1.0, gain_of_rates() / largest_gain);
    singular_ = !matrix_.factorize();
    matrix_is_stale_ = singular_;
    return singular_ ? NewtonEnd::Singular : NewtonEnd::Converged;
  }

  // Where definitions divide by small coefficients, as 0.01 der(x2) in an equation for der(x1), rates follow from other
  // rates with large factors. An error that is small in every unknown is then no small error of the equations. The
  // largest of these factors, by the matrix that was made last, in units of the tolerances.
  double gain_of_rates() {
    if (!rates_use_rates_) return 1.0;
    for (std::size_t i = 0; i < weights_.size(); ++i) sizes_[i] = 1.0 / weights_[i];
    problem_.rates_times_sizes(sizes_, row_weights_);
    double gain = 1.0;
    const std::size_t rows = weights_.size() - problem_.states().size();
    for (std::size_t k = 0; k < problem_.states().size(); ++k) {
      double own = 0.0;
      for (const Term& term : problem_.states()[k])
        own += std::abs(term.weight) * sizes_[problem_.reduced().kinematics[term.candidate].slot];
      gain = std::max(gain, row_weights_[rows + k] / own);
    }
    return gain;
  }

  // Does a rate that a definition gives contain another one?
  bool rates_use_rates() const {
    const linear::Pattern& pattern = problem_.pattern();
    const std::size_t rows = weights_.size() - problem_.states().size();
    std::size_t entries = 0, own = 0;
    for (const Combination& state : problem_.states()) own += state.size();
    for (std::size_t k = 0; k < pattern.rows.size(); ++k)
      if (static_cast<std::size_t>(pattern.rows[k]) >= rows && problem_.rate_enters()[k]) ++entries;
    return entries > own;
  }

  // From the prediction. The matrix belongs to another alpha: between the components that follow alpha and those that
  // do not, 2 / (1 + alpha / matrix_alpha_) is the compromise (Brenan, Campbell, Petzold 1996, Section 5.2.2).
  //
  // The rate is that of the last two corrections, not their mean: where one component converges at once and another
  // slowly, the second is left. It tells of the distance to the solution in a neighbourhood where the matrix is right.
  // Behind a correction of more than ten tolerances, in which an algebraic unknown jumps, a function such as tanh may
  // be flat where the matrix knows it steep: corrections look small there, and hardly shrink. Two of them do not show
  // it. So one more is made, and must be small, after such a jump, and where the change of alpha does not explain the
  // rate.
  NewtonEnd iterate(double t, bool fresh) {
    const double alpha = history_.alpha();
    const double relaxation = 2.0 / (1.0 + alpha / matrix_alpha_);
    // The error of these two kinds of components shrinks by this factor, whatever others show.
    const double least_rate = std::abs(1.0 - relaxation);
    std::ranges::fill(correction_, 0.0);
    double before = 0.0, first = 0.0;
    bool foretold = false;  // that the next correction is within the bound
    for (int m = 0; m < (fixed_ ? most_fixed_iterations : most_iterations); ++m) {
      ++counts_.residual_evaluations;
      if (!equations_.residual(t, new_y_, new_yp_, matrix_alpha_, delta_)) {
        undefined_ = true;
        return NewtonEnd::Undefined;
      }
      matrix_.solve(delta_);
      const double norm = advance(-relaxation, alpha);
      if (m == 0) {
        before = first = norm;
        if (norm <= accept_first_below || accepts_at_once(norm)) return NewtonEnd::Converged;
        continue;
      }
      if (norm <= rounding_of_values()) return NewtonEnd::Converged;
      rate_ = std::max(norm / before, least_rate);
      before = norm;
      if (foretold && norm <= bound_) return NewtonEnd::Converged;
      if (norm <= 1.0 && rate_ < 1.0 && rate_ / (1.0 - rate_) * norm <= bound_) {
        const bool is_explained = norm <= bound_ || rate_ <= 1.5 * least_rate + unexplained_rate;
        if (m > 1 || (first <= widest_neighbourhood && is_explained)) return NewtonEnd::Converged;
        foretold = true;
      }
      if (rate_ <= worst_rate) continue;
      return fresh && norm <= accept_fresh_below * bound_ ? NewtonEnd::Converged : NewtonEnd::Diverged;
    }
    return NewtonEnd::Diverged;
  }

  // The last correction, if it leaves what is in the error test alone and is no larger than what one digit more or less
  // in y makes of the residuals, y' as it is. Where a highest derivative follows from differences of large terms, its
  // corrections do not become smaller than that. With steep functions this is a question for a matrix of the iterate
  // only: an exponential has left that of the prediction far behind.
  bool is_rounding(double t) {
    const double norm = mean_root(weights_, delta_);
    if (!(mean_root(test_weights_, delta_) <= newton_tolerance)) return false;
    constexpr double digit = std::numeric_limits<double>::epsilon();
    for (std::size_t i = 0; i < rounded_.size(); ++i)
      rounded_[i] = new_y_[i] * (i % 2 == 0 ? 1.0 + digit : 1.0 - digit);
    counts_.residual_evaluations += 2;
    if (!equations_.residual(t, new_y_, new_yp_, matrix_alpha_, delta_) ||
        !equations_.residual(t, rounded_, new_yp_, matrix_alpha_, rounding_))
      return false;
    for (std::size_t i = 0; i < delta_.size(); ++i) rounding_[i] -= delta_[i];
    matrix_.solve(rounding_);
    return norm <= multiple_of_rounding * mean_root(weights_, rounding_);
  }

  // The norm of a correction that moves no value by more than its last digits.
  double rounding_of_values() const {
    return multiple_of_rounding * std::numeric_limits<double>::epsilon() / (safety * settings_.tolerance);
  }

  // By the rate of an earlier step with this matrix.
  bool accepts_at_once(double norm) const {
    return settings_.newton == NewtonTest::One && rate_ > 0.0 && rate_ < 1.0 && rate_ / (1.0 - rate_) * norm <= bound_;
  }

  // Adds factor * delta_ to the iterate; its norm.
  double advance(double factor, double alpha) {
    double sum = 0.0;
    for (std::size_t i = 0; i < correction_.size(); ++i) {
      const double d = factor * delta_[i];
      correction_[i] += d;
      new_y_[i] += d;
      new_yp_[i] += alpha * d;
      sum += (weights_[i] * d) * (weights_[i] * d);
    }
    return std::sqrt(sum / static_cast<double>(correction_.size()));
  }

  // ----

  bool misses_no_pulse(double h) {
    return pulse_check_({time_, y_, yp_}, {time_ + h, new_y_, new_yp_}, settings_.tolerance, places_between);
  }

  // Where ∂F/∂y' is singular and it is unknown which components are algebraic, the test looks at what is
  // differentiated, ∂F/∂y' e, row by row in units of the terms of the row. (The transistor amplifier: the voltages of
  // the capacitors are integrated, the potentials follow from them, one with a gain of 100. A test on the potentials
  // takes every change of the step size for an error.)
  BdfHistory::Errors estimated_errors() {
    const Reduced& reduced = problem_.reduced();
    if (!reduced.implicit || reduced.equation_choice.exists()) return history_.errors(correction_, test_weights_);
    for (std::size_t i = 0; i < weights_.size(); ++i) sizes_[i] = 1.0 / weights_[i];
    problem_.rates_times_sizes(sizes_, row_weights_);
    for (double& w : row_weights_) w = w > 0.0 ? 1.0 / w : 0.0;
    return history_.errors_of_image(correction_, row_weights_, differentiated_);
  }

  void accept(const BdfHistory::Errors& errors) {
    history_.accept(correction_);
    std::swap(y_, new_y_);
    std::swap(yp_, new_yp_);
    last_step_ = next_.h;
    last_order_ = next_.order;
    time_ = next_.h >= settings_.stop - time_ ? settings_.stop : time_ + next_.h;
    ++accepted_;
    ++counts_.steps;
    failures_of_late_ = std::max(0, failures_of_late_ - 1);
    if (!fixed_) next_ = control_.accepted(last_step_, last_order_, errors);
  }

  StepReport explain() const {
    if (undefined_) return {Outcome::EvaluationFailed, "an expression has no value"};
    if (singular_) return {Outcome::SingularIteration, "the iteration matrix is singular"};
    return {Outcome::StepTooSmall, "Newton's iteration does not converge"};
  }

  Problem& problem_;
  KnownStates known_states_;
  StepEquations equations_;
  Guard* guard_;  // null: no function is steep
  PulseCheck pulse_check_;
  StepSettings settings_;
  bool fixed_;
  double time_, last_step_ = 0.0;
  int last_order_ = 0;
  std::vector<double> y_, yp_;                       // of the last accepted step
  std::vector<double> new_y_, new_yp_, correction_;  // of the step that is tried: y - y_pred
  std::vector<double> nominal_, relative_, weights_, test_weights_;
  std::vector<double> rounded_, rounding_;   // of the iterate: how its last digit is felt
  std::vector<double> sizes_, row_weights_;  // where it is unknown which components are algebraic
  BdfHistory::Map differentiated_ = [this](auto x, auto image) { problem_.rates_times(x, image); };
  double relative_step_ = 0.0;  // the step size that relative_ belongs to
  std::vector<double> row_scale_, column_scale_, delta_;
  IndexScaling grading_;
  std::vector<bool> included_;  // in the error test
  BdfHistory history_;
  BdfControl control_;
  BdfControl::Next next_{};
  IterationMatrix matrix_;
  double matrix_alpha_ = 1.0;
  double bound_ = newton_tolerance;  // of the error of the iteration
  bool rates_use_rates_ = false;
  double rate_ = 0.0;            // of the last iteration with this matrix; 0: there was none
  bool is_last_resort_ = false;  // smaller steps have not helped
  bool resort_helped_ = false;   // in this step, or in the one before
  int failures_of_late_ = 0;     // of Newton's iteration, each counted in steps that make up for it
  bool matrix_is_stale_ = true, undefined_ = false, singular_ = false;
  long accepted_ = 0;  // since the start or restart
  Counts counts_;
};

}  // namespace

std::unique_ptr<Stepper> make_bdf(Problem& problem, const State& start, const StepSettings& settings,
                                  const std::optional<FixedFormula>& fixed) {
  return std::make_unique<Bdf>(problem, start, settings, fixed);
}

}  // namespace driftless
