#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/complaints.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/picture/format.hpp"
#include "driftless/solution/plot_picture.hpp"
#include "driftless/solution/read_csv.hpp"
#include "driftless/solution/read_mat.hpp"

namespace driftless::cli {
namespace {

namespace fs = std::filesystem;

struct PlotArguments {
  std::vector<std::string> files;  // trajectories
  std::string names, labels;       // separated by commas
  std::string title;
  std::string output = "plot.svg";
};

Solution read_results(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".json")
    throw UsageError(
        Code::UnknownFormat,
        fmt::format("'{}' is a summary, which has the last values only: write the trajectory with --output "
                    "x.csv or x.mat and plot that",
                    file));
  if (extension != ".csv" && extension != ".mat")
    throw UsageError(Code::UnknownFormat,
                     fmt::format("cannot tell the format of '{}': plot reads names that end in .csv or .mat", file));
  std::error_code none;
  if (!fs::exists(file, none))
    throw UsageError(Code::CannotRead, fmt::format("cannot read '{}': there is no such file", file));
  if (fs::is_directory(file, none))
    throw UsageError(Code::CannotRead, fmt::format("cannot read '{}': it is a folder", file));
  auto read = extension == ".csv" ? read_csv(file) : read_mat(file);
  if (const auto* problem = std::get_if<std::string>(&read)) throw UsageError(Code::WrongReference, *problem);
  return std::get<Solution>(std::move(read));
}

// Splits at commas; a label may contain blanks, but not begin or end with one.
std::vector<std::string> split_labels(const std::string& text) {
  std::vector<std::string> labels;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string label = text.substr(at, end - at);
    const std::size_t first = std::min(label.find_first_not_of(' '), label.size());
    labels.push_back(label.substr(first, label.find_last_not_of(' ') + 1 - first));
    at = end + 1;
  }
  return labels;
}

// As given; otherwise the names of the files, with their folders if the names alone are equal.
std::vector<std::string> labels_of(const PlotArguments& arguments) {
  std::vector<std::string> labels = split_labels(arguments.labels);
  if (!arguments.labels.empty() && labels.size() != arguments.files.size())
    throw UsageError(Code::WrongOptionValue,
                     fmt::format("--labels: there are {} for {} files", labels.size(), arguments.files.size()));
  if (!arguments.labels.empty()) return labels;
  labels.clear();
  for (const std::string& file : arguments.files) labels.push_back(fs::path(file).stem().string());
  if (std::set<std::string>(labels.begin(), labels.end()).size() < labels.size()) labels = arguments.files;
  return labels;
}

int plot(const PlotArguments& arguments) {
  expect_picture("--output", arguments.output);
  expect_writable({arguments.output}, arguments.files);
  const std::vector<std::string> labels = labels_of(arguments);
  const std::vector<std::string> names = split_names(arguments.names);
  std::vector<Solution> solutions;
  for (const std::string& file : arguments.files) {
    solutions.push_back(read_results(file));
    if (const auto problem = plot_problem(solutions.back(), names))
      throw UsageError(Code::UnknownCurve, fmt::format("{}: {}", file, *problem));
  }
  std::vector<PlottedRun> runs;
  for (std::size_t k = 0; k < solutions.size(); ++k) runs.push_back({labels[k], &solutions[k]});
  std::string bytes;
  try {
    const Picture picture = plot_picture(runs, names, {.title = arguments.title});
    bytes = rendered(picture, picture_format(arguments.output).value_or(PictureFormat::Svg));
  } catch (const std::invalid_argument& error) {
    throw UsageError(Code::UnknownCurve, error.what());
  }
  if (const auto problem = write_file(arguments.output, bytes)) throw UsageError(Code::CannotWrite, *problem);
  fmt::print("wrote      {}\n", printable(arguments.output));
  return success;
}

}  // namespace

void add_plot(Commands& commands) {
  const auto [command, arguments] =
      commands.add<PlotArguments>("plot", "draw runs upon each other, from the files that they wrote", plot);
  command.add_option("RESULTS", arguments.files, "trajectories, .csv or .mat; those of other Modelica tools as well")
      ->required()
      ->type_name("FILE");
  command
      .add_option(
          "--vars", arguments.names,
          "what to draw over time (x, arrays T or T[1:3]), or y over x with x:y (otherwise the first variables)")
      ->join(',')
      ->type_name("VARS");
  command.add_option("--labels", arguments.labels, "what the runs are called (otherwise as the files)")
      ->join(',')
      ->type_name("TEXT,...");
  command.add_option("--title", arguments.title, "above the picture")->type_name("TEXT");
  command.add_option("--output", arguments.output, "where to draw: .svg, .pdf or .png (otherwise plot.svg)")
      ->type_name("FILE");
}

}  // namespace driftless::cli
