#include "driftless/language/read.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "driftless/language/deep_stack.hpp"
#include "driftless/language/elaborate.hpp"
#include "driftless/language/parser.hpp"

namespace driftless {
namespace {

// A device or a pipe may have no end.
constexpr std::size_t longest_text = 100'000'000;

}  // namespace

std::optional<Model> read_model_file(const std::string& path, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown)) {
    diagnostics.error(Code::CannotRead, {}, fmt::format("cannot read '{}': it is a directory", path));
    return std::nullopt;
  }
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file && text.size() <= longest_text) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.size() <= longest_text) {
    diagnostics.error(Code::CannotRead, {}, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
    return std::nullopt;
  }
  if (text.size() > longest_text) {
    diagnostics.error(
        Code::CannotRead, {},
        fmt::format("'{}' is longer than the {} million bytes that a model may have", path, longest_text / 1'000'000));
    return std::nullopt;
  }
  return read_model_text(path, std::move(text), options, std::move(sources), diagnostics);
}

std::optional<Model> read_model_text(std::string name, std::string text, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics) {
  const FileId file = sources->add(std::move(name), std::move(text));
  std::optional<Model> model;
  with_deep_stack([&] {
    const ast::StoredDefinition tree = parse(file, *sources, diagnostics);
    if (!diagnostics.has_errors()) model = elaborate(tree, options, sources, diagnostics);
  });
  return model;
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
