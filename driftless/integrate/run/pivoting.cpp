#include "driftless/integrate/run/pivoting.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr std::size_t most_pivots_of_a_picture = 20'000;

}  // namespace

Pivoting::Pivoting(RunContext& run, std::function<void()> states_changed)
    : run_(run),
      states_changed_(std::move(states_changed)),
      coordinates_(*run.system, run.options.hysteresis),
      // Constant steps without exchanges are an experiment about the singular points that they step over.
      forced_(run.reduced, run.system->choice_entries(), run.options.pivot == PivotMode::Never && !run.options.step),
      choice_values_(run.system->choice_values()) {}

void Pivoting::choose_first() {
  const double t = run_.start.t;
  if (!coordinates_.choose({t, run_.y, run_.yp}))
    run_.solution.remarks.push_back(
        fmt::format("at the start the constraints are dependent on each other ({}): a singular configuration",
                    describe_row(run_.reduced, coordinates_.dependent_row())));
  // Even the first constant step may pass a singularity of the chart.
  if (run_.options.step && run_.options.pivot != PivotMode::Never)
    record(coordinates_.examine({t, run_.y, run_.yp}, std::min(*run_.options.step, run_.options.stop - t)));
  run_.problem.set_states(coordinates_.states());
  begin_epoch(t);
  run_.on_constraints = std::make_unique<AlgebraicSolve>(run_.problem);
  lost_states(t, run_.y, run_.yp);
}

void Pivoting::choose_here(double t, std::span<const double> y, std::span<const double> yp) {
  if (uses_states(run_.method())) return;
  coordinates_.choose({t, y, yp});
  if (coordinates_.states() != run_.problem.states()) use_states();
}

std::optional<std::string> Pivoting::lost_states(double t, std::span<const double> y, std::span<const double> yp) {
  if (auto lost = coordinates_.equations().lost_at({t, y, yp})) return lost;
  if (coordinates_.selection().has_arrays()) {
    run_.system->choices({t, y, yp}, choice_values_);
    if (auto lost = coordinates_.selection().lost_at(choice_values_)) return lost;
  }
  if (!forced_.any() || !uses_states(run_.method())) return {};
  // One chart for all times with constant steps may pass singular points: Ascher & Petzold (1993) show this with their
  // first example.
  const bool is_slots = run_.reduced.chart == Chart::Slots;
  if (!is_slots && run_.options.step) return {};
  run_.system->choices({t, y, yp}, choice_values_);
  if (is_slots || run_.reduced.chart == Chart::Partition)
    return forced_.passed(choice_values_, coordinates_.selection().active());
  return run_.options.pivot == PivotMode::Never ? coordinates_.lost_at(choice_values_) : std::nullopt;
}

void Pivoting::after_step() {
  const PivotMode mode = run_.options.pivot;
  if (mode == PivotMode::Never || !run_.reduced.leaves_choice() || !uses_states(run_.method())) return;
  Stepper& stepper = *run_.stepper;
  const double t = stepper.time(), next_step = std::min(stepper.last_step(), run_.options.stop - t);
  const std::vector<Pivot>& changes = coordinates_.examine({t, stepper.y(), stepper.yp()}, next_step);
  if (changes.empty()) return;
  record(changes);
  use_states();
  begin_epoch(t);
  if (mode == PivotMode::Continue)
    stepper.continue_with_new_states();
  else
    restart();
}

void Pivoting::behind_event(double t, std::span<const double> y, std::span<const double> yp) {
  if (run_.options.pivot == PivotMode::Never || !run_.reduced.leaves_choice() || !uses_states(run_.method())) return;
  const double next_step = std::min(run_.stepper->last_step(), run_.options.stop - t);
  const std::vector<Pivot>& changes = coordinates_.examine({t, y, yp}, next_step);
  if (changes.empty()) return;
  record(changes);
  use_states();
  begin_epoch(t);
  run_.stepper->continue_with_new_states();
}

// Exchanges at the same time are recorded as one change.
void Pivoting::record(const std::vector<Pivot>& changes) {
  std::vector<Pivot>& pivots = run_.solution.pivots;
  for (std::size_t k = 0; k < changes.size(); ++k)
    if (k == 0 || changes[k].time != changes[k - 1].time) ++run_.solution.statistics.pivots;
  pivots.insert(pivots.end(), changes.begin(), changes.end());
  if (run_.options.rows.keep_all || pivots.size() < most_pivots_of_a_picture) return;
  // Keeps every second one, so that memory stays bounded: enough for a picture.
  for (std::size_t k = 1; 2 * k < pivots.size(); ++k) pivots[k] = std::move(pivots[2 * k]);
  pivots.resize((pivots.size() + 1) / 2);
}

void Pivoting::use_states() {
  run_.problem.set_states(coordinates_.states());
  run_.on_constraints->states_changed();
  run_.switching.states_changed();
  states_changed_();
}

// Dense output needs all epochs, points within the last step the previous one. The polynomials of explicit methods know
// the states only.
void Pivoting::begin_epoch(double t) {
  if (!run_.options.dense && epochs_.size() > 1) epochs_.erase(epochs_.begin());
  epochs_.push_back({t, coordinates_.states(),
                     run_.completes_points() || std::holds_alternative<method::ExplicitRungeKutta>(run_.method()),
                     coordinates_.equations().exists() ? run_.point_solver : nullptr, run_.method()});
}

// Without the point solvers, which belong to steppers (method_exchange.hpp).
void Pivoting::archive(Archive& archive) {
  archive.section("states");
  archive(coordinates_, forced_, renewed_at_);
  std::size_t number = epochs_.size();
  archive(number);
  epochs_.resize(number);
  for (StateEpoch& epoch : epochs_) {
    archive(epoch.from, epoch.states, epoch.completes_points);
    driftless::archive(archive, epoch.method);
  }
}

void Pivoting::restart() {
  Stepper& stepper = *run_.stepper;
  std::ranges::copy(stepper.y(), run_.y.begin());
  std::ranges::copy(stepper.yp(), run_.yp.begin());
  (*run_.on_constraints)(stepper.time(), run_.y, run_.yp);
  run_.set_rates(stepper.time());
  stepper.restart(run_.y, run_.yp);
}

bool Pivoting::renew_chart() {
  const double here = run_.solution.reached;
  if (run_.options.pivot == PivotMode::Never || renewed_at_ == here || !uses_states(run_.method())) return false;
  renewed_at_ = here;
  const double t = run_.stepper->time();
  if (!coordinates_.renew({t, run_.stepper->y(), run_.stepper->yp()})) return false;
  ++run_.solution.statistics.pivots;
  run_.solution.pivots.push_back({t, "chart", "new chart after a failed step", 1.0});
  use_states();
  begin_epoch(t);
  restart();
  return true;
}

std::string describe_row(const Reduced& reduced, int row) {
  const Equation& equation = (*reduced.model)[reduced.rows[row].equation];
  return fmt::format("{}: {}", equation.label, equation.text);
}

}  // namespace driftless
