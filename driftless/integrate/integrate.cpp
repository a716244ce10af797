#include "driftless/integrate/integrate.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/integrate/algebraic.hpp"
#include "driftless/integrate/selection.hpp"

namespace driftless {
namespace {

// The states in force from a time on, so that dense output can hold them.
struct Era {
  double from;
  std::vector<int> active;
};

// Everything that dense output needs after the run is over.
struct Afterlife {
  std::shared_ptr<System> system;
  Problem problem;
  AlgebraicSolve on_constraints;
  std::vector<Era> eras;

  Afterlife(std::shared_ptr<System> s, std::vector<Era> e)
      : system(std::move(s)), problem(prepared(*system, e.front().active)), on_constraints(problem), eras(std::move(e)) {}

  static Problem prepared(System& system, const std::vector<int>& active) {
    Problem problem(system);
    problem.set_states(active);
    return problem;
  }

  void observe(double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    const auto era = std::prev(std::ranges::upper_bound(eras, std::max(t, eras.front().from), {}, &Era::from));
    if (!std::ranges::equal(era->active, problem.active())) {
      problem.set_states(era->active);
      on_constraints.states_changed();
    }
    if (!system->reduced().implicit) on_constraints(t, y, yp);
    system->observe({t, y, yp}, series);
  }
};

class Run {
 public:
  Run(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution)
      : system_(std::move(system)), reduced_(system_->reduced()), options_(options), solution_(solution), start_(start),
        problem_(*system_), selection_(reduced_, system_->choice_entries(), options.hysteresis),
        choice_values_(system_->choice_values()), y_(start.y), yp_(start.yp), quantities_(reduced_.quantities.size()),
        residuals_(reduced_.constraints.size()) {}

  void go() {
    describe_columns();
    solution_.start = start_.t;
    solution_.stop = options_.stop;
    solution_.reached = start_.t;
    choose_states();
    if (!deliver(start_.t)) return finish(undefined_at(start_.t));
    StepReport report;
    if (problem_.active().empty() && !has_rates())
      run_algebraic(report);
    else
      run_steps(report);
    finish(report);
  }

 private:
  bool has_rates() const {
    return std::ranges::any_of(reduced_.quantities, [&](Quantity q) { return reduced_.place(q) == Place::Rate; });
  }

  void choose_states() {
    std::vector<int> active;
    system_->choices({start_.t, y_, yp_}, choice_values_);
    if (!selection_.choose(choice_values_))
      solution_.remarks.push_back(fmt::format(
          "at the start the constraints are dependent on each other ({}): a singular configuration",
          describe_row(selection_.dependent_row())));
    selection_.examine(choice_values_);
    problem_.set_states(selection_.active());
    eras_.push_back({start_.t, selection_.active()});
    on_constraints_ = std::make_unique<AlgebraicSolve>(problem_);
  }

  std::string describe_row(int row) const {
    const Equation& equation = (*reduced_.model)[reduced_.rows[row].equation];
    return fmt::format("{}: {}", equation.label, equation.text);
  }

  void run_steps(StepReport& report) {
    const IdaSettings settings{.tolerance = options_.tolerance, .stop = options_.stop, .newton = options_.newton};
    State start = start_;
    const std::unique_ptr<Stepper> stepper = make_ida(problem_, start, settings);
    double order_sum = 0.0;
    long steps = 0;
    while (solution_.reached < options_.stop) {
      if (steps >= options_.max_steps) {
        report = {Outcome::TooManySteps, fmt::format("{} steps did not reach the end", steps)};
        break;
      }
      report = stepper->step();
      if (report.outcome != Outcome::Success) {
        describe_failure(*stepper, report);
        break;
      }
      ++steps;
      order_sum += stepper->last_order();
      const double h = stepper->last_step();
      Statistics& statistics = solution_.statistics;
      statistics.largest_step = std::max(statistics.largest_step, h);
      statistics.smallest_step = steps == 1 ? h : std::min(statistics.smallest_step, h);
      system_->observe({stepper->time(), stepper->y(), stepper->yp()}, quantities_);
      if (!all_exist() || !output_up_to(*stepper)) {
        report = undefined_at(stepper->time());
        break;
      }
      solution_.reached = stepper->time();
      if (options_.dense) stepper->store(solution_.segments.emplace_back());
      pivot(*stepper);
      if (options_.progress && !options_.progress(solution_.reached)) {
        report = {Outcome::Interrupted, "the run was interrupted"};
        break;
      }
    }
    solution_.statistics.mean_order = steps ? order_sum / static_cast<double>(steps) : 0.0;
    stepper->add_to(solution_.statistics);
  }

