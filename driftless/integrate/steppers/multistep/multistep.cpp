#include "driftless/integrate/steppers/multistep/multistep.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/solve/step_equations.hpp"
#include "driftless/integrate/solve/index_scaling.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/solve/newton.hpp"
#include "driftless/integrate/system/known_states.hpp"

namespace driftless {
namespace {

// The polynomial through values at s = 0, -1, ..., -degree: coefficients[j][m] is that of s^m in the one that is 1 at
// -j and 0 at the others.
class Interpolant {
 public:
  explicit Interpolant(int degree) : coefficients_(degree + 1) {
    for (int j = 0; j <= degree; ++j) {
      std::vector<double>& c = coefficients_[j];
      c.assign(degree + 1, 0.0);
      c[0] = 1.0;
      for (int i = 0, size = 1; i <= degree; ++i) {
        if (i == j) continue;
        for (int m = size++; m >= 0; --m) c[m] = ((m > 0 ? c[m - 1] : 0.0) + i * c[m]) / (i - j);  // (s + i) / (i - j)
      }
    }
  }

  int degree() const { return static_cast<int>(coefficients_.size()) - 1; }
  double coefficient(int j, int m) const { return coefficients_[j][m]; }
  double value(int j, double s) const {
    double sum = 0.0;
    for (int m = degree(); m >= 0; --m) sum = sum * s + coefficients_[j][m];
    return sum;
  }
  double slope(int j, double s) const {
    double sum = 0.0;
    for (int m = degree(); m >= 1; --m) sum = sum * s + m * coefficients_[j][m];
    return sum;
  }

 private:
  std::vector<std::vector<double>> coefficients_;
};

struct Point {
  std::vector<double> y, yp;
  void archive(Archive& archive) { archive(y, yp); }
};

constexpr double no_weight = 1e300;  // of auxiliary unknowns of a correction, which are discarded

class Multistep final : public Stepper, private Equations {
 public:
  Multistep(const MultistepFormula& formula, Problem& problem, const State& start, const StepSettings& settings)
      : formula_(formula),
        problem_(problem),
        known_states_(problem),
        settings_(settings),
        grid_(start.t, settings.stop, *settings.step),
        order_(formula.one_leg ? one_leg_order(formula) : order(formula)),
        history_(formula.steps() + 1, Point{start.y, start.yp}),
        equations_(problem),
        x_(equations_.size()),
        leg_(start.yp),
        known_y_(problem.size()),
        known_yp_(problem.size()),
        row_scale_(problem.size()),
        column_scale_(problem.size()),
        grading_(grade(problem)),
        newton_(*this) {
    for (const Slot& slot : problem.reduced().slots) weights_.push_back(slot.nominal);
    weights_.resize(x_.size(), no_weight);
    known_states_.update();
    set_rates(history_[0]);
    for (int q = 0; q <= formula.steps(); ++q) interpolants_.emplace_back(q);
  }

  StepReport step() override {
    last_step_ = grid_.size(done_);
    // A formula of several steps needs as many equidistant points.
    if (formula_.steps() > 1 && (points_ < formula_.steps() || last_step_ != grid_.step())) return single_step();
    end_start();
    collect_known();
    predict();
    if (const newton::Report report = newton_.solve_exactly(x_, weights_); !report.converged()) return explain(report);
    accept();
    return {};
  }

  double time() const override { return grid_.time(done_); }
  double last_step() const override { return last_step_; }
  int last_order() const override { return starter_ ? starter_->last_order() : order_; }
  std::span<const double> y() const override { return history_[0].y; }
  std::span<const double> yp() const override { return history_[0].yp; }

  bool has_polynomial() override { return !starter_ || starter_->has_polynomial(); }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    if (starter_) return starter_->interpolate(t, y, yp);
    const Interpolant& p = interpolant();
    const double s = (t - time()) / last_step_;
    std::ranges::fill(y, 0.0);
    std::ranges::fill(yp, 0.0);
    for (int j = 0; j <= p.degree(); ++j) {
      add(p.value(j, s), history_[j].y, y);
      add(p.slope(j, s) / last_step_, history_[j].y, yp);
    }
  }

