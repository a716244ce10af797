#include "driftless/integrate/steppers/radau/radau.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/system/guard.hpp"
#include "driftless/integrate/system/known_states.hpp"
#include "driftless/integrate/solve/implicit_point.hpp"
#include "driftless/integrate/steppers/one_step.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/steppers/runge_kutta/stage_polynomial.hpp"
#include "driftless/integrate/steppers/radau/stage_solver.hpp"
#include "driftless/integrate/steppers/runge_kutta/stages.hpp"
#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

constexpr int fewest = 3, most = 7;  // stages

// The step size.
constexpr double safety = 0.9;
constexpr double largest_growth = 8.0, largest_cut = 5.0;
constexpr double keep_up_to = 1.2;       // a step size that would grow by less is kept, and with it the matrices
constexpr int calm = 5;                  // for so many steps after Newton's iteration failed,
constexpr double growth_in_calm = 1.3;   // growth is limited to this
constexpr int most_failures = 30;        // in one step
constexpr int failures_before_line = 8;  // of a first step: smaller steps have not helped

// Newton's iteration; its rate of convergence is about proportional to the step size.
constexpr double worst_rate = 0.99;
constexpr double good_rate = 0.15;           // the step size does not grow beyond it
constexpr double keep_jacobian = 1e-3;       // up to this rate
constexpr double trusted_ahead = 2.5;        // the polynomial, for a Jacobian, in units of the last step size
constexpr double accept_first_below = 3e-8;  // even by NewtonTest::Two
constexpr double iteration_error = 0.003;    // in units of the tolerance of the user
constexpr double rounding = 0.01;            // a correction below this that no longer shrinks

constexpr int places_between = 2;  // where exponentials are looked at between two stages

// Errors between the steps are of the size of the estimate: it is not allowed more than so many tolerances.
constexpr double between_steps = 10.0;

// The order.
constexpr int steps_before_change = 4;
constexpr double worthwhile = 0.9;        // another order, if it promises to need this part of the work
constexpr double of_factorization = 4.0;  // its work, in units of that of an iteration
constexpr double steady_from = 0.8, steady_to = 1.2;

// What a number of stages alone decides: computed once, for all runs.
struct Coefficients {
  explicit Coefficients(int s)
      : tableau(radau_iia(s)),
        transformation(diagonalize(inverse_matrix(tableau))),
        of_error(error_weights(tableau)),
        between(between_nodes(tableau)) {}

  Tableau tableau;
  StageTransformation transformation;
  std::vector<double> of_error;
  BetweenNodes between;
};

template <int S>
const Coefficients& coefficients() {
  static const Coefficients once(S);
  return once;
}
const Coefficients& coefficients(int s) {
  return s == 3 ? coefficients<3>() : s == 5 ? coefficients<5>() : coefficients<7>();
}

// What belongs to a number of stages in a run.
struct Formula {
  Formula(Problem& problem, int s, double wanted)
      : tableau(coefficients(s).tableau),
        transformation(coefficients(s).transformation),
        of_error(coefficients(s).of_error),
        between(coefficients(s).between),
        stages(problem, tableau),
        polynomial(tableau.c, problem.size()),
        most_iterations(10 + 5 * (s - 3) / 2),
        tolerance(std::min({0.1, 0.1 * std::pow(wanted, (s + 1.0) / (2.0 * s)), between_steps * wanted})),
        newton_tolerance(std::min(0.03, iteration_error * wanted / tolerance)) {}

  int size() const { return tableau.stages; }

  const Tableau& tableau;
  const StageTransformation& transformation;
  const std::vector<double>& of_error;
  const BetweenNodes& between;
  Stages stages;
  StagePolynomial polynomial;
  int most_iterations;
  double tolerance;         // of the error estimate
  double newton_tolerance;  // of Newton's iteration, in units of it
};

