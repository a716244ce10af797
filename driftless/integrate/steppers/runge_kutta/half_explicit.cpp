#include "driftless/integrate/steppers/runge_kutta/half_explicit.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/steppers/error_between.hpp"
#include "driftless/integrate/steppers/first_step.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/integrate/solve/multiplier_solve.hpp"
#include "driftless/integrate/steppers/one_step.hpp"
#include "driftless/integrate/steppers/pulse_check.hpp"
#include "driftless/integrate/steppers/step_control.hpp"
#include "driftless/integrate/steppers/runge_kutta/half_explicit_extrapolation.hpp"
#include "driftless/integrate/steppers/runge_kutta/half_explicit_stages.hpp"
#include "driftless/integrate/system/norms.hpp"

namespace driftless {
namespace {

// `Scheme` makes a step: stages of a tableau, or extrapolation.
template <class Scheme>
class HalfExplicit final : public OneStep {
 public:
  template <class... Options>
  HalfExplicit(const method::HalfExplicit& method, Problem& problem, const State& start, const StepSettings& settings,
               const Options&... options)
      : OneStep(start),
        problem_(problem),
        settings_(settings),
        solve_(problem),
        scheme_(method, solve_, start.y.size(), options...),
        pulse_check_(problem),
        restores_(asks_for_positions(settings.projection) && solve_.can_restore()),
        control_(scheme_.order_of_error()),
        grid_(start.t, settings.stop, settings.step.value_or(settings.stop - start.t)),
        smallest_step_(1e-15 * std::max(std::abs(start.t), std::abs(settings.stop))),
        between_(start.y),
        y_new_(start.y),
        yp_new_(start.yp),
        error_(start.y.size()),
        tangential_(start.y.size()) {}

  StepReport step() override {
    if (!started_)
      if (const newton::Report report = begin(); !report.converged()) return failure(report);
    return settings_.step ? constant_step() : controlled_step();
  }

  int last_order() const override { return scheme_.order(); }

  // After a step its beginning is stored in the vectors for the end of the next one.
  bool has_polynomial() override {
    if (!fitted_ && may_fit_) fitted_ = fit({begin_, y_new_, yp_new_}, {time_, y_, yp_});
    return fitted_;
  }
  void interpolate(double t, std::span<double> y, std::span<double> yp) override {
    has_polynomial();
    polynomial_.evaluate(t, y, yp);
    settle(t, y, yp);
  }
  void store(Segment& segment) override {
    has_polynomial();
    polynomial_.store(segment);
  }

  void limit_steps(double longest) override { settings_.longest_step = longest; }
  bool projects() const override { return restores_; }

  void continue_with_new_states() override {}  // only forms without a choice of states are admitted
  void restart(std::span<const double> y, std::span<const double> yp) override {
    keep_polynomial();
    replace(y, yp);
    control_ = StepControl(scheme_.order_of_error());
    started_ = false;
  }
  bool resume(double t, std::span<const double> y, std::span<const double> yp, double stop) override {
    keep_polynomial();
    settings_.stop = stop;
    time_ = t;
    if (settings_.step) grid_.go_on_from(steps_, t, stop);
    restart(y, yp);
    return true;
  }
  bool go_on_to(double stop) override {
    settings_.stop = stop;
    if (settings_.step) grid_.go_on_from(steps_, time_, stop);
    return true;
  }

  void add_to(Statistics& statistics) const override {
    statistics.steps += steps_;
    statistics.rejected_steps += rejected_;
    if (restores_) statistics.projections += steps_;
    statistics += solve_.counts();
  }

  void archive(Archive& archive) override {
    archive.section("half-explicit");
    archive(problem_);
    archive.expect(scheme_.order(), "order");
    archive_point(archive);
    archive(solve_, pulse_check_, settings_.stop, control_, grid_, smallest_step_, h_, polynomial_);
    if (!Scheme::fits_at_once) archive(begin_, y_new_, yp_new_);
    archive(fitted_, may_fit_, started_, steps_, rejected_);
  }

