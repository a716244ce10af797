#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/complaints.hpp"
#include "cli/progress.hpp"
#include "cli/results.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"
#include "driftless/sensitivities.hpp"
#include "driftless/solution/event_table.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_json.hpp"

namespace driftless::cli {

void check_steps(const RunArguments& arguments) {
  if (arguments.tolerance && arguments.simulate.step)
    throw UsageError(Code::WrongStepSize,
                     "--tol lets the method choose its steps, --step makes them constant: give one of the two");
  if (arguments.simulate.max_step && arguments.simulate.step)
    throw UsageError(
        Code::WrongStepSize,
        "--max-step bounds the steps that a method chooses, --step makes them constant: give one of the two");
  if (const auto problem = step_problem(arguments.simulate.method, arguments.simulate.step))
    throw UsageError(Code::WrongStepSize, *problem);
  if (const double smallest = smallest_tolerance(arguments.simulate.method);
      arguments.tolerance.value_or(1.0) < smallest)
    throw UsageError(Code::ToleranceOutOfRange,
                     fmt::format("the tolerance {} is not between {} and 0.1, the range of {}", *arguments.tolerance,
                                 smallest, to_string(arguments.simulate.method)));
}

int run(const RunArguments& arguments) {
  Results results(arguments);
  check_steps(arguments);
  const double begin = processor_seconds();
  std::vector<AnimatedShape> animation;
  Model model = read(arguments.model, &animation);
  const double parse_seconds = processor_seconds() - begin;

  SimulateOptions options = arguments.simulate;
  options.tolerance = arguments.tolerance.value_or(model.experiment.tolerance.value_or(1e-6));
  options.tolerances = single_tolerances(arguments.tolerances);
  options.inputs = read_inputs(arguments.inputs, model);
  const auto [start, stop] = time_span(model, options);
  Progress progress(start, stop);
  options.progress = [&](double t) { return progress.update(t); };
  results.prepare(model, std::move(animation));
  options.rows = results.sink();
  options.rows.event = [&, write = options.rows.event](const Event& event) {
    progress.count_event();
    write(event);
  };

  const std::vector<std::string> names = split_names(arguments.sensitivities);
  SensitiveSolution solution = names.empty() ? SensitiveSolution{simulate(std::move(model), options), {}, {}}
                                             : simulate(compile(std::move(model), options), {}, names);
  progress.finish();
  solution.statistics.seconds.parse = parse_seconds;

  const Results::Written written = results.finish(solution);
  if (arguments.json) {
    std::fputs((names.empty() ? to_json(static_cast<const Solution&>(solution)) : to_json(solution)).c_str(), stdout);
  } else {
    std::fputs(summary(solution, {.colour = wants_colour(STDOUT_FILENO)}).c_str(), stdout);
    if (solution.outcome == Outcome::InitializationFailed)
      fmt::print("see        driftless init {}\n", printable(arguments.model.file));
    if (arguments.events == "-") fmt::print("\n{}", event_table(solution));
    std::fputs(event_times_text(solution).c_str(), stdout);
    for (const std::string& file : written.files) fmt::print("wrote      {}\n", printable(file));
  }
  for (const std::string& problem : written.problems) print_complaint(Code::CannotWrite, problem);
  if (!written.problems.empty()) return bad_input;
  return solution.outcome == Outcome::Success   ? success
         : solution.outcome == Outcome::NotKept ? not_kept
                                                : numerical_failure;
}

}  // namespace driftless::cli
