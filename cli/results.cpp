#include "cli/results.hpp"

#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>

#include "cli/interruption.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/picture/format.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/plot_picture.hpp"
#include "driftless/solution/write_json.hpp"

namespace driftless::cli {
namespace {

namespace fs = std::filesystem;

enum class Format { Csv, Mat, Json };

Format format_of(const std::string& file) {
  const std::string extension = fs::path(file).extension().string();
  if (extension == ".csv") return Format::Csv;
  if (extension == ".mat") return Format::Mat;
  if (extension == ".json") return Format::Json;
  throw UsageError(
      Code::UnknownFormat,
      fmt::format("cannot tell the format of '{}': --output expects a name that ends in .csv, .mat or .json", file));
}

bool draws(const RunArguments& arguments) { return arguments.plot || !arguments.plot_file.empty(); }

}  // namespace

Results::Results(const RunArguments& arguments) : arguments_(arguments) {
  std::vector<std::string> files = arguments.outputs;
  for (const std::string& file : files) {
    const Format format = format_of(file);
    if (format == Format::Json)
      summaries_.push_back(file);
    else if (is_device(file))
      pipes_.push_back(file);
    else
      streams_.push_back({file, format == Format::Csv});
  }
  if (!arguments.plot_file.empty()) {
    expect_picture("--plot-file", arguments.plot_file);
    files.push_back(arguments.plot_file);
  }
  if (!arguments.report.empty()) {
    if (const std::string ending = fs::path(arguments.report).extension().string();
        ending != ".html" && ending != ".htm")
      throw UsageError(Code::UnknownFormat,
                       fmt::format("--report expects a name that ends in .html, not '{}'", arguments.report));
    files.push_back(arguments.report);
  }
  check_events(files);
  expect_writable(files, {arguments.model.file});
  names_ = split_names(arguments.plot.value_or(""));
}

void Results::check_events(std::vector<std::string>& files) const {
  const std::string& file = arguments_.events;
  if (file == "-" && arguments_.json)
    throw UsageError(
        Code::UnknownFormat,
        "--events - prints a table where --json prints its object, which has the events already: leave out "
        "--events -, or name a file");
  if (file.empty() || file == "-") return;
  if (fs::path(file).extension() != ".csv")
    throw UsageError(
        Code::UnknownFormat,
        fmt::format("--events expects a name that ends in .csv, or - for a table after the summary, not '{}'", file));
  files.push_back(file);
}

void Results::prepare(const Model& model, std::vector<AnimatedShape> animation) {
  if (arguments_.report.empty()) return;
  report_.emplace(std::make_shared<const Model>(model),
                  ReportOptions{.shown = names_, .animation = std::move(animation)});
}

RowSink Results::sink() {
  return {.begin = [this](const Solution& head) { begin(head); },
          .row = [this](double time, std::span<const double> series) { return row(time, series); },
          .event =
              [this](const Event& event) {
                if (events_) events_->event(event);
              },
          .keep_all = !pipes_.empty()};
}

// Called once, or again if another method starts over.
void Results::begin(const Solution& head) {
  if (draws(arguments_)) {
    const auto curves = curves_of(head.columns, names_);
    if (const auto* problem = std::get_if<std::string>(&curves)) throw UsageError(Code::UnknownCurve, *problem);
    std::vector<std::string> names;
    for (const CurveNames& curve : std::get<std::vector<CurveNames>>(curves))
      names.push_back(curve.x), names.push_back(curve.y);
    if (!curves_ && arguments_.plot_file.empty()) {
      std::vector<std::string> files = arguments_.outputs;
      files.push_back(plot_file(head));
      expect_writable(files, {arguments_.model.file});
    }
    curves_.emplace(head, names);
  }
  if (report_) report_->begin(head);
  if (!arguments_.events.empty() && arguments_.events != "-") {
    if (!events_) events_ = std::make_unique<EventWriter>(arguments_.events);
    events_->begin(head);
  }
  for (Stream& stream : streams_) {
    if (stream.is_csv) {
      if (!stream.csv) stream.csv = std::make_unique<CsvWriter>(stream.file);
      stream.csv->begin(head);
    } else {
      if (!stream.mat) stream.mat = std::make_unique<MatWriter>(stream.file);
      stream.mat->begin(head);
    }
  }
}

// A write error ends the run, but the file is kept.
bool Results::row(double time, std::span<const double> series) {
  announce_results();
  bool good = true;
  for (Stream& stream : streams_)
    if (!(stream.is_csv ? stream.csv->row(time, series) : stream.mat->row(time, series))) good = false;
  if (curves_) curves_->row(time, series);
  if (report_) report_->row(time, series);
  return good;
}

// Replaces characters in a model's name that are not allowed in file names, or would change the folder.
std::string Results::plot_file(const Solution& solution) const {
  if (!arguments_.plot_file.empty()) return arguments_.plot_file;
  std::string name = printable(solution.model);
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '\n' || c == '\t'; }, '_');
  return name + ".svg";
}

std::optional<std::string> Results::draw(const Solution& solution) const {
  const std::string file = plot_file(solution);
  const Picture picture = plot_picture(curves_->plotted(solution), names_);
  return write_file(file, rendered(picture, picture_format(file).value_or(PictureFormat::Svg)));
}

Results::Written Results::finish(const Solution& solution) {
  Written written;
  const auto record = [&](const std::string& file, const std::optional<std::string>& problem) {
    (problem ? written.problems : written.files).push_back(problem.value_or(file));
  };
  const bool has_points = solution.points > 0;
  for (Stream& stream : streams_)
    if (has_points) record(stream.file, stream.is_csv ? stream.csv->commit() : stream.mat->commit(solution));
  for (const std::string& file : pipes_)
    if (has_points)
      record(file, format_of(file) == Format::Csv ? write_csv(solution, file) : write_mat(solution, file));
  if (events_ && has_points) record(arguments_.events, events_->commit());
  for (const std::string& file : summaries_) record(file, write_json(solution, file));
  if (curves_ && has_points) record(plot_file(solution), draw(solution));
  if (report_) record(arguments_.report, write_file(arguments_.report, report_->html(solution)));
  return written;
}

}  // namespace driftless::cli
