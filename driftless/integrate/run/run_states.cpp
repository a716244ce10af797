// States and projections of a run: what is in force at the end of a step.
#include "driftless/integrate/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr std::size_t most_pivots_of_a_picture = 20'000;

// A projection that moves the solution further than this, in units of the tolerance, deserves a word: the error test
// has not seen that error.
constexpr double longest_move = 10.0;

}  // namespace

void Run::choose_states() {
  if (!coordinates_.choose({start_.t, y_, yp_}))
    solution_.remarks.push_back(
        fmt::format("at the start the constraints are dependent on each other ({}): a singular configuration",
                    describe_row(coordinates_.dependent_row())));
  // A constant step may pass a singularity of the chart as soon as the first one.
  if (options_.step && options_.pivot != PivotMode::Never)
    record(coordinates_.examine({start_.t, y_, yp_}, std::min(*options_.step, options_.stop - start_.t)));
  problem_.set_states(coordinates_.states());
  begin_epoch(start_.t);
  on_constraints_ = std::make_unique<AlgebraicSolve>(problem_);
  lost_states(start_.t, y_, yp_);
}

void Run::choose_states(const Stepper& stepper) {
  if (uses_states(method())) return;
  coordinates_.choose({stepper.time(), stepper.y(), stepper.yp()});
  if (coordinates_.states() != problem_.states()) use_states();
}

bool Run::projects_recurrence() const {
  const auto* invariants = std::get_if<projection::Invariants>(&options_.projection);
  return projects() && !(invariants && invariants->output_only);
}

void Run::check_projection() {
  if (!projects()) return;
  if (const auto reason = not_applicable(options_.projection, problem_)) refuse(*reason);
  if (projects_recurrence() && !can_replace(options_.method))
    refuse(
        fmt::format("the projection {} does not apply to {}, which owns its history; all other methods can go on "
                    "from a projected point",
                    to_string(options_.projection), to_string(options_.method)));
}

void Run::prepare_projection() {
  if (!projects()) return;
  projector_ = std::make_unique<Projector>(problem_, options_.projection, start_);
  output_projector_ = std::make_unique<Projector>(problem_, options_.projection, start_);
}

std::optional<std::string> Run::lost_states(double t, std::span<const double> y, std::span<const double> yp) {
  if (!forced_.any() || reduced_.chart != Chart::Slots || !uses_states(method())) return {};
  system_->choices({t, y, yp}, choice_values_);
  return forced_.passed(choice_values_, coordinates_.selection().active());
}

StepReport Run::take_end(const Stepper& stepper) {
  end_y_.assign(stepper.y().begin(), stepper.y().end());
  end_yp_.assign(stepper.yp().begin(), stepper.yp().end());
  if (auto lost = lost_states(stepper.time(), stepper.y(), stepper.yp()))
    return {Outcome::SingularIteration, std::move(*lost)};
  if (!projector_) return {};
  const ProjectionReport report = (*projector_)(stepper.time(), end_y_, end_yp_);
  ++solution_.statistics.projections;
  if (!report.converged)
    return {Outcome::StepTooSmall, fmt::format("the projection {} does not converge from the end of the step",
                                               to_string(options_.projection))};
  if (report.moved > largest_move_) largest_move_ = report.moved, moved_at_ = stepper.time();
  return {};
}

void Run::remark_on_projection() {
  if (options_.step || largest_move_ <= longest_move * options_.tolerance) return;
  solution_.remarks.push_back(
      fmt::format("the projection moved the solution by {:.2g} tolerances at t = {:.6g}, an error that the step size "
                  "control has not "
                  "seen; a smaller tolerance makes it smaller",
                  largest_move_ / options_.tolerance, moved_at_));
}

void Run::pivot(Stepper& stepper) {
  if (options_.pivot == PivotMode::Never || reduced_.choices.empty() || !uses_states(method())) return;
  const std::vector<Pivot>& changes =
      coordinates_.examine({stepper.time(), stepper.y(), stepper.yp()}, next_step(stepper));
  if (changes.empty()) return;
  record(changes);
  take_states(stepper.time());
  if (options_.pivot == PivotMode::Continue)
    stepper.continue_with_new_states();
  else
    restart(stepper);
}

void Run::record(const std::vector<Pivot>& changes) {
  for (std::size_t k = 0; k < changes.size(); ++k)
    if (k == 0 || changes[k].time != changes[k - 1].time) ++solution_.statistics.pivots;
  solution_.pivots.insert(solution_.pivots.end(), changes.begin(), changes.end());
  if (options_.rows.keep_all || solution_.pivots.size() < most_pivots_of_a_picture) return;
  // Memory is to stay bounded: a picture can show every second of them as well.
  for (std::size_t k = 1; 2 * k < solution_.pivots.size(); ++k)
    solution_.pivots[k] = std::move(solution_.pivots[2 * k]);
  solution_.pivots.resize((solution_.pivots.size() + 1) / 2);
}

double Run::next_step(const Stepper& stepper) const {
  return std::min(stepper.last_step(), options_.stop - stepper.time());
}

void Run::take_states(double t) {
  use_states();
  begin_epoch(t);
}

void Run::use_states() {
  problem_.set_states(coordinates_.states());
  on_constraints_->states_changed();
  switching_.states_changed();
  singular_.states_changed();
  if (projector_) projector_->states_changed(), output_projector_->states_changed();
}

void Run::begin_epoch(double t) {
  if (!options_.dense) epochs_.clear();  // only dense output looks back
  epochs_.push_back({t,
                     coordinates_.states(),
                     completes_points() || std::holds_alternative<method::ExplicitRungeKutta>(method()),
                     {}});
}

void Run::restart(Stepper& stepper) {
  std::ranges::copy(stepper.y(), y_.begin());
  std::ranges::copy(stepper.yp(), yp_.begin());
  (*on_constraints_)(stepper.time(), y_, yp_);
  set_rates(stepper.time());
  stepper.restart(y_, yp_);
}

bool Run::renew_chart(Stepper& stepper) {
  if (options_.pivot == PivotMode::Never || renewed_at_ == solution_.reached || !uses_states(method())) return false;
  renewed_at_ = solution_.reached;
  if (!coordinates_.renew({stepper.time(), stepper.y(), stepper.yp()})) return false;
  ++solution_.statistics.pivots;
  solution_.pivots.push_back({stepper.time(), "chart", "new chart after a failed step", 1.0});
  take_states(stepper.time());
  restart(stepper);
  return true;
}

void Run::set_rates(double t) {
  std::vector<double> out(system_->rows() + system_->candidates());
  system_->rows_and_rates({t, y_, yp_}, out);
  for (std::size_t k = 0; k < reduced_.kinematics.size(); ++k)
    yp_[reduced_.kinematics[k].slot] = out[system_->rows() + k];
}

}  // namespace driftless
