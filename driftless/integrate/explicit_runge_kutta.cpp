#include "driftless/integrate/explicit_runge_kutta.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/integrate/grid.hpp"
#include "driftless/integrate/one_step.hpp"
#include "driftless/integrate/slopes.hpp"
#include "driftless/integrate/step_control.hpp"
#include "driftless/integrate/step_polynomial.hpp"
#include "driftless/integrate/tableau.hpp"

namespace driftless {
namespace {

constexpr double failed_stage = 1e10;  // counts as an error of this size: the step is cut as strongly as possible

class ExplicitRungeKutta final : public OneStep {
 public:
  ExplicitRungeKutta(const method::ExplicitRungeKutta& method, Problem& problem, const State& start,
                     const StepSettings& settings)
      : OneStep(start),
        tableau_(explicit_tableau(method.tableau)),
        problem_(problem),
        settings_(settings),
        slopes_(problem),
        control_(tableau_.order),
        grid_(start.t, settings.stop, settings.step.value_or(settings.stop - start.t)),
        smallest_step_(1e-15 * std::max(std::abs(start.t), std::abs(settings.stop))),
        y_new_(start.y),
        yp_new_(start.yp),
        extra_(tableau_.dense.empty() ? 0 : start.y.size(), 0.0),
        slope_(tableau_.stages, std::vector<double>(start.y.size())) {}

  StepReport step() override {
    if (!started_ && !start()) return failure();
    return settings_.step ? constant_step() : controlled_step();
  }

  int last_order() const override { return tableau_.order; }

  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    polynomial_.evaluate(t, y, yp);
    slopes_(t, y, yp);
  }
  void store(Segment& segment) override { polynomial_.store(segment); }

  void continue_with_new_states() override { slopes_.states_changed(); }  // every slot has its slope already
  void restart(std::span<const double> y, std::span<const double> yp) override {
    replace(y, yp);
    slopes_.states_changed();
    control_ = StepControl(tableau_.order);
    started_ = false;
  }

  void add_to(Statistics& statistics) const override {
    statistics.steps += steps_;
    statistics.rejected_steps += rejected_;
    statistics.residual_evaluations += slopes_.counts().evaluations;
    statistics.jacobian_evaluations += slopes_.counts().factorizations;
    statistics.factorizations += slopes_.counts().factorizations;
  }

 private:
  bool start() {
    started_ = slopes_(time_, y_, yp_) && (settings_.step || choose_first_step());
    return started_;
  }

  StepReport constant_step() {
    const double end = grid_.time(steps_ + 1);
    if (!try_step(end)) return failure();
    accept(end);
    return {};
  }

  StepReport controlled_step() {
    for (bool failed_evaluation = false;;) {
      const bool last = time_ + 1.01 * h_ >= settings_.stop;
      const double end = last ? settings_.stop : time_ + h_, h = end - time_;
      if (!(h > smallest_step_) && !last)
        return failed_evaluation ? failure() : StepReport{Outcome::StepTooSmall, "the error test fails repeatedly"};
      failed_evaluation = !try_step(end);
      const double error = failed_evaluation ? failed_stage : error_norm(h);
      if (error <= 1.0) {
        h_ = control_.accepted(h, error);
        accept(end);
        return {};
      }
      ++rejected_;
      h_ = control_.rejected(h, std::isfinite(error) ? error : failed_stage);
    }
  }

  // The stages and the new point with its slope. False if some stage has no slope.
  bool try_step(double end) {
    const double h = end - time_;
    slope_[0] = yp_;
    std::ranges::copy(y_, y_new_.begin());
    for (int i = 1; i < tableau_.stages; ++i) {
      combine(h, std::span(tableau_.a).subspan(i * tableau_.stages, i));
      slope_[i] = slope_[i - 1];
      if (!slopes_(time_ + tableau_.c[i] * h, y_new_, slope_[i])) return false;
    }
    yp_new_ = slope_.back();
    if (tableau_.stiffly_accurate()) return true;  // the last stage is the new point
    combine(h, tableau_.b);
    return slopes_(end, y_new_, yp_new_);
  }

