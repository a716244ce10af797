#include "driftless/integrate/steppers/taylor/taylor.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/system/guard.hpp"
#include "driftless/integrate/steppers/taylor/point_series.hpp"
#include "driftless/integrate/steppers/taylor/series_measure.hpp"
#include "driftless/integrate/steppers/taylor/series_point.hpp"
#include "driftless/integrate/steppers/taylor/series_segment.hpp"
#include "driftless/taylor/expansion.hpp"
#include "driftless/taylor/formulas.hpp"

namespace driftless {
namespace {

constexpr double matrix_precision = 0.1;  // in units of the tolerance
constexpr double steep_precision = 1e-8;  // in models with exponentials, which amplify errors: one more iteration
constexpr int most_rejections = 60;

constexpr int places_between = 15;      // where exponentials are evaluated within a step
constexpr double largest_growth = 4.0;  // of the step size, with exponentials: short pulses must not be missed

// Between a/2 and a.
double power_of_two_below(double a) {
  int exponent;
  std::frexp(a, &exponent);
  return std::ldexp(1.0, exponent - 1);
}

template <class Scalar>
taylor::Code code_for(const taylor::Formulas& formulas) {
  return std::is_same_v<Scalar, double> ? formulas.code() : taylor::Code{};
}

template <class Scalar>
class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(int order, Problem& problem, const State& start, const StepSettings& settings)
      : problem_(problem),
        settings_(settings),
        recurrences_(problem.system().series().recurrences()),
        order_(order),
        expansion_(recurrences_, order - 1, code_for<Scalar>(problem.system().series())),
        current_(expansion_.make_series()),
        next_(expansion_.make_series()),
        grid_(start.t, settings.stop, settings.step.value_or(settings.stop - start.t)),
        smallest_step_(1e-15 * std::max(std::abs(start.t), std::abs(settings.stop))),
        time_(start.t),
        y_(start.y),
        yp_(start.yp),
        point_(problem.system(), recurrences_->system),
        between_(expansion_.unknowns(), point_.highest_order() + 1),
        residual_(problem.size()),
        guard_(problem.system().guard()),
        weights_(recurrences_->system.unknowns.size()),
        measure_(recurrences_->system.unknowns, order, current_.width, settings.tolerance) {
    expansion_.set_parameters(problem.system().parameters());
    if (guard_) on_rows_ = std::make_unique<AlgebraicSolve>(problem);
    point_.take(time_, y_, yp_);
    next_.unit = power_of_two_below(settings_.step.value_or((settings_.stop - time_) / 64.0));
    fill_point();
  }

  StepReport step() override {
    if (!projected_ && !project_start()) return failure();
    std::swap(current_, next_);
    std::swap(current_is_exact_, next_is_exact_);
    projected_ = false;
    measure_.take_sizes(current_);
    if (!expand()) return failure();
    const StepReport report = settings_.step ? constant_step() : controlled_step();
    if (report.outcome != Outcome::Success) {
      std::swap(current_, next_);
      std::swap(current_is_exact_, next_is_exact_);
    }
    return report;
  }

  double time() const override { return time_; }
  double last_step() const override { return last_step_; }
  int last_order() const override { return order_; }
  std::span<const double> y() const override { return y_; }
  std::span<const double> yp() const override { return yp_; }

  // An error of the series that is small in the argument of an exponential is not small in its value: so the rows give
  // everything but the states.
  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    evaluate(t, y, yp);
    if (on_rows_ && t != time_) (*on_rows_)(t, y, yp);
  }

  // True near a beginning that satisfies the equations to rounding: at the end of the step the terms of order `order_`
  // that the series leaves out are within the tolerance, and those of a highest derivative within order_ + 1
  // tolerances.
  bool is_exact_at(double t) const override {
    if (reads_off_ && for_points_->reaches(t)) return true;
    const double part = (t - static_cast<double>(current_.begin)) / last_step_;
    return current_is_exact_ && !on_rows_ && !settings_.step && part < exact_part_;
  }