 private:
  static bool asks_for_positions(const Projection& projection) {
    const auto* coordinates = std::get_if<projection::Coordinates>(&projection);
    return coordinates && coordinates->weight == projection::Weight::Mass &&
           coordinates->levels != projection::Levels::Velocity;
  }

  // Solves for what the states, near the constraints, determine; projects the states too if positions are projected.
  newton::Report settle(double t, std::span<double> y, std::span<double> yp) {
    return restores_ ? solve_.restore(t, y, yp) : solve_.here(t, y, yp);
  }

  newton::Report begin() {
    const newton::Report report = solve_.here(time_, y_, yp_);
    started_ = report.converged();
    if (started_ && !settings_.step) choose_first_step();
    return report;
  }

  StepReport constant_step() {
    const double end = grid_.time(steps_ + 1);
    if (const newton::Report report = try_step(end); !report.converged()) return failure(report);
    accept(end);
    return {};
  }

  StepReport controlled_step() {
    for (newton::Report report;;) {
      h_ = std::min(h_, settings_.longest_step);
      const bool last = time_ + std::min(1.01 * h_, settings_.longest_step) >= settings_.stop;
      const double end = last ? settings_.stop : time_ + h_, h = end - time_;
      if (!(h > smallest_step_) && !last)
        return report.converged() ? StepReport{Outcome::StepTooSmall, Scheme::too_small} : failure(report);
      report = try_step(end);
      double error = report.converged() ? error_norm(h) : error_of_failed_stage;
      if (error <= 1.0 && !misses_no_pulse(end)) error = error_of_missed_pulse;
      if (error <= 1.0) error = std::max(error, error_inside(end));
      if (error <= 1.0) {
        h_ = control_.accepted(h, error);
        accept(end);
        return {};
      }
      ++rejected_;
      h_ = control_.rejected(h, std::isfinite(error) ? error : error_of_failed_stage);
    }
  }

  // Computes the new point with its slope and multipliers.
  newton::Report try_step(double end) {
    fitted_ = false;
    const newton::Report report = scheme_.advance({time_, end, y_, yp_, y_new_, yp_new_, restores_});
    if (!report.converged()) return report;
    const newton::Report settled = settle(end, y_new_, yp_new_);
    scheme_.arrive(yp_new_);
    return settled;
  }

  bool misses_no_pulse(double end) {
    return pulse_check_({time_, y_, yp_}, {end, y_new_, yp_new_}, settings_.tolerance, places_of_pulses);
  }

  // An error of this size counts as 1.
  double weight(int slot, double size) const {
    const Slot& of = problem_.reduced().slots[slot];
    return settings_.tolerance * of.allowance * (size + of.nominal);
  }
  double larger_weight(int slot) const {  // of both ends of the step
    return weight(slot, std::max(std::abs(y_[slot]), std::abs(y_new_[slot])));
  }

  // In units of the tolerance.
  double error_norm(double h) {
    scheme_.error(h, error_);
    const auto whole = [&] {
      return root_mean_square(solve_.states(), [&](int s) { return error_[s] / larger_weight(s); });
    };
    return std::max(Scheme::weaker_across ? split_error() : whole(), spread_error());
  }

  // The difference of the two solutions has order 4 only within the constraints. Across them, in the directions f_z, it
  // is of the order h^q with q one less; raised to the power p/q with p = order of the method it is as small as the
  // local error, and it best detects varying multipliers.
  double split_error() {
    for (const int s : solve_.states()) tangential_[s] = error_[s];
    solve_.tangential(tangential_);
    const double within = root_mean_square(solve_.states(), [&](int s) { return tangential_[s] / larger_weight(s); });
    const double across =
        root_mean_square(solve_.states(), [&](int s) { return (error_[s] - tangential_[s]) / larger_weight(s); });
    const double p = scheme_.order(), q = p - 1.0;
    return std::max(within, std::pow(across * settings_.tolerance, p / q) / settings_.tolerance);
  }

  // The error of the slots that follow from the states by exponentials.
  double spread_error() {
    const std::span<const int> slots = solve_.spread(error_);
    return root_mean_square(slots, [&](int s) { return error_[s] / larger_weight(s); });
  }

