#include "driftless/integrate/steppers/bdf/bdf.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/solve/implicit_point.hpp"
#include "driftless/integrate/steppers/bdf/bdf_control.hpp"
#include "driftless/integrate/steppers/bdf/bdf_corrector.hpp"
#include "driftless/integrate/steppers/bdf/bdf_history.hpp"
#include "driftless/integrate/steppers/bdf/bdf_weights.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/system/known_states.hpp"

namespace driftless {
namespace {

constexpr int most_error_failures = 15, most_newton_failures = 20;  // in one step
constexpr double last_steps = 6.0;
constexpr int places_between = 5;  // where exponentials are evaluated within a step

class Bdf final : public Stepper {
 public:
  Bdf(Problem& problem, const State& start, const StepSettings& settings, const std::optional<FixedFormula>& fixed)
      : problem_(problem),
        known_states_(problem),
        pulse_check_(problem),
        settings_(settings),
        fixed_(fixed.has_value()),
        time_(start.t),
        y_(start.y),
        yp_(start.yp),
        weights_(problem, settings.tolerance, fixed_),
        corrector_(problem, weights_, settings.newton, fixed_) {
    known_states_.update();
    weights_.states_changed();
    if (fixed) {
      next_ = {fixed->step, fixed->order};
      history_.start(fixed->past, fixed->step);
    } else {
      begin();
    }
  }

  StepReport step() override {
    corrector_.begin_step();
    int error_failures = 0;
    newton::End last_end = newton::End::Converged;
    divide_what_is_left();
    while (time_ + next_.h > time_) {
      const double h = next_.h;
      const int order = next_.order;
      last_end = solve(h, order);
      if (last_end == newton::End::Converged) {
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
        if (fixed_ || corrector_.failures() + 1 >= most_newton_failures) return corrector_.failure();
        corrector_.note_failure();
        next_.h = 0.25 * h;
      }
      if (accepted_ == 0 && !fixed_) history_.rescale_slope(next_.h / h);
    }
    return last_end != newton::End::Converged
               ? corrector_.failure()
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
    for (std::size_t i = 0; i < y_.size(); ++i) move_[i] = y[i] - y_[i];
    history_.move(move_);
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    return true;
  }

  void continue_with_new_states() override {
    pulse_check_.states_changed();
    take_states();
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
  // The structure of the equations is unchanged, so their grading and the pattern of the matrix stay.
  bool resume_behind_event(double t, std::span<const double> y, std::span<const double> yp, double stop,
                           double) override {
    settings_.stop = stop;
    time_ = t;
    last_step_ = 0.0;
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    corrector_.renew_matrix_next_time();
    begin();
    return true;
  }
  void limit_steps(double longest) override { settings_.longest_step = longest; }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    return !fixed_;
  }

  ConditionNumbers condition() const override { return corrector_.matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    statistics += counts_;
    corrector_.add_to(statistics);
  }

  void archive(Archive& archive) override {
    archive.section("bdf");
    archive(problem_);
    known_states_.archive(archive, [this] { take_states(); });
    archive(pulse_check_, settings_.stop, time_, last_step_, last_order_, y_, yp_);
    archive(weights_, corrector_, history_, control_, next_, accepted_, counts_);
  }

 private:
  void take_states() {
    known_states_.update();
    weights_.states_changed();
    corrector_.states_changed();
  }

  // Starts at the present point with a step in which y changes by half of the allowed error.
  void begin() {
    weights_.prepare(0.0, y_);
    const double speed = weights_.norm(yp_);
    double h = 1e-3 * (settings_.stop - time_);
    if (speed * h > 0.5) h = 0.5 / speed;
    control_.start();
    next_ = {h, 1};
    history_.start(y_, yp_, h);
    accepted_ = 0;
  }

  // Makes the last steps equal, and not larger than the one before them: a step of a different size than those in the
  // history leaves errors of the size tolerance / h in multipliers of index 2, here at the end of the run, which users
  // look at first.
  void divide_what_is_left() {
    const double left = settings_.stop - time_, h = next_.h;
    next_.h = std::min(h, settings_.longest_step);
    if (last_step_ > 0.0 && left < last_steps * last_step_) next_.h = std::min(next_.h, last_step_);
    if (left < last_steps * next_.h) next_.h = left / std::ceil(left / next_.h * (1.0 - 1e-10));
    if (accepted_ == 0 && !fixed_ && next_.h != h) history_.rescale_slope(next_.h / h);
  }

  newton::End solve(double h, int order) {
    history_.prepare(h, order, fixed_ ? BdfHistory::Formulas::Backward : BdfHistory::Formulas::Numerical);
    weights_.prepare(h, y_);
    return corrector_.solve(history_, time_ + h);
  }

  bool misses_no_pulse(double h) {
    return pulse_check_({time_, y_, yp_}, {time_ + h, corrector_.y(), corrector_.yp()}, settings_.tolerance,
                        places_between);
  }

  // Where ∂F/∂y' is singular and it is unknown which components are algebraic, the test uses the differentiated
  // combinations, ∂F/∂y' e, row by row in units of the terms of the row. (The transistor amplifier: the voltages of the
  // capacitors are integrated, the potentials follow from them, one with a gain of 100. A test on the potentials would
  // mistake every change of the step size for an error.)
  BdfHistory::Errors estimated_errors() {
    const Reduced& reduced = problem_.reduced();
    const std::span<const double> correction = corrector_.correction();
    if (!reduced.implicit || reduced.equation_choice.exists())
      return history_.errors(correction, weights_.of_error_test());
    corrector_.weights_of_rows(row_weights_);
    return history_.errors_of_image(correction, row_weights_, differentiated_);
  }

  void accept(const BdfHistory::Errors& errors) {
    history_.accept(corrector_.correction());
    std::swap(y_, corrector_.y());
    std::swap(yp_, corrector_.yp());
    last_step_ = next_.h;
    last_order_ = next_.order;
    time_ = next_.h >= settings_.stop - time_ ? settings_.stop : time_ + next_.h;
    ++accepted_;
    ++counts_.steps;
    corrector_.note_success();
    if (!fixed_) next_ = control_.accepted(last_step_, last_order_, errors);
  }

  Problem& problem_;
  KnownStates known_states_;
  PulseCheck pulse_check_;
  StepSettings settings_;
  bool fixed_;
  double time_, last_step_ = 0.0;
  int last_order_ = 0;
  std::vector<double> y_, yp_;  // of the last accepted step
  BdfWeights weights_;
  BdfCorrector corrector_;
  std::vector<double> move_ = std::vector<double>(y_.size());         // of the last point by a projection
  std::vector<double> row_weights_ = std::vector<double>(y_.size());  // if algebraic components are unknown
  BdfHistory::Map differentiated_ = [this](auto x, auto image) { problem_.rates_times(x, image); };
  BdfHistory history_;
  BdfControl control_;
  BdfControl::Next next_{};
  long accepted_ = 0;  // since the start or restart
  Counts counts_;
};

}  // namespace

std::unique_ptr<Stepper> make_bdf(Problem& problem, const State& start, const StepSettings& settings,
                                  const std::optional<FixedFormula>& fixed) {
  return std::make_unique<Bdf>(problem, start, settings, fixed);
}

}  // namespace driftless