  // Constant steps, and points for which rows are solved, keep the series of the step.
  void expect_points(std::size_t number) override {
    const double solved = static_cast<double>(number) * (current_is_exact_ ? 1.0 - exact_part_ : 1.0);
    reads_off_ = number > 0 && !on_rows_ && !settings_.step &&
                 PointSeries<Scalar>::pays(solved, order_, settings_.tolerance, expansion_.stages_up_to_zero());
    if (!reads_off_) return;
    make_series_for_points();
    for_points_->take_step(current_, next_, point_, problem_.system().parameters());
  }

  void evaluate(double t, std::span<double> y, std::span<double> yp) {
    if (reads_off_ && for_points_->reaches(t)) {
      for_points_->shift_to(t, between_);
    } else {
      const Scalar tau = (Scalar(t) - Scalar(current_.begin)) / Scalar(current_.unit);
      taylor::shift(current_, tau, between_.rows, between_);
      between_.unit = current_.unit;
    }
    for (const SeriesPoint::Source& s : point_.sources()) {
      y[s.slot] = point_.value(between_, s, s.order);
      yp[s.slot] = point_.value(between_, s, s.order + 1);
    }
  }

  std::shared_ptr<PointSolver> point_solver() override {
    if (!point_solver_)
      point_solver_ = std::make_shared<SeriesPointSolver<Scalar>>(problem_.system(), recurrences_,
                                                                  code_for<Scalar>(problem_.system().series()));
    return point_solver_;
  }

  void store(Segment& segment) override {
    store_segment(series_of_step(), recurrences_->system.unknowns.size(), y_.size(), segment);
  }

