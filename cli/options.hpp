// Options that several commands have.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/arguments.hpp"

namespace driftless::cli {

// One of some words.
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

void add_formulation(CLI::App& command, Formulation& formulation);
// A list, separated by commas; the option may be repeated.
void add_list(CLI::App& command, const std::string& name, const char* items, std::string& list,
              const std::string& help);
void add_libraries(CLI::App& command, std::vector<std::string>& folders);
void add_model(CLI::App& command, ModelArguments& arguments);
CLI::Option* add_number(CLI::App& command, const std::string& name, std::optional<double>& value,
                        const std::string& help);
void add_time_span(CLI::App& command, std::optional<double>& start, std::optional<double>& stop);
// Our own message "an integer from 1 to most", as the library prints both ends as floating-point numbers.
CLI::Validator up_to(long most);
void add_intervals(CLI::App& command, std::optional<int>& intervals);
void add_tolerance(CLI::App& command, RunArguments& arguments);
void add_inputs(CLI::App& command, std::vector<std::string>& files);
// The interval, the tolerance, and what is written.
void add_results(CLI::App& command, RunArguments& arguments);
// How the equations are formulated and discretized.
void add_method(CLI::App& command, RunArguments& arguments);

}  // namespace driftless::cli
