#include "driftless/integrate/integrate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/compile/processor_time.hpp"
#include "driftless/integrate/algebraic.hpp"
#include "driftless/integrate/chart.hpp"
#include "driftless/integrate/completion.hpp"
#include "driftless/integrate/failure.hpp"
#include "driftless/integrate/projector.hpp"
#include "driftless/integrate/selection.hpp"
#include "driftless/integrate/succession.hpp"

namespace driftless {
namespace {

// By how much, relative to their size, unknowns may change in one leap along a path without states.
constexpr double longest_leap = 0.2;

// A projection that moves the solution further than this, in units of the tolerance, deserves a word: the error test
// has not seen that error.
constexpr double longest_move = 10.0;

// So many steps within this part of the interval are a failure.
constexpr long steps_of_a_crawl = 10'000;
constexpr double shortest_crawl = 1e-9;

// Methods whose steps a mode bounds that has long decayed.
bool is_bounded_by_stability(const Method& method) {
  return std::holds_alternative<method::ExplicitRungeKutta>(method) ||
         std::holds_alternative<method::HalfExplicit>(method) || std::holds_alternative<method::Taylor>(method);
}

// What is in force from a time on, so that dense output can do the same.
struct Era {
  double from;
  std::vector<Combination> states;
  bool completes_points;  // the polynomials of the method know the states only, or are not on the constraints
};

// Everything that dense output needs after the run is over.
struct Afterlife {
  std::shared_ptr<System> system;
  Problem problem;
  AlgebraicSolve on_constraints;
  std::vector<Era> eras;
  std::unique_ptr<Projector> projector = {};
  std::unique_ptr<Completion> completion = {};  // where the polynomials know the states only, and the rows too little

  Afterlife(std::shared_ptr<System> s, std::vector<Era> e)
      : system(std::move(s)),
        problem(prepared(*system, e.front().states)),
        on_constraints(problem),
        eras(std::move(e)) {}

  static Problem prepared(System& system, const std::vector<Combination>& states) {
    Problem problem(system);
    problem.set_states(states);
    return problem;
  }

  void observe(double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    const auto era = std::prev(std::ranges::upper_bound(eras, std::max(t, eras.front().from), {}, &Era::from));
    if (era->states != problem.states()) {
      problem.set_states(era->states);
      on_constraints.states_changed();
    }
    if (era->completes_points) on_constraints(t, y, yp);
    if (projector) (*projector)(t, y, yp);
    if (completion) (*completion)(t, y, yp);
    const std::size_t quantities = system->reduced().quantities.size();
    system->observe({t, y, yp}, std::span(series).first(quantities));
    system->invariants_of_model({t, y, yp}, std::span(series).subspan(quantities));
  }
};

class Run {
 public:
  Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution)
      : system_(std::move(system)),
        reduced_(system_->reduced()),
        options_(options),
        solution_(solution),
        start_(start),
        problem_(*system_),
        atlas_(*system_, options.hysteresis),
        succession_(problem_, options.step ? Successors{} : options.successors, options.method),
        choice_values_(system_->choice_values()),
        y_(start.y),
        yp_(start.yp),
        quantities_(reduced_.quantities.size()),
        residuals_(reduced_.constraints.size()),
        invariants_(system_->invariants_of_model()) {}

  void go() {
    const double begin = processor_seconds();
    describe_columns();
    solution_.start = start_.t;
    solution_.stop = options_.stop;
    solution_.reached = start_.t;
    choose_states();
    preparation_ += processor_seconds() - begin;
    if (!deliver(start_.t)) return finish(undefined_at(start_.t));
    StepReport report;
    if (problem_.active().empty() && !has_rates())
      run_algebraic(report);
    else
      run_steps(report);
    finish(report);
  }

  double preparation() const { return preparation_; }  // seconds of the processor

 private:
  bool has_rates() const {
    return std::ranges::any_of(reduced_.quantities, [&](Quantity q) { return reduced_.place(q) == Place::Rate; });
  }

  void choose_states() {
    if (!atlas_.choose({start_.t, y_, yp_}))
      solution_.remarks.push_back(
          fmt::format("at the start the constraints are dependent on each other ({}): a singular configuration",
                      describe_row(atlas_.dependent_row())));
    // A constant step may pass a singularity of the chart as soon as the first one.
    if (options_.step && options_.pivot != PivotMode::Never)
      record(atlas_.examine({start_.t, y_, yp_}, std::min(*options_.step, options_.stop - start_.t)));
    problem_.set_states(atlas_.states());
    begin_era(start_.t);
    on_constraints_ = std::make_unique<AlgebraicSolve>(problem_);
  }

