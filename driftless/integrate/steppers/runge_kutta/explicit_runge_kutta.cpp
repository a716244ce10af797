#include "driftless/integrate/steppers/runge_kutta/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/integrate/solve/force_projection.hpp"
#include "driftless/integrate/steppers/error_between.hpp"
#include "driftless/integrate/steppers/first_step.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/steppers/one_step.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/steppers/runge_kutta/explicit_formula.hpp"
#include "driftless/integrate/solve/slopes.hpp"
#include "driftless/integrate/system/known_states.hpp"
#include "driftless/integrate/steppers/step_control.hpp"
#include "driftless/integrate/steppers/step_polynomial.hpp"
#include "driftless/integrate/steppers/stiffness.hpp"
#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

// Constraints are restored until the correction is below this part of the tolerance.
constexpr double part_of_tolerance = 1e-3;

class ExplicitRungeKutta final : public OneStep {
 public:
  ExplicitRungeKutta(const method::ExplicitRungeKutta& method, Problem& problem, const State& start,
                     const StepSettings& settings)
      : OneStep(start),
        formula_(ExplicitFormula::of(method, settings, problem.system().compiled())),
        problem_(problem),
        known_states_(problem),
        settings_(settings),
        slopes_(problem, SolveRows::LinearWherePossible),
        pulse_check_(problem),
        control_(tableau_.order, formula_->limits()),
        stiffness_(tableau_.real_stability),
        grid_(start.t, settings.stop, settings.step.value_or(settings.stop - start.t)),
        smallest_step_(1e-15 * std::max(std::abs(start.t), std::abs(settings.stop))),
        y_stage_(start.y),
        y_new_(start.y),
        yp_new_(start.yp),
        error_(start.y.size(), 0.0),
        y_between_(start.y),
        yp_between_(start.yp),
        slope_(formula_->slopes(), std::vector<double>(start.y.size(), 0.0)),
        more_(formula_->dense_terms() * start.y.size(), 0.0) {
    if (settings.leap) slopes_.take_noise();
    for (const Slot& slot : problem.reduced().slots)
      nominal_.push_back(slot.nominal), allowance_.push_back(slot.allowance);
    take_states();
  }

  StepReport step() override {
    if (!started_ && !start()) return failure();
    return settings_.step ? constant_step() : controlled_step();
  }

  int last_order() const override { return tableau_.order; }
  double next_step_size() const override { return started_ ? h_ : std::numeric_limits<double>::infinity(); }

