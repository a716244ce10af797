#include "driftless/language/list_models.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "driftless/language/deep_stack.hpp"
#include "driftless/language/libraries/annotation_values.hpp"
#include "driftless/language/libraries/libraries.hpp"
#include "driftless/language/libraries/text_file.hpp"
#include "driftless/language/parser.hpp"

namespace driftless {
namespace {

namespace fs = std::filesystem;
using language::Libraries;

bool can_be_run(const ast::ClassDefinition& definition) {
  const bool has_equations = definition.kind == ast::ClassKind::Model || definition.kind == ast::ClassKind::Block ||
                             definition.kind == ast::ClassKind::Class;
  const bool has_text = std::holds_alternative<ast::LongClass>(definition.node) ||
                        std::holds_alternative<ast::ShortClass>(definition.node);
  return has_equations && has_text && !definition.partial;
}

ListedModel listed(const std::string& name, const ast::ClassDefinition& definition) {
  ListedModel model{
      .name = name, .description = definition.comment.text, .start = {}, .stop = {}, .tolerance = {}, .interval = {}};
  if (const auto experiment = language::experiment_of(definition)) {
    model.has_experiment = true;
    model.start = experiment->start;
    model.stop = experiment->stop;
    model.tolerance = experiment->tolerance;
    model.interval = experiment->interval;
  }
  return model;
}

void list_below(Libraries& libraries, const std::string& top, std::vector<ListedModel>& models) {
  std::vector<std::string> ahead{top};  // the next one last
  while (!ahead.empty()) {
    const std::string name = std::move(ahead.back());
    ahead.pop_back();
    const ast::ClassDefinition* definition = libraries.find(name);
    if (!definition || libraries.is_protected(name)) continue;
    if (can_be_run(*definition)) models.push_back(listed(name, *definition));
    std::vector<std::string> inner = libraries.children(name);
    std::ranges::reverse(inner);
    for (const std::string& child : inner) ahead.push_back(fmt::format("{}.{}", name, child));
  }
}

void list_file(const std::string& path, Libraries& libraries, Sources& sources, Diagnostics& diagnostics,
               std::vector<ListedModel>& models) {
  auto text = language::read_text_file(path);
  if (const auto* problem = std::get_if<language::CannotReadFile>(&text)) {
    diagnostics.error(Code::CannotRead, {}, problem->message);
    return;
  }
  const ast::StoredDefinition tree =
      parse(sources.add(path, std::move(std::get<std::string>(text))), sources, diagnostics);
  if (diagnostics.has_errors()) return;
  for (const std::string& name : libraries.add_tree(tree, path)) list_below(libraries, name, models);
}

void refuse_folder(const std::string& path, Diagnostics& diagnostics) {
  Diagnostic& error = diagnostics.error(Code::LibraryNotFound, {},
                                        fmt::format("the folder '{}' is no library: it has no file package.mo", path));
  std::vector<std::string> names;
  for (const language::StoredClass& one : language::list_libraries(path).classes)
    names.push_back((one.is_folder ? one.folder() : one.file).filename().string());
  if (!names.empty()) error.note(fmt::format("in it: {}", fmt::join(names, ", ")));
}

}  // namespace

std::vector<ListedModel> list_models(const std::string& what, const std::vector<std::string>& places, Sources& sources,
                                     Diagnostics& diagnostics) {
  std::vector<ListedModel> models;
  with_deep_stack([&] {
    Libraries libraries(sources, diagnostics);
    std::error_code unknown;
    const bool is_folder = fs::is_directory(what, unknown);
    if (is_folder) {
      const std::string name = libraries.name_of_path(what);
      if (name.empty()) return refuse_folder(what, diagnostics);
      return list_below(libraries, name, models);
    }
    if (fs::exists(what, unknown) || !language::is_full_name(what) || what.ends_with(".mo"))
      return list_file(what, libraries, sources, diagnostics, models);
    for (const std::string& place : places) libraries.add_place(place);
    if (!libraries.find(what)) {
      if (!diagnostics.has_errors()) libraries.report_missing(what, {});
      return;
    }
    list_below(libraries, what, models);
  });
  return models;
}

}  // namespace driftless
