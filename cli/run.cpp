#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/progress.hpp"
#include "driftless/integrate/taylor.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/plot_svg.hpp"
#include "driftless/solution/summary.hpp"
#include "driftless/solution/write_csv.hpp"
#include "driftless/solution/write_json.hpp"
#include "driftless/solution/write_mat.hpp"

namespace driftless::cli {
namespace {

enum class Format { Csv, Mat, Json };

Format format_of(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  if (extension == ".csv") return Format::Csv;
  if (extension == ".mat") return Format::Mat;
  if (extension == ".json") return Format::Json;
  throw UsageError(
      fmt::format("cannot tell the format of '{}': --output expects a name that ends in .csv, .mat or .json", file));
}

std::optional<std::string> write(const Solution& solution, const std::string& file) {
  switch (format_of(file)) {
    case Format::Csv: return write_csv(solution, file);
    case Format::Mat: return write_mat(solution, file);
    case Format::Json: return write_json(solution, file);
  }
  return {};
}

struct Written {
  std::vector<std::string> files, problems;
};

// Writes all that was asked for; what fails does not keep the rest from being written.
Written write_files(const RunArguments& arguments, const Solution& solution) {
  Written written;
  const auto record = [&](const std::string& file, const std::optional<std::string>& problem) {
    (problem ? written.problems : written.files).push_back(problem.value_or(file));
  };
  for (const std::string& file : arguments.outputs) record(file, write(solution, file));
  if (arguments.plot && !solution.times.empty()) {
    const std::vector<std::string> names = split_names(*arguments.plot);
    const std::string file = arguments.plot_file.empty() ? solution.model + ".svg" : arguments.plot_file;
    const auto problem = plot_problem(solution, names);
    record(file, problem ? problem : write_file(file, plot_svg(solution, names)));
  }
  return written;
}

}  // namespace

int run(const RunArguments& arguments) {
  for (const std::string& file : arguments.outputs) {
    format_of(file);
    expect_folder(file);
  }
  expect_folder(arguments.plot_file);
  if (arguments.tolerance && arguments.simulate.step)
    throw UsageError("--tol lets the method choose its steps, --step makes them constant: give one of the two");
  if (const auto problem = step_problem(arguments.simulate.method, arguments.simulate.step)) throw UsageError(*problem);
  if (const double smallest = smallest_tolerance(arguments.simulate.method); arguments.tolerance.value_or(1.0) < smallest)
    throw UsageError(fmt::format("the tolerance {} is not between {} and 0.1, the range of {}", *arguments.tolerance,
                                 smallest, to_string(arguments.simulate.method)));
  const auto begin = std::chrono::steady_clock::now();
  Model model = read(arguments.model);
  const double parse_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

  SimulateOptions options = arguments.simulate;
  options.tolerance = arguments.tolerance.value_or(model.experiment.tolerance.value_or(1e-6));
  const auto [start, stop] = time_span(model, options);
  Progress progress(start, stop);
  options.progress = [&](double t) { return progress.update(t); };

  Solution solution = simulate(std::move(model), options);
  progress.finish();
  solution.statistics.seconds.parse = parse_seconds;

  const Written written = write_files(arguments, solution);
  if (arguments.json) {
    std::fputs(to_json(solution).c_str(), stdout);
  } else {
    std::fputs(summary(solution, {.colour = isatty(STDOUT_FILENO) != 0}).c_str(), stdout);
    for (const std::string& file : written.files) fmt::print("wrote      {}\n", file);
  }
  for (const std::string& problem : written.problems) fmt::print(stderr, "driftless: {}\n", problem);
  if (!written.problems.empty()) return bad_input;
  return solution.outcome == Outcome::Success ? success : numerical_failure;
}

}  // namespace driftless::cli
