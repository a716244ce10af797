#include "driftless/language/libraries/library_path.hpp"

#include <algorithm>
#include <cstdlib>

#include "driftless/language/libraries/version.hpp"

namespace driftless::language {

namespace fs = std::filesystem;

bool LibraryPath::add(const fs::path& place) {
  std::error_code unknown;
  const fs::path clean = fs::absolute(place, unknown).lexically_normal();
  const fs::path path = clean.has_filename() ? clean : clean.parent_path();  // "a/b/" means a/b
  if (std::ranges::find(places_, path.string()) != places_.end()) return true;
  const bool is_folder = fs::is_directory(path, unknown);
  if (!is_folder && !fs::is_regular_file(path, unknown)) return false;
  places_.push_back(path.string());
  if (is_folder && !fs::exists(path / "package.mo", unknown)) {
    add_all(list_libraries(path));
    return true;
  }
  Listing neighbours = list_libraries(path.parent_path());
  Listing only;
  for (StoredClass& one : neighbours.classes)
    if ((one.is_folder ? one.folder() : one.file) == path) only.classes.push_back(std::move(one));
  add_all(std::move(only));
  return true;
}

void LibraryPath::add_beside_model(const fs::path& folder) {
  if (std::ranges::find(places_, folder.string()) != places_.end()) return;
  places_.push_back(folder.string());
  Listing listing = list_libraries(folder);
  listing.twice.clear();
  for (StoredClass& one : listing.classes) one.is_beside_model = true;
  add_all(std::move(listing));
}

void LibraryPath::add_all(Listing listing) {
  for (StoredClass& one : listing.classes) {
    std::string name = one.name;
    libraries_[std::move(name)].push_back({std::move(one), places_.size() - 1});
  }
  twice_.insert(twice_.end(), listing.twice.begin(), listing.twice.end());
  without_package_.insert(without_package_.end(), listing.without_package.begin(), listing.without_package.end());
}

std::vector<std::string> LibraryPath::names() const {
  std::vector<std::string> list;
  for (const auto& [name, found] : libraries_) list.push_back(name);
  return list;
}

std::vector<std::string> LibraryPath::versions(std::string_view name) const {
  std::vector<std::string> list;
  if (const auto found = libraries_.find(name); found != libraries_.end())
    for (const Found& one : found->second) list.push_back(one.stored.version);
  return list;
}

bool LibraryPath::has_folder_without_package(std::string_view name) const {
  return std::ranges::find(without_package_, name) != without_package_.end();
}

const StoredClass* LibraryPath::choose(std::string_view name, std::string_view version) const {
  const auto found = libraries_.find(name);
  if (found == libraries_.end()) return nullptr;
  const std::vector<Found>& all = found->second;
  const auto unversioned = [](const Found& one) { return one.stored.version.empty(); };
  if (!version.empty()) {
    const auto wanted = [&](const Found& one) {
      return !one.stored.version.empty() && same_version(one.stored.version, version);
    };
    auto one = std::ranges::find_if(all, wanted);
    if (one == all.end()) one = std::ranges::find_if(all, unversioned);
    return one == all.end() ? nullptr : &one->stored;
  }
  const Found* best = &all.front();
  for (const Found& one : all) {
    if (one.place != all.front().place) break;
    if (unversioned(one)) return &one.stored;
    if (compare(parse_version(one.stored.version), parse_version(best->stored.version)) > 0) best = &one;
  }
  return &best->stored;
}

std::vector<std::string> modelica_path() {
  std::vector<std::string> list;
  const char* const variable = std::getenv("MODELICAPATH");
  std::string_view rest = variable ? variable : "";
  while (!rest.empty()) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    if (colon > 0) list.emplace_back(rest.substr(0, colon));
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return list;
}

}  // namespace driftless::language
