#include "cli/command_table.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/arguments.hpp"
#include "driftless/diagnostics/catalogue.hpp"

namespace driftless::cli {
namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

std::vector<std::string> codes() {
  std::vector<std::string> all;
  for (const CatalogueEntry& entry : catalogue()) all.push_back(to_string(entry.code));
  return all;
}

// Allowed words that the type of an option does not list.
std::vector<std::string> vocabulary(const std::string& name) {
  if (name == "--method" || name == "--methods") return methods.spelt();
  if (name == "--formulation" || name == "--formulations") return formulations.spelt();
  if (name == "--projection" || name == "--projections") return projections.spelt();
  if (name == "CODE") return codes();
  return {};
}

Takes kind_of(const OptionRow& row) {
  if (row.type.empty()) return Takes::Nothing;
  if (!row.words.empty()) return Takes::Words;
  if (row.name == "RESULTS") return Takes::Results;
  if (row.name == "FILE" || row.name == "WHAT") return Takes::Model;
  if (row.type == "DIR") return Takes::Folder;
  return row.type.starts_with("FILE") ? Takes::File : Takes::Text;
}

OptionRow row_of(const CLI::Option& option) {
  const bool named = !option.get_positional() && !option.get_lnames().empty();
  OptionRow row{.name = named ? "--" + option.get_lnames().front() : option.get_name(),
                .type = {},
                .help = option.get_description(),
                .required = option.get_required(),
                .repeats = option.get_items_expected_max() > 1};
  if (option.get_expected_min() > 0) {  // flags take no value
    row.type = option.get_type_name();
    if (row.type.empty() || row.type == "TEXT") row.type = named ? "TEXT" : row.name;
    row.type = row.type.substr(0, row.type.find(':'));
    row.words = row.type.find('|') != std::string::npos ? split(row.type, '|') : vocabulary(row.name);
  }
  row.takes = kind_of(row);
  return row;
}

CommandRow row_of(const CLI::App& command) {
  CommandRow row{command.get_name(), command.get_description(), {}, {}};
  for (const CLI::Option* option : command.get_options()) {
    OptionRow one = row_of(*option);
    (one.name.starts_with("-") ? row.options : row.arguments).push_back(std::move(one));
  }
  return row;
}

}  // namespace

std::vector<CommandRow> command_table(const CLI::App& app) {
  std::vector<CommandRow> rows{row_of(app)};
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    rows.push_back(row_of(*command));
  return rows;
}

}  // namespace driftless::cli
