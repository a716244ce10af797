#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "driftless/compare.hpp"
#include "driftless/solution/comparison_json.hpp"
#include "driftless/solution/comparison_svg.hpp"
#include "driftless/solution/comparison_table.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless::cli {
namespace {

std::vector<double> tolerances_of(const std::string& text) {
  std::vector<double> tolerances;
  for (const std::string& part : split_names(text)) {
    char* end = nullptr;
    const double tolerance = std::strtod(part.c_str(), &end);
    if (part.empty() || *end != '\0') throw UsageError(fmt::format("--tol expects numbers, found '{}'", part));
    if (!(tolerance >= 1e-14 && tolerance <= 0.1))
      throw UsageError(fmt::format("the tolerance {} is not between 1e-14 and 0.1", part));
    tolerances.push_back(tolerance);
  }
  return tolerances;
}

}  // namespace

int compare(const CompareArguments& arguments) {
  CompareOptions options;
  options.tolerances = tolerances_of(arguments.tolerances);
  options.formulations = formulations.parse_list("--formulations", arguments.formulations);
  options.simulate.start = arguments.start;
  options.simulate.stop = arguments.stop;

  const auto model = std::make_shared<const Model>(read(arguments.model));
  const auto [start, stop] = time_span(*model, options.simulate);
  Progress progress(start, stop);
  options.simulate.progress = [&](double t) { return progress.update(t); };
  const Comparison comparison = driftless::compare(model, options);
  progress.finish();

  if (!arguments.svg.empty())
    if (const auto problem = write_file(arguments.svg, comparison_svg(comparison))) throw UsageError(*problem);
  std::fputs((arguments.json ? to_json(comparison) : comparison_table(comparison)).c_str(), stdout);
  if (!arguments.svg.empty() && !arguments.json) fmt::print("\nwrote {}\n", arguments.svg);
  // That a formulation fails is a result; without the accurate run there is none.
  return comparison.reference_outcome == Outcome::Success ? success : numerical_failure;
}

}  // namespace driftless::cli