  // No state at all: at every time the model is a set of algebraic equations, and the path is followed point by point.
  void run_algebraic(StepReport& report) {
    for (int k = 1; k <= options_.intervals; ++k) {
      const double t = output_time(k);
      if (!(*on_constraints_)(t, y_, yp_)) {
        report = {Outcome::StepTooSmall, "Newton's iteration does not converge"};
        return;
      }
      ++solution_.statistics.steps;
      if (!deliver(t)) {
        report = undefined_at(t);
        return;
      }
      solution_.reached = t;
    }
  }

  double output_time(int k) const {
    return k >= options_.intervals ? options_.stop
                                   : start_.t + (options_.stop - start_.t) * k / static_cast<double>(options_.intervals);
  }

  // Output points within the last step. What is delivered lies on every constraint: the polynomial of the step gives the states,
  // the rows give the rest.
  bool output_up_to(Stepper& stepper) {
    for (; next_output_ <= options_.intervals && output_time(next_output_) <= stepper.time(); ++next_output_) {
      const double t = output_time(next_output_);
      if (t == stepper.time()) {
        std::ranges::copy(stepper.y(), y_.begin());
        std::ranges::copy(stepper.yp(), yp_.begin());
      } else {
        stepper.interpolate(t, y_, yp_);
      }
      if (!reduced_.implicit) (*on_constraints_)(t, y_, yp_);
      if (!deliver(t)) return false;
    }
    return true;
  }

  bool all_exist() const {
    return std::ranges::all_of(quantities_, [](double v) { return std::isfinite(v); });
  }

  // Puts the present point into the trajectory and its residuals into the certificate. False if a value does not exist.
  bool deliver(double t) {
    system_->inspect({t, y_, yp_}, quantities_, residuals_);
    if (!all_exist()) return false;
    for (std::size_t k = 0; k < residuals_.size(); ++k) {
      CertificateEntry& entry = solution_.certificate[k];
      const double size = std::abs(residuals_[k]);
      if (size > entry.max_residual || std::isnan(size)) entry.max_residual = size, entry.at_time = t;
    }
    solution_.times.push_back(t);
    solution_.values.insert(solution_.values.end(), quantities_.begin(), quantities_.end());
    return true;
  }

  void pivot(Stepper& stepper) {
    if (options_.pivot == PivotMode::Never || reduced_.choices.empty()) return;
    system_->choices({stepper.time(), stepper.y(), stepper.yp()}, choice_values_);
    const std::vector<Exchange>& exchanges = selection_.examine(choice_values_);
    if (exchanges.empty()) return;
    for (const Exchange& exchange : exchanges) {
      const auto name = [&](int k) { return reduced_.name(reduced_.slots[reduced_.kinematics[k].slot].quantity); };
      solution_.pivots.push_back({stepper.time(), name(exchange.out), name(exchange.in), exchange.margin});
    }
    ++solution_.statistics.pivots;
    problem_.set_states(selection_.active());
    on_constraints_->states_changed();
    eras_.push_back({stepper.time(), selection_.active()});
    if (options_.pivot == PivotMode::Continue) {
      stepper.continue_with_new_states();
      return;
    }
    std::ranges::copy(stepper.y(), y_.begin());
    std::ranges::copy(stepper.yp(), yp_.begin());
    (*on_constraints_)(stepper.time(), y_, yp_);
    set_rates(stepper.time());
    stepper.restart(y_, yp_);
  }

  // The rate of every slot as the model gives it.
  void set_rates(double t) {
    std::vector<double> out(system_->rows() + system_->candidates());
    system_->rows_and_rates({t, y_, yp_}, out);
    for (std::size_t k = 0; k < reduced_.kinematics.size(); ++k)
      yp_[reduced_.kinematics[k].slot] = out[system_->rows() + k];
  }

  StepReport undefined_at(double t) {
    StepReport report{Outcome::EvaluationFailed, "an expression has no value"};
    for (std::size_t k = 0; k < quantities_.size() && solution_.details.size() < 4; ++k) {
      if (std::isfinite(quantities_[k])) continue;
      const Quantity q = reduced_.quantities[k];
      std::string where;
      for (const Definition& definition : reduced_.definitions)
        if (definition.quantity == q) {
          const Equation& equation = (*reduced_.model)[definition.equation];
          where = fmt::format(", given by {}: {}", equation.label, equation.text);
        }
      solution_.details.push_back(fmt::format("{} is {} at t = {:.9g}{}", reduced_.name(q),
                                              std::isnan(quantities_[k]) ? "not a number" : "infinite", t, where));
    }
    return report;
  }