  void store(Segment& segment) override {
    if (starter_) return starter_->store(segment);
    const Interpolant& p = interpolant();
    const std::size_t n = problem_.size();
    segment = {time() - last_step_, time(), p.degree(), std::vector<double>((p.degree() + 1) * n, 0.0)};
    for (int m = 0; m <= p.degree(); ++m)
      for (int j = 0; j <= p.degree(); ++j)
        add(p.coefficient(j, m), history_[j].y, std::span(segment.coefficients).subspan(m * n, n));
  }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, history_[0].y.begin());
    std::ranges::copy(yp, history_[0].yp.begin());
    return !starter_ || starter_->replace(y, yp);
  }

  void continue_with_new_states() override {
    take_states();
    if (starter_) starter_->continue_with_new_states();
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    end_start();
    replace(y, yp);
    points_ = 1;
    continue_with_new_states();
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    settings_.stop = stop;
    grid_.go_on_from(done_, t, stop);
    restart(y, yp);
    return true;
  }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    if (formula_.steps() > 1 && last_step_ != grid_.step()) points_ = 1;  // the points are not equidistant
    grid_.go_on_from(done_, time(), stop);
    return !starter_ || starter_->go_on_to(stop);  // its polynomial may still be needed
  }

  ConditionNumbers condition() const override { return newton_.matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    statistics.steps += done_;
    newton_.add_to(statistics);
    Statistics starting = started_;
    if (starter_) starter_->add_to(starting);
    starting.steps = starting.rejected_steps = starting.convergence_failures = 0;
    statistics += starting;
  }

  void archive(Archive& archive) override {
    archive.section("multistep");
    archive(problem_);
    archive.expect(history_.size(), "number of points");
    known_states_.archive(archive, [this] { take_states(); });
    archive(grid_, last_step_, done_, points_, history_, equations_, newton_);
    archive(static_cast<Counts&>(started_));
    bool has_starter = starter_ != nullptr;
    archive(has_starter);
    if (archive.is_reading()) starter_ = has_starter ? make_starter() : nullptr;
    if (starter_) archive(*starter_);
  }

 private:
  void take_states() {
    known_states_.update();
    equations_.states_changed();
    newton_.pattern_changed();
    grading_ = grade(problem_);
  }

  static void add(double factor, std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
  }

  // Derivatives of the states at the start: needed by formulas with derivatives of earlier points.
  void set_rates(Point& point) {
    System& system = problem_.system();
    std::vector<double> out(system.rows() + system.candidates());
    system.rows_and_rates({time(), point.y, point.yp}, out);
    for (const int k : problem_.active()) point.yp[problem_.reduced().kinematics[k].slot] = out[system.rows() + k];
  }

  // Radau IIA with enough stages for the order of the formula, also for multipliers of index 3 (Hairer, Lubich, Roche
  // 1989).
  std::unique_ptr<Stepper> make_starter() {
    const Point& now = history_[0];
    StepSettings settings = settings_;
    settings.step = grid_.step();  // and a shorter last one
    return make_stepper(method::Radau{formula_.steps() + 1}, problem_,
                        {.t = time(), .y = now.y, .yp = now.yp, .remarks = {}, .parameters = {}}, settings);
  }

  StepReport single_step() {
    if (!starter_) starter_ = make_starter();
    const StepReport report = starter_->step();
    if (report.outcome != Outcome::Success) return report;
    std::ranges::rotate(history_, history_.end() - 1);
    std::ranges::copy(starter_->y(), history_[0].y.begin());
    std::ranges::copy(starter_->yp(), history_[0].yp.begin());
    points_ = std::min(points_ + 1, formula_.steps() + 1);
    ++done_;
    return {};
  }

  void end_start() {
    if (starter_) starter_->add_to(started_);
    starter_.reset();
  }

  const Interpolant& interpolant() const { return interpolants_[std::min(points_, formula_.steps() + 1) - 1]; }

  // The point at which the equations are evaluated, as a function of the unknown x: t = leg_time_, y = x, y' = alpha_ x
  // + known_yp_. In the usual form x is y_n, in the one-leg form sum beta_j y_{n-j}. The newest point is still
  // history_[0].
  void collect_known() {
    const MultistepFormula& f = formula_;
    const double h = last_step_;
    alpha_ = f.alpha[0] / (h * f.beta[0]);
    leg_time_ = grid_.time(done_ + 1);
    std::ranges::fill(known_y_, 0.0);
    std::ranges::fill(known_yp_, 0.0);
    for (int j = 1; j <= f.steps(); ++j) {
      const Point& old = history_[j - 1];
      if (f.one_leg) {
        leg_time_ -= f.beta[j] * j * h;
        add(f.beta[j], old.y, known_y_);
        add(f.alpha[j] / h, old.y, known_yp_);
      } else {
        add(f.alpha[j] / (h * f.beta[0]), old.y, known_yp_);
        if (f.beta[j] != 0.0) add(-f.beta[j] / f.beta[0], old.yp, known_yp_);
      }
    }
    if (f.one_leg) add(-alpha_, known_y_, known_yp_);
  }

  // The polynomial of the last step, one step ahead.
  void predict() {
    const Interpolant& p = interpolant();
    std::ranges::fill(x_, 0.0);
    for (int j = 0; j <= p.degree(); ++j) add(p.value(j, 1.0), history_[j].y, part_y(x_));
    if (equations_.overdetermined()) return newton_.refresh();
    grading_.scales(1.0 / alpha_, row_scale_, column_scale_);
    newton_.scale(row_scale_, column_scale_);
  }

  void accept() {
    const MultistepFormula& f = formula_;
    std::ranges::rotate(history_, history_.end() - 1);
    Point& now = history_[0];
    for (std::size_t i = 0; i < now.y.size(); ++i) {
      now.y[i] = f.one_leg ? (x_[i] - known_y_[i]) / f.beta[0] : x_[i];
      now.yp[i] = alpha_ * x_[i] + known_yp_[i];
    }
    points_ = std::min(points_ + 1, formula_.steps() + 1);
    ++done_;
  }

  // ---- the equations of one step

  const linear::Pattern& pattern() const override { return equations_.pattern(); }
  // Sparse, for its block triangular form: if one block overflows, as with positions of size 1e74, the others must not
  // be affected.
  std::unique_ptr<linear::Factorization> factorization() const override {
    return equations_.overdetermined() ? equations_.factorization() : linear::make_sparse(pattern());
  }
  bool limit_depends_on_matrix() const override { return equations_.overdetermined(); }

  template <class T>
  std::span<T> part_y(std::span<T> x) const {
    return x.first(leg_.size());
  }
  std::span<double> part_y(std::vector<double>& x) const { return part_y(std::span<double>(x)); }

  std::span<const double> slope(std::span<const double> y) {
    for (std::size_t i = 0; i < y.size(); ++i) leg_[i] = alpha_ * y[i] + known_yp_[i];
    return leg_;
  }
  bool residual(std::span<const double> x, std::span<double> out) override {
    const std::span<const double> y = part_y(x);
    return equations_.residual(leg_time_, y, slope(y), alpha_, out);
  }
  bool matrix(std::span<const double> x, std::span<double> values) override {
    const std::span<const double> y = part_y(x);
    return equations_.matrix(leg_time_, y, slope(y), alpha_, values);
  }

  MultistepFormula formula_;
  Problem& problem_;
  KnownStates known_states_;
  StepSettings settings_;
  Grid grid_;
  double last_step_ = 0.0;
  long done_ = 0;
  int order_, points_ = 1;                 // points_: how many of the history are known
  std::vector<Point> history_;             // newest first
  std::vector<Interpolant> interpolants_;  // by degree
  StepEquations equations_;
  std::vector<double> x_, leg_, known_y_, known_yp_, weights_, row_scale_, column_scale_;
  double alpha_ = 0.0, leg_time_ = 0.0;
  IndexScaling grading_;
  Newton newton_;
  std::unique_ptr<Stepper> starter_;  // the starting method, while it takes the steps
  Statistics started_;                // statistics of earlier starting methods
};

}  // namespace

std::unique_ptr<Stepper> make_multistep(const MultistepFormula& formula, Problem& problem, const State& start,
                                        const StepSettings& settings) {
  assert(settings.step);
  return std::make_unique<Multistep>(formula, problem, start, settings);
}

}  // namespace driftless
