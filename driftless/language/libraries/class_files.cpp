#include "driftless/language/libraries/class_files.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>

namespace driftless::language {
namespace {

namespace fs = std::filesystem;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// "Modelica 4.0.0" -> Modelica, 4.0.0
std::pair<std::string, std::string> split_version(const std::string& name) {
  const std::size_t space = name.find(' ');
  if (space == std::string::npos || name.front() == '\'') return {name, ""};
  return {name.substr(0, space), name.substr(space + 1)};
}

// The class that an entry of a folder stores; an empty name if it stores none.
StoredClass stored_class(const fs::directory_entry& entry, bool with_version, Listing& listing) {
  std::error_code unknown;
  StoredClass stored;
  stored.is_folder = entry.is_directory(unknown);
  const std::string whole = stored.is_folder ? entry.path().filename().string() : entry.path().stem().string();
  if (!stored.is_folder && (entry.path().extension() != ".mo" || whole == "package")) return {};
  auto [name, version] = with_version ? split_version(whole) : std::pair(whole, std::string());
  if (!is_class_name(name)) return {};
  stored.file = stored.is_folder ? entry.path() / "package.mo" : entry.path();
  if (stored.is_folder && !fs::exists(stored.file, unknown)) {
    listing.without_package.push_back(std::move(name));
    return {};
  }
  stored.name = std::move(name);
  stored.version = std::move(version);
  return stored;
}

Listing list_folder(const fs::path& folder, bool with_versions) {
  Listing listing;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    StoredClass stored = stored_class(*entry, with_versions, listing);
    if (!stored.name.empty()) listing.classes.push_back(std::move(stored));
  }
  const auto key = [](const StoredClass& one) { return std::tie(one.name, one.version, one.file); };
  std::ranges::sort(listing.classes, {}, key);
  std::ranges::sort(listing.without_package);
  for (std::size_t k = 1; k < listing.classes.size(); ++k) {
    const StoredClass &first = listing.classes[k - 1], &second = listing.classes[k];
    if (first.name == second.name && first.version == second.version)
      listing.twice.push_back({first.name, first.file, second.file});
  }
  return listing;
}

}  // namespace

bool is_class_name(std::string_view text) {
  if (text.size() > 2 && text.front() == '\'' && text.back() == '\'') return true;
  return !text.empty() && !(text.front() >= '0' && text.front() <= '9') && std::ranges::all_of(text, is_word_character);
}

bool is_full_name(std::string_view text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    if (!is_class_name(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

std::string shown(const fs::path& path) {
  std::error_code unknown;
  const fs::path here = fs::current_path(unknown);
  const std::string whole = path.string(), relative = unknown ? whole : path.lexically_relative(here).string();
  return relative.empty() || whole.size() <= relative.size() ? whole : relative;
}

Listing list_package(const fs::path& folder) { return list_folder(folder, false); }

Listing list_libraries(const fs::path& folder) { return list_folder(folder, true); }

std::vector<std::string> read_package_order(const fs::path& folder) {
  std::vector<std::string> names;
  std::ifstream file(folder / "package.order");
  for (std::string line; std::getline(file, line);) {
    if (names.empty() && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    names.push_back(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
  }
  return names;
}

}  // namespace driftless::language