  std::string describe_row(int row) const {
    const Equation& equation = (*reduced_.model)[reduced_.rows[row].equation];
    return fmt::format("{}: {}", equation.label, equation.text);
  }

  void refuse(const std::string& reason) const {
    Diagnostics diagnostics;
    diagnostics.error({}, reason);
    throw ModelError(diagnostics, *reduced_.model->sources);
  }

  void run_steps(StepReport& report) {
    const double begin = processor_seconds();
    if (const auto reason = not_applicable(options_.method, problem_)) refuse(*reason);
    check_projection();
    preparation_ += processor_seconds() - begin;
    stepper_ = make(options_.method, start_);
    std::unique_ptr<Stepper>& stepper = stepper_;
    while (solution_.reached < options_.stop) {
      report = steps_ < options_.max_steps
                   ? stepper->step()
                   : StepReport{Outcome::TooManySteps, fmt::format("{} steps did not reach the end", steps_)};
      if (report.outcome == Outcome::Success) {
        count_step(*stepper);
        const bool advances = stepper->time() > solution_.reached && !crawls(*stepper);
        StepReport end = advances ? take_end(*stepper) : fails_to_advance();
        if (end.outcome != Outcome::Success) report = std::move(end);
      }
      if (report.outcome != Outcome::Success) {
        if (renew_chart(*stepper)) continue;
        describe_failure(*stepper, report);
        break;
      }
      const double end = end_of_values(*stepper);
      if (!output_up_to(*stepper, end) || end < stepper->time()) {
        report = stop_between(*stepper, end);
        break;
      }
      solution_.reached = stepper->time();
      if (options_.dense) stepper->store(solution_.segments.emplace_back());
      if (projector_ && projects_recurrence()) stepper->replace(end_y_, end_yp_);
      pivot(*stepper);
      if (succession_.is_due(*stepper, options_.stop)) report = look_at_modes(*stepper);
      if (const Method* next = succession_.heir(report.advice)) hand_over(stepper, *next, report);
      if (options_.progress && !options_.progress(solution_.reached)) {
        report = {Outcome::Interrupted, "the run was interrupted"};
        break;
      }
    }
    add_statistics(*stepper);
    remark_on_projection();
  }

  // A stepper for the method, and a projector unless the stepper projects by itself. What is done once, kernels and
  // orderings, is part of the compilation.
  std::unique_ptr<Stepper> make(const Method& method, const State& start) {
    const double begin = processor_seconds();
    const StepSettings settings{.tolerance = options_.tolerance,
                                .stop = options_.stop,
                                .step = options_.step,
                                .newton = options_.newton,
                                .projection = options_.projection};
    std::unique_ptr<Stepper> stepper = make_stepper(method, problem_, start, settings);
    projector_.reset(), output_projector_.reset();
    if (!stepper->projects()) prepare_projection();
    preparation_ += processor_seconds() - begin;
    return stepper;
  }

  // ---- another method takes over

  const Method& method() const { return succession_.method(); }

  StepReport look_at_modes(const Stepper& stepper) {
    choose_states(stepper);
    return succession_.examine(stepper);
  }

  // Where nobody has cared for them.
  void choose_states(const Stepper& stepper) {
    if (uses_states(method())) return;
    atlas_.choose({stepper.time(), stepper.y(), stepper.yp()});
    if (atlas_.states() != problem_.states()) use_states();
  }

  void hand_over(std::unique_ptr<Stepper>& stepper, const Method& next, const StepReport& report) {
    if (solution_.reached >= options_.stop || (projects_recurrence() && !can_replace(next))) return;
    solution_.remarks.push_back(fmt::format("{}: {} takes over from {} at t = {:.6g}, where {}",
                                            report.advice == Advice::Stiff ? "stiff" : "not stiff", to_string(next),
                                            to_string(method()), stepper->time(), report.reason));
    add_statistics(*stepper);
    State here;
    here.t = stepper->time();
    here.y.assign(stepper->y().begin(), stepper->y().end());
    here.yp.assign(stepper->yp().begin(), stepper->yp().end());
    succession_.take_over(next);
    begin_era(here.t);
    std::unique_ptr<Stepper> heir = make(next, here);
    const double begin = processor_seconds();
    stepper = std::move(heir);
    preparation_ += processor_seconds() - begin;  // kernels that are given up count as those that are made
  }

