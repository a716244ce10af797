#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/interruption.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/sweep/numbers.hpp"
#include "driftless/sweep/row_file.hpp"
#include "driftless/sweep/sweep_svg.hpp"

namespace driftless::cli {
namespace {

struct SweepArguments {
  RunArguments run;  // its outputs, pictures and events are not used
  std::vector<std::string> vary;
  std::optional<long> runs;
  long seed = 0;
  std::string keep;  // separated by commas
  std::string trajectories;
  std::string plot, plot_file;
  int threads = 0;     // 0: as many as the machine has
  std::string output;  // a file
  bool resume = false;
};

sweep::Plan plan_of(const SweepArguments& arguments) {
  std::vector<sweep::Variation> variations;
  for (const std::string& text : arguments.vary) {
    auto parsed = sweep::parse_variation(text);
    if (const auto* problem = std::get_if<std::string>(&parsed))
      throw UsageError(Code::WrongOptionValue, "--vary " + *problem);
    variations.push_back(std::move(std::get<sweep::Variation>(parsed)));
  }
  sweep::Plan::Options options{.seed = static_cast<std::uint64_t>(arguments.seed)};
  if (arguments.runs) options.runs = static_cast<std::size_t>(*arguments.runs);
  auto plan = sweep::Plan::make(std::move(variations), options);
  if (const auto* problem = std::get_if<std::string>(&plan))
    throw UsageError(Code::WrongOptionValue,
                     *problem + (arguments.runs ? std::string() : std::string("; --runs gives their number")));
  return std::move(std::get<sweep::Plan>(plan));
}

// Sweeps with the same identity have the same rows.
std::string identity_of(const Model& model, const SimulateOptions& options, const sweep::Plan& plan) {
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{}", *value) : "-"; };
  std::string tables;
  for (const auto& [name, signal] : options.inputs)
    if (const auto* table = std::get_if<InputTable>(&signal))
      tables += fmt::format(
          " input {} {:016x}", name,
          sweep::stream_of(0, fmt::format("{} {}", fmt::join(table->times, " "), fmt::join(table->values, " "))));
  return fmt::format("driftless {} model {} {:016x} start {} stop {} tol {} step {} {} intervals {} {} {} {} {}{}",
                     DRIFTLESS_VERSION, model.name, sweep::fingerprint(model), number(options.start),
                     number(options.stop), options.tolerance, number(options.step), number(options.max_step),
                     options.intervals.value_or(0), to_string(options.method), to_string(options.formulation),
                     to_string(options.projection), plan.text(), tables);
}

std::vector<sweep::Row> known_rows(sweep::RowFile& file, bool with_trajectories) {
  auto known = file.resume(with_trajectories);
  if (const auto* problem = std::get_if<std::string>(&known)) throw UsageError(Code::WouldOverwrite, *problem);
  return std::move(std::get<std::vector<sweep::Row>>(known));
}

std::string plot_file(const SweepArguments& arguments, const std::string& model) {
  return arguments.plot_file.empty() ? model + ".svg" : arguments.plot_file;
}

// Nothing if no picture was requested.
std::optional<sweep::Picture> picture_of(const SweepArguments& arguments, const sweep::Plan& plan,
                                         const std::vector<sweep::Kept>& kept, const sweep::Followed& followed) {
  const std::vector<std::string> names = split_names(arguments.plot);
  if (names.empty()) return {};
  auto picture = sweep::Picture::make(names, plan, kept, followed);
  if (const auto* problem = std::get_if<std::string>(&picture))
    throw UsageError(Code::UnknownCurve, "--plot " + *problem);
  return std::move(std::get<sweep::Picture>(picture));
}

void check_output(const SweepArguments& arguments) {
  if (arguments.resume && arguments.output.empty())
    throw UsageError(Code::WrongOptionValue, "--resume needs the --output of the sweep that is to go on");
  if (!arguments.trajectories.empty() && !sweep::RowFile::is_hdf5(arguments.output))
    throw UsageError(Code::WrongOptionValue, "--trajectories go into a file of HDF5: --output sweep.h5");
  if (!arguments.plot_file.empty()) expect_svg("--plot-file", arguments.plot_file);
  const bool over_time = !sweep::Picture::names_over_time(split_names(arguments.plot)).empty();
  if (arguments.resume && over_time && !sweep::RowFile::is_hdf5(arguments.output))
    throw UsageError(
        Code::WrongOptionValue,
        "--plot over time with --resume needs the trajectories of the runs that are known: --output sweep.h5");
  if (arguments.output.empty()) return;
  if (!sweep::RowFile::names(arguments.output))
    throw UsageError(Code::UnknownFormat,
                     fmt::format("a sweep is written as .csv or .h5, not as '{}'", arguments.output));
  cli::expect_writable({arguments.output}, {arguments.run.model.file});
}

sweep::Options options_of(const SweepArguments& arguments, sweep::Processes* processes) {
  sweep::Options options{.keep = split_names(arguments.keep), .trajectories = split_names(arguments.trajectories)};
  for (std::string& name : sweep::Picture::names_over_time(split_names(arguments.plot)))
    if (std::ranges::find(options.trajectories, name) == options.trajectories.end())
      options.trajectories.push_back(std::move(name));
  options.threads = arguments.threads > 0 ? static_cast<unsigned>(arguments.threads)
                    : processes           ? 1U
                                          : std::max(1U, std::thread::hardware_concurrency());
  options.processes = processes;
  options.goes_on = [] { return !is_interrupted(); };
  return options;
}

// The outputs of a sweep in the leading process: a file, a summary, a picture.
class SweepResults {
 public:
  SweepResults(const SweepArguments& arguments, const sweep::Plan& plan, const Compiled& compiled,
               const sweep::Options& options, const std::string& identity)
      : arguments_(arguments),
        plan_(plan),
        model_(compiled.model().name),
        kept_(sweep::kept(compiled.model(), options.keep)),
        followed_(sweep::followed(compiled, options)),
        summary_(kept_) {
    if (!arguments.output.empty()) {
      std::string names;
      for (const sweep::Kept& one : kept_) names += " " + one.text;
      for (const std::string& name : followed_.names) names += " follow " + name;
      file_ = std::make_unique<sweep::RowFile>(arguments.output, identity + " keep" + names, model_, plan, kept_,
                                               followed_);
    }
    picture_ = picture_of(arguments, plan, kept_, followed_);
    if (arguments.resume)
      for (const sweep::Row& row : known_rows(*file_, picture_.has_value())) add(row);
  }