class VariableRadau final : public OneStep {
 public:
  VariableRadau(int stages, Problem& problem, const State& start, const StepSettings& settings)
      : OneStep(start),
        problem_(problem),
        known_states_(problem),
        settings_(settings),
        solver_(problem, stages == 0 ? most : stages),
        guard_(problem.system().guard()),
        on_rows_(problem),
        pulse_check_(problem),
        new_y_(y_.size()),
        new_yp_(y_.size()),
        slope_(y_.size()),
        error_(y_.size()),
        weights_(y_.size()),
        from_start_(y_.size()) {
    for (int s = fewest; s <= most; s += 2)
      if (stages == 0 || stages == s) formulas_.push_back(std::make_unique<Formula>(problem, s, settings.tolerance));
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
      if (failures_ == 0 && rows_give_the_rest()) put_begin_on_rows();
      if (jacobian_ != Jacobian::Here) jacobian_ = Jacobian::Missing;
    }
    return explain();
  }

  // Behind a restart the point and its slope are all that is known.
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
    steps_of_order_ = calm_ = 0;
    last_error_ = 1e-2;
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
    jacobian_ = Jacobian::Missing;
    factorized_step_ = 0.0;
    steps_of_order_ = calm_ = 0;
    last_error_ = 1e-2;
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
    archive(on_rows_, pulse_check_, jacobian_, factorized_step_, h_, last_error_, contraction_, calm_, steps_of_order_);
    archive(undefined_, singular_, counts_);
  }

 private:
  Formula& formula() { return *formulas_[order_]; }

  void archive_polynomial(Archive& archive) {
    const auto last = std::ranges::find(formulas_, last_, &std::unique_ptr<Formula>::get);
    std::size_t place = last - formulas_.begin();  // beyond the end: there is none
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
    jacobian_ = Jacobian::Missing;
    factorized_step_ = 0.0;
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

  // The rest of the interval is one step, or two equal ones.
  double next_step() const {
    const double left = settings_.stop - time_, h = std::min(h_, settings_.longest_step);
    return h >= left * (1.0 - 1e-10) ? left : 2.0 * h > left ? 0.5 * left : h;
  }

  // ---- one attempt

  bool attempt(double h) {
    if (!prepare_matrices(h)) return newton_failed(h);
    formula().stages.begin(time_, h, y_, yp_);
    guess(h);
    set_weights(h);
    if (!iterate(h)) return false;
    const double error = estimated_error(h);
    if (!std::isfinite(error)) return newton_failed(h);
    const double next = step_after(h, error);
    if (error >= 1.0 || !misses_no_pulse(h)) {
      ++counts_.rejected_steps;
      h_ = counts_.steps == 0 ? 0.1 * h : error >= 1.0 ? next : 0.3 * h;
      return false;
    }
    accept(h, error, next);
    return true;
  }

  bool prepare_matrices(double h) {
    undefined_ = singular_ = false;
    if (jacobian_ == Jacobian::Missing && !linearize(h)) {
      undefined_ = true;
      return false;
    }
    if (factorized_step_ == h) return true;
    ++counts_.factorizations;
    factorized_step_ = 0.0;
    if (!solver_.factorize(formula().transformation, h)) {
      singular_ = true;
      return false;
    }
    factorized_step_ = h;
    return true;
  }

  // In the middle of the step, as the polynomial foresees it: no stage is far from there. At its beginning, if the
  // polynomial is of no use.
  bool linearize(double h) {
    factorized_step_ = 0.0;
    if (last_ && failures_ < 2 && h < trusted_ahead * last_step_) {
      const double middle = time_ + 0.5 * h;
      last_->polynomial.extrapolate(middle, from_start_, new_y_);
      last_->polynomial.slope(middle, new_yp_);
      ++counts_.jacobian_evaluations;
      jacobian_ = Jacobian::Ahead;
      if (solver_.linearize(middle, new_y_, new_yp_)) return true;
    }
    ++counts_.jacobian_evaluations;
    jacobian_ = Jacobian::Here;
    if (!guard_ || failures_ == 0) return solver_.linearize(time_, y_, yp_);
    guard_->place({time_, y_, yp_}, 1.0 / h);  // functions that are switched off keep a slope
    problem_.system().use_guard(true);
    const bool exists = solver_.linearize(time_, y_, yp_);
    problem_.system().use_guard(false);
    return exists;
  }

  // The polynomial of the last step; at first the old point, and then the line from there: where the equations are
  // nonlinear in the rates, an iteration that starts with rates of 0 may fail at every step size.
  void guess(double h) {
    const std::size_t n = y_.size();
    const Stages& stages = formula().stages;
    std::ranges::fill(z_, 0.0);
    if (!last_ && failures_ >= failures_before_line) guess_by_line(h);
    if (!last_) return;
    for (int i = 0; i < stages.count(); ++i) {
      const std::span<double> z = std::span(z_).subspan(i * n, n);
      last_->polynomial.extrapolate(time_ + stages.node(i) * h, from_start_, z);
      for (std::size_t k = 0; k < n; ++k) z[k] -= y_[k];
    }
    if (failures_ > 0 && rows_give_the_rest()) put_on_rows(h, std::span(residual_).first(stages.size()));
  }

  void guess_by_line(double h) {
    const std::size_t n = y_.size();
    const Stages& stages = formula().stages;
    const Reduced& reduced = problem_.reduced();
    const auto lead = [&](int slot) {
      for (int i = 0; i < stages.count(); ++i) z_[i * n + slot] = stages.node(i) * h * yp_[slot];
    };
    for (const Kinematic& kinematic : reduced.kinematics) lead(kinematic.slot);
    for (const Quantity q : reduced.quantities)
      if (reduced.place(q) == Place::Rate) lead(reduced.slot_of(q));
  }

  // In models with steep functions. Where the equations are kept as F(t, y, y') = 0 there are too few states for that.
  bool rows_give_the_rest() { return guard_ && !problem_.reduced().implicit && on_rows_.determined(); }

  // The iteration of the last step ended within a part of the tolerance. An exponential may make more of that, at every
  // step size alike, and the error test would never pass.
  void put_begin_on_rows() {
    std::ranges::copy(y_, new_y_.begin());
    std::ranges::copy(yp_, new_yp_.begin());
    if (on_rows_(time_, new_y_, new_yp_)) replace(new_y_, new_yp_);
  }

  // An exponential that is extrapolated, or corrected by the matrix of another point, may be far off: the states of the
  // stages stay, and the rows give the rest. `correction` is what was subtracted from the stages, with this change.
  // False if the rows of some stage have no solution.
  bool put_on_rows(double h, std::span<double> correction) {
    const std::size_t n = y_.size();
    const Stages& stages = formula().stages;
    for (int i = 0; i < stages.count(); ++i) {
      stages.value(z_, i, new_y_);
      stages.slope(z_, i, new_yp_);
      if (!on_rows_(time_ + stages.node(i) * h, new_y_, new_yp_)) return false;
      for (std::size_t k = 0; k < n; ++k) {
        if (problem_.is_whole_state(static_cast<int>(k))) continue;  // no rounding there
        double& z = z_[i * n + k];
        const double completed = new_y_[k] - y_[k];
        correction[i * n + k] += z - completed;
        z = completed;
      }
    }
    return true;
  }

  // An error of this size counts as 1; that of an unknown of index i is felt h^(i-1) times.
  void set_weights(double h) {
    const std::vector<Slot>& slots = problem_.reduced().slots;
    const std::vector<int>& index = solver_.grading().index;
    const double felt = std::min(1.0, h);
    for (std::size_t k = 0; k < y_.size(); ++k) {
      double share = 1.0;
      for (int i = 1; i < index[k]; ++i) share *= felt;
      weights_[k] = share / (formula().tolerance * slots[k].allowance * (std::abs(y_[k]) + slots[k].nominal));
    }
  }

  // Simplified Newton. A failure that can be foreseen ends it, with a step size that should do.
  bool iterate(double h) {
    Formula& f = formula();
    const std::size_t n = y_.size(), size = static_cast<std::size_t>(f.stages.size());
    const std::span<double> z = std::span(z_).first(size), residual = std::span(residual_).first(size);
    const bool by_rows = failures_ > 0 && rows_give_the_rest();
    double before = 0.0, rate_before = 0.0;
    contraction_ = std::pow(std::max(contraction_, 1e-16), 0.8);
    rate_ = keep_jacobian;
    for (iterations_ = 1; iterations_ <= f.most_iterations; ++iterations_) {
      ++counts_.newton_iterations;
      counts_.residual_evaluations += f.size();
      if (!f.stages.residual(z, residual)) {
        undefined_ = true;
        return newton_failed(h);
      }
      solver_.solve(residual);
      for (std::size_t i = 0; i < size; ++i) z[i] -= residual[i];
      if (by_rows && !put_on_rows(h, residual)) return newton_failed(h);
      double sum = 0.0;
      for (std::size_t i = 0; i < size; i += n)
        for (std::size_t k = 0; k < n; ++k) {
          const double part = residual[i + k] * weights_[k];
          sum += part * part;
        }
      const double norm = std::sqrt(sum / static_cast<double>(size));
      if (!std::isfinite(norm)) return newton_failed(h);
      if (iterations_ > 1) {
        const double quotient = norm / before;
        rate_ = iterations_ == 2 ? quotient : std::sqrt(quotient * rate_before);
        rate_before = quotient;
        if (norm <= rounding && quotient >= 0.5) return true;
        if (rate_ >= worst_rate) return newton_failed(h);
        contraction_ = rate_ / (1.0 - rate_);
        const int left = f.most_iterations - 1 - iterations_;
        const double at_last = contraction_ * norm * std::pow(rate_, left) / f.newton_tolerance;
        if (left >= 0 && at_last >= 1.0) return too_slow(h, at_last, left);
      }
      before = std::max(norm, 1e-16);
      const bool may_accept = iterations_ > 1 || settings_.newton == NewtonTest::One || norm <= accept_first_below;
      if (may_accept && contraction_ * norm <= f.newton_tolerance) return true;
    }
    return newton_failed(h);
  }

  bool too_slow(double h, double at_last, int left) {
    newton_failed(h);
    h_ = 0.8 * h * std::pow(std::clamp(at_last, 1e-4, 20.0), -1.0 / (4.0 + left));
    return false;
  }

  bool newton_failed(double h) {
    ++counts_.convergence_failures;
    if (failures_ > 1 && order_ > 0) take_order(order_ - 1);
    calm_ = calm;
    h_ = 0.5 * h;
    return false;
  }

  // ---- the error

  double estimated_error(double h) {
    const std::size_t n = y_.size();
    const std::vector<double>& weights = formula().of_error;
    std::ranges::fill(slope_, 0.0);
    for (int i = 0; i < formula().size(); ++i) {
      const double weight = -weights[i] / h;
      for (std::size_t k = 0; k < n; ++k) slope_[k] += weight * z_[i * n + k];
    }
    double error = error_at(time_, y_);
    if (error >= 1.0 && (counts_.steps == 0 || failures_ > 0)) {
      for (std::size_t k = 0; k < n; ++k) new_y_[k] = y_[k] + error_[k];
      error = std::min(error, error_at(time_, new_y_));
    }
    if (error < 1.0 && failures_ < 2) error = std::max(error, error_between(h));
    return std::max(error, 1e-10);
  }

  // What the polynomial leaves of the equations between the stages. The estimate at the start is damped in stiff
  // components and knows nothing of constraints. What shorter steps do not mend is noise.
  double error_between(double h) {
    const std::size_t n = y_.size();
    const BetweenNodes& between = formula().between;
    std::ranges::copy(y_, new_y_.begin());
    std::ranges::fill(slope_, 0.0);
    for (int i = 0; i < formula().size(); ++i) {
      const double value = between.value[i], slope = between.slope[i] / h;
      for (std::size_t k = 0; k < n; ++k) {
        new_y_[k] += value * z_[i * n + k];
        slope_[k] += slope * z_[i * n + k];
      }
    }
    return error_at(time_ + between.at * h, new_y_);
  }

  double error_at(double t, const std::vector<double>& y) {
    ++counts_.residual_evaluations;
    if (!problem_.residual(t, y, slope_, error_)) return HUGE_VAL;
    for (double& value : error_) value = -value;
    solver_.solve_real(error_);
    return root_mean_square(error_.size(), [&](std::size_t k) { return error_[k] * weights_[k]; });
  }

  // From each stage to the next.
  bool misses_no_pulse(double h) {
    if (!guard_) return true;
    const Stages& stages = formula().stages;
    std::ranges::copy(y_, slope_.begin());
    std::ranges::copy(yp_, error_.begin());
    double t = time_;
    for (int i = 0; i < stages.count(); ++i) {
      const double next = time_ + stages.node(i) * h;
      stages.value(z_, i, new_y_);
      stages.slope(z_, i, new_yp_);
      if (!pulse_check_({t, slope_, error_}, {next, new_y_, new_yp_}, settings_.tolerance, places_between))
        return false;
      std::ranges::copy(new_y_, slope_.begin());
      std::ranges::copy(new_yp_, error_.begin());
      t = next;
    }
    return true;
  }

  // ---- the next step

  // The error is of the order h^(s+1). Many iterations speak for a smaller step; so does an error that grew since the
  // last step (Gustafsson 1994).
  double step_after(double h, double error) {
    const double exponent = 1.0 / (formula().size() + 1.0), many = 2.0 * formula().most_iterations;
    const double factor = safety * (1.0 + many) / (iterations_ + many);
    double shrink = std::clamp(std::pow(error, exponent) / factor, 1.0 / largest_growth, largest_cut);
    if (error >= 1.0) return h / shrink;
    if (last_ == &formula()) {
      const double predicted = last_step_ / h * std::pow(error * error / last_error_, exponent) / safety;
      shrink = std::max(shrink, std::clamp(predicted, 1.0 / largest_growth, largest_cut));
    }
    if (iterations_ > 1) shrink = std::max(shrink, std::min(1.0, rate_ / good_rate));
    if (calm_ > 0) shrink = std::max(shrink, 1.0 / growth_in_calm);
    if (failures_ > 0) shrink = std::max(shrink, 1.0);
    return h / shrink;
  }

  void accept(double h, double error, double next) {
    Formula& f = formula();
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
    last_error_ = std::max(error, 1e-2);
    if (calm_ > 0) --calm_;
    ++counts_.steps;
    jacobian_ = rate_ <= keep_jacobian ? Jacobian::Old : Jacobian::Missing;
    const double wanted = h_;
    h_ = jacobian_ == Jacobian::Old && next >= h && next <= keep_up_to * h ? h : next;
    choose_order(h);
    // A step that was cut short tells nothing against its full length.
    if (time_ == settings_.stop && h < wanted) h_ = std::max(h_, wanted);
  }

  // Up, while the step size hardly changes; down also when Newton's iteration fails again and again.
  void choose_order(double h) {
    if (++steps_of_order_ < steps_before_change) return;
    const bool steady = steady_from * h < h_ && h_ < steady_to * h && calm_ == 0;
    if (steady && order_ + 1 < formulas_.size() && expected_work(*formulas_[order_ + 1]) < worthwhile)
      take_order(order_ + 1);
    else if (order_ > 0 && expected_work(*formulas_[order_ - 1]) < worthwhile)
      take_order(order_ - 1);
  }

  // With another number of stages, for the same interval, in units of the present one.
  //
  // The error test, of the order h^(s+1), allows a step size proportional to (10 tolerance)^(1/(s+1)) with much the
  // same factor for all s. An iteration solves a real and (s-1)/2 complex systems, which cost four times as much.
  double expected_work(const Formula& other) {
    const double s = formula().size(), r = other.size();
    const double rate = std::clamp(rate_, 1e-6, 0.5);
    double growth =
        std::pow(10.0 * other.tolerance, 1.0 / (r + 1.0)) / std::pow(10.0 * formula().tolerance, 1.0 / (s + 1.0));
    if (growth > 1.0) growth = std::min(growth, std::max(1.0, good_rate / rate));
    const double rate_then = std::clamp(rate * growth, 1e-6, 0.5);
    const double iterations = 1.0 + (iterations_ - 1.0) * std::log(rate) / std::log(rate_then);
    return (2.0 * r - 1.0) / (2.0 * s - 1.0) * (of_factorization + iterations) / (of_factorization + iterations_) /
           growth;
  }

  void take_order(std::size_t order) {
    order_ = order;
    steps_of_order_ = 0;
    factorized_step_ = 0.0;
  }

  StepReport explain() const {
    if (undefined_) return {Outcome::EvaluationFailed, "an expression has no value"};
    if (singular_) return {Outcome::SingularIteration, "the iteration matrix is singular"};
    return {Outcome::StepTooSmall, "the error test or Newton's iteration fails repeatedly"};
  }

  Problem& problem_;
  KnownStates known_states_;
  StepSettings settings_;
  std::vector<std::unique_ptr<Formula>> formulas_;
  std::size_t order_ = 0;    // of the formulas: that of the next step
  Formula* last_ = nullptr;  // that of the last step
  StageSolver solver_;
  Guard* guard_;  // null: no function is steep
  AlgebraicSolve on_rows_;
  PulseCheck pulse_check_;
  enum class Jacobian { Missing, Old, Ahead, Here } jacobian_ = Jacobian::Missing;
  double factorized_step_ = 0.0;  // the step size the factors belong to; 0: there are none
  double h_ = 0.0, last_error_ = 1e-2;
  std::vector<double> z_, residual_, inner_;  // of all stages
  std::vector<double> new_y_, new_yp_, slope_, error_, weights_;
  std::vector<double> from_start_;  // 1: the component is continued from the start of a step, 0: from the stages
  int iterations_ = 0;              // of this step
  double rate_ = 1.0;               // of their convergence
  double contraction_ = 1.0;        // rate / (1 - rate): what is left of the last correction
  int failures_ = 0;                // of this step so far
  int calm_ = 0;                    // steps until growth is no longer limited
  int steps_of_order_ = 0;
  bool undefined_ = false, singular_ = false;
  Counts counts_;
};

}  // namespace

std::unique_ptr<Stepper> make_radau(const method::Radau& method, Problem& problem, const State& start,
                                    const StepSettings& settings) {
  return std::make_unique<VariableRadau>(method.stages, problem, start, settings);
}

}  // namespace driftless
