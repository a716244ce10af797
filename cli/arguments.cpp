#include "cli/arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/colour.hpp"
#include "driftless/choices/options.hpp"
#include "driftless/diagnostics/spelling.hpp"
#include "driftless/input_file.hpp"
#include "driftless/integrate/steppers/taylor/taylor.hpp"
#include "driftless/language/libraries/library_path.hpp"
#include "driftless/solution/output_file.hpp"
#include "driftless/solution/picture/format.hpp"

namespace driftless::cli {

const Vocabulary<Formulation> formulations{.parse = parse_formulation,
                                           .names = formulation_names,
                                           .spelt = formulation_names,
                                           .example = "baumgarte:gamma=10",
                                           .page = "docs/formulations.md",
                                           .flags = {"coupled"}};
const Vocabulary<Method> methods{.parse = parse_method,
                                 .names = method_families,
                                 .spelt = method_names,
                                 .example = "multistep:alpha=1/-1,beta=0.5/0.5",
                                 .page = "docs/methods.md"};
const Vocabulary<Projection> projections{.parse = parse_projection,
                                         .names = projection_names,
                                         .spelt = projection_names,
                                         .example = "post:F=force,times=2",
                                         .page = "docs/methods/projection.md",
                                         .flags = projection_flags()};

template <class T>
std::string Vocabulary<T>::complaint(const std::string& text) const {
  const std::string name = text.substr(0, text.find(':'));
  const auto begins_with_it = [&](const std::string& known) { return known.starts_with(name + ":"); };
  if (parse(name) || std::ranges::any_of(names(), begins_with_it))
    return fmt::format(
        "the parameters of '{}' are incomplete, not those of {}, or out of their range: see {}; an "
        "example is {}",
        text, name, page, example);
  const std::string wish = did_you_mean(name, {spelt().begin(), spelt().end()});
  return fmt::format("'{}' is not known{} There are {}; parameters follow a colon, as in {}", text,
                     wish.empty() ? "." : wish, fmt::join(names(), ", "), example);
}

template <class T>
std::vector<T> Vocabulary<T>::parse_list(const std::string& option, const std::string& text) const {
  std::vector<T> list;
  for (const std::string& part : split_choices(text, flags)) {
    const auto parsed = parse(part);
    if (!parsed) throw UsageError(Code::UnknownChoice, fmt::format("{}: {}", option, complaint(part)));
    list.push_back(*parsed);
  }
  return list;
}

template struct Vocabulary<Formulation>;
template struct Vocabulary<Method>;
template struct Vocabulary<Projection>;

namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code unknown;
  if (fs::equivalent(a, b, unknown)) return true;
  const auto place = [&](const std::string& file) {
    return fs::weakly_canonical(fs::absolute(file, unknown), unknown);
  };
  return !place(a).empty() && place(a) == place(b);
}

void expect_writable_file(const std::string& file) {
  const fs::path folder = fs::path(file).parent_path();
  std::error_code unknown;
  if (!folder.empty() && !fs::is_directory(folder, unknown))
    throw UsageError(Code::CannotWrite,
                     fmt::format("cannot write '{}': there is no folder '{}'", file, folder.string()));
  if (fs::path(file).extension() == ".mo")
    throw UsageError(Code::WouldOverwrite, fmt::format("cannot write '{}': files that end in .mo are models", file));
  if (const auto problem = write_problem(file)) throw UsageError(Code::CannotWrite, *problem);
}

}  // namespace