  void describe_failure(Stepper& stepper, const StepReport& report) {
    const double t = stepper.time();
    solution_.details.push_back(fmt::format("the last step size was {:.3g}", stepper.last_step()));
    if (report.outcome == Outcome::EvaluationFailed) {
      if (const int row = problem_.undefined_row(); row >= 0)
        solution_.details.push_back(fmt::format("{} cannot be evaluated", problem_.name_of_equation(row)));
      return;
    }
    // At a true singularity the matrix of the rows for everything that is not a state loses rank; the row and the unknown that
    // meet in its smallest pivot are not known to the factorization, so name what changes fastest and what is missed most.
    std::vector<double> residual(problem_.size());
    std::ranges::copy(stepper.y(), y_.begin());
    std::ranges::copy(stepper.yp(), yp_.begin());
    std::size_t fastest = 0;
    double rate = 0.0;
    for (std::size_t s = 0; s < y_.size(); ++s)
      if (const double v = std::abs(yp_[s]) / (std::abs(y_[s]) + reduced_.slots[s].nominal); v > rate) rate = v, fastest = s;
    if (rate > 0.0)
      solution_.details.push_back(fmt::format("{} = {:.6g} changes fastest, at a rate of {:.3g}", reduced_.name(reduced_.slots[fastest].quantity),
                                              y_[fastest], yp_[fastest]));
    if (!reduced_.choices.empty()) {
      system_->choices({t, y_, yp_}, choice_values_);
      StateSelection fresh(reduced_, system_->choice_entries(), options_.hysteresis);
      if (!fresh.choose(choice_values_))
        solution_.details.push_back(fmt::format("the constraints are dependent on each other here: {}", describe_row(fresh.dependent_row())));
      else if (options_.pivot == PivotMode::Never) {
        const auto& exchanges = selection_.examine(choice_values_);
        if (!exchanges.empty())
          solution_.details.push_back(fmt::format("the choice of {} as a state is singular here; allow pivoting",
                                                  reduced_.name(reduced_.slots[reduced_.kinematics[exchanges[0].out].slot].quantity)));
      }
    }
    problem_.residual(t, y_, yp_, residual);
    std::size_t worst = 0;
    for (std::size_t i = 1; i < residual.size(); ++i)
      if (std::abs(residual[i]) > std::abs(residual[worst])) worst = i;
    if (!residual.empty() && std::abs(residual[worst]) > 0.0)
      solution_.details.push_back(fmt::format("the equation least satisfied is {}, residual {:.3g}", problem_.name_of_equation(static_cast<int>(worst)), residual[worst]));
  }

  void describe_columns() {
    const Model& model = *reduced_.model;
    for (const Quantity q : reduced_.quantities) {
      const Variable& variable = model[q.variable];
      Column column;
      column.name = reduced_.name(q);
      column.unit = variable.unit.empty() || q.order == 0 ? variable.unit
                                                          : q.order == 1 ? variable.unit + "/s" : fmt::format("{}/s{}", variable.unit, q.order);
      column.description = variable.description;
      column.is_derivative = q.order > 0;
      solution_.columns.push_back(std::move(column));
    }
    for (const Parameter& parameter : model.parameters)
      solution_.columns.push_back({parameter.name, parameter.unit, parameter.description, false, true, parameter.value});
    for (const Constraint& constraint : reduced_.constraints) {
      const Equation& equation = model[constraint.equation];
      solution_.certificate.push_back({equation.label, model.sources->line_of(equation.range), constraint.level, equation.text, 0.0, start_.t});
    }
  }

  void finish(const StepReport& report) {
    solution_.outcome = report.outcome;
    if (report.outcome != Outcome::Success)
      solution_.message = fmt::format("stopped at t = {:.9g}: {}", solution_.reached, report.reason);
    if (!options_.dense) return;
    auto afterlife = std::make_shared<Afterlife>(system_, eras_);
    solution_.observer = [afterlife](double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
      afterlife->observe(t, y, yp, series);
    };
  }

  std::shared_ptr<System> system_;
  const Reduced& reduced_;
  const IntegrateOptions& options_;
  Solution& solution_;
  const State& start_;
  Problem problem_;
  StateSelection selection_;
  std::unique_ptr<AlgebraicSolve> on_constraints_;
  std::vector<double> choice_values_, y_, yp_, quantities_, residuals_;
  std::vector<Era> eras_;
  int next_output_ = 1;
};

}  // namespace

void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options, Solution& solution) {
  const auto begin = std::chrono::steady_clock::now();
  Run(std::move(system), start, options, solution).go();
  solution.statistics.seconds.integrate = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace driftless
