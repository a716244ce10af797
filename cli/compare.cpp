#include <cstdio>

#include <fmt/format.h>

#include "cli/arguments.hpp"
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

std::vector<double> steps_of(const std::string& text) {
  const std::vector<double> steps = numbers_of("--step", text);
  for (const double step : steps)
    if (!(step > 0.0)) throw UsageError(Code::WrongStepSize, fmt::format("the step size {} is not positive", step));
  return steps;
}

// Something that no run could do is a mistake, not a result: a method without what it needs.
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

}  // namespace

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
  // That a run fails is a result; without the accurate run there is none.
  return comparison.reference_outcome == Outcome::Success ? success : numerical_failure;
}

}  // namespace driftless::cli