  // The largest condition is that of all steppers.
  void add_statistics(const Stepper& stepper) {
    ConditionNumbers& largest = solution_.statistics.largest_condition;
    const ConditionNumbers before = largest;
    stepper.add_to(solution_.statistics);
    if (before.matrix > largest.matrix) largest = before;
  }

  // ---- projections

  bool projects() const { return !std::holds_alternative<projection::None>(options_.projection); }
  bool projects_recurrence() const {
    const auto* invariants = std::get_if<projection::Invariants>(&options_.projection);
    return projects() && !(invariants && invariants->output_only);
  }

  void check_projection() {
    if (!projects()) return;
    if (const auto reason = not_applicable(options_.projection, problem_)) refuse(*reason);
    if (projects_recurrence() && !can_replace(options_.method))
      refuse(
          fmt::format("the projection {} does not apply to {}, which owns its history; all other methods can go on "
                      "from a projected point",
                      to_string(options_.projection), to_string(options_.method)));
  }

  void prepare_projection() {
    if (!projects()) return;
    projector_ = std::make_unique<Projector>(problem_, options_.projection, start_);
    output_projector_ = std::make_unique<Projector>(problem_, options_.projection, start_);
  }

  // The end of the step, projected.
  StepReport take_end(const Stepper& stepper) {
    end_y_.assign(stepper.y().begin(), stepper.y().end());
    end_yp_.assign(stepper.yp().begin(), stepper.yp().end());
    if (!projector_) return {};
    const ProjectionReport report = (*projector_)(stepper.time(), end_y_, end_yp_);
    ++solution_.statistics.projections;
    if (!report.converged)
      return {Outcome::StepTooSmall, fmt::format("the projection {} does not converge from the end of the step",
                                                 to_string(options_.projection))};
    if (report.moved > largest_move_) largest_move_ = report.moved, moved_at_ = stepper.time();
    return {};
  }

  void remark_on_projection() {
    if (options_.step || largest_move_ <= longest_move * options_.tolerance) return;
    solution_.remarks.push_back(
        fmt::format("the projection moved the solution by {:.2g} tolerances at t = {:.6g}, an error that the step size "
                    "control has not "
                    "seen; a smaller tolerance makes it smaller",
                    largest_move_ / options_.tolerance, moved_at_));
  }

  void count_step(const Stepper& stepper) {
    Statistics& statistics = solution_.statistics;
    const double h = stepper.last_step();
    ++steps_;
    statistics.largest_step = std::max(statistics.largest_step, h);
    statistics.smallest_step = steps_ == 1 ? h : std::min(statistics.smallest_step, h);
    statistics.mean_order += (stepper.last_order() - statistics.mean_order) / static_cast<double>(steps_);
  }

  // Many steps have advanced by next to nothing of the interval: they will never reach its end.
  bool crawls(const Stepper& stepper) {
    if (steps_ - milestone_.steps < steps_of_a_crawl) return false;
    const double advance = stepper.time() - milestone_.t;
    milestone_ = {steps_, stepper.time()};
    return advance < shortest_crawl * (options_.stop - start_.t);
  }

  // Steps that go too far may have met an expression without a value; then that is the reason.
  StepReport fails_to_advance() const {
    const System::Point missing = problem_.undefined_at();
    if (!missing.y.empty() && std::abs(missing.t - solution_.reached) <= 1e-9 * (options_.stop - start_.t))
      return {Outcome::EvaluationFailed, "an expression has no value"};
    return {Outcome::StepTooSmall, "the step size became too small to advance the time"};
  }

  // No state at all: at every time the model is a set of algebraic equations, and the path is followed point by point.
  void run_algebraic(StepReport& report) {
    for (int k = 1; k <= options_.intervals; ++k) {
      const double t = output_time(k);
      if (!follow_to(t)) {
        report = {Outcome::StepTooSmall, "Newton's iteration does not converge"};
        describe_breakdown(solution_.reached);
        return;
      }
      if (!deliver(t)) {
        report = undefined_at(t);
        return;
      }
    }
  }