  void limit_steps(double longest) override { settings_.longest_step = longest; }
  bool has_polynomial() override {
    polynomial();
    return polynomial_exists_;
  }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    polynomial().evaluate(t, y, yp);
    std::ranges::copy(yp, error_.begin());
    defect_of_point_ = 0.0;
    if (!slopes_(t, y, yp)) return;
    // Off the constraints slopes may be large near a position where these depend on each other.
    if (!settings_.step && !projection_) defect_of_point_ = norm_of_defect(yp);
    if (projection_ && (*projection_)(t, y, accuracy())) slopes_(t, y, yp);
  }
  double defect(double t) override {
    polynomial().evaluate(t, y_stage_, error_);
    auto& rates = slope_.back();  // no longer needed by the polynomial
    rates = yp_;
    if (!slopes_(t, y_stage_, rates)) return HUGE_VAL;
    return norm_of_defect(rates);
  }
  double defect_of_point() const override { return defect_of_point_; }
  void store(Segment& segment) override { polynomial().store(segment); }
  bool along_step(std::span<const SlotWeight> function, AlongStep& out) override {
    if (projection_ || !has_polynomial()) return false;
    if (is_state_.empty()) {
      is_state_.assign(y_.size(), false);
      for (const int s : slopes_.states()) is_state_[static_cast<std::size_t>(s)] = true;
    }
    if (!std::ranges::all_of(function, [&](const SlotWeight& term) { return is_state_[term.slot]; })) return false;
    polynomial_.along_step(function, out);
    return true;
  }

  bool projects() const override { return projection_ != nullptr; }

  void continue_with_new_states() override {  // every slot has its slope already
    slopes_.states_changed();
    pulse_check_.states_changed();
    take_states();
  }
  void restart(std::span<const double> y, std::span<const double> yp) override {
    replace(y, yp);
    continue_with_new_states();
    control_ = StepControl(tableau_.order, formula_->limits());
    started_ = false;
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    go_on_from(t, stop);
    is_built_ = polynomial_exists_ = false;
    stiffness_ = StiffnessTest(tableau_.real_stability);
    restart(y, yp);
    return true;
  }
  // The stiffness test continues: steps between events may be too few for it.
  bool resume_behind_event(double t, std::span<const double> y, std::span<const double> yp, double stop,
                           double longest_first) override {
    if (!started_) return resume(t, y, yp, stop);
    go_on_from(t, stop);
    is_built_ = polynomial_exists_ = false;
    replace(y, yp);
    slopes_.prepare(time_, y_);
    control_ = StepControl(tableau_.order, formula_->limits());
    h_ = std::min(h_, longest_first);
    started_ = slopes_(time_, y_, yp_);
    return true;
  }
  bool go_on_to(double stop) override {
    go_on_from(time_, stop);
    return true;
  }

  void add_to(Statistics& statistics) const override {
    statistics.steps += steps_;
    statistics.rejected_steps += rejected_;
    statistics.projections += projections_;
    statistics += slopes_.counts();
  }

  // The slopes of the stages are archived, as the polynomial of the last step may still be made from them.
  void archive(Archive& archive) override {
    archive.section("explicit");
    archive(problem_);
    archive.expect(slope_.size(), "number of stages");
    archive_point(archive);
    archive(slopes_);
    known_states_.archive(archive, [this] { take_rows(); });
    if (projection_) archive(*projection_);
    archive(pulse_check_, settings_.stop, control_, stiffness_, grid_, smallest_step_, begin_, h_);
    archive(y_new_, yp_new_, slope_, polynomial_, started_, is_built_, polynomial_exists_, projection_failed_);
    archive(steps_, rejected_, projections_);
  }

 private:
  double accuracy() const { return part_of_tolerance * settings_.tolerance; }

  void go_on_from(double t, double stop) {
    settings_.stop = stop;
    time_ = t;
    if (settings_.step) grid_.go_on_from(steps_, t, stop);
  }

  void take_states() {
    slopes_.prepare(time_, y_);
    take_rows();
  }

  void take_rows() {
    is_state_.clear();
    known_states_.update();
    sums_.take_slots(settings_.leap ? slots_with_slopes() : slopes_.states());
    // Constant steps are for experiments, which use the projection of the end point as requested.
    const auto* asked = settings_.step ? nullptr : std::get_if<projection::Coordinates>(&settings_.projection);
    const bool by_forces =
        asked && asked->levels == projection::Levels::Both && asked->weight == projection::Weight::Mass;
    // With other states the rows may no longer be linear: then the projection has no matrix to solve with.
    projection_ = by_forces && slopes_.linear() ? ForceProjection::of(problem_, *slopes_.linear()) : nullptr;
  }

  // Behind a point where solutions meet Newton's iteration is to begin near the one that goes on smoothly.
  std::vector<int> slots_with_slopes() const {
    std::vector<int> slots;
    for (const Kinematic& k : problem_.reduced().kinematics) slots.push_back(k.slot);
    std::ranges::sort(slots);
    return slots;
  }

  bool start() {
    started_ = slopes_(time_, y_, yp_);
    if (started_ && !settings_.step) choose_first_step();
    return started_;
  }

  StepReport constant_step() {
    const double end = grid_.time(steps_ + 1);
    if (!advance(end) || !arrive(end)) return failure();
    if (settings_.leap && !(error_norm(end - time_) <= 1.0))
      return {Outcome::StepTooSmall, "the step over a point where constraints depend on each other is too long"};
    accept(end);
    return {};
  }

  StepReport controlled_step() {
    for (bool failed_evaluation = false, was_rejected = false;;) {
      h_ = std::min(h_, settings_.longest_step);
      const bool last = time_ + std::min(1.01 * h_, settings_.longest_step) >= settings_.stop;
      const double end = last ? settings_.stop : time_ + h_, h = end - time_;
      if (!(h > smallest_step_) && (!last || was_rejected))
        return failed_evaluation ? failure() : StepReport{Outcome::StepTooSmall, "the error test fails repeatedly"};
      failed_evaluation = !advance(end) || (error_sees_end_ && !arrive(end));
      double error = failed_evaluation ? error_of_failed_stage : error_norm(h);
      if (error <= 1.0 && !error_sees_end_ && !arrive(end)) failed_evaluation = true, error = error_of_failed_stage;
      made_polynomial_ = false;
      if (error <= 1.0 && !misses_no_pulse(end)) error = error_of_missed_pulse;
      if (error <= 1.0) error = std::max(error, error_inside(end));
      if (error <= 1.0) {
        const double next = control_.accepted(h, error);
        // A step that was cut reduces the next step size only if its error, extrapolated to the full length, fails the
        // test.
        const bool is_cut = last && h < h_ && error * std::pow(h_ / h, tableau_.order) <= 1.0;
        h_ = is_cut ? std::max(h_, next) : next;
        const StepReport report = advice(h);
        accept(end);
        return report;
      }
      ++rejected_;
      was_rejected = true;
      h_ = control_.rejected(h, std::isfinite(error) ? error : error_of_failed_stage);
    }
  }

  // The stages and the new point. False if some stage has no slope.
  bool advance(double end) {
    const double h = end - time_;
    projection_failed_ = false;
    slope_[0] = yp_;
    y_stage_ = y_;
    for (int i = 1; i < before_end_; ++i) {
      sums_(y_stage_, y_, h, formula_->stage_weights[i], slope_);
      if (!slopes_.linear()) slope_[i] = slope_[i - 1];  // initial guess of Newton's iteration
      if (!slopes_(time_ + tableau_.c[i] * h, y_stage_, slope_[i])) return false;
    }
    y_new_ = y_stage_;
    sums_(y_new_, y_, h, formula_->weights, slope_);
    return true;
  }

  bool misses_no_pulse(double end) {
    return pulse_check_({time_, y_, yp_}, {end, y_new_, yp_new_}, settings_.tolerance, places_of_pulses);
  }

  // Puts the new point onto the constraints and computes its slope.
  bool arrive(double end) {
    if (!restore_constraints(end)) return false;
    yp_new_ = slope_[before_end_ - 1];
    if (!slopes_(end, y_new_, yp_new_)) return false;
    if (ends_with_stage_) slope_[tableau_.stages - 1] = yp_new_;
    return true;
  }

  // Called before the slope at the new point is computed, so that the step costs no further slope. The last stage lies
  // close to the point, and its matrix is available.
  bool restore_constraints(double end) {
    if (!projection_) return true;
    ++projections_;
    projection_failed_ = !(*projection_)(end, y_new_, accuracy());
    return !projection_failed_;
  }

  double error_norm(double h) {
    const double high = norm_of_error(h, formula_->error_weights);
    if (tableau_.low_error.empty()) return high;
    const double low = norm_of_error(h, formula_->low_error_weights);
    return high == 0.0 ? 0.0 : high * high / std::sqrt(high * high + 0.01 * low * low);
  }

  double norm_of_error(double h, const SlopeSums::Weights& weights) {
    sums_(error_, {}, h, weights, slope_);
    const auto error = [&](int s) { return error_[s]; };
    const double of_states = size(slopes_.states(), error);
    return std::max(of_states, size(slopes_.spread(error_), error));
  }

  // Compares the slopes of the polynomial, in error_, with those of the equations.
  double norm_of_defect(std::span<const double> rates) const {
    return size(slopes_.states(), [&](int s) { return (time_ - begin_) * (error_[s] - rates[s]); });
  }

  // Root mean square of error(slot), in units of the tolerance.
  double size(std::span<const int> slots, const auto& error) const {
    return root_mean_square(slots, [&](int s) { return error(s) / larger_size(s); }) / settings_.tolerance;
  }
  double larger_size(int slot) const {  // of the sizes at both ends of the step
    return allowance_[slot] * (std::max(std::abs(y_[slot]), std::abs(y_new_[slot])) + nominal_[slot]);
  }

  // What is left may be no more than the width of a jump.
  void choose_first_step() {
    const auto weight = [&](int s) { return settings_.tolerance * allowance_[s] * (std::abs(y_[s]) + nominal_[s]); };
    const double h = first_step_size({.t = time_,
                                      .longest = settings_.stop - time_,
                                      .order = tableau_.order,
                                      .states = slopes_.states(),
                                      .y = y_,
                                      .yp = yp_,
                                      .y_ahead = y_new_,
                                      .yp_ahead = yp_new_},
                                     weight, [&](double t, auto& y, auto& yp) { return slopes_(t, y, yp); });
    h_ = std::max(h, 2.0 * smallest_step_);
  }

  StepReport advice(double h) {
    if (!stiffness_.exists()) return {};
    const std::vector<double>&K = slope_[tableau_.stages - 1], &K_before = slope_[tableau_.stages - 2];
    double slopes = 0.0, points = 0.0;
    for (const int s : slopes_.states()) {
      const double scale = 1.0 / (std::abs(y_[s]) + nominal_[s]);
      const double slope = scale * (K[s] - K_before[s]), point = scale * (y_new_[s] - y_stage_[s]);
      slopes += slope * slope, points += point * point;
    }
    if (!(points > 0.0) || !stiffness_(h * std::sqrt(slopes / points))) return {};
    return {.reason = "the step size is bounded by stability", .advice = Advice::Stiff};
  }

  void accept(double end) {
    ++steps_;
    begin_ = time_;
    last_step_ = end - time_;
    time_ = end;
    std::swap(y_, y_new_);
    std::swap(yp_, yp_new_);
    is_built_ = polynomial_exists_ = made_polynomial_;
  }

  // The polynomial of the last step, whose beginning is in y_new_ and yp_new_ until the next step.
  const StepPolynomial& polynomial() {
    if (is_built_) return polynomial_;
    is_built_ = true;
    polynomial_exists_ = make_polynomial({begin_, y_new_, yp_new_}, {time_, y_, yp_});
    return polynomial_;
  }

  // False if a slope that it needs does not exist.
  bool make_polynomial(const System::Point& begin, const System::Point& end) {
    const double h = end.t - begin.t;
    const std::size_t n = y_.size();
    bool complete = true;
    for (std::size_t i = tableau_.stages; i < slope_.size(); ++i) {
      std::ranges::copy(end.y, y_between_.begin());
      sums_(y_between_, begin.y, h, formula_->stage_weights[i], slope_);
      slope_[i] = slope_[i - 1];
      complete = slopes_(begin.t + tableau_.more_c[i - tableau_.stages] * h, y_between_, slope_[i]) && complete;
    }
    for (std::size_t k = 0; k < formula_->dense_terms(); ++k)
      sums_(std::span(more_).subspan(k * n, n), {}, h, formula_->dense_weights[k], slope_);
    polynomial_.set({begin.t, begin.y, begin.yp}, {end.t, end.y, end.yp}, slopes_.states(), more_);
    return complete;
  }

  // Computed for models with steep functions only.
  double error_inside(double end) {
    if (!problem_.system().guard() || tableau_.dense.empty()) return 0.0;
    if (!make_polynomial({time_, y_, yp_}, {end, y_new_, yp_new_})) return error_of_failed_stage;
    made_polynomial_ = true;
    return error_between(
        polynomial_, time_, end, y_between_, yp_between_, error_,
        [&](double t, auto& y, auto& yp) { return slopes_(t, y, yp); },
        [&](const auto& defect) { return size(slopes_.states(), defect); });
  }

  StepReport failure() const {
    if (projection_failed_) return {Outcome::StepTooSmall, "no point on the constraints is near the end of the step"};
    if (slopes_.undefined()) return {Outcome::EvaluationFailed, "an expression has no value"};
    return {Outcome::SingularIteration, "the equations cannot be solved for what is not a state"};
  }

  const std::shared_ptr<const ExplicitFormula> formula_;
  const Tableau& tableau_ = formula_->tableau;
  Problem& problem_;
  KnownStates known_states_;
  StepSettings settings_;
  Slopes slopes_;
  PulseCheck pulse_check_;
  std::unique_ptr<ForceProjection> projection_;
  StepControl control_;
  StiffnessTest stiffness_;
  Grid grid_;
  double smallest_step_, begin_ = 0.0, h_ = 0.0, defect_of_point_ = 0.0;
  std::vector<double> nominal_, allowance_, y_stage_, y_new_, yp_new_, error_, y_between_, yp_between_;
  std::vector<std::vector<double>> slope_;  // K_i, then those that only dense output needs
  SlopeSums sums_;
  std::vector<double> more_;  // terms of dense output
  StepPolynomial polynomial_;
  std::vector<bool> is_state_;                                // empty: to be computed again
  const bool ends_with_stage_ = tableau_.stiffly_accurate();  // its slope is the first one of the next step
  const int before_end_ = ends_with_stage_ ? tableau_.stages - 1 : tableau_.stages;  // stages
  const bool error_sees_end_ = !tableau_.error.empty() && tableau_.error.back() != 0.0;
  bool started_ = false, is_built_ = false, polynomial_exists_ = false, made_polynomial_ = false;
  bool projection_failed_ = false;
  long steps_ = 0, rejected_ = 0, projections_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_explicit_runge_kutta(const method::ExplicitRungeKutta& method, Problem& problem,
                                                   const State& start, const StepSettings& settings) {
  return std::make_unique<ExplicitRungeKutta>(method, problem, start, settings);
}

}  // namespace driftless
