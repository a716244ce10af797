#include "driftless/integrate/steppers/radau/radau.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "driftless/integrate/solve/implicit_point.hpp"
#include "driftless/integrate/steppers/one_step.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/steppers/radau/radau_control.hpp"
#include "driftless/integrate/steppers/radau/radau_error.hpp"
#include "driftless/integrate/steppers/radau/radau_formula.hpp"
#include "driftless/integrate/steppers/radau/radau_iteration.hpp"
#include "driftless/integrate/steppers/radau/radau_matrices.hpp"
#include "driftless/integrate/steppers/radau/stage_acceptance.hpp"
#include "driftless/integrate/steppers/radau/stage_guess.hpp"
#include "driftless/integrate/steppers/radau/stage_solver.hpp"
#include "driftless/integrate/steppers/radau/stages_on_rows.hpp"
#include "driftless/integrate/system/guard.hpp"
#include "driftless/integrate/system/known_states.hpp"

namespace driftless {
namespace {

constexpr double keep_up_to = 1.2;       // a step size that would grow by less is kept, and with it the matrices
constexpr int most_failures = 30;        // in one step
constexpr int failures_before_line = 8;  // of a first step: smaller steps have not helped
constexpr int places_between = 2;        // where exponentials are evaluated between two stages

class VariableRadau final : public OneStep {
 public:
  VariableRadau(int stages, Problem& problem, const State& start, const StepSettings& settings)
      : OneStep(start),
        problem_(problem),
        known_states_(problem),
        settings_(settings),
        solver_(problem, stages == 0 ? RadauFormula::most : stages),
        error_(problem, solver_),
        matrices_(problem, solver_),
        guard_(problem.system().guard()),
        on_rows_(problem),
        iteration_(problem, solver_, on_rows_, settings.newton),
        pulse_check_(problem),
        new_y_(y_.size()),
        new_yp_(y_.size()),
        from_start_(y_.size()) {
    for (int s = RadauFormula::fewest; s <= RadauFormula::most; s += 2)
      if (stages == 0 || stages == s)
        formulas_.push_back(std::make_unique<RadauFormula>(problem, s, settings.tolerance));
    z_.resize(formulas_.back()->stages.size());
    residual_.resize(z_.size());
    inner_.resize(z_.size());
    take_states();
    h_ = first_step();
  }

  StepReport step() override {
    for (failures_ = 0; failures_ < most_failures; ++failures_) {
      const double h = next_step();
      if (!(time_ + h > time_)) break;
      if (attempt(h)) return {};
      if (failures_ == 0 && on_rows_.apply()) put_begin_on_rows();
      matrices_.step_has_failed();
    }
    return explain();
  }

  // After a restart only the point and its slope are known.
  int last_order() const override { return last_ ? last_->tableau.order : 1; }
  bool has_polynomial() override { return last_ != nullptr; }
  double next_step_size() const override { return h_; }
  std::shared_ptr<PointSolver> point_solver() override {
    return problem_.reduced().implicit ? std::make_shared<ImplicitPoint>(problem_.system()) : nullptr;
  }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    if (!last_) return tangent(t, y, yp);
    last_->polynomial.value(t, y);
    last_->polynomial.slope(t, yp);
  }
  void store(Segment& segment) override { last_->polynomial.store(segment); }
  bool along_step(std::span<const SlotWeight> function, AlongStep& out) override {
    if (last_) last_->polynomial.along_step(function, out);
    return last_ != nullptr;
  }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    if (last_) last_->polynomial.replace_end(y);
    return OneStep::replace(y, yp);
  }

