#include "driftless/language/read.hpp"

#include <filesystem>
#include <string>
#include <variant>

#include "driftless/language/deep_stack.hpp"
#include "driftless/language/elaborate.hpp"
#include "driftless/language/libraries/libraries.hpp"
#include "driftless/language/libraries/text_file.hpp"
#include "driftless/language/parser.hpp"

namespace driftless {

namespace {

using language::Libraries;

void add_places(Libraries& libraries, const ReadOptions& options) {
  for (const std::string& place : options.libraries) libraries.add_place(place);
}

// `path` is empty for a text that is not from a file, and has no folder.
std::optional<Model> read_text(std::string name, std::string text, const std::string& path, const ReadOptions& options,
                               const std::shared_ptr<Sources>& sources, Diagnostics& diagnostics) {
  const FileId file = sources->add(std::move(name), std::move(text));
  std::optional<Model> model;
  with_deep_stack([&] {
    const ast::StoredDefinition tree = parse(file, *sources, diagnostics);
    if (diagnostics.has_errors()) return;
    Libraries libraries(*sources, diagnostics);
    if (!path.empty()) libraries.add_tree(tree, path);
    add_places(libraries, options);
    if (!diagnostics.has_errors()) model = elaborate(tree, options, sources, diagnostics, {}, &libraries);
  });
  return model;
}

std::optional<Model> read_from_library(const std::string& name, ReadOptions options,
                                       const std::shared_ptr<Sources>& sources, Diagnostics& diagnostics) {
  options.model = name;
  std::optional<Model> model;
  with_deep_stack([&] {
    Libraries libraries(*sources, diagnostics);
    add_places(libraries, options);
    if (!diagnostics.has_errors()) model = elaborate({}, options, sources, diagnostics, {}, &libraries);
  });
  return model;
}

// A.B.C, if there is no file of this name.
bool is_library_name(const std::string& text) {
  std::error_code unknown;
  return !text.ends_with(".mo") && language::is_full_name(text) && !std::filesystem::exists(text, unknown);
}

}  // namespace

std::optional<Model> read_model_file(const std::string& path, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  if (is_library_name(path)) return read_from_library(path, options, sources, diagnostics);
  auto text = language::read_text_file(path);
  if (const auto* problem = std::get_if<language::CannotReadFile>(&text)) {
    diagnostics.error(Code::CannotRead, {}, problem->message);
    return std::nullopt;
  }
  return read_text(path, std::move(std::get<std::string>(text)), path, options, sources, diagnostics);
}

std::optional<Model> read_model_text(std::string name, std::string text, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  return read_text(std::move(name), std::move(text), {}, options, sources, diagnostics);
}

Model read_model_file(const std::string& path, const ReadOptions& options) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_file(path, options, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

Model read_model_text(std::string name, std::string text, const ReadOptions& options) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_text(std::move(name), std::move(text), options, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

}  // namespace driftless
