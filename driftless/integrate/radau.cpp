#include "driftless/integrate/radau.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/one_step.hpp"
#include "driftless/integrate/stage_equations.hpp"
#include "driftless/integrate/stage_polynomial.hpp"
#include "driftless/integrate/tableau.hpp"

namespace driftless {
namespace {

constexpr double real_eigenvalue = 3.6378342527444957;  // of A^-1
const double error_weights[] = {-(13.0 + 7.0 * std::sqrt(6.0)) / 3.0, (-13.0 + 7.0 * std::sqrt(6.0)) / 3.0, -1.0 / 3.0};

constexpr double safety = 0.9;
constexpr int many_iterations = 7;
constexpr double largest_growth = 8.0, largest_cut = 5.0;
constexpr double keep_up_to = 1.2;  // a step size that would grow by less is kept, and with it the matrix
constexpr int slow = 4;             // after that many iterations the matrix is renewed
constexpr int most_failures = 30;   // in one step

class VariableRadau final : public OneStep {
 public:
  VariableRadau(Problem& problem, const State& start, const StepSettings& settings)
      : OneStep(start),
        problem_(problem),
        settings_(settings),
        tableau_(radau_iia(3)),
        tolerance_(std::min(0.1 * std::pow(settings.tolerance, 2.0 / 3.0), 0.1)),
        equations_(problem, tableau_),
        newton_(equations_),
        polynomial_(tableau_.c, problem.size()),
        new_y_(y_.size()),
        new_yp_(y_.size()),
        slope_(y_.size()),
        residual_(y_.size()),
        weights_(y_.size()),
        z_(equations_.size()),
        stage_weights_(equations_.size()),
        row_scale_(equations_.size()),
        column_scale_(equations_.size()),
        inner_(2 * y_.size()) {
    equations_.freeze(true);
    prepare();
    h_ = first_step();
  }

  StepReport step() override {
    for (int failures = 0; failures < most_failures; ++failures) {
      const double h = next_step();
      if (!(time_ + h > time_)) break;
      switch (attempt(h)) {
        case Attempt::Accepted: return {};
        case Attempt::TooInaccurate: ++rejected_; break;
        case Attempt::NewtonFailed:
          ++newton_failures_;
          matrix_step_ = 0.0;
          h_ = 0.5 * h;
          break;
      }
      rejected_last_ = true;
    }
    return explain();
  }

  int last_order() const override { return tableau_.order; }
  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    polynomial_.value(t, y);
    polynomial_.slope(t, yp);
  }
  void store(Segment& segment) override { polynomial_.store(segment); }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    polynomial_.replace_end(y);
    return OneStep::replace(y, yp);
  }

  void continue_with_new_states() override {
    equations_.states_changed();
    newton_.pattern_changed();
    prepare();
    set_rates();
  }

  void restart(std::span<const double> y, std::span<const double> yp) override {
    OneStep::replace(y, yp);
    polynomial_.clear();
    continue_with_new_states();
  }

  ConditionNumbers condition() const override { return newton_.matrix().condition(); }

  void add_to(Statistics& statistics) const override {
    newton_.add_to(statistics);
    statistics.steps += accepted_;
    statistics.rejected_steps += rejected_;
    statistics.convergence_failures += newton_failures_;
    statistics.residual_evaluations += estimates_;
    statistics.factorizations += error_factorizations_;
  }

 private:
  enum class Attempt { Accepted, TooInaccurate, NewtonFailed };

  void prepare() {
    error_values_.assign(problem_.pattern().rows.size(), 0.0);
    error_matrix_ = linear::make_factorization(problem_.pattern());
    matrix_step_ = 0.0;
  }

  // Of slots that have become states.
  void set_rates() {
    System& system = problem_.system();
    std::vector<double> rates(system.rows() + system.candidates());
    system.rows_and_rates({time_, y_, yp_}, rates);
    for (std::size_t k = 0; k < problem_.reduced().kinematics.size(); ++k)
      yp_[problem_.reduced().kinematics[k].slot] = rates[system.rows() + k];
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
    const double left = settings_.stop - time_;
    return h_ >= left * (1.0 - 1e-10) ? left : 2.0 * h_ > left ? 0.5 * left : h_;
  }

  // An error of this size counts as 1; that of an unknown of index i is felt h^(i-1) times.
  void set_weights(double h) {
    const std::vector<Slot>& slots = problem_.reduced().slots;
    const std::vector<int>& index = equations_.grading().index;
    for (std::size_t k = 0; k < y_.size(); ++k) {
      weights_[k] = tolerance_ * (std::abs(y_[k]) + slots[k].nominal);
      if (index[k] > 1) weights_[k] /= std::pow(h, index[k] - 1);
    }
    for (std::size_t i = 0; i < stage_weights_.size(); ++i) stage_weights_[i] = weights_[i % y_.size()];
  }

  Attempt attempt(double h) {
    equations_.begin(time_, h, y_, yp_);
    guess(h);
    set_weights(h);
    if (h != matrix_step_ && !new_matrix(h)) return Attempt::NewtonFailed;
    const double enough = std::max(1e-15 / tolerance_, std::min(0.03, std::sqrt(tolerance_)));
    const NewtonReport solved = newton_.solve(z_, stage_weights_, settings_.newton, enough);
    undefined_ = solved.end == NewtonReport::End::Undefined;
    singular_ = solved.end == NewtonReport::End::Singular;
    if (!solved.converged()) return Attempt::NewtonFailed;
    const double error = estimated_error(h);
    if (!std::isfinite(error)) return Attempt::NewtonFailed;
    choose_step(h, error, solved.iterations);
    if (error >= 1.0) return Attempt::TooInaccurate;
    accept(h, error, solved.iterations);
    return Attempt::Accepted;
  }