  // In leaps so short that Newton's iteration converges and its first correction is small: it does not jump to another
  // branch.
  bool follow_to(double t) {
    const double smallest = 1e-12 * (options_.stop - start_.t);
    double h = t - solution_.reached;
    std::vector<double> y = y_, yp = yp_;
    while (solution_.reached < t) {
      const double next = h < t - solution_.reached ? solution_.reached + h : t;
      if ((*on_constraints_)(next, y, yp) && on_constraints_->first_correction() <= longest_leap) {
        ++solution_.statistics.steps;
        if (options_.dense) solution_.segments.push_back(chord(solution_.reached, y_, next, y));
        solution_.reached = next;
        y_ = y, yp_ = yp;
        h *= 2.0;
      } else {
        y = y_, yp = yp_;
        if ((h *= 0.5) < smallest) return false;
      }
    }
    return true;
  }

  // Between two points of a path without states: dense output solves the equations from there.
  static Segment chord(double begin, const std::vector<double>& from, double end, const std::vector<double>& to) {
    Segment segment{begin, end, 1, to};
    for (std::size_t i = 0; i < to.size(); ++i) segment.coefficients.push_back(to[i] - from[i]);
    return segment;
  }

  double output_time(int k) const {
    return k >= options_.intervals
               ? options_.stop
               : start_.t + (options_.stop - start_.t) * k / static_cast<double>(options_.intervals);
  }

  // A point within the last step that lies on every constraint: the polynomial of the step gives the states, the rows
  // give the rest.
  void load(Stepper& stepper, double t) {
    if (t == stepper.time()) {
      y_ = end_y_, yp_ = end_yp_;
    } else {
      stepper.interpolate(t, y_, yp_);
      if (output_projector_) (*output_projector_)(t, y_, yp_);
    }
    if (completes_points()) (*on_constraints_)(t, y_, yp_);
  }

  bool completes_points() const { return reduced_.completes_points && uses_states(method()); }

  bool output_up_to(Stepper& stepper, double end) {
    for (; next_output_ <= options_.intervals && output_time(next_output_) <= end; ++next_output_) {
      load(stepper, output_time(next_output_));
      if (!deliver(output_time(next_output_))) return false;
    }
    return true;
  }

  // Up to which time of the last step every quantity exists: its end, or else the edge, by bisection.
  double end_of_values(Stepper& stepper) {
    system_->observe({stepper.time(), end_y_, end_yp_}, quantities_);
    if (all_exist()) return stepper.time();
    double exists = solution_.reached, missing = stepper.time();
    for (double t = std::midpoint(exists, missing); t > exists && t < missing; t = std::midpoint(exists, missing)) {
      load(stepper, t);
      system_->observe({t, y_, yp_}, quantities_);
      (all_exist() ? exists : missing) = t;
    }
    return exists;
  }

  // Some quantity does not exist beyond `end`, or at the output point before it that could not be delivered.
  StepReport stop_between(Stepper& stepper, double end) {
    const bool at_output = next_output_ <= options_.intervals && output_time(next_output_) <= end;
    solution_.reached = at_output ? solution_.times.back() : end;
    const double t = at_output ? output_time(next_output_) : std::nextafter(end, stepper.time());
    load(stepper, t);
    return undefined_at(t);
  }

  bool all_exist() const {
    return std::ranges::all_of(quantities_, [](double v) { return std::isfinite(v); });
  }

  // Puts the present point into the trajectory and its residuals into the certificate. False if a value does not exist.
  bool deliver(double t) {
    system_->inspect({t, y_, yp_}, quantities_, residuals_);
    if (!all_exist()) return false;
    const std::size_t row = solution_.constraint_drift.size();
    solution_.constraint_drift.resize(row + solution_.drift_levels, 0.0);
    for (std::size_t k = 0; k < residuals_.size(); ++k) {
      CertificateEntry& entry = solution_.certificate[k];
      const double size = std::abs(residuals_[k]);
      if (size > entry.max_residual || std::isnan(size)) entry.max_residual = size, entry.at_time = t;
      double& drift = solution_.constraint_drift[row + static_cast<std::size_t>(entry.level)];
      if (size > drift || std::isnan(size)) drift = size;
    }
    solution_.times.push_back(t);
    solution_.values.insert(solution_.values.end(), quantities_.begin(), quantities_.end());
    record_invariants(t);
    return true;
  }

  // Their values are columns behind the quantities. That one has no value stops no run.
  void record_invariants(double t) {
    system_->invariants_of_model({t, y_, yp_}, invariants_);
    solution_.values.insert(solution_.values.end(), invariants_.begin(), invariants_.end());
    for (std::size_t k = 0; k < invariants_.size(); ++k) {
      InvariantEntry& entry = solution_.invariants[k];
      if (solution_.times.size() == 1) entry.start = invariants_[k];
      entry.final_deviation = invariants_[k] - entry.start;
      const double size = std::abs(entry.final_deviation);
      if (size > entry.max_deviation || std::isnan(size)) entry.max_deviation = size, entry.at_time = t;
    }
  }

