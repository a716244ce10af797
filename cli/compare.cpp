#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "driftless/choices/options.hpp"
#include "driftless/compare.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/comparison_json.hpp"
#include "driftless/solution/comparison_svg.hpp"
#include "driftless/solution/comparison_table.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/read_csv.hpp"

namespace driftless::cli {
namespace {

struct CompareArguments {
  ModelArguments model;
  std::optional<double> start, stop;
  std::optional<int> intervals;
  std::string tolerances, steps, formulations, methods, projections;  // separated by commas; empty: the defaults
  std::string reference;                                              // a file; empty: a run made for this purpose
  std::string svg;
  bool json = false;
};

std::vector<double> steps_of(const std::string& text) {
  const std::vector<double> steps = numbers_of("--step", text);
  for (const double step : steps)
    if (!(step > 0.0)) throw UsageError(Code::WrongStepSize, fmt::format("the step size {} is not positive", step));
  return steps;
}

// UsageError for settings that no run could use, such as a method without its required options.
void check_settings(const CompareOptions& options) {
  for (const Method& method : options.methods) {
    const bool has_tolerance = !options.tolerances.empty() || options.steps.empty();
    if (controls_step(method) && has_tolerance) continue;
    const auto step = options.steps.empty() ? std::nullopt : std::optional(options.steps[0]);
    if (const auto problem = step_problem(method, step)) throw UsageError(Code::WrongStepSize, *problem);
  }
}

Solution reference_from(const std::string& file) {
  auto read = read_csv(file);
  if (const auto* problem = std::get_if<std::string>(&read))
    throw UsageError(Code::WrongReference, "--reference: " + *problem);
  return std::get<Solution>(std::move(read));
}

int compare(const CompareArguments& arguments) {
  expect_svg("--svg", arguments.svg);
  expect_writable({arguments.svg}, {arguments.model.file, arguments.reference});
  CompareOptions options;
  options.tolerances = tolerances_of("--tol", arguments.tolerances);
  options.steps = steps_of(arguments.steps);
  options.formulations = formulations.parse_list("--formulations", arguments.formulations);
  options.methods = methods.parse_list("--methods", arguments.methods);
  options.projections = projections.parse_list("--projections", arguments.projections);
  check_settings(options);
  options.simulate.intervals = arguments.intervals;
  options.simulate.start = arguments.start;
  options.simulate.stop = arguments.stop;

  if (!arguments.reference.empty()) {
    options.reference = reference_from(arguments.reference);
    options.reference_name = arguments.reference;
  }
  const auto model = std::make_shared<const Model>(read(arguments.model));
  const auto [start, stop] = time_span(*model, options.simulate);
  Progress progress(start, stop);
  options.simulate.progress = [&](double t) { return progress.update(t); };
  const Comparison comparison = driftless::compare(model, options);
  progress.finish();

  if (!arguments.svg.empty())
    if (const auto problem = write_file(arguments.svg, comparison_svg(comparison)))
      throw UsageError(Code::CannotWrite, *problem);
  std::fputs((arguments.json ? to_json(comparison) : printable(comparison_table(comparison))).c_str(), stdout);
  if (!arguments.svg.empty() && !arguments.json) fmt::print("\nwrote {}\n", printable(arguments.svg));
  // Failed runs are results, but without the accurate run there are none.
  return comparison.reference_outcome == Outcome::Success ? success : numerical_failure;
}

}  // namespace

void add_compare(Commands& commands) {
  const auto [command, arguments] = commands.add<CompareArguments>(
      "compare", "integrate a model in several formulations and by several methods: cost, error and drift side by side",
      compare);
  add_model(command, arguments.model);
  add_time_span(command, arguments.start, arguments.stop);
  add_list(command, "--tol", "NUMBER", arguments.tolerances,
           "tolerances (otherwise the one of the annotation, or 1e-6)");
  add_list(command, "--step", "NUMBER", arguments.steps, "step sizes, for methods with constant steps");
  add_list(command, "--formulations", "NAME", arguments.formulations,
           "which (otherwise all, or a few with --step): dummy,index1,baumgarte:gamma=10");
  add_list(command, "--methods", "NAME", arguments.methods,
           "which (otherwise bdf, or one of each kind with --step): bdf2,radau3,dopri5");
  add_list(command, "--projections", "NAME", arguments.projections, "which (otherwise none): none,velocity,both");
  command
      .add_option("--reference", arguments.reference,
                  "exact values (.csv) to measure errors by (otherwise an accurate run)")
      ->type_name("FILE");
  add_intervals(command, arguments.intervals);
  command.add_option("--svg", arguments.svg, "draw drift over time, and error over work")->type_name("FILE");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the table");
}

}  // namespace driftless::cli
