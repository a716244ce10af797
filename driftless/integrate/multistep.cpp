#include "driftless/integrate/multistep.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/correction.hpp"
#include "driftless/integrate/grading.hpp"
#include "driftless/integrate/newton.hpp"

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
};

constexpr double no_weight = 1e300;  // of the unknowns that a correction brings along and discards

class Multistep final : public Stepper, private Equations {
 public:
  Multistep(const MultistepFormula& formula, Problem& problem, const State& start, const StepSettings& settings)
      : formula_(formula),
        problem_(problem),
        settings_(settings),
        start_(start.t),
        time_(start.t),
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
    steps_ = std::max(1L, std::lround(std::ceil((settings.stop - start.t) / *settings.step * (1.0 - 1e-12) - 1e-9)));
    h_ = (settings.stop - start.t) / static_cast<double>(steps_);
    for (const Slot& slot : problem.reduced().slots) weights_.push_back(slot.nominal);
    weights_.resize(x_.size(), no_weight);
    set_rates(history_[0]);
    for (int q = 0; q <= formula.steps(); ++q) interpolants_.emplace_back(q);
    for (int q = 1; q < formula.steps(); ++q) starting_formulas_.push_back(bdf_formula(q));
  }

  StepReport step() override {
    const MultistepFormula& formula = points_ < formula_.steps() ? starting_formulas_[points_ - 1] : formula_;
    collect_known(formula);
    predict();
    if (const NewtonReport report = newton_.solve_exactly(x_, weights_); !report.converged()) return explain(report);
    accept(formula);
    return {};
  }

  double time() const override { return time_; }
  double last_step() const override { return h_; }
  int last_order() const override { return order_; }
  std::span<const double> y() const override { return history_[0].y; }
  std::span<const double> yp() const override { return history_[0].yp; }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    const Interpolant& p = interpolant();
    const double s = (t - time_) / h_;
    std::ranges::fill(y, 0.0);
    std::ranges::fill(yp, 0.0);
    for (int j = 0; j <= p.degree(); ++j) {
      add(p.value(j, s), history_[j].y, y);
      add(p.slope(j, s) / h_, history_[j].y, yp);
    }
  }

  void store(Segment& segment) override {
    const Interpolant& p = interpolant();
    const std::size_t n = problem_.size();
    segment = {time_ - h_, time_, p.degree(), std::vector<double>((p.degree() + 1) * n, 0.0)};
    for (int m = 0; m <= p.degree(); ++m)
      for (int j = 0; j <= p.degree(); ++j)
        add(p.coefficient(j, m), history_[j].y, std::span(segment.coefficients).subspan(m * n, n));
  }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    std::ranges::copy(y, history_[0].y.begin());
    std::ranges::copy(yp, history_[0].yp.begin());
    return true;
  }

  void continue_with_new_states() override {
    equations_.states_changed();
    newton_.pattern_changed();
    grading_ = grade(problem_);
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    replace(y, yp);
    points_ = 1;
    continue_with_new_states();
  }

  ConditionNumbers condition() const override { return newton_.matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    const Newton::Counts& counts = newton_.counts();
    statistics.steps += done_;
    statistics.residual_evaluations += counts.residuals;
    statistics.newton_iterations += counts.iterations;
    statistics.jacobian_evaluations += counts.matrices;
    statistics.factorizations += counts.factorizations;
    statistics.largest_condition = newton_.matrix().largest_condition();
  }

 private:
  static void add(double factor, std::span<const double> from, std::span<double> to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
  }

  // Derivatives of the states at the start: formulas that look back at derivatives need them.
  void set_rates(Point& point) {
    System& system = problem_.system();
    std::vector<double> out(system.rows() + system.candidates());
    system.rows_and_rates({time_, point.y, point.yp}, out);
    for (const int k : problem_.active()) point.yp[problem_.reduced().kinematics[k].slot] = out[system.rows() + k];
  }

  const Interpolant& interpolant() const { return interpolants_[std::min(points_, formula_.steps() + 1) - 1]; }

  // Where the equations are asked, as functions of the unknown x: t = leg_time_, y = x, y' = alpha_ x + known_yp_. In
  // the usual form x is y_n, in the one-leg form sum beta_j y_{n-j}. The newest point is still history_[0].
  void collect_known(const MultistepFormula& f) {
    const double next = done_ + 1 == steps_ ? settings_.stop : start_ + static_cast<double>(done_ + 1) * h_;
    alpha_ = f.alpha[0] / (h_ * f.beta[0]);
    leg_time_ = next;
    std::ranges::fill(known_y_, 0.0);
    std::ranges::fill(known_yp_, 0.0);
    for (int j = 1; j <= f.steps(); ++j) {
      const Point& old = history_[j - 1];
      if (f.one_leg) {
        leg_time_ -= f.beta[j] * j * h_;
        add(f.beta[j], old.y, known_y_);
        add(f.alpha[j] / h_, old.y, known_yp_);
      } else {
        add(f.alpha[j] / (h_ * f.beta[0]), old.y, known_yp_);
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

  void accept(const MultistepFormula& f) {
    std::ranges::rotate(history_, history_.end() - 1);
    Point& now = history_[0];
    for (std::size_t i = 0; i < now.y.size(); ++i) {
      now.y[i] = f.one_leg ? (x_[i] - known_y_[i]) / f.beta[0] : x_[i];
      now.yp[i] = alpha_ * x_[i] + known_yp_[i];
    }
    points_ = std::min(points_ + 1, formula_.steps() + 1);
    ++done_;
    time_ = done_ == steps_ ? settings_.stop : start_ + static_cast<double>(done_) * h_;
  }

  // ---- the equations of one step

  const linear::Pattern& pattern() const override { return equations_.pattern(); }
  std::unique_ptr<linear::Factorization> factorization() const override { return equations_.factorization(); }

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

  static StepReport explain(const NewtonReport& report) {
    switch (report.end) {
      case NewtonReport::End::Undefined: return {Outcome::EvaluationFailed, "an expression has no value"};
      case NewtonReport::End::Singular: return {Outcome::SingularIteration, "the iteration matrix is singular"};
      default: return {Outcome::StepTooSmall, "Newton's iteration does not converge with this constant step size"};
    }
  }

  MultistepFormula formula_;
  std::vector<MultistepFormula> starting_formulas_;
  Problem& problem_;
  StepSettings settings_;
  double start_, time_, h_ = 0.0;
  long steps_ = 0, done_ = 0;
  int order_, points_ = 1;                 // points_: how many of the history are known
  std::vector<Point> history_;             // newest first
  std::vector<Interpolant> interpolants_;  // by degree
  StepEquations equations_;
  std::vector<double> x_, leg_, known_y_, known_yp_, weights_, row_scale_, column_scale_;
  double alpha_ = 0.0, leg_time_ = 0.0;
  Grading grading_;
  Newton newton_;
};

}  // namespace

std::unique_ptr<Stepper> make_multistep(const MultistepFormula& formula, Problem& problem, const State& start,
                                        const StepSettings& settings) {
  assert(settings.step);
  return std::make_unique<Multistep>(formula, problem, start, settings);
}

}  // namespace driftless
