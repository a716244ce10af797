// driftless: the command line.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <new>
#include <string_view>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/complaints.hpp"
#include "cli/completion.hpp"
#include "cli/interruption.hpp"
#include "cli/limits.hpp"
#include "driftless/choices/options.hpp"

namespace driftless::cli {
namespace {

const std::map<std::string, PivotMode> pivots{
    {"continue", PivotMode::Continue}, {"restart", PivotMode::Restart}, {"never", PivotMode::Never}};
const std::map<std::string, Derivatives> jacobians{{"exact", Derivatives::Exact},
                                                   {"differences", Derivatives::Differences}};
const std::map<std::string, NewtonTest> newtons{
    {"one", NewtonTest::One}, {"two", NewtonTest::Two}, {"dassl", NewtonTest::Dassl}};
const std::map<std::string, Backend> backends{
    {"adaptive", Backend::Adaptive}, {"llvm", Backend::Llvm}, {"interpreter", Backend::Interpreter}};

template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& name, T& value, const std::map<std::string, T>& choices,
                        const std::string& help) {
  std::string words;
  for (const auto& [word, meaning] : choices) words += (words.empty() ? "" : "|") + word;
  return command
      .add_option_function<std::string>(
          name,
          [&value, &choices, name, words](const std::string& word) {
            const auto found = choices.find(word);
            if (found == choices.end())
              throw CLI::ValidationError(name, fmt::format("'{}' is not one of {}", word, words));
            value = found->second;
          },
          help)
      ->type_name(words);
}

// A choice among names, some with parameters after a colon.
template <class T>
void add_parsed(CLI::App& command, const std::string& name, T& value, const Vocabulary<T>& words,
                const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&value, &words, name](const std::string& text) {
            const auto parsed = words.parse(text);
            if (!parsed) throw CLI::ValidationError(name, words.complaint(text));
            value = *parsed;
          },
          fmt::format("{}: {}", help, fmt::join(words.names(), ", ")))
      ->type_name("NAME");
}

void add_formulation(CLI::App& command, Formulation& formulation) {
  add_parsed(command, "--formulation", formulation, formulations,
             "which levels of the constraints are solved (docs/formulations.md)");
}

// A list, separated by commas; the option may be repeated.
void add_list(CLI::App& command, const std::string& name, const char* items, std::string& list,
              const std::string& help) {
  command.add_option(name, list, help)->join(',')->type_name(fmt::format("{},...", items));
}

void add_libraries(CLI::App& command, std::vector<std::string>& folders) {
  command
      .add_option("--library", folders,
                  "a folder with libraries, or a library; before those of MODELICAPATH; may be repeated")
      ->type_name("DIR");
}

void add_model(CLI::App& command, ModelArguments& arguments) {
  command
      .add_option("FILE", arguments.file,
                  "Modelica text, for example models/pendulum.mo, or the full name of a model in a library")
      ->required();
  command.add_option("--model", arguments.model, "which model, if the file has several")->type_name("NAME");
  add_list(command, "--override", "NAME=VALUE", arguments.overrides,
           "other values for parameters and starts: L=2,m=0.5; may be repeated");
  add_libraries(command, arguments.libraries);
  command.add_flag("--allow-external", arguments.allow_external,
                   "let the model call C functions of shared libraries (docs/external.md)");
}

CLI::Option* add_number(CLI::App& command, const std::string& name, std::optional<double>& value,
                        const std::string& help) {
  return command.add_option(name, value, help)->type_name("NUMBER")->check([name](const std::string& text) {
    char* end = nullptr;
    const double number = std::strtod(text.c_str(), &end);
    return *end == '\0' && !text.empty() && std::isfinite(number) ? "" : fmt::format("'{}' is not a number", text);
  });
}

void add_time_span(CLI::App& command, std::optional<double>& start, std::optional<double>& stop) {
  add_number(command, "--start", start, "start time (otherwise from the model's experiment annotation, or 0)");
  add_number(command, "--stop", stop, "stop time (otherwise from the annotation, or 1)");
}

// "an integer from 1 to most" in words of ours: the library's print both ends as floating-point numbers.
CLI::Validator up_to(long most) {
  return CLI::Validator(
      [most](const std::string& text) {
        const double number = parse_number(text).value_or(0.0);
        const bool fits = number >= 1.0 && number <= static_cast<double>(most) && std::floor(number) == number;
        return fits ? std::string() : fmt::format("'{}' is not a whole number from 1 to {}", text, most);
      },
      "");
}