  // Values solved from rows between the ends do not lie on the series.
  bool along_step(std::span<const SlotWeight> function, AlongStep& out) override {
    return (!on_rows_ || function.empty()) && along_series(series_of_step(), function, out);
  }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, y_.begin());
    std::ranges::copy(yp, yp_.begin());
    point_.take(time_, y_, yp_);
    fill_point();
    if (for_points_) for_points_->forget();
    return true;
  }
  void continue_with_new_states() override {}
  void restart(std::span<const double> y, std::span<const double> yp) override { replace(y, yp); }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    settings_.stop = stop;
    time_ = t;
    started_ = false;
    expansion_.set_parameters(problem_.system().parameters());
    if (settings_.step) grid_.go_on_from(steps_, t, stop);
    next_.unit = power_of_two_below(settings_.step.value_or((stop - t) / 64.0));
    return replace(y, yp);
  }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    if (settings_.step) grid_.go_on_from(steps_, time_, stop);
    return true;
  }

  void add_to(Statistics& statistics) const override {
    const taylor::ExpansionCounts& counts = expansion_.counts();
    statistics.steps += steps_;
    statistics.rejected_steps += rejected_;
    statistics.convergence_failures += failures_;
    statistics.residual_evaluations += counts.iterations + counts.stages;
    statistics.newton_iterations += counts.iterations;
    statistics.jacobian_evaluations += counts.jacobians;
    statistics.factorizations += counts.factorizations;
  }

  void archive(Archive& archive) override {
    archive.section("taylor");
    archive(problem_);
    archive.expect(order_, "order");
    archive(expansion_, current_, next_, settings_.stop, grid_, smallest_step_, time_, last_step_, y_, yp_);
    if (on_rows_) archive(*on_rows_);
    archive(last_failure_, projected_, current_is_exact_, next_is_exact_, started_, steps_, rejected_, failures_);
    bool has_point_solver = point_solver_ != nullptr;
    archive(has_point_solver);
    if (has_point_solver) archive(*point_solver());
    bool has_series_for_points = for_points_ != nullptr;
    archive(has_series_for_points);
    if (has_series_for_points) make_series_for_points(), archive(*for_points_);
  }

 private:
  using Failure = typename taylor::Expansion<Scalar>::Failure;

  void make_series_for_points() {
    if (!for_points_)
      for_points_ = std::make_unique<PointSeries<Scalar>>(order_, settings_.tolerance, *recurrences_, expansion_);
  }

  // ---- between y and the series

  double derivative(const SeriesPoint::Source& s, int order, Scalar tau) const {
    Scalar value = taylor::derivative(current_, s.unknown, order, tau);
    for (int i = 0; i < order; ++i) value /= Scalar(current_.unit);
    return s.sign * static_cast<double>(value);
  }

  void fill_point() {
    next_.begin = time_;
    point_.write_to(next_);
    projected_ = false;
  }

  void set_weights(const taylor::Series<Scalar>& series) { point_.set_weights(series, weights_); }

  double precision() const {
    const double wanted = matrix_precision * settings_.tolerance;
    return guard_ ? std::min(wanted, steep_precision) : wanted;
  }

  bool project_start() {
    set_weights(next_);
    last_failure_ = expansion_.project(next_, weights_, precision());
    next_is_exact_ = expansion_.begins_at_rounding();
    return projected_ = last_failure_ == Failure::None;
  }

  // ---- the series

  // Uses a new unit if the coefficients overflow in this one, or if no suitable one is known yet.
  bool expand() {
    for (int attempt = 0;; ++attempt) {
      expansion_.expand(current_);
      const double h = proposed_ = measure_.step_by_decay(current_);
      const bool finite = std::isfinite(measure_.largest()) && measure_.largest() < 1e200;
      const double ratio = h / current_.unit;
      if (finite && (started_ || settings_.step || attempt > 3 || (ratio > 1.0 / 64 && ratio < 64.0))) break;
      if (attempt > 20) {
        last_failure_ = Failure::NoValue;
        return false;
      }
      if (!change_unit(finite && h > 0.0 ? power_of_two_below(std::min(h, settings_.stop - time_))
                                         : current_.unit / 1024.0))
        return false;
    }
    started_ = true;
    return true;
  }

  bool change_unit(double unit) {
    Scalar factor(1);
    for (int m = 0; m < expansion_.stages_up_to_zero(); ++m, factor *= Scalar(unit) / Scalar(current_.unit))
      for (std::size_t j = 0; j < weights_.size(); ++j) current_.at(m)[j] *= factor;
    current_.unit = unit;
    set_weights(current_);
    last_failure_ = expansion_.project(current_, weights_, precision());
    current_is_exact_ = expansion_.begins_at_rounding();
    return last_failure_ == Failure::None;
  }

  // ---- steps

  StepReport constant_step() {
    const double end = grid_.time(steps_ + 1);
    if (!predict(end)) return failure();
    accept(end);
    return {};
  }

  StepReport controlled_step() {
    double h = std::min(proposed_, settings_.longest_step);
    if (guard_ && steps_ > 0) h = std::min(h, largest_growth * last_step_);
    for (int attempt = 0; attempt < most_rejections; ++attempt) {
      const bool last = !(time_ + std::min(1.01 * h, settings_.longest_step) < settings_.stop);
      const double end = last ? settings_.stop : time_ + h;
      if (!(end - time_ > smallest_step_) && !last) break;
      if (predict(end)) {
        const double error =
            measure_.defect(next_, expansion_.corrections(), expansion_.stages_up_to_zero(), end - time_);
        if (error <= 1.0 && holds_between(end)) {
          accept(end);
          return {};
        }
        ++rejected_;
      } else {
        ++failures_;
      }
      h = 0.5 * (end - time_);
    }
    return last_failure_ == Failure::None ? StepReport{Outcome::StepTooSmall, "the error test fails repeatedly"}
                                          : failure();
  }

  SeriesOfStep<Scalar> series_of_step() const { return {current_, point_, time_, last_step_}; }

  // Keeps the present unit if it is close, as tables depend on it.
  double suitable_unit(double h) const {
    const double ratio = h / current_.unit;
    return ratio > 0.25 && ratio < 4.0 ? current_.unit : power_of_two_below(h);
  }

  // The series at `end`, put onto the constraints.
  bool predict(double end) {
    const Scalar tau = (Scalar(end) - Scalar(time_)) / Scalar(current_.unit);
    const int orders = expansion_.stages_up_to_zero();
    taylor::shift(current_, tau, orders, next_);
    next_.begin = end;
    next_.unit = suitable_unit(end - time_);
    if (next_.unit != current_.unit) {
      const Scalar ratio = Scalar(next_.unit) / Scalar(current_.unit);
      Scalar factor = ratio;
      for (int m = 1; m < orders; ++m, factor *= ratio)
        for (std::size_t j = 0; j < weights_.size(); ++j) next_.at(m)[j] *= factor;
    }
    set_weights(next_);
    last_failure_ = expansion_.project(next_, weights_, precision());
    next_is_exact_ = expansion_.begins_at_rounding();
    if (last_failure_ == Failure::NoValue) remember_missing(end);
    return last_failure_ == Failure::None;
  }

  // A diode that does not conduct at the ends of a step leaves no trace in the series, although it may conduct between
  // them.
  bool holds_between(double end) {
    if (!guard_) return true;
    const double h = end - time_;
    end_y_ = y_, end_yp_ = yp_;
    point_.read(next_, end_y_, {});
    guard_->watch({time_, y_, yp_}, 1.0 / h, settings_.tolerance);
    guard_->admit({end, end_y_, end_yp_});
    for (int k = 1; k <= places_between; ++k) {
      const double t = time_ + h * k / (places_between + 1);
      evaluate(t, end_y_, end_yp_);
      if (!guard_->stays_small({t, end_y_, end_yp_})) return false;
    }
    return true;
  }

  void accept(double end) {
    last_step_ = end - time_;
    time_ = end;
    ++steps_;
    projected_ = true;
    deliver_point();
  }

  void deliver_point() {
    const Scalar tau = series_of_step().tau_of_end();
    for (const SeriesPoint::Source& s : point_.sources()) {
      if (s.order > s.d) y_[s.slot] = derivative(s, s.order, tau);
      if (s.order >= s.d) yp_[s.slot] = derivative(s, s.order + 1, tau);
    }
    point_.read(next_, y_, yp_);
  }

  // Stores the point so that the driver can report which expression has no value.
  void remember_missing(double t) {
    std::vector<double>& y = missing_y_ = y_;
    std::vector<double>& yp = missing_yp_ = yp_;
    evaluate(t, y, yp);
    problem_.residual(t, y, yp, residual_);
  }

  StepReport failure() const {
    switch (last_failure_) {
      case Failure::NoValue: return {Outcome::EvaluationFailed, "an expression has no value"};
      case Failure::Singular: return {Outcome::SingularIteration, "the system Jacobian is singular"};
      default: return {Outcome::StepTooSmall, "the prediction cannot be put onto the constraints"};
    }
  }

  Problem& problem_;
  StepSettings settings_;
  std::shared_ptr<const taylor::Recurrences> recurrences_;
  const int order_;
  taylor::Expansion<Scalar> expansion_;
  taylor::Series<Scalar> current_, next_;  // about the beginning of the step, about its end
  Grid grid_;
  double smallest_step_, time_, last_step_ = 0.0;
  std::vector<double> y_, yp_;
  SeriesPoint point_;
  taylor::Series<Scalar> between_;  // about a point between the ends of the step
  std::shared_ptr<PointSolver> point_solver_;
  std::unique_ptr<PointSeries<Scalar>> for_points_;
  bool reads_off_ = false;  // requested points are read off `for_points_`
  std::vector<double> residual_;
  Guard* guard_;  // null: no function is steep
  std::unique_ptr<AlgebraicSolve> on_rows_;
  std::vector<double> weights_, missing_y_, missing_yp_;
  std::vector<double> end_y_ = y_, end_yp_ = yp_;
  SeriesMeasure<Scalar> measure_;
  const double exact_part_ =
      std::pow(static_cast<double>(taylor::epsilon<Scalar>()) / ((order_ + 1) * settings_.tolerance), 1.0 / order_);
  double proposed_ = 0.0;
  Failure last_failure_ = Failure::None;
  bool projected_ = false;                                 // next_ satisfies the equations
  bool current_is_exact_ = false, next_is_exact_ = false;  // to rounding, at their beginning
  bool started_ = false;
  long steps_ = 0, rejected_ = 0, failures_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_taylor(const method::Taylor& method, Problem& problem, const State& start,
                                     const StepSettings& settings) {
  const int order = order_of(method, settings.tolerance);
  switch (method.precision) {
#ifdef DRIFTLESS_HAS_QUADMATH
    case method::Precision::Quadruple:
      return std::make_unique<TaylorStepper<taylor::Quadruple>>(order, problem, start, settings);
#endif
    case method::Precision::Extended:
      return std::make_unique<TaylorStepper<long double>>(order, problem, start, settings);
    default: return std::make_unique<TaylorStepper<double>>(order, problem, start, settings);
  }
}

}  // namespace driftless