  std::size_t rows() const { return summary_.rows(); }

  // False if the row cannot be written.
  bool take(const sweep::Row& row) {
    add(row);
    return !file_ || file_->write(row);
  }

  void finish(const sweep::Options& options) {
    const bool complete = summary_.rows() == plan_.runs();
    const std::optional<std::string> problem = close_file(complete);
    fmt::print("{}   {} of {} runs, {}{} thread{}\n{}", printable(model_), summary_.rows(), plan_.runs(),
               options.processes ? fmt::format("{} processes with ", options.processes->size()) : std::string(),
               options.threads, options.threads == 1 ? "" : "s", printable(summary_.text()));
    if (problem) throw UsageError(Code::CannotWrite, *problem);
    if (complete && file_) fmt::print("\nwrote      {}\n", printable(arguments_.output));
    if (picture_) draw();
    if (!complete && file_)
      fmt::print("\ninterrupted: the same command with --resume goes on behind run {}\n", summary_.rows());
  }

  bool all_succeeded() const { return summary_.rows() == plan_.runs() && summary_.successes() == summary_.rows(); }

 private:
  void add(const sweep::Row& row) {
    summary_.add(row);
    if (picture_) picture_->add(row);
  }

  std::optional<std::string> close_file(bool complete) {
    if (!file_) return {};
    if (complete) return file_->commit();
    file_->flush();
    return file_->problem().empty() ? std::optional<std::string>() : file_->problem();
  }

  void draw() {
    const std::string name = plot_file(arguments_, model_);
    if (const auto wrong = write_file(name, picture_->svg(model_))) throw UsageError(Code::CannotWrite, *wrong);
    fmt::print("{}wrote      {}\n", file_ ? "" : "\n", printable(name));
  }

