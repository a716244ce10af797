#include "driftless/language/external_libraries.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "driftless/language/class.hpp"
#include "driftless/language/function_annotations.hpp"
#include "driftless/language/strings.hpp"

namespace driftless::language {

namespace fs = std::filesystem;

std::optional<std::string> file_of_uri(const Elaboration& all, std::string_view uri) {
  constexpr std::string_view scheme = "modelica://";
  if (!uri.starts_with(scheme)) return std::nullopt;
  uri.remove_prefix(scheme.size());
  const std::size_t slash = std::min(uri.find('/'), uri.size());
  const Class* of = class_at(*all.top->of, uri.substr(0, slash));
  if (!of || !of->syntax) return std::nullopt;
  const fs::path file = all.sources.name(of->syntax->name.range.file);
  return (file.parent_path() / uri.substr(std::min(slash + 1, uri.size()))).string();
}

namespace {

// The texts of an entry: one String or an array of them.
std::vector<std::string> texts_of(Elaboration& all, Instance& function, std::string_view name) {
  const ast::Expression* syntax = annotated(function, name);
  if (!syntax) return {};
  Locals nothing;
  const Value value = evaluate({all, function.own(), nothing, Purpose::Setting}, *syntax);
  std::vector<std::string> texts;
  for (std::size_t k = 0; value.valid() && value.type() == Type::String && k < value.size(); ++k)
    if (const auto text = known_text(all, Value(Type::String, value[k]))) texts.push_back(*text);
  return texts;
}

fs::path folder_of(const Elaboration& all, const Instance& function) {
  return fs::path(all.sources.name(function.of->syntax->name.range.file)).parent_path();
}

// The folder that an annotation names, or Resources/`usual` of the package that contains the function.
fs::path annotated_folder(Elaboration& all, Instance& function, std::string_view name, std::string_view usual) {
  const std::vector<std::string> texts = texts_of(all, function, name);
  if (!texts.empty()) return file_of_uri(all, texts.front()).value_or(texts.front());
  const Class* package = function.of;
  while (package->parent && package->parent->syntax) package = package->parent;
  return fs::path(all.sources.name(package->syntax->name.range.file)).parent_path() / "Resources" / usual;
}

std::string whole_path(const fs::path& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed);
  return failed ? path.string() : whole.lexically_normal().string();
}

// Possible places of a library of this name, the likeliest first, the system's search path last.
std::vector<std::string> candidates(Elaboration& all, Instance& function, const std::string& library) {
  const bool is_file = library.ends_with(".so") || library.find('/') != std::string::npos;
  const std::string file = is_file ? library : fmt::format("lib{}.so", library);
  const fs::path folder = annotated_folder(all, function, "LibraryDirectory", "Library");
  std::vector<std::string> places;
  for (const fs::path& place : {folder / "linux64", folder, folder_of(all, function)}) {
    std::error_code unknown;
    if (fs::exists(place / file, unknown)) places.push_back(whole_path(place / file));
  }
  places.push_back(file);
  return places;
}

using Loaded = std::variant<std::shared_ptr<external::SharedLibrary>, std::string>;

const Loaded& load(Elaboration& all, const std::string& file) {
  const auto [place, fresh] = all.external_libraries->by_file.try_emplace(file);
  if (fresh) place->second = external::SharedLibrary::open(file);
  return place->second;
}

const Loaded& compile(Elaboration& all, Instance& function, const std::string& text) {
  const auto [place, fresh] = all.external_libraries->by_text.try_emplace(text);
  if (!fresh) return place->second;
  const fs::path folder = annotated_folder(all, function, "IncludeDirectory", "Include");
  return place->second = external::compile({text, whole_path(folder)});
}

}  // namespace

std::variant<external::CFunction, std::string> find_c_function(Elaboration& all, Instance& function,
                                                               external::Signature signature) {
  if (!all.external_libraries) all.external_libraries = std::make_shared<ExternalLibraries>();
  std::string reason;
  std::optional<external::CFunction> found;
  const auto look_into = [&](const Loaded& loaded) {
    if (const auto* why = std::get_if<std::string>(&loaded)) {
      if (reason.empty()) reason = *why;
      return false;
    }
    const auto& library = std::get<std::shared_ptr<external::SharedLibrary>>(loaded);
    auto answer = external::CFunction::find(library, signature);
    if (auto* own = std::get_if<external::CFunction>(&answer))
      found = std::move(*own);
    else
      reason = std::get<std::string>(answer);
    return found.has_value();
  };
  std::vector<std::string> libraries = texts_of(all, function, "Library");
  const std::vector<std::string> included = texts_of(all, function, "Include");
  if (libraries.empty() && included.empty()) libraries = {"libm.so.6", "libc.so.6"};  // the C standard library
  for (const std::string& library : libraries)
    for (const std::string& file : library.starts_with("lib") && library.find(".so.") != std::string::npos
                                       ? std::vector<std::string>{library}
                                       : candidates(all, function, library))
      if (look_into(load(all, file))) return std::move(*found);
  for (const std::string& text : included)
    if (look_into(compile(all, function, text))) return std::move(*found);
  return reason.empty() ? "no library is named that has it" : reason;
}

}  // namespace driftless::language