bool is_device(const std::string& file) {
  std::error_code unknown;
  const fs::file_status status = fs::status(file, unknown);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void expect_writable(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::vector<std::string> before;
  for (const std::string& file : outputs) {
    if (file.empty()) continue;
    for (const std::string& input : inputs)
      if (same_file(file, input))
        throw UsageError(Code::WouldOverwrite, fmt::format("cannot write '{}': it is being read", file));
    expect_writable_file(file);
    for (const std::string& other : before)
      if (same_file(file, other) && !is_device(file))
        throw UsageError(Code::WouldOverwrite, file == other
                                                   ? fmt::format("'{}' is to be written twice", file)
                                                   : fmt::format("'{}' and '{}' are the same file", other, file));
    before.push_back(file);
  }
}

void make_folder(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UsageError(Code::CannotWrite, fmt::format("cannot make the folder '{}': {}", folder, error.message()));
  if (const auto problem = write_problem(fs::path(folder) / "picture.svg"))
    throw UsageError(Code::CannotWrite, *problem);
}

void expect_picture(const std::string& option, const std::string& file) {
  if (file.empty() || picture_format(file) || is_device(file)) return;
  throw UsageError(Code::UnknownFormat,
                   fmt::format("{} draws SVG, PDF or PNG, and '{}' does not end in .svg, .pdf or .png", option, file));
}

void expect_svg(const std::string& option, const std::string& file) {
  if (file.empty() || fs::path(file).extension() == ".svg" || is_device(file)) return;
  throw UsageError(
      Code::UnknownFormat,
      fmt::format("{} draws SVG, and '{}' does not end in .svg; rsvg-convert or a browser makes other formats of it",
                  option, file));
}

std::vector<std::string> split_names(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  bool quoted = false;
  for (const char ch : text) {
    if (ch == '\'') quoted = !quoted;
    if (quoted) {
      parts.back() += ch;
      continue;
    }
    depth += ch == '(' || ch == '[' || ch == '{';
    depth -= ch == ')' || ch == ']' || ch == '}';
    if (ch == ',' && depth == 0)
      parts.emplace_back();
    else if (ch != ' ' || depth > 0)
      parts.back() += ch;
  }
  std::erase(parts, "");
  return parts;
}

std::vector<double> numbers_of(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& part : split_names(text)) {
    const auto number = parse_number(part);
    if (!number) throw UsageError(Code::WrongOptionValue, fmt::format("{} expects numbers, found '{}'", option, part));
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<double> tolerances_of(const std::string& option, const std::string& text) {
  const std::vector<double> tolerances = numbers_of(option, text);
  for (const double tolerance : tolerances)
    if (!(tolerance >= 1e-14 && tolerance <= 0.1))
      throw UsageError(Code::ToleranceOutOfRange,
                       fmt::format("the tolerance {} is not between 1e-14 and 0.1", tolerance));
  return tolerances;
}

Tolerances single_tolerances(const std::string& text) {
  Tolerances tolerances;
  for (const std::string& part : split_names(text)) {
    const std::size_t equals = part.find('=');
    const auto number = equals == std::string::npos ? std::nullopt : parse_number(part.substr(equals + 1));
    if (!number || equals == 0)
      throw UsageError(Code::WrongToleranceOf, "--tol-of expects name=number, found '" + part + "'");
    tolerances.emplace_back(part.substr(0, equals), *number);
  }
  return tolerances;
}

std::vector<std::string> library_folders(const std::vector<std::string>& given) {
  std::error_code unknown;
  for (const std::string& folder : given)
    if (!fs::exists(folder, unknown))
      throw UsageError(Code::CannotRead, fmt::format("--library {}: there is no such folder or file", folder));
  std::vector<std::string> folders = given;
  for (std::string& folder : language::modelica_path())
    if (fs::exists(folder, unknown)) folders.push_back(std::move(folder));
  return folders;
}

Model read(const ModelArguments& arguments, std::vector<AnimatedShape>* animation) {
  ReadOptions options;
  options.animation = animation;
  options.model = arguments.model;
  for (const std::string& part : split_names(arguments.overrides)) {
    const std::size_t equals = part.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == part.size())
      throw UsageError(Code::WrongOverride, "--override expects name=value, found '" + part + "'");
    options.overrides.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  options.libraries = library_folders(arguments.libraries);
  options.allow_external = arguments.allow_external;
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_file(arguments.file, options, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  std::fputs(render(diagnostics, *sources).c_str(), stderr);  // warnings
  return std::move(*model);
}

NamedSignals read_inputs(const std::vector<std::string>& files, const Model& model) {
  NamedSignals signals;
  std::vector<std::string_view> names;
  for (const ModelInput& input : model.discrete.inputs) names.push_back(input.name);
  for (const std::string& file : files) {
    auto read = read_input_file(file);
    if (const auto* problem = std::get_if<std::string>(&read)) throw UsageError(Code::WrongInputTable, *problem);
    for (auto& signal : std::get<NamedSignals>(read)) {
      if (std::ranges::find(names, signal.first) == names.end())
        throw UsageError(Code::WrongInputTable,
                         fmt::format("{}: the column '{}' is no input of {}, which has {}{}", file, signal.first,
                                     model.name, names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                     did_you_mean(signal.first, names)));
      signals.push_back(std::move(signal));
    }
  }
  for (const ModelInput& input : model.discrete.inputs) {
    const bool has_value = input.declared || input.discrete || model[input.variable].start;
    const auto is_given = [&](const auto& signal) { return signal.first == input.name; };
    if (files.empty() || has_value || std::ranges::any_of(signals, is_given)) continue;
    throw UsageError(Code::WrongInputTable,
                     fmt::format("the input '{0}' has no column in {1}, and no start: add the column, or write "
                                 "{0}(start = ...) in the model",
                                 input.name, fmt::join(files, ", ")));
  }
  return signals;
}

std::pair<double, double> time_span(const Model& model, const SimulateOptions& options) {
  const double start = options.start.value_or(model.experiment.start),
               stop = options.stop.value_or(model.experiment.stop);
  if (!(stop >= start))
    throw UsageError(
        Code::WrongTimeSpan,
        fmt::format("the stop time {} is before the start time {}: give --start and --stop, or change the model's "
                    "experiment annotation",
                    stop, start));
  return {start, stop};
}

void check_steps(const RunArguments& arguments) {
  if (arguments.tolerance && arguments.simulate.step)
    throw UsageError(Code::WrongStepSize,
                     "--tol lets the method choose its steps, --step makes them constant: give one of the two");
  if (arguments.simulate.max_step && arguments.simulate.step)
    throw UsageError(
        Code::WrongStepSize,
        "--max-step bounds the steps that a method chooses, --step makes them constant: give one of the two");
  if (const auto problem = step_problem(arguments.simulate.method, arguments.simulate.step))
    throw UsageError(Code::WrongStepSize, *problem);
  if (const double smallest = smallest_tolerance(arguments.simulate.method);
      arguments.tolerance.value_or(1.0) < smallest)
    throw UsageError(Code::ToleranceOutOfRange,
                     fmt::format("the tolerance {} is not between {} and 0.1, the range of {}", *arguments.tolerance,
                                 smallest, to_string(arguments.simulate.method)));
}

}  // namespace driftless::cli
