#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/complaints.hpp"
#include "cli/progress.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"
#include "driftless/reproduce/report.hpp"
#include "driftless/solution/output_file.hpp"

namespace driftless::cli {
namespace {

struct ReproduceArguments {
  std::vector<std::string> names;  // none: all
  std::string svg;                 // a folder
  bool list = false, markdown = false;
};

using namespace reproduce;

void print_list() {
  for (const reproduce::Experiment& experiment : experiments())
    fmt::print("{:14} {}\n", experiment.name, experiment.title);
}

void write_figures(const Report& report, const std::string& folder) {
  for (const Figure& figure : report.figures)
    if (const auto problem = write_file(std::filesystem::path(folder) / (figure.name + ".svg"), figure_svg(figure)))
      throw UsageError(Code::CannotWrite, *problem);
}

int reproduce(const ReproduceArguments& arguments) {
  if (arguments.list) {
    print_list();
    return success;
  }
  const Selected selected = select(arguments.names);
  if (!selected.unknown.empty())
    throw UsageError(Code::UnknownExperiment,
                     fmt::format("no experiment is called '{}': see driftless reproduce --list", selected.unknown));

  make_folder(arguments.svg);
  if (!ida_available())
    std::fputs("driftless: this program was built without IDA: bdf takes its place, with other numbers of steps\n",
               stderr);
  std::vector<Finished> all;
  Progress progress(0.0, static_cast<double>(selected.experiments.size()), "experiment");
  Runner runner(
      [&](const std::string&, double part) { return progress.update(static_cast<double>(all.size()) + part); });
  try {
    for (const reproduce::Experiment* experiment : selected.experiments) {
      const auto begin = std::chrono::steady_clock::now();
      Finished finished{experiment, experiment->run(runner), 0.0};
      finished.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      progress.finish();
      if (!arguments.svg.empty()) write_figures(finished.report, arguments.svg);
      if (!arguments.markdown) fmt::print("{}\n", text_of(finished));
      all.push_back(std::move(finished));
    }
  } catch (const Interrupted&) {
    progress.finish();
    print_complaint(Code::Interrupted, "interrupted");
    return numerical_failure;
  }
  fmt::print("{}", arguments.markdown ? markdown_of(all, arguments.svg) : summary_of(all));
  Score sum;
  for (const Finished& one : all) sum += one.report.score();
  return sum.differ == 0 ? success : numerical_failure;
}

}  // namespace

void add_reproduce(Commands& commands) {
  const auto [command, arguments] = commands.add<ReproduceArguments>(
      "reproduce", "run the experiments of the literature and set their numbers beside ours (docs/reproduce.md)",
      reproduce);
  command.add_option("LIST", arguments.names, "which (otherwise all): ap, fl, hw, ms, ln or names as ap4.1")
      ->delimiter(',')
      ->type_name("NAME,...");
  command.add_option("--svg", arguments.svg, "draw the figures into this folder")->type_name("DIR");
  command.add_flag("--list", arguments.list, "only say which experiments there are");
  command.add_flag("--markdown", arguments.markdown, "print a page instead of tables as text");
}

}  // namespace driftless::cli
