#include "driftless/integrate/run/output_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "driftless/integrate/run/columns.hpp"

namespace driftless {
namespace {

// Of a polynomial at an output point, in units of the error test; its error is some part of that.
constexpr double largest_defect = 100.0;
constexpr std::size_t fewest_together = 3;  // points: fewer gain nothing

}  // namespace

OutputPoints::OutputPoints(RunContext& run, DeliveredPoint& gate, RunChecks& checks, StepPoints& points,
                           Explanation& explanation)
    : run_(run),
      gate_(gate),
      checks_(checks),
      points_(points),
      explanation_(explanation),
      invariants_(run.system->invariants_of_model()),
      inspect_(*run.system) {
  while (!is_done() && next_time() <= run.start.t) skip();
}

void OutputPoints::describe_columns() { driftless::describe_columns(*run_.system, gate_, run_.start.t, run_.solution); }

double OutputPoints::time_of(int k) const {
  const IntegrateOptions& options = run_.options;
  const double from = options.first_output.value_or(run_.start.t);
  return k >= options.intervals ? options.stop
                                : from + (options.stop - from) * k / static_cast<double>(options.intervals);
}

StepReport OutputPoints::examine(double t, Origin origin) {
  const auto check = [&] { return gate_(System::Point{t, run_.y, run_.yp}, origin, run_.quantities); };
  auto violation = check();
  if (!run_.all_exist()) return explanation_.undefined_at(t);
  if (violation && points_.solve_again(t)) violation = check();
  if (violation) return explanation_.not_satisfied(*violation);
  return checks_.hold(t, run_.quantities) ? StepReport{} : explanation_.undefined_at(t);
}

StepReport OutputPoints::deliver(double t, Origin origin) {
  StepReport report = examine(t, origin);
  if (report.outcome == Outcome::Success) put_into_trajectory(t);
  return report;
}

void OutputPoints::deliver_again(double t) {
  run_.observe(t);
  put_into_trajectory(t);
}

void OutputPoints::put_into_trajectory(double t) {
  Solution& solution = run_.solution;
  if (!run_.options.rows.keep_all) solution.times.clear(), solution.values.clear(), solution.constraint_drift.clear();
  const std::size_t row = solution.constraint_drift.size();
  solution.constraint_drift.resize(row + solution.drift_levels, 0.0);
  record(solution.certificate, t, gate_.residuals(), gate_.relative(),
         std::span(solution.constraint_drift).subspan(row));
  ++solution.points;
  solution.times.push_back(t);
  solution.values.insert(solution.values.end(), run_.quantities.begin(), run_.quantities.end());
  record_invariants(t);
  hand_out();
}

StepReport OutputPoints::deliver_step() {
  const bool has_points = !is_done() && next_time() <= run_.stepper->time();
  return has_points ? points_of_step() : examine_end();
}

StepReport OutputPoints::points_of_step() {
  const double end = end_of_values();
  StepReport delivered = deliver_up_to(end, true);
  if (delivered.outcome != Outcome::Success) return delivered;
  return end < run_.stepper->time() ? stop_behind(end) : StepReport{};
}

// One evaluation shows whether all quantities exist and satisfy the equations.
StepReport OutputPoints::examine_end() {
  const double t = run_.stepper->time();
  const auto [exists, violation] = gate_.look_at_end({t, run_.end_y, run_.end_yp});
  if (exists && !checks_.are_none()) run_.system->take_quantities(run_.quantities);
  const bool is_good = exists && checks_.hold(t, run_.quantities);
  if (is_good && !violation) return {};
  run_.y = run_.end_y, run_.yp = run_.end_yp;
  return is_good ? explanation_.not_satisfied(*violation) : points_of_step();
}

// Where the step size of an explicit method is bounded by stability, the ends of a step are accurate, but its
// polynomial may be off by many tolerances between them.
bool OutputPoints::refuses(double t, double defect) {
  if (run_.options.step || !(t < run_.stepper->time()) || refused_ == t) return false;
  if (!(defect > largest_defect)) return false;
  refused_ = t;
  return true;
}

std::size_t OutputPoints::number_up_to(double end) const {
  std::size_t number = 0;
  for (int k = next_; k <= run_.options.intervals && time_of(k) <= end; ++k) ++number;
  return number;
}

// Dense output keeps the polynomial of the step, so output points are taken from it.
StepReport OutputPoints::deliver_up_to(double end, bool may_refuse) {
  if (!run_.options.dense) run_.stepper->expect_points(number_up_to(end));
  StepReport report = deliver_each_up_to(end, may_refuse);
  run_.stepper->expect_points(0);
  return report;
}

StepReport OutputPoints::deliver_each_up_to(double end, bool may_refuse) {
  const auto deliver_next = [&](double defect, const auto& examined) {
    const double t = next_time();
    if (may_refuse && refuses(t, defect))
      return StepReport{Outcome::NotSatisfied, "the polynomial of the step does not follow the equations"};
    return deliver_examined(t, examined(t));
  };
  while (!is_done() && next_time() <= end) {
    const std::size_t together = look_ahead(end);
    for (std::size_t k = 0; k < together; ++k, skip()) {
      const Ahead& point = ahead_[k];
      const StepReport report = deliver_next(point.defect, [&](double t) { return examine_ahead(t, point); });
      if (report.outcome != Outcome::Success) return report;
    }
    if (together > 0) continue;
    const Origin origin = points_.load(next_time());
    const StepReport report =
        deliver_next(run_.stepper->defect_of_point(), [&](double t) { return examine(t, origin); });
    if (report.outcome != Outcome::Success) return report;
    skip();
  }
  return {};
}

StepReport OutputPoints::deliver_examined(double t, StepReport report) {
  if (report.outcome == Outcome::Success) report = look_for_missed_event(t);
  if (report.outcome == Outcome::Success) put_into_trajectory(t);
  return report;
}

std::size_t OutputPoints::look_ahead(double end) {
  std::size_t count = 0;
  while (count < InspectedPoints::most && next_ + static_cast<int>(count) <= run_.options.intervals &&
         time_of(next_ + static_cast<int>(count)) <= end)
    ++count;
  if (count < fewest_together || !inspect_.gain()) return 0;
  ahead_.resize(InspectedPoints::most);
  std::array<InspectedPoints::Point, InspectedPoints::most> looked_at;
  for (std::size_t k = 0; k < count; ++k) {
    Ahead& point = ahead_[k];
    const double t = time_of(next_ + static_cast<int>(k));
    point.origin = points_.load(t);
    point.defect = run_.stepper->defect_of_point();
    point.y = run_.y, point.yp = run_.yp;
    point.quantities.resize(run_.quantities.size());
    point.residuals_and_sizes.resize(2 * run_.system->checks().size());
    looked_at[k] = {{t, point.y, point.yp}, point.quantities, point.residuals_and_sizes};
  }
  inspect_(std::span<const InspectedPoints::Point>(looked_at).first(count));
  return count;
}

// A point that residuals and sizes do not clear is examined by itself.
StepReport OutputPoints::examine_ahead(double t, const Ahead& point) {
  run_.y = point.y, run_.yp = point.yp, run_.quantities = point.quantities;
  const bool is_clear = gate_.is_clear(point.residuals_and_sizes) && run_.all_exist();
  if (!is_clear) return examine(t, point.origin);
  return checks_.hold(t, run_.quantities) ? StepReport{} : explanation_.undefined_at(t);
}

// The search uses a polynomial, whereas the point was solved. At ends of steps both have the same numbers.
StepReport OutputPoints::look_for_missed_event(double t) {
  const auto held = run_.events && !run_.options.step ? run_.events->contradicted(t, run_.quantities) : std::nullopt;
  return held ? explanation_.missed_event(t, static_cast<std::size_t>(*held)) : StepReport{};
}

StepReport OutputPoints::deliver_event(double t) {
  StepReport report = deliver_up_to(std::nextafter(t, -HUGE_VAL), false);
  if (report.outcome != Outcome::Success) return report;
  report = deliver(t, points_.load(t));
  skip_up_to(t);
  return report;
}

StepReport OutputPoints::deliver_rest() {
  for (; !is_done(); skip()) {
    const double t = next_time();
    run_.y = run_.end_y, run_.yp = run_.end_yp;
    if (run_.completes_points()) (*run_.on_constraints)(t, run_.y, run_.yp);
    StepReport report = deliver(t, Origin::Solved);
    if (report.outcome != Outcome::Success) return report;
  }
  return {};
}

double OutputPoints::end_of_values() {
  const double end = run_.stepper->time();
  run_.system->observe({end, run_.end_y, run_.end_yp}, run_.quantities);
  if (is_right(end)) return end;
  double exists = run_.solution.reached, missing = end;
  for (double t = std::midpoint(exists, missing); t > exists && t < missing; t = std::midpoint(exists, missing)) {
    points_.load(t);
    run_.observe(t);
    (is_right(t) ? exists : missing) = t;
  }
  return exists;
}

// Some quantity does not exist beyond `end`.
StepReport OutputPoints::stop_behind(double end) {
  run_.solution.reached = end;
  const double t = std::nextafter(end, run_.stepper->time());
  points_.load(t);
  return explanation_.undefined_at(t);
}

// Gives the last point of the trajectory to the sink.
void OutputPoints::hand_out() {
  const RowSink& sink = run_.options.rows;
  if (!sink.row || sink_is_full_) return;
  const std::size_t series = run_.quantities.size() + invariants_.size();
  sink_is_full_ = !sink.row(run_.solution.times.back(), std::span<const double>(run_.solution.values).last(series));
}

void OutputPoints::record_invariants(double t) {
  driftless::record_invariants(*run_.system, {t, run_.y, run_.yp}, invariants_, run_.solution);
}

void OutputPoints::archive(Archive& archive) {
  archive.section("output");
  archive(next_, sink_is_full_, refused_);
}

void OutputPoints::drop_incomplete() {
  Solution& solution = run_.solution;
  const std::size_t series = solution.series();
  const std::size_t rows = series == 0 ? solution.times.size() : solution.values.size() / series;
  solution.times.resize(std::min(rows, solution.times.size()));
  solution.values.resize(solution.times.size() * series);
  solution.constraint_drift.resize(
      std::min(solution.constraint_drift.size(), solution.times.size() * solution.drift_levels));
  solution.segments.clear();
}

}  // namespace driftless
