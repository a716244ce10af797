#include "cli/options.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/ranges.h>

#include "driftless/choices/options.hpp"

namespace driftless::cli {
namespace {

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

}  // namespace

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

// Our own message "an integer from 1 to most", as the library prints both ends as floating-point numbers.
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

void add_inputs(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option("--input", files,
                  "tables that drive the inputs of the model, a column time and one for each input; may be repeated")
      ->type_name("FILE.csv");
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

}  // namespace driftless::cli