  // What is left may be no more than the width of a jump.
  void choose_first_step() {
    const double h = first_step_size(
        {.t = time_,
         .longest = settings_.stop - time_,
         .order = scheme_.order_of_error(),
         .states = solve_.states(),
         .y = y_,
         .yp = yp_,
         .y_ahead = y_new_,
         .yp_ahead = yp_new_},
        [&](int s) { return weight(s, std::abs(y_[s])); },
        [&](double t, auto& y, auto& yp) { return solve_.here(t, y, yp).converged(); });
    h_ = std::max(h, 2.0 * smallest_step_);
  }

  bool fit(const StepPolynomial::End& begin, const StepPolynomial::End& end) {
    return scheme_.fit(polynomial_, begin, end, restores_,
                       [&](double t, std::span<double> y, std::span<double> yp) { return settle(t, y, yp); });
  }

  // Makes the polynomial of the last step before its ends are overwritten.
  void keep_polynomial() {
    has_polynomial();
    may_fit_ = false;
  }

  // Computed for models with steep functions only.
  double error_inside(double end) {
    if (!problem_.system().guard()) return 0.0;
    fitted_ = fit({time_, y_, yp_}, {end, y_new_, yp_new_});
    if (!fitted_) return error_of_failed_stage;
    return error_between(
        polynomial_, time_, end, between_, error_, tangential_,
        [&](double t, auto& y, auto& yp) { return settle(t, y, yp).converged(); },
        [&](const auto& defect) {
          return root_mean_square(solve_.states(), [&](int s) { return defect(s) / larger_weight(s); });
        });
  }

  void accept(double end) {
    if (Scheme::fits_at_once) fitted_ = fit({time_, y_, yp_}, {end, y_new_, yp_new_});
    may_fit_ = !Scheme::fits_at_once;
    ++steps_;
    begin_ = time_;
    last_step_ = end - time_;
    time_ = end;
    std::swap(y_, y_new_);
    std::swap(yp_, yp_new_);
  }

  StepReport failure(const newton::Report& report) const {
    return explain(report, "the constraints do not determine the multipliers of a stage", settings_.step.has_value());
  }

  Problem& problem_;
  StepSettings settings_;
  MultiplierSolve solve_;
  Scheme scheme_;
  PulseCheck pulse_check_;
  const bool restores_;
  StepControl control_;
  Grid grid_;
  double smallest_step_, h_ = 0.0;
  std::vector<double> between_, y_new_, yp_new_, error_, tangential_;
  typename Scheme::Polynomial polynomial_;
  double begin_ = 0.0;  // of the last step
  bool fitted_ = false, may_fit_ = false, started_ = false;
  long steps_ = 0, rejected_ = 0;
};

}  // namespace

std::optional<std::string> not_applicable(const method::HalfExplicit& method, const Problem& problem) {
  const auto because = [&](const std::string& reason) {
    return fmt::format("{} does not apply: {}", to_string(method), reason);
  };
  const Reduced& reduced = problem.reduced();
  if (reduced.implicit || !reduced.choices.empty() || reduced.chart != Chart::Slots)
    return because("it needs a formulation without a choice of states, as index2");
  if (const auto constraint = unmet_constraint(problem))
    return because(fmt::format("{} cannot be met by the unknowns of a stage; index2 makes it an equation of index 2",
                               *constraint));
  return {};
}

std::unique_ptr<Stepper> make_half_explicit(const method::HalfExplicit& method, Problem& problem, const State& start,
                                            const StepSettings& settings) {
  if (method.tableau != method::HalfExplicitTableau::Extrapolation)
    return std::make_unique<HalfExplicit<HalfExplicitStages>>(method, problem, start, settings);
  const auto tolerance = settings.step ? std::nullopt : std::optional(settings.tolerance);
  return std::make_unique<HalfExplicit<HalfExplicitExtrapolation>>(method, problem, start, settings, tolerance);
}

}  // namespace driftless