  // The states of y_new_ become y + h sum_j weights_j K_j; the other slots stay where the last stage left them.
  void combine(double h, std::span<const double> weights) {
    for (const int s : slopes_.states()) {
      double sum = 0.0;
      for (std::size_t j = 0; j < weights.size(); ++j) sum += weights[j] * slope_[j][s];
      y_new_[s] = y_[s] + h * sum;
    }
  }

  double weight(int slot, double size) const {
    return settings_.tolerance * (size + problem_.reduced().slots[slot].nominal);
  }

  double error_norm(double h) const {
    double sum = 0.0;
    for (const int s : slopes_.states()) {
      double error = 0.0;
      for (int i = 0; i < tableau_.stages; ++i) error += tableau_.error[i] * slope_[i][s];
      const double part = h * error / weight(s, std::max(std::abs(y_[s]), std::abs(y_new_[s])));
      sum += part * part;
    }
    return std::sqrt(sum / static_cast<double>(slopes_.states().size()));
  }

  // Root mean square of a combination of two vectors over the states, in the weights of the error test at the start.
  double norm(std::span<const double> a, double minus, std::span<const double> b) const {
    double sum = 0.0;
    for (const int s : slopes_.states()) {
      const double part = (a[s] - minus * b[s]) / weight(s, std::abs(y_[s]));
      sum += part * part;
    }
    return std::sqrt(sum / static_cast<double>(slopes_.states().size()));
  }

  bool choose_first_step() {
    const double longest = settings_.stop - time_;
    const double d0 = norm(y_, 0.0, y_), d1 = norm(yp_, 0.0, yp_);
    double h0 = std::min(d0 <= 1e-5 || d1 <= 1e-5 ? 1e-6 : 0.01 * d0 / d1, longest);
    y_new_ = y_, yp_new_ = yp_;
    for (const int s : slopes_.states()) y_new_[s] += h0 * yp_[s];
    if (!slopes_(time_ + h0, y_new_, yp_new_)) {
      h_ = 1e-3 * h0;  // the edge of what exists is near: the steps find it
      return true;
    }
    const double d2 = norm(yp_new_, 1.0, yp_) / h0, largest = std::max(d1, d2);
    const double h1 = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h0) : std::pow(0.01 / largest, 1.0 / tableau_.order);
    h_ = std::min({100.0 * h0, h1, longest});
    return true;
  }

  void accept(double end) {
    const double h = end - time_;
    if (!extra_.empty())
      for (const int s : slopes_.states()) {
        extra_[s] = 0.0;
        for (int i = 0; i < tableau_.stages; ++i) extra_[s] += h * tableau_.dense[i] * slope_[i][s];
      }
    polynomial_.set({time_, y_, yp_}, {end, y_new_, yp_new_}, slopes_.states(), extra_);
    ++steps_;
    last_step_ = h;
    time_ = end;
    std::swap(y_, y_new_);
    std::swap(yp_, yp_new_);
  }

  StepReport failure() const {
    if (slopes_.undefined()) return {Outcome::EvaluationFailed, "an expression has no value"};
    return {Outcome::SingularIteration, "the equations cannot be solved for what is not a state"};
  }

  const Tableau tableau_;
  Problem& problem_;
  const StepSettings settings_;
  Slopes slopes_;
  StepControl control_;
  Grid grid_;
  double smallest_step_, h_ = 0.0;
  std::vector<double> y_new_, yp_new_, extra_;
  std::vector<std::vector<double>> slope_;  // K_i
  StepPolynomial polynomial_;
  bool started_ = false;
  long steps_ = 0, rejected_ = 0;
};

}  // namespace

std::unique_ptr<Stepper> make_explicit_runge_kutta(const method::ExplicitRungeKutta& method, Problem& problem,
                                                   const State& start, const StepSettings& settings) {
  return std::make_unique<ExplicitRungeKutta>(method, problem, start, settings);
}

}  // namespace driftless
