#include "driftless/solve_boundary.hpp"

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/results.hpp"
#include "driftless/clock/processor_time.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_json.hpp"

namespace driftless::cli {
namespace {

struct SolveBoundaryArguments {
  RunArguments run;
  boundary::CollocationMethod method;
  std::optional<int> mesh;
  std::string from;  // parameters and their first values
};

// "lambda=0.5,mu=1"
NamedValues first_values(const std::string& text) {
  NamedValues values;
  for (const std::string& part : split_names(text)) {
    const std::size_t equals = part.find('=');
    char* end = nullptr;
    const std::string number = equals == std::string::npos ? "" : part.substr(equals + 1);
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0')
      throw UsageError(Code::WrongOptionValue, fmt::format("--continue: '{}' is not NAME=NUMBER", part));
    values.emplace_back(part.substr(0, equals), value);
  }
  return values;
}

int solve_boundary(const SolveBoundaryArguments& arguments) {
  Results results(arguments.run);
  if (arguments.run.tolerance && arguments.mesh)
    throw UsageError(Code::WrongStepSize,
                     "--tol lets the method choose its mesh, --mesh makes it constant: give one of the two");
  const double begin = processor_seconds();
  std::vector<AnimatedShape> animation;
  Model model = read(arguments.run.model, &animation);
  const double parse_seconds = processor_seconds() - begin;
  time_span(model, arguments.run.simulate);

  BoundaryOptions options;
  options.start = arguments.run.simulate.start, options.stop = arguments.run.simulate.stop;
  options.tolerance = arguments.run.tolerance.value_or(model.experiment.tolerance.value_or(1e-6));
  options.intervals = arguments.run.simulate.intervals;
  options.method = arguments.method;
  options.mesh = arguments.mesh;
  options.from = first_values(arguments.from);
  options.dense = false;
  results.prepare(model, std::move(animation));
  options.rows = results.sink();

  Solution solution = driftless::solve_boundary(std::move(model), options);
  solution.statistics.seconds.parse = parse_seconds;
  const Results::Written written = results.finish(solution);
  if (arguments.run.json) {
    std::fputs(to_json(solution).c_str(), stdout);
  } else {
    std::fputs(summary(solution, {.colour = wants_colour(STDOUT_FILENO)}).c_str(), stdout);
    for (const std::string& file : written.files) fmt::print("wrote      {}\n", printable(file));
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "driftless: {}\n", printable(problem));
  if (!written.problems.empty()) return bad_input;
  return solution.outcome == Outcome::Success   ? success
         : solution.outcome == Outcome::NotKept ? not_kept
                                                : numerical_failure;
}

}  // namespace

const std::map<std::string, boundary::CollocationMethod>& collocation_methods() {
  static const std::map<std::string, boundary::CollocationMethod> methods = [] {
    std::map<std::string, boundary::CollocationMethod> all;
    for (const std::string& name : boundary::collocation_method_names())
      all.emplace(name, *boundary::parse_collocation_method(name));
    return all;
  }();
  return methods;
}

void add_solve_boundary(Commands& commands) {
  const auto [command, arguments] = commands.add<SolveBoundaryArguments>(
      "solve-bvp", "solve a model with conditions at both ends of its interval (docs/boundary.md)", solve_boundary);
  add_model(command, arguments.run.model);
  add_results(command, arguments.run);
  add_choice(command, "--method", arguments.method, collocation_methods(),
             "which points of a mesh interval are collocated, and how many");
  command.add_option("--mesh", arguments.mesh, "a constant mesh of so many intervals, without --tol")
      ->check(up_to(20'000))
      ->type_name("N");
  add_list(command, "--continue", "NAME=NUMBER", arguments.from,
           "solve with these values of parameters first, and follow the solution to those of the model");
}

}  // namespace driftless::cli
