#include "driftless/integrate/run/context.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/clock/processor_time.hpp"
#include "driftless/linear/number.hpp"

namespace driftless {

RunContext::RunContext(std::shared_ptr<System> with, const State& from, const IntegrateOptions& settings,
                       Solution& result)
    : system(std::move(with)),
      reduced(system->reduced()),
      options(settings),
      start(from),
      solution(result),
      problem(*system),
      switching(problem, settings.step ? Successors{} : settings.successors, settings.method),
      from_y(from.y),
      from_yp(from.yp),
      y(from.y),
      yp(from.yp),
      quantities(reduced.quantities.size()) {
  if (reduced.model->discrete.is_empty()) return;
  events = std::make_unique<EventSearch>(*system, options.tolerance);
  events->set_end(options.stop);
}

bool RunContext::has_rate(int slot) const {
  return std::ranges::any_of(reduced.quantities,
                             [&](Quantity q) { return reduced.place(q) == Place::Rate && reduced.slot_of(q) == slot; });
}

bool RunContext::all_exist() const { return linear::all_finite(quantities); }

void RunContext::take_point(double t) {
  if (t >= stepper->time())
    y = end_y, yp = end_yp;
  else if (t <= solution.reached)
    y = from_y, yp = from_yp;
  else
    stepper->interpolate(t, y, yp);
}

void RunContext::set_rates(double t) { system->set_rates(t, y, yp); }

void RunContext::observe(double t) { system->observe({t, y, yp}, quantities); }

bool RunContext::solve_rows(double t, std::vector<double>& at_y, std::vector<double>& at_yp) {
  if (!(*on_constraints)(t, at_y, at_yp)) return false;
  system->set_rates(t, at_y, at_yp);
  return true;
}

bool RunContext::step_again_to(double t) {
  goal = t;
  return stepper->resume(solution.reached, from_y, from_yp, goal);
}

void RunContext::archive(Archive& archive) {
  archive.section("run");
  archive.expect(y.size(), "number of unknowns");
  archive(*system, problem, switching, *on_constraints, from_y, from_yp, end_y, end_yp, goal, y, yp, quantities);
  archive(solution);
}

double RunContext::clock() const { return processor_seconds() - seconds_of_compilation(); }

void refuse_run(Code code, const RunContext& run, const std::string& reason) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *run.reduced.model->sources);
}

}  // namespace driftless