  const SweepArguments& arguments_;
  const sweep::Plan& plan_;
  std::string model_;
  std::vector<sweep::Kept> kept_;
  sweep::Followed followed_;
  sweep::Summary summary_;
  std::unique_ptr<sweep::RowFile> file_;  // null: no output
  std::optional<sweep::Picture> picture_;
};

int lead_or_follow(const SweepArguments& arguments, sweep::Processes* processes) {
  check_steps(arguments.run);
  check_output(arguments);
  const sweep::Plan plan = plan_of(arguments);
  const auto model = std::make_shared<const Model>(read(arguments.run.model));
  SimulateOptions simulate = arguments.run.simulate;
  simulate.tolerance = arguments.run.tolerance.value_or(model->experiment.tolerance.value_or(1e-6));
  simulate.dense = false;
  simulate.inputs = read_inputs(arguments.run.inputs, *model);
  time_span(*model, simulate);
  const std::string identity = identity_of(*model, simulate, plan);
  const Compiled compiled = compile(model, simulate);
  sweep::Options options = options_of(arguments, processes);
  if (processes && !processes->leads()) {
    announce_results();
    sweep::run(compiled, plan, options, {});
    return success;
  }
  SweepResults results(arguments, plan, compiled, options, identity);
  options.first = results.rows();
  if (options.first > 0) fmt::print(stderr, "resumed    behind {} of {} runs\n", options.first, plan.runs());
  Progress progress(0.0, static_cast<double>(plan.runs()), "runs");
  sweep::run(compiled, plan, options, [&](const sweep::Row& row) {
    return results.take(row) && progress.update(static_cast<double>(row.run + 1));
  });
  progress.finish();
  results.finish(options);
  return results.all_succeeded() ? success : numerical_failure;
}

int sweep(const SweepArguments& arguments) {
  std::unique_ptr<sweep::Processes> processes;
  try {
    processes = sweep::processes_of_mpi();
    return lead_or_follow(arguments, processes.get());
  } catch (const std::exception& error) {
    if (processes) sweep::give_up(*processes, error.what());
    if (processes && !processes->leads()) return success;  // the process of rank 0 reports errors
    if (dynamic_cast<const sweep::ProcessError*>(&error)) throw UsageError(Code::WrongOptionValue, error.what());
    throw;
  }
}

}  // namespace

void add_sweep(Commands& commands) {
  const auto [command, arguments] = commands.add<SweepArguments>(
      "sweep", "run a model many times with other parameters and starts (docs/sweep.md)", sweep);
  add_model(command, arguments.run.model);
  command
      .add_option("--vary", arguments.vary,
                  "what varies: L=0.5:2:100, L=0.01:100:9:log, L=1,2,5, m=normal(1,0.1,seed=7), uniform, lognormal, "
                  "triangular; may be repeated")
      ->required()
      ->type_name("NAME=VALUES");
  command.add_option("--runs", arguments.runs, "number of runs; grids are repeated until there are so many")
      ->check(up_to(1'000'000'000))
      ->type_name("N");
  command.add_option("--seed", arguments.seed, "of random values without a seed of their own (otherwise 0)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  add_inputs(command, arguments.run.inputs);
  add_list(command, "--keep", "NAME", arguments.keep,
           "what is kept of a run: x, its last value, max(x), min(x) (otherwise the last values of all variables)");
  command.add_option("--threads", arguments.threads, "how many runs at a time (otherwise one for each processor)")
      ->check(up_to(1024))
      ->type_name("N");
  add_list(command, "--trajectories", "NAME", arguments.trajectories,
           "variables of which every output point is kept, in an output .h5");
  command.add_option("--output", arguments.output, "write a row for each run (.csv, .h5)")->type_name("FILE");
  add_list(command, "--plot", "NAME", arguments.plot,
           "draw variables over time, as median and bands of the runs, or results over what varies: L:max(y)");
  command.add_option("--plot-file", arguments.plot_file, "where to draw (otherwise <Model>.svg)")->type_name("FILE");
  command.add_flag("--resume", arguments.resume, "go on where an interrupted sweep with the same output stopped");
  add_time_span(command, arguments.run.simulate.start, arguments.run.simulate.stop);
  add_tolerance(command, arguments.run);
  add_intervals(command, arguments.run.simulate.intervals);
  add_method(command, arguments.run);
}

}  // namespace driftless::cli