  bool new_matrix(double h) {
    equations_.scales(h, row_scale_, column_scale_);
    newton_.scale(row_scale_, column_scale_);
    matrix_step_ = h;
    ++error_factorizations_;
    return problem_.matrix(time_, y_, yp_, real_eigenvalue / h, error_values_) &&
           error_matrix_->factorize(error_values_);
  }

  // The polynomial of the last step; at first the old point.
  void guess(double h) {
    std::ranges::fill(z_, 0.0);
    if (polynomial_.empty()) return;
    const std::size_t n = y_.size();
    for (int i = 0; i < equations_.stages(); ++i) {
      const std::span<double> z = std::span(z_).subspan(i * n, n);
      polynomial_.value(time_ + equations_.node(i) * h, z);
      for (std::size_t k = 0; k < n; ++k) z[k] -= y_[k];
    }
  }

  double estimated_error(double h) {
    const std::size_t n = y_.size();
    for (std::size_t k = 0; k < n; ++k) {
      slope_[k] = 0.0;
      if (!problem_.is_state(static_cast<int>(k))) continue;
      for (int i = 0; i < 3; ++i) slope_[k] -= error_weights[i] * z_[i * n + k] / h;
    }
    double error = error_at(y_);
    if (error >= 1.0 && (accepted_ == 0 || rejected_last_)) {
      for (std::size_t k = 0; k < n; ++k) new_y_[k] = y_[k] + residual_[k];
      error = error_at(new_y_);
    }
    return std::max(error, 1e-10);
  }

  // residual_ becomes err.
  double error_at(const std::vector<double>& y) {
    ++estimates_;
    if (!problem_.residual(time_, y, slope_, residual_)) return HUGE_VAL;
    for (double& value : residual_) value = -value;
    error_matrix_->solve(residual_);
    double sum = 0.0;
    for (std::size_t k = 0; k < residual_.size(); ++k)
      sum += (residual_[k] / weights_[k]) * (residual_[k] / weights_[k]);
    return std::sqrt(sum / static_cast<double>(residual_.size()));
  }

  // The error is of the fourth power of h. Many iterations speak for a smaller step; so does an error that grew since
  // the last step (Gustafsson 1994).
  void choose_step(double h, double error, int iterations) {
    const double factor =
        std::min(safety, safety * (1.0 + 2.0 * many_iterations) / (iterations + 2.0 * many_iterations));
    double shrink = std::clamp(std::pow(error, 0.25) / factor, 1.0 / largest_growth, largest_cut);
    if (error < 1.0 && accepted_ > 0) {
      const double predicted = last_step_ / h * std::pow(error * error / last_error_, 0.25) / safety;
      shrink = std::max(shrink, std::clamp(predicted, 1.0 / largest_growth, largest_cut));
    }
    double next = h / shrink;
    if (error < 1.0 && rejected_last_) next = std::min(next, h);
    if (error >= 1.0 && accepted_ == 0) next = 0.1 * h;
    if (error < 1.0 && next >= h && next <= keep_up_to * h && iterations < slow) next = h;
    h_ = next;
  }

  void accept(double h, double error, int iterations) {
    const std::size_t n = y_.size();
    for (int i = 0; i < 2; ++i) equations_.value(z_, i, std::span(inner_).subspan(i * n, n));
    equations_.value(z_, 2, new_y_);
    equations_.slope(z_, 2, new_yp_);
    polynomial_.set(time_, h, y_, inner_, new_y_);
    std::swap(y_, new_y_);
    std::swap(yp_, new_yp_);
    time_ = h >= settings_.stop - time_ ? settings_.stop : time_ + h;
    last_step_ = h;
    last_error_ = std::max(error, 1e-2);
    rejected_last_ = false;
    ++accepted_;
    if (iterations >= slow) matrix_step_ = 0.0;
  }

  StepReport explain() const {
    if (undefined_) return {Outcome::EvaluationFailed, "an expression has no value"};
    if (singular_) return {Outcome::SingularIteration, "the iteration matrix is singular"};
    return {Outcome::StepTooSmall, "the error test or Newton's iteration fails repeatedly"};
  }

  Problem& problem_;
  StepSettings settings_;
  Tableau tableau_;
  double tolerance_;
  StageEquations equations_;
  Newton newton_;
  StagePolynomial polynomial_;
  std::vector<double> error_values_;
  std::unique_ptr<linear::Factorization> error_matrix_;
  double h_ = 0.0, last_error_ = 1e-2;
  double matrix_step_ = 0.0;  // the step size the matrices belong to; 0: they are to be renewed
  std::vector<double> new_y_, new_yp_, slope_, residual_, weights_, z_, stage_weights_, row_scale_, column_scale_,
      inner_;
  bool rejected_last_ = false, undefined_ = false, singular_ = false;
  long accepted_ = 0, rejected_ = 0, newton_failures_ = 0, estimates_ = 0, error_factorizations_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_radau(Problem& problem, const State& start, const StepSettings& settings) {
  return std::make_unique<VariableRadau>(problem, start, settings);
}

}  // namespace driftless