  void continue_with_new_states() override {
    solver_.states_changed();
    take_states();
    problem_.system().set_rates(time_, y_, yp_);  // of slots that have become states
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    OneStep::replace(y, yp);
    last_ = nullptr;
    continue_with_new_states();
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    settings_.stop = stop;
    time_ = t;
    restart(y, yp);
    control_.start();
    h_ = first_step();
    return true;
  }
  bool resume_behind_event(double t, std::span<const double> y, std::span<const double> yp, double stop,
                           double longest_first) override {
    if (counts_.steps == 0) return resume(t, y, yp, stop);
    settings_.stop = stop;
    time_ = t;
    OneStep::replace(y, yp);
    problem_.system().set_rates(time_, y_, yp_);
    last_ = nullptr;
    matrices_.forget();
    control_.start();
    h_ = std::min(h_, longest_first);
    return true;
  }
  void limit_steps(double longest) override { settings_.longest_step = longest; }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    return true;
  }

  ConditionNumbers condition() const override { return solver_.real_matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    statistics += counts_;
    statistics.residual_evaluations += error_.evaluations();
    statistics.largest_condition = solver_.real_matrix().largest_condition();
  }

  void archive(Archive& archive) override {
    archive.section("radau");
    archive(problem_);
    archive.expect(formulas_.size(), "number of orders");
    archive_point(archive);
    known_states_.archive(archive, [this] {
      solver_.states_changed();
      take_states();
    });
    archive(settings_.stop, order_);
    archive_polynomial(archive);
    if (order_ >= formulas_.size()) throw ArchiveError("the saved run has another order");
    solver_.archive(archive, formula().transformation);
    archive(on_rows_, pulse_check_, matrices_, h_, control_, error_, iteration_);
    archive(undefined_, singular_, counts_);
  }

 private:
  RadauFormula& formula() { return *formulas_[order_]; }

  void archive_polynomial(Archive& archive) {
    const auto last = std::ranges::find(formulas_, last_, &std::unique_ptr<RadauFormula>::get);
    std::size_t place = last - formulas_.begin();  // beyond the end: none
    archive(place);
    if (archive.is_reading()) last_ = place < formulas_.size() ? formulas_[place].get() : nullptr;
    if (last_) archive(last_->polynomial);
  }

  void take_states() {
    known_states_.update();
    on_rows_.states_changed();
    pulse_check_.states_changed();
    for (std::size_t k = 0; k < y_.size(); ++k)
      from_start_[k] = solver_.grading().index[k] <= 1 || problem_.is_state(static_cast<int>(k)) ? 1.0 : 0.0;
    matrices_.forget();
  }

  void tangent(double t, std::span<double> y, std::span<double> yp) const {
    for (std::size_t k = 0; k < y_.size(); ++k) y[k] = y_[k] + (t - time_) * yp_[k];
    std::ranges::copy(yp_, yp.begin());
  }

  // A hundredth of the time in which a state would change by its own size.
  double first_step() const {
    double fastest = 0.0;
    for (std::size_t k = 0; k < y_.size(); ++k)
      if (problem_.is_state(static_cast<int>(k)))
        fastest = std::max(fastest, std::abs(yp_[k]) / (std::abs(y_[k]) + problem_.reduced().slots[k].nominal));
    const double span = settings_.stop - time_;
    return fastest * span > 1.0 ? 0.01 / fastest : 0.01 * span;
  }

  // Divides a short rest of the interval into one step or two equal ones.
  double next_step() const {
    const double left = settings_.stop - time_, h = std::min(h_, settings_.longest_step);
    return h >= left * (1.0 - 1e-10) ? left : 2.0 * h > left ? 0.5 * left : h;
  }

  // ---- one attempt

  bool attempt(double h) {
    const RadauMatrices::Made made = prepare_matrices(h);
    undefined_ = made == RadauMatrices::Made::Undefined;
    singular_ = made == RadauMatrices::Made::Singular;
    if (made != RadauMatrices::Made::Yes) return newton_failed(h);
    formula().stages.begin(time_, h, y_, yp_);
    guess(h);
    iteration_.set_weights(formula(), h, y_);
    if (!iterate(h)) return false;
    const double error = estimated_error(h);
    if (!std::isfinite(error)) return newton_failed(h);
    const double next = control_.next_size(step_of(h, error));
    if (error >= 1.0 || !misses_no_pulse(h)) {
      ++counts_.rejected_steps;
      h_ = counts_.steps == 0 ? 0.1 * h : error >= 1.0 ? next : 0.3 * h;
      return false;
    }
    accept(h, error, next);
    return true;
  }

  RadauMatrices::Made prepare_matrices(double h) {
    return matrices_.prepare({.t = time_,
                              .h = h,
                              .y = y_,
                              .yp = yp_,
                              .formula = formula(),
                              .last = last_,
                              .last_step = last_step_,
                              .failures = failures_,
                              .from_start = from_start_},
                             counts_);
  }

  void guess(double h) {
    const Stages& stages = formula().stages;
    guess_stages({.reduced = problem_.reduced(),
                  .stages = stages,
                  .last = last_ ? &last_->polynomial : nullptr,
                  .t = time_,
                  .h = h,
                  .y = y_,
                  .yp = yp_,
                  .from_start = from_start_,
                  .by_line = failures_ >= failures_before_line},
                 z_);
    if (last_ && failures_ > 0 && on_rows_.apply()) on_rows_.put(stages, time_, h, y_, z_, residual_);
  }

  // The iteration of the last step left an error within a part of the tolerance. An exponential may amplify it, at
  // every step size alike, and the error test would never pass.
  void put_begin_on_rows() {
    std::ranges::copy(y_, new_y_.begin());
    std::ranges::copy(yp_, new_yp_.begin());
    if (on_rows_.put(time_, new_y_, new_yp_)) replace(new_y_, new_yp_);
  }

  bool iterate(double h) {
    const newton::Report report = iteration_({.formula = formula(),
                                              .t = time_,
                                              .h = h,
                                              .y = y_,
                                              .by_rows = failures_ > 0 && on_rows_.apply(),
                                              .z = z_,
                                              .residual = residual_},
                                             counts_);
    if (report.converged()) return true;
    undefined_ = report.end == newton::End::Undefined;
    newton_failed(h);
    if (iteration_.foretold_cut() > 0.0) h_ = 0.8 * h * iteration_.foretold_cut();
    return false;
  }

  bool newton_failed(double h) {
    ++counts_.convergence_failures;
    if (failures_ > 1 && order_ > 0) take_order(order_ - 1);
    control_.note_failure_of_iteration();
    h_ = 0.5 * h;
    return false;
  }

  // If shorter steps have not reduced the defect between the stages, it is noise.
  double estimated_error(double h) {
    return error_({.formula = formula(),
                   .t = time_,
                   .h = h,
                   .y = y_,
                   .z = z_,
                   .weights = iteration_.weights(),
                   .is_first_or_repeated = counts_.steps == 0 || failures_ > 0,
                   .may_look_between = failures_ < 2});
  }

  // Checks the intervals from each stage to the next.
  bool misses_no_pulse(double h) {
    if (!guard_) return true;
    const Stages& stages = formula().stages;
    before_y_ = y_, before_yp_ = yp_;
    double t = time_;
    for (int i = 0; i < stages.count(); ++i) {
      const double next = time_ + stages.node(i) * h;
      stages.value(z_, i, new_y_);
      stages.slope(z_, i, new_yp_);
      if (!pulse_check_({t, before_y_, before_yp_}, {next, new_y_, new_yp_}, settings_.tolerance, places_between))
        return false;
      before_y_ = new_y_, before_yp_ = new_yp_;
      t = next;
    }
    return true;
  }

  // ---- the next step

  static RadauControl::Order about(const RadauFormula& f) { return {f.size(), f.most_iterations, f.tolerance}; }

  RadauControl::Step step_of(double h, double error) {
    return {.order = about(formula()),
            .h = h,
            .error = error,
            .iterations = iteration_.iterations(),
            .rate = iteration_.rate(),
            .failures = failures_,
            .last_step = last_ == &formula() ? last_step_ : 0.0};
  }

  void accept(double h, double error, double next) {
    RadauFormula& f = formula();
    const std::size_t n = y_.size();
    const int inner = f.size() - 1;
    for (int i = 0; i < inner; ++i) f.stages.value(z_, i, std::span(inner_).subspan(i * n, n));
    f.stages.value(z_, inner, new_y_);
    f.stages.slope(z_, inner, new_yp_);
    f.polynomial.set(time_, h, y_, std::span(inner_).first(inner * n), new_y_);
    last_ = &f;
    std::swap(y_, new_y_);
    std::swap(yp_, new_yp_);
    time_ = h >= settings_.stop - time_ ? settings_.stop : time_ + h;
    last_step_ = h;
    control_.note_accepted(error);
    ++counts_.steps;
    matrices_.step_has_succeeded(iteration_.rate() <= StageAcceptance::keep_jacobian);
    const double wanted = h_;
    h_ = matrices_.keep_jacobian() && next >= h && next <= keep_up_to * h ? h : next;
    choose_order(h, error);
    // A step that was shortened to end at the stop time does not reduce the next step size.
    if (time_ == settings_.stop && h < wanted) h_ = std::max(h_, wanted);
  }

  void choose_order(double h, double error) {
    std::optional<RadauControl::Order> above, below;
    if (order_ + 1 < formulas_.size()) above = about(*formulas_[order_ + 1]);
    if (order_ > 0) below = about(*formulas_[order_ - 1]);
    switch (control_.change_of_order(step_of(h, error), h_, above ? &*above : nullptr, below ? &*below : nullptr)) {
      case RadauControl::Change::Up: return take_order(order_ + 1);
      case RadauControl::Change::Down: return take_order(order_ - 1);
      case RadauControl::Change::None: break;
    }
  }

  void take_order(std::size_t order) {
    order_ = order;
    control_.note_order();
    matrices_.forget_factors();
  }

  StepReport explain() const {
    if (undefined_) return {Outcome::EvaluationFailed, "an expression has no value"};
    if (singular_) return {Outcome::SingularIteration, "the iteration matrix is singular"};
    return {Outcome::StepTooSmall, "the error test or Newton's iteration fails repeatedly"};
  }

  Problem& problem_;
  KnownStates known_states_;
  StepSettings settings_;
  std::vector<std::unique_ptr<RadauFormula>> formulas_;
  std::size_t order_ = 0;         // of the formulas: that of the next step
  RadauFormula* last_ = nullptr;  // that of the last step
  StageSolver solver_;
  RadauError error_;
  RadauMatrices matrices_;
  Guard* guard_;  // null: no function is steep
  StagesOnRows on_rows_;
  RadauIteration iteration_;
  PulseCheck pulse_check_;
  double h_ = 0.0;
  RadauControl control_;
  std::vector<double> z_, residual_, inner_;  // of all stages
  std::vector<double> new_y_, new_yp_, before_y_, before_yp_;
  std::vector<double> from_start_;  // 1: extrapolated with the start of a step, 0: from the stages alone
  int failures_ = 0;                // of this step so far
  bool undefined_ = false, singular_ = false;
  Counts counts_;
};

}  // namespace

std::unique_ptr<Stepper> make_radau(const method::Radau& method, Problem& problem, const State& start,
                                    const StepSettings& settings) {
  return std::make_unique<VariableRadau>(method.stages, problem, start, settings);
}

}  // namespace driftless