void add_intervals(CLI::App& command, std::optional<int>& intervals) {
  command.add_option("--intervals", intervals, "number of output intervals (otherwise from the annotation, or 500)")
      ->check(up_to(10'000'000))
      ->type_name("N");
}

void add_tolerance(CLI::App& command, RunArguments& arguments) {
  add_number(command, "--tol", arguments.tolerance,
             "relative tolerance, and absolute times nominal (otherwise from the annotation, or 1e-6)")
      ->check([](const std::string& text) {
        const double tol = std::strtod(text.c_str(), nullptr);
        return tol > 0.0 && tol <= 0.1 ? "" : fmt::format("the tolerance {} is not between 1e-14 and 0.1", text);
      });
}

// The interval, the tolerance, and what is written.
void add_results(CLI::App& command, RunArguments& arguments) {
  add_time_span(command, arguments.simulate.start, arguments.simulate.stop);
  add_tolerance(command, arguments);
  add_intervals(command, arguments.simulate.intervals);
  command
      .add_option("--output", arguments.outputs,
                  "write the trajectory (.csv, .mat) or the summary (.json); may be repeated")
      ->type_name("FILE");
  command
      .add_option("--plot", arguments.plot,
                  "draw these variables over time (x, arrays T or T[1:3]), or y over x with x:y")
      ->type_name("VARS");
  command.add_option("--plot-file", arguments.plot_file, "where to draw: .svg, .pdf or .png (otherwise <Model>.svg)")
      ->type_name("FILE");
  command.add_option("--report", arguments.report, "write a page about the run, for a browser (.html)")
      ->type_name("FILE");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the summary");
}

// How the equations are formulated and discretized.
void add_method(CLI::App& command, RunArguments& arguments) {
  add_parsed(command, "--method", arguments.simulate.method, methods, "how it is discretized (docs/methods.md)");
  add_number(command, "--step", arguments.simulate.step, "a constant step size, instead of --tol")
      ->check([](const std::string& text) {
        return std::strtod(text.c_str(), nullptr) > 0.0 ? "" : fmt::format("the step size {} is not positive", text);
      });
  add_number(command, "--max-step", arguments.simulate.max_step, "the longest step that the method may choose")
      ->check([](const std::string& text) {
        return std::strtod(text.c_str(), nullptr) > 0.0 ? "" : fmt::format("the longest step {} is not positive", text);
      });
  add_parsed(command, "--projection", arguments.simulate.projection, projections,
             "what the end of every step is projected onto (docs/methods.md)");
  add_formulation(command, arguments.simulate.formulation);
}

void add_sweep(CLI::App& command, SweepArguments& arguments) {
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

void add_shell(CLI::App& command, std::string& shell) {
  command.add_option("SHELL", shell, "which")
      ->required()
      ->type_name("bash|fish|zsh")
      ->check([](const std::string& word) {
        const bool known = word == "bash" || word == "fish" || word == "zsh";
        return known ? "" : fmt::format("'{}' is not one of bash, fish, zsh", word);
      });
}

std::string shell_completion(const std::string& shell, const std::vector<CommandRow>& commands) {
  if (shell == "bash") return bash_completion(commands);
  return shell == "zsh" ? zsh_completion(commands) : fish_completion(commands);
}

int print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  return success;
}

void add_fit(CLI::App& command, FitArguments& arguments) {
  add_model(command, arguments.run.model);
  command.add_option("DATA", arguments.data, "measurements (.csv): a column time, and one for each measured variable")
      ->required();
  add_list(
      command, "--parameters", "NAME", arguments.unknowns,
      "parameters, and variables whose starts are sought: k,m=2 with first values where they differ from the model");
  add_list(command, "--bounds", "NAME=LOW:HIGH", arguments.bounds, "bounds of these: k=0:10,m=0:");
  add_list(command, "--deviations", "NAME=NUMBER", arguments.deviations,
           "standard deviations of measured variables (otherwise 1)");
  command.add_option("--iterations", arguments.most_iterations, "give up after so many (otherwise 100)")
      ->check(up_to(1'000'000))
      ->type_name("N");
  add_results(command, arguments.run);
  add_method(command, arguments.run);
}