  void pivot(Stepper& stepper) {
    if (options_.pivot == PivotMode::Never || reduced_.choices.empty() || !uses_states(method())) return;
    const std::vector<Pivot>& changes = atlas_.examine({stepper.time(), stepper.y(), stepper.yp()}, next_step(stepper));
    if (changes.empty()) return;
    record(changes);
    take_states(stepper.time());
    if (options_.pivot == PivotMode::Continue)
      stepper.continue_with_new_states();
    else
      restart(stepper);
  }

  // Exchanges at the same time are one change.
  void record(const std::vector<Pivot>& changes) {
    for (std::size_t k = 0; k < changes.size(); ++k)
      if (k == 0 || changes[k].time != changes[k - 1].time) ++solution_.statistics.pivots;
    solution_.pivots.insert(solution_.pivots.end(), changes.begin(), changes.end());
  }

  double next_step(const Stepper& stepper) const {
    return std::min(stepper.last_step(), options_.stop - stepper.time());
  }

  void take_states(double t) {
    use_states();
    begin_era(t);
  }

  void use_states() {
    problem_.set_states(atlas_.states());
    on_constraints_->states_changed();
    succession_.states_changed();
    if (projector_) projector_->states_changed(), output_projector_->states_changed();
  }

  // The polynomials of explicit methods know the states only.
  void begin_era(double t) {
    eras_.push_back({t, atlas_.states(),
                     completes_points() || std::holds_alternative<method::ExplicitRungeKutta>(method())});
  }

  void restart(Stepper& stepper) {
    std::ranges::copy(stepper.y(), y_.begin());
    std::ranges::copy(stepper.yp(), yp_.begin());
    (*on_constraints_)(stepper.time(), y_, yp_);
    set_rates(stepper.time());
    stepper.restart(y_, yp_);
  }

  // A step that fails in local coordinates may succeed in others: tried once at each point.
  bool renew_chart(Stepper& stepper) {
    if (options_.pivot == PivotMode::Never || renewed_at_ == solution_.reached || !uses_states(method()))
      return false;
    renewed_at_ = solution_.reached;
    if (!atlas_.renew({stepper.time(), stepper.y(), stepper.yp()})) return false;
    ++solution_.statistics.pivots;
    solution_.pivots.push_back({stepper.time(), "chart", "new chart after a failed step", 1.0});
    take_states(stepper.time());
    restart(stepper);
    return true;
  }

  // The rate of every slot as the model gives it.
  void set_rates(double t) {
    std::vector<double> out(system_->rows() + system_->candidates());
    system_->rows_and_rates({t, y_, yp_}, out);
    for (std::size_t k = 0; k < reduced_.kinematics.size(); ++k)
      yp_[reduced_.kinematics[k].slot] = out[system_->rows() + k];
  }

  // The present point, y_ and yp_, has no value.
  StepReport undefined_at(double t) {
    for (std::string& detail : explain_undefined(*system_, {t, y_, yp_}))
      solution_.details.push_back(std::move(detail));
    return {Outcome::EvaluationFailed, "an expression has no value"};
  }

  void describe_failure(Stepper& stepper, const StepReport& report) {
    solution_.details.push_back(fmt::format("the last step size was {:.3g}", stepper.last_step()));
    if (report.outcome == Outcome::EvaluationFailed) {
      for (std::string& detail : explain_undefined(*system_, problem_.undefined_at()))
        solution_.details.push_back(std::move(detail));
      return;
    }
    std::ranges::copy(stepper.y(), y_.begin());
    std::ranges::copy(stepper.yp(), yp_.begin());
    describe_breakdown(stepper.time());
    if (report.outcome == Outcome::TooManySteps && is_bounded_by_stability(method())) {
      choose_states(stepper);
      if (not_applicable(method::ExplicitRungeKutta{}, problem_)) return;  // there are no slopes to look at
      std::string reason = explain_short_steps(problem_, {stepper.time(), y_, yp_}, stepper.last_step());
      if (!reason.empty()) solution_.details.push_back(std::move(reason));
    }
  }

