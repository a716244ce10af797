#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "driftless/language/list_models.hpp"

namespace driftless::cli {
namespace {

struct ListArguments {
  std::string what;                    // a file, the folder of a library, or the full name of a class
  std::vector<std::string> libraries;  // folders
  bool all = false;                    // models without an experiment as well
  bool json = false;
};

// Columns of text, each as wide as its longest entry; the last one is not padded.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  }
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += fmt::format("{:<{}}  ", row[k], widths[k]);
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

// A description may have several lines; a list has one for each model.
std::string first_line(const std::string& text) { return text.substr(0, text.find_first_of("\r\n")); }

void print_text(const std::vector<ListedModel>& models) {
  std::vector<std::vector<std::string>> rows{{"model", "start", "stop", "tolerance", "description"}};
  for (const ListedModel& model : models)
    rows.push_back({model.name, model.start, model.stop, model.tolerance, first_line(model.description)});
  print_table(rows);
}

void print_json(const std::string& what, const std::vector<ListedModel>& models) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ListedModel& model : models) {
    nlohmann::ordered_json one = {{"name", model.name}, {"description", model.description}};
    if (model.has_experiment) {
      nlohmann::ordered_json experiment = nlohmann::ordered_json::object();
      const std::pair<const char*, const std::string&> settings[] = {{"StartTime", model.start},
                                                                     {"StopTime", model.stop},
                                                                     {"Tolerance", model.tolerance},
                                                                     {"Interval", model.interval}};
      for (const auto& [name, value] : settings)
        if (!value.empty()) experiment[name] = value;
      one["experiment"] = std::move(experiment);
    }
    list.push_back(std::move(one));
  }
  const nlohmann::ordered_json object = {{"what", what}, {"models", std::move(list)}};
  std::puts(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
}

int list(const ListArguments& arguments) {
  Sources sources;
  Diagnostics diagnostics;
  std::vector<ListedModel> models =
      list_models(arguments.what, library_folders(arguments.libraries), sources, diagnostics);
  if (models.empty() && diagnostics.has_errors()) throw ModelError(diagnostics, sources);
  const auto has_experiment = [](const ListedModel& model) { return model.has_experiment; };
  if (!arguments.all && std::ranges::any_of(models, has_experiment))
    std::erase_if(models, [&](const ListedModel& model) { return !has_experiment(model); });
  if (arguments.json)
    print_json(arguments.what, models);
  else if (models.empty())
    fmt::print("no model that can be run\n");
  else
    print_text(models);
  print_diagnostics(render(diagnostics, sources));
  return diagnostics.has_errors() ? bad_input : success;
}

}  // namespace

void add_list(Commands& commands) {
  const auto [command, arguments] = commands.add<ListArguments>(
      "list", "list the models of a library or a file with their experiments (docs/libraries.md)", list);
  command
      .add_option("WHAT", arguments.what,
                  "a file, the folder of a library, or the full name of a package: Modelica.Blocks.Examples")
      ->required();
  add_libraries(command, arguments.libraries);
  command.add_flag("--all", arguments.all, "also models without an experiment annotation");
  command.add_flag("--json", arguments.json, "print one JSON object instead of the table");
}

}  // namespace driftless::cli
