#include "driftless/language/read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driftless/language/parser.hpp"

namespace driftless {

std::optional<Model> read_model_file(const std::string& path, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown)) {
    diagnostics.error({}, fmt::format("cannot read '{}': it is a directory", path));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  if (!file) {
    diagnostics.error({}, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  return read_model_text(path, std::move(text).str(), options, std::move(sources), diagnostics);
}

std::optional<Model> read_model_text(std::string name, std::string text, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  const FileId file = sources->add(std::move(name), std::move(text));
  const ast::StoredDefinition tree = parse(file, *sources, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return elaborate(tree, options, sources, diagnostics);
}

}  // namespace driftless