void add_linearize(CLI::App& command, LinearizeArguments& arguments) {
  add_model(command, arguments.run.model);
  add_number(command, "--at", arguments.at, "the time of the point (otherwise the start of the run)");
  command.add_flag("--steady", arguments.steady, "at a steady state instead of a point of a run");
  command.add_option("--inputs", arguments.inputs, "inputs and parameters (otherwise all inputs of the model)")
      ->type_name("NAME,...");
  command.add_option("--outputs", arguments.outputs, "variables and derivatives (otherwise all variables, up to 100)")
      ->type_name("NAME,...");
  add_list(command, "--states", "NAME", arguments.states,
           "these among the states, as far as the constraints leave them free");
  command.add_option("--output", arguments.run.outputs, "write the matrices (.mat, .csv, .json); may be repeated")
      ->type_name("FILE");
  command.add_flag("--json", arguments.run.json, "print one JSON object instead of the text");
  command.add_option("--input", arguments.run.inputs, "tables that drive the inputs of the model; may be repeated")
      ->type_name("FILE.csv");
  add_number(command, "--start", arguments.run.simulate.start,
             "start time (otherwise from the model's experiment annotation, or 0)");
  add_tolerance(command, arguments.run);
  add_method(command, arguments.run);
}

void print_as_json(const char* outcome, Code code, const std::string& message) {
  nlohmann::ordered_json object;
  object["model"] = nullptr;
  object["outcome"] = outcome;
  object["code"] = to_string(code);
  object["message"] = message;
  std::puts(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

// Before the command line is understood. For bench the option names a file.
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

}  // namespace

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

  RunArguments run_arguments;
  CLI::App* run_command = app.add_subcommand("run", "integrate a model and say how well every constraint was kept");
  add_model(*run_command, run_arguments.model);
  add_results(*run_command, run_arguments);
  run_command
      ->add_option("--input", run_arguments.inputs,
                   "tables that drive the inputs of the model, a column time and one for each input; may be repeated")
      ->type_name("FILE.csv");
  add_list(*run_command, "--tol-of", "NAME=NUMBER", run_arguments.tolerances,
           "tolerances of single variables, which then take part in the error test: lambda=1e-2,der(x)=1e-8");
  run_command
      ->add_option("--events", run_arguments.events,
                   "write a table of all events (.csv), or print the first ones after the summary (-)")
      ->type_name("FILE");
  add_list(*run_command, "--sensitivities", "NAME", run_arguments.sensitivities,
           "derivatives of all variables and of the times of events with respect to these parameters and starts: "
           "columns d(x)/d(L) (docs/sensitivities.md)");
  add_method(*run_command, run_arguments);
  add_choice(*run_command, "--pivot", run_arguments.simulate.pivot, pivots,
             "what happens when the states change: continue keeps the integrator running");
  add_choice(*run_command, "--newton", run_arguments.simulate.newton, newtons,
             "least number of Newton iterations per step, with a tolerance");
  add_choice(*run_command, "--jacobian", run_arguments.simulate.jacobian, jacobians,
             "partial derivatives from the expressions, or by difference quotients");
  add_choice(*run_command, "--backend", run_arguments.simulate.backend, backends, "machine code or interpreter");
  run_command->add_flag("--sliding", run_arguments.simulate.sliding,
                        "where a relation chatters, follow the sliding motion of Filippov");
  run_command->add_option("--max-steps", run_arguments.simulate.max_steps, "give up after so many steps")
      ->check(up_to(1'000'000'000'000))
      ->type_name("N");

  SolveBoundaryArguments boundary_arguments;
  CLI::App* boundary_command =
      app.add_subcommand("solve-bvp", "solve a model with conditions at both ends of its interval (docs/boundary.md)");
  add_model(*boundary_command, boundary_arguments.run.model);
  add_results(*boundary_command, boundary_arguments.run);
  add_choice(*boundary_command, "--method", boundary_arguments.method, collocation_methods(),
             "which points of a mesh interval are collocated, and how many");
  boundary_command->add_option("--mesh", boundary_arguments.mesh, "a constant mesh of so many intervals, without --tol")
      ->check(up_to(20'000))
      ->type_name("N");
  add_list(*boundary_command, "--continue", "NAME=NUMBER", boundary_arguments.from,
           "solve with these values of parameters first, and follow the solution to those of the model");

  AnalyzeArguments analyze_arguments;
  CLI::App* analyze_command =
      app.add_subcommand("analyze", "say what the structure of a model is: index, hidden constraints, states, blocks");
  add_model(*analyze_command, analyze_arguments.model);
  add_formulation(*analyze_command, analyze_arguments.formulation);
  analyze_command->add_flag("--indicators", analyze_arguments.indicators,
                            "measure how stiff and how fast the model is, and recommend a formulation and a method");
  analyze_command->add_flag("--equations", analyze_arguments.equations,
                            "list every equation, those made from a Lagrangian included");
  analyze_command->add_flag(
      "--index", analyze_arguments.index,
      "find the index by every definition: structural, nilpotency, differentiation, perturbation");
  analyze_command->add_flag("--pure-index2", analyze_arguments.pure_index2,
                            "rewrite a mixed problem of index 2 as a pure one, and run both");
  analyze_command->add_option("--svg", analyze_arguments.svg, "draw the block triangular form")->type_name("FILE");
  analyze_command->add_flag("--json", analyze_arguments.json, "print one JSON object instead of the text");

  InitArguments init_arguments;
  CLI::App* init_command = app.add_subcommand(
      "init", "examine the start: degrees of freedom, conditions given, missing or in conflict, values that moved");
  add_model(*init_command, init_arguments.model);
  add_number(*init_command, "--start", init_arguments.start,
             "start time (otherwise from the model's experiment annotation, or 0)");
  init_command->add_flag("--fix", init_arguments.fix, "print only the lines that make the model consistent");
  init_command->add_flag("--json", init_arguments.json, "print one JSON object instead of the text");

  SteadyArguments steady_arguments;
  CLI::App* steady_command =
      app.add_subcommand("steady", "find a steady state: nothing moves; and say whether it is stable");
  add_model(*steady_command, steady_arguments.model);
  add_number(*steady_command, "--start", steady_arguments.start,
             "the time at which nothing moves (otherwise the start time of the model)");
  steady_command->add_flag("--json", steady_arguments.json, "print one JSON object instead of the text");

  LinearizeArguments linearize_arguments;
  CLI::App* linearize_command =
      app.add_subcommand("linearize", "matrices and modes of a model near a point of its motion (docs/linearize.md)");
  add_linearize(*linearize_command, linearize_arguments);

  SweepArguments sweep_arguments;
  CLI::App* sweep_command =
      app.add_subcommand("sweep", "run a model many times with other parameters and starts (docs/sweep.md)");
  add_sweep(*sweep_command, sweep_arguments);

  FitArguments fit_arguments;
  CLI::App* fit_command =
      app.add_subcommand("fit", "find parameters and starts from measurements (docs/sensitivities.md)");
  add_fit(*fit_command, fit_arguments);

  CompareArguments compare_arguments;
  CLI::App* compare_command = app.add_subcommand(
      "compare",
      "integrate a model in several formulations and by several methods: cost, error and drift side by side");
  add_model(*compare_command, compare_arguments.model);
  add_time_span(*compare_command, compare_arguments.start, compare_arguments.stop);
  add_list(*compare_command, "--tol", "NUMBER", compare_arguments.tolerances,
           "tolerances (otherwise the one of the annotation, or 1e-6)");
  add_list(*compare_command, "--step", "NUMBER", compare_arguments.steps,
           "step sizes, for methods with constant steps");
  add_list(*compare_command, "--formulations", "NAME", compare_arguments.formulations,
           "which (otherwise all, or a few with --step): dummy,index1,baumgarte:gamma=10");
  add_list(*compare_command, "--methods", "NAME", compare_arguments.methods,
           "which (otherwise bdf, or one of each kind with --step): bdf2,radau3,dopri5");
  add_list(*compare_command, "--projections", "NAME", compare_arguments.projections,
           "which (otherwise none): none,velocity,both");
  compare_command
      ->add_option("--reference", compare_arguments.reference,
                   "exact values (.csv) to measure errors by (otherwise an accurate run)")
      ->type_name("FILE");
  add_intervals(*compare_command, compare_arguments.intervals);
  compare_command->add_option("--svg", compare_arguments.svg, "draw drift over time, and error over work")
      ->type_name("FILE");
  compare_command->add_flag("--json", compare_arguments.json, "print one JSON object instead of the table");

  ReproduceArguments reproduce_arguments;
  CLI::App* reproduce_command = app.add_subcommand(
      "reproduce", "run the experiments of the literature and set their numbers beside ours (docs/reproduce.md)");
  reproduce_command
      ->add_option("LIST", reproduce_arguments.names, "which (otherwise all): ap, fl, hw, ms, ln or names as ap4.1")
      ->delimiter(',')
      ->type_name("NAME,...");
  reproduce_command->add_option("--svg", reproduce_arguments.svg, "draw the figures into this folder")
      ->type_name("DIR");
  reproduce_command->add_flag("--list", reproduce_arguments.list, "only say which experiments there are");
  reproduce_command->add_flag("--markdown", reproduce_arguments.markdown, "print a page instead of tables as text");

  BenchArguments bench_arguments;
  CLI::App* bench_command =
      app.add_subcommand("bench", "measure the methods on the shipped models (docs/benchmarks.md)");
  bench_command->add_flag("--scoreboard", bench_arguments.scoreboard,
                          "every model with every method that applies: digits, time, steps, failures with reasons "
                          "(default)");
  bench_command->add_flag(
      "--verdicts", bench_arguments.verdicts,
      "only whether what succeeds is right: every run once, errors in tolerances, exit code 1 if not");
  bench_command->add_flag(
      "--choice", bench_arguments.choice,
      "only what the choice of auto costs, in counted work and in time, beside the best single method; "
      "of models/unseen if no models are named");
  add_list(*bench_command, "--models", "NAME", bench_arguments.models,
           "which (otherwise all): squeezer,pendulum; shipped and unseen are those of models/ and of models/unseen");
  add_list(*bench_command, "--methods", "NAME", bench_arguments.methods,
           "which (otherwise all with an error test): bdf,radau,taylor");
  add_list(*bench_command, "--tolerances", "NUMBER", bench_arguments.tolerances,
           "which (otherwise 1e-4,1e-6,1e-8,1e-10)");
  bench_command->add_option("--json", bench_arguments.json, "write all numbers to this file")->type_name("FILE");
  bench_command
      ->add_option("--svg", bench_arguments.svg, "draw digits over time, a picture per model, into this folder")
      ->type_name("DIR");

  ListArguments list_arguments;
  CLI::App* list_command =
      app.add_subcommand("list", "list the models of a library or a file with their experiments (docs/libraries.md)");
  list_command
      ->add_option("WHAT", list_arguments.what,
                   "a file, the folder of a library, or the full name of a package: Modelica.Blocks.Examples")
      ->required();
  add_libraries(*list_command, list_arguments.libraries);
  list_command->add_flag("--all", list_arguments.all, "also models without an experiment annotation");
  list_command->add_flag("--json", list_arguments.json, "print one JSON object instead of the table");

  ModelArguments flatten_arguments;
  CLI::App* flatten_command = app.add_subcommand(
      "flatten", "print the model without classes and connections, as Base Modelica that can be read again");
  add_model(*flatten_command, flatten_arguments);

  ExplainArguments explain_arguments;
  CLI::App* explain_command =
      app.add_subcommand("explain", "say what the code of a message means, with an example (docs/diagnostics.md)");
  explain_command->add_option("CODE", explain_arguments.codes, "which (otherwise a list of all): D0301, 301")
      ->type_name("CODE");
  explain_command->add_flag("--markdown", explain_arguments.markdown, "print all entries as a page");

  PlotArguments plot_arguments;
  add_plot(app, plot_arguments);

  std::string shell;
  CLI::App* completion_command =
      app.add_subcommand("completion", "print a script that lets a shell complete commands, options and names");
  add_shell(*completion_command, shell);
  CLI::App* manual_command = app.add_subcommand("manual", "print the manual page, for man");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (json && error.get_exit_code() != 0) print_as_json("bad_model", code_of(app, error), complaint_text(app, error));
    return app.exit(error) == 0 ? success : bad_input;
  }
  try {
    if (*run_command) {
      run_arguments.simulate.dense = false;
      if (!backend_available(run_arguments.simulate.backend))
        throw UsageError(
            Code::NotInThisBuild,
            "this program was built without LLVM: install llvm-19-dev and build it again, or use --backend "
            "interpreter");
      return run(run_arguments);
    }
    if (*completion_command) return print(shell_completion(shell, command_table(app)));
    if (*manual_command) return print(manual_page(command_table(app)));
    if (app.got_subcommand("plot")) return plot(plot_arguments);
    if (*init_command) return init(init_arguments);
    if (*steady_command) return steady(steady_arguments);
    if (*linearize_command) return linearize(linearize_arguments);
    if (*boundary_command) return solve_boundary(boundary_arguments);
    if (*sweep_command) return sweep(sweep_arguments);
    if (*fit_command) return fit(fit_arguments);
    if (*compare_command) return compare(compare_arguments);
    if (*reproduce_command) return reproduce(reproduce_arguments);
    if (*bench_command) return bench(bench_arguments);
    if (*list_command) return list(list_arguments);
    if (*flatten_command) return flatten(flatten_arguments);
    if (*explain_command) return explain(explain_arguments);
    return analyze(analyze_arguments);
  } catch (const ModelError& error) {
    return refuse(code_of(error), error.what(), error.what(), json);
  } catch (const UsageError& error) {
    return refuse(error.code, complaint(error.code, error.what()), error.what(), json);
  }
}

int main(int argc, char** argv) {
  const bool json = asks_for_json(argc, argv);
  keep_standard_streams();
  watch_signals(json);
  explain_terminations();
  limit_memory();
  raise_stack_limit();
  int code = bad_input;
  std::string failure;  // of the system: most likely of printing
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
