#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/commands.hpp"
#include "cli/complaints.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/results.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/sensitivities.hpp"
#include "driftless/solution/event_table.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_json.hpp"

namespace driftless::cli {
namespace {

const std::map<std::string, PivotMode> pivots{
    {"continue", PivotMode::Continue}, {"restart", PivotMode::Restart}, {"never", PivotMode::Never}};
const std::map<std::string, Derivatives> jacobians{{"exact", Derivatives::Exact},
                                                   {"differences", Derivatives::Differences}};
const std::map<std::string, NewtonTest> newtons{
    {"one", NewtonTest::One}, {"two", NewtonTest::Two}, {"dassl", NewtonTest::Dassl}};
const std::map<std::string, Backend> backends{
    {"adaptive", Backend::Adaptive}, {"llvm", Backend::Llvm}, {"interpreter", Backend::Interpreter}};

int run(const RunArguments& arguments) {
  if (!backend_available(arguments.simulate.backend))
    throw UsageError(Code::NotInThisBuild,
                     "this program was built without LLVM: install llvm-19-dev and build it again, or use --backend "
                     "interpreter");
  Results results(arguments);
  check_steps(arguments);
  const double begin = processor_seconds();
  std::vector<AnimatedShape> animation;
  Model model = read(arguments.model, &animation);
  const double parse_seconds = processor_seconds() - begin;

  SimulateOptions options = arguments.simulate;
  options.dense = false;
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

}  // namespace

void add_run(Commands& commands) {
  const auto [command, arguments] =
      commands.add<RunArguments>("run", "integrate a model and say how well every constraint was kept", run);
  add_model(command, arguments.model);
  add_results(command, arguments);
  add_inputs(command, arguments.inputs);
  add_list(command, "--tol-of", "NAME=NUMBER", arguments.tolerances,
           "tolerances of single variables, which then take part in the error test: lambda=1e-2,der(x)=1e-8");
  command
      .add_option("--events", arguments.events,
                  "write a table of all events (.csv), or print the first ones after the summary (-)")
      ->type_name("FILE");
  add_list(command, "--sensitivities", "NAME", arguments.sensitivities,
           "derivatives of all variables and of the times of events with respect to these parameters and starts: "
           "columns d(x)/d(L) (docs/sensitivities.md)");
  add_method(command, arguments);
  add_choice(command, "--pivot", arguments.simulate.pivot, pivots,
             "what happens when the states change: continue keeps the integrator running");
  add_choice(command, "--newton", arguments.simulate.newton, newtons,
             "least number of Newton iterations per step, with a tolerance");
  add_choice(command, "--jacobian", arguments.simulate.jacobian, jacobians,
             "partial derivatives from the expressions, or by difference quotients");
  add_choice(command, "--backend", arguments.simulate.backend, backends, "machine code or interpreter");
  command.add_flag("--sliding", arguments.simulate.sliding,
                   "where a relation chatters, follow the sliding motion of Filippov");
  command.add_option("--max-steps", arguments.simulate.max_steps, "give up after so many steps")
      ->check(up_to(1'000'000'000'000))
      ->type_name("N");
}

}  // namespace driftless::cli