  // No step from the present point, y_ and yp_, succeeds.
  void describe_breakdown(double t) {
    for (std::string& detail : explain_breakdown(problem_, {t, y_, yp_}))
      solution_.details.push_back(std::move(detail));
    if (reduced_.choices.empty()) return;
    system_->choices({t, y_, yp_}, choice_values_);
    StateSelection fresh(reduced_, system_->choice_entries(), options_.hysteresis);
    if (!fresh.choose(choice_values_)) {
      solution_.details.push_back(
          fmt::format("the constraints are dependent on each other here: {}", describe_row(fresh.dependent_row())));
    } else if (options_.pivot == PivotMode::Never) {
      const auto& exchanges = atlas_.selection().examine(choice_values_);
      if (!exchanges.empty())
        solution_.details.push_back(
            fmt::format("the choice of {} as a state is singular here; allow pivoting",
                        reduced_.name(reduced_.slots[reduced_.kinematics[exchanges[0].out].slot].quantity)));
    }
  }

  void describe_columns() {
    const Model& model = *reduced_.model;
    for (const Quantity q : reduced_.quantities) {
      const Variable& variable = model[q.variable];
      Column column;
      column.name = reduced_.name(q);
      column.unit = variable.unit.empty() || q.order == 0 ? variable.unit
                    : q.order == 1                        ? variable.unit + "/s"
                                                          : fmt::format("{}/s{}", variable.unit, q.order);
      column.description = variable.description;
      column.is_derivative = q.order > 0;
      solution_.columns.push_back(std::move(column));
    }
    for (const InvariantOfModel& invariant : model.invariants) {
      solution_.columns.push_back({.name = invariant.name, .description = "invariant"});
      solution_.invariants.push_back(
          {.name = invariant.name, .line = model.sources->line_of(invariant.range), .at_time = start_.t});
    }
    for (const Parameter& parameter : model.parameters)
      solution_.columns.push_back(
          {parameter.name, parameter.unit, parameter.description, false, true, parameter.value});
    for (const Constraint& constraint : reduced_.constraints) {
      const Equation& equation = model[constraint.equation];
      solution_.certificate.push_back(
          {equation.label, model.sources->line_of(equation.range), constraint.level, equation.text, 0.0, start_.t});
      solution_.drift_levels = std::max(solution_.drift_levels, static_cast<std::size_t>(constraint.level) + 1);
    }
  }

  void finish(const StepReport& report) {
    solution_.outcome = report.outcome;
    if (report.outcome != Outcome::Success)
      solution_.message = fmt::format("stopped at t = {:.9g}: {}", solution_.reached, report.reason);
    if (!options_.dense) return;
    auto afterlife = std::make_shared<Afterlife>(system_, eras_);
    if (projects()) afterlife->projector = std::make_unique<Projector>(afterlife->problem, options_.projection, start_);
    if (!projects() && std::holds_alternative<method::HalfExplicit>(options_.method))
      afterlife->completion = std::make_unique<Completion>(afterlife->problem);
    solution_.observer = [afterlife](double t, std::vector<double>& y, std::vector<double>& yp,
                                     std::vector<double>& series) { afterlife->observe(t, y, yp, series); };
  }

  std::shared_ptr<System> system_;
  const Reduced& reduced_;
  const IntegrateOptions& options_;
  Solution& solution_;
  const State& start_;
  Problem problem_;
  Atlas atlas_;
  Succession succession_;
  std::unique_ptr<AlgebraicSolve> on_constraints_;
  std::vector<double> choice_values_, y_, yp_, quantities_, residuals_, invariants_;
  std::vector<double> end_y_, end_yp_;  // of the last step, projected
  std::unique_ptr<Projector> projector_, output_projector_;
  double largest_move_ = 0.0, moved_at_ = 0.0;
  std::vector<Era> eras_;
  std::optional<double> renewed_at_;
  int next_output_ = 1;
  long steps_ = 0;
  struct {
    long steps = 0;
    double t;
  } milestone_{.t = start_.t};
  std::unique_ptr<Stepper> stepper_;
  double preparation_ = 0.0;
};

}  // namespace

void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options,
               Solution& solution) {
  const double begin = processor_seconds();
  const double compile = solution.statistics.seconds.compile;
  Run run(std::move(system), start, options, solution);
  run.go();
  solution.statistics.seconds.compile = compile + run.preparation();
  solution.statistics.seconds.integrate = processor_seconds() - begin - run.preparation();
}

}  // namespace driftless
