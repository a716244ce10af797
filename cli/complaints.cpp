#include "cli/complaints.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/colour.hpp"
#include "driftless/diagnostics/printable.hpp"
#include "driftless/diagnostics/spelling.hpp"

namespace driftless::cli {
namespace {

// Names of the options in other programs.
const std::map<std::string, std::string> elsewhere{{"--tolerance", "--tol"},
                                                   {"--rtol", "--tol"},
                                                   {"--reltol", "--tol"},
                                                   {"--atol", "--tol"},
                                                   {"--abstol", "--tol"},
                                                   {"--stop-time", "--stop"},
                                                   {"--stopTime", "--stop"},
                                                   {"--end", "--stop"},
                                                   {"--tend", "--stop"},
                                                   {"--start-time", "--start"},
                                                   {"--startTime", "--start"},
                                                   {"--begin", "--start"},
                                                   {"--step-size", "--step"},
                                                   {"--stepSize", "--step"},
                                                   {"--dt", "--step"},
                                                   {"--solver", "--method"},
                                                   {"--integrator", "--method"},
                                                   {"-s", "--method"},
                                                   {"--out", "--output"},
                                                   {"-o", "--output"},
                                                   {"--result", "--output"},
                                                   {"--points", "--intervals"},
                                                   {"--numberOfIntervals", "--intervals"},
                                                   {"--parameter", "--override"},
                                                   {"--param", "--override"},
                                                   {"--set", "--override"},
                                                   {"-p", "--override"},
                                                   {"--png", "--plot-file"},
                                                   {"--svg", "--plot-file"}};

// The error code for an invalid value of an option.
const std::map<std::string, Code> codes_of_options{
    {"--tol", Code::ToleranceOutOfRange},  {"--step", Code::WrongStepSize},   {"--max-step", Code::WrongStepSize},
    {"--intervals", Code::TooManyPoints},  {"--method", Code::UnknownChoice}, {"--formulation", Code::UnknownChoice},
    {"--projection", Code::UnknownChoice}, {"--pivot", Code::UnknownChoice},  {"--newton", Code::UnknownChoice},
    {"--jacobian", Code::UnknownChoice},   {"--backend", Code::UnknownChoice}};

std::string unknown_command(const CLI::App& app, const std::string& word) {
  if (word.ends_with(".mo")) return fmt::format("say what to do with the model: driftless run {}", word);
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  const std::string wish = did_you_mean(word, {names.begin(), names.end()});
  return fmt::format("there is no command '{}'{}", word,
                     wish.empty() ? fmt::format(": there are {}", fmt::join(names, ", ")) : wish);
}

std::string unexpected(const CLI::App& command, const std::vector<std::string>& words) {
  const auto option = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with("-"); });
  if (option == words.end()) return fmt::format("'{}' is one argument too many", words.front());
  std::vector<std::string> names;
  for (const CLI::Option* known : command.get_options())
    for (const std::string& name : known->get_lnames()) names.push_back("--" + name);
  const auto ours = elsewhere.find(option->substr(0, option->find('=')));
  if (ours != elsewhere.end() && std::ranges::find(names, ours->second) != names.end())
    return fmt::format("{} has no option '{}': it is called {} here", command.get_name(), *option, ours->second);
  return fmt::format("{} has no option '{}'{}", command.get_name(), *option,
                     did_you_mean(*option, {names.begin(), names.end()}));
}

}  // namespace

std::string complaint(Code code, const std::string& message) {
  return fmt::format("driftless: error {}: {}\n", to_string(code), printable(message));
}

void print_complaint(Code code, const std::string& message) { print_diagnostics(complaint(code, message)); }

std::string complaint_text(const CLI::App& app, const CLI::Error& error) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::vector<std::string> words = app.remaining(true);
  if (chosen.empty())
    return words.empty() ? "say what to do: driftless run models/pendulum.mo" : unknown_command(app, words.front());
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) return unexpected(*chosen.front(), words);
  return error.what();
}

Code code_of(const CLI::App& app, const CLI::Error& error) {
  if (app.get_subcommands().empty()) return Code::UnknownCommand;
  if (!dynamic_cast<const CLI::ValidationError*>(&error) && !dynamic_cast<const CLI::ConversionError*>(&error))
    return Code::UnknownOption;
  const std::string text = error.what();
  const auto option = codes_of_options.find(text.substr(0, text.find(':')));
  return option == codes_of_options.end() ? Code::WrongOptionValue : option->second;
}

std::string failure_message(const CLI::App* app, const CLI::Error& error) {
  const std::vector<CLI::App*> chosen = app->get_subcommands();
  return fmt::format("{}see driftless {}--help\n", complaint(code_of(*app, error), complaint_text(*app, error)),
                     chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

}  // namespace driftless::cli
