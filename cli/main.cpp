// driftless: the command line.
#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/commands.hpp"
#include "cli/complaints.hpp"
#include "cli/interruption.hpp"
#include "cli/limits.hpp"

namespace driftless::cli {
namespace {

void print_as_json(const char* outcome, Code code, const std::string& message) {
  nlohmann::ordered_json object;
  object["model"] = nullptr;
  object["outcome"] = outcome;
  object["code"] = to_string(code);
  object["message"] = message;
  std::puts(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

// Checked before the command line is parsed. For bench the option names a file.
bool asks_for_json(int argc, char** argv) {
  const auto is = [](const char* word) {
    return [word](const char* argument) { return std::string_view(argument) == word; };
  };
  return std::any_of(argv, argv + argc, is("--json")) && std::none_of(argv, argv + argc, is("bench"));
}

// The text for people, and the object for programs.
int refuse(Code code, const std::string& text, const std::string& message, bool json) {
  print_diagnostics(text);
  if (json) print_as_json("bad_model", code, message);
  return bad_input;
}

struct Entry {
  std::string_view name;
  void (*add)(Commands&);
};

// In the order of the help.
constexpr std::array entries{Entry{"run", add_run},         Entry{"solve-bvp", add_solve_boundary},
                             Entry{"analyze", add_analyze}, Entry{"init", add_init},
                             Entry{"steady", add_steady},   Entry{"linearize", add_linearize},
                             Entry{"sweep", add_sweep},     Entry{"fit", add_fit},
                             Entry{"compare", add_compare}, Entry{"reproduce", add_reproduce},
                             Entry{"bench", add_bench},     Entry{"list", add_list},
                             Entry{"flatten", add_flatten}, Entry{"explain", add_explain},
                             Entry{"plot", add_plot},       Entry{"completion", add_completion},
                             Entry{"manual", add_manual}};

// Completion and manual need the options of all commands. Otherwise only those of the named command are declared:
// declaring all takes longer than running a small model.
void add_commands(Commands& commands, int argc, char** argv) {
  const std::string_view word = argc > 1 ? argv[1] : "";
  const auto named = std::ranges::find(entries, word, &Entry::name);
  if (named != entries.end() && word != "completion" && word != "manual") return named->add(commands);
  for (const Entry& entry : entries) entry.add(commands);
}

int answer(int argc, char** argv, bool json) {
  CLI::App app{
      "driftless: differential-algebraic equations of any index, from equations as on paper to a trajectory that\n"
      "stays on every constraint.\n\n"
      "  driftless run models/pendulum.mo --plot x,y     integrate, print the drift certificate, draw a picture\n"
      "  driftless analyze models/pendulum.mo            index, hidden constraints, states, blocks\n"
      "  driftless init models/pendulum.mo               what the start needs, what it has, what moved\n"
      "  driftless solve-bvp models/boundary/bratu.mo    conditions at both ends of the interval\n"
      "  driftless compare models/pendulum.mo            the same model in all formulations, side by side\n"
      "  driftless plot a.csv b.csv --vars x,y           two runs upon each other, from the files that they wrote\n"
      "  driftless sweep models/pendulum.mo --vary L=1:2:9   the same model with other parameters, many times\n"
      "  driftless reproduce                             experiments of the literature beside our numbers\n"
      "  driftless bench                                 every shipped model with every method: digits, time, steps\n"
      "  driftless list Modelica.Blocks.Examples         the models of a library with their experiments\n"
      "  driftless explain D0301                         what a code in a message means, and what to do\n",
      "driftless"};
  app.set_version_flag("--version", "driftless " DRIFTLESS_VERSION);
  app.require_subcommand(1);
  app.failure_message(failure_message);

  Commands commands(app);
  add_commands(commands, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (json && error.get_exit_code() != 0) print_as_json("bad_model", code_of(app, error), complaint_text(app, error));
    return app.exit(error) == 0 ? success : bad_input;
  }
  try {
    return commands.carry_out();
  } catch (const ModelError& error) {
    return refuse(code_of(error), error.what(), error.what(), json);
  } catch (const UsageError& error) {
    return refuse(error.code, complaint(error.code, error.what()), error.what(), json);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = asks_for_json(argc, argv);
  keep_standard_streams();
  watch_signals(json);
  explain_terminations();
  limit_memory();
  raise_stack_limit();
  int code = bad_input;
  std::string failure;  // of the system, most likely while printing
  try {
    code = answer(argc, argv, json);
  } catch (const std::bad_alloc&) {
    end_at_once("out_of_memory", Code::OutOfMemory,
                "out of memory: the model, or what is to be computed, is too large for this machine");
  } catch (const std::system_error& error) {
    failure = error.what();
  }
  if (standard_output_arrived()) {
    if (!failure.empty()) print_complaint(Code::CannotWrite, failure);
    return code;
  }
  print_complaint(Code::OutputLost, "the standard output was lost: it cannot be written");
  return bad_input;
}

}  // namespace driftless::cli

int main(int argc, char** argv) { return driftless::cli::main(argc, argv); }
