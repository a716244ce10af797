// Which libraries there are, and in which versions: found by listing folders, without reading any text.
//
// A name of MODELICAPATH or --library is a folder that contains libraries (/usr/share/modelica with "Modelica
// 4.0.0/package.mo" and Complex.mo in it), or a library itself (a folder with package.mo, or a file).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/language/libraries/class_files.hpp"

namespace driftless::language {

class LibraryPath {
 public:
  // Earlier places come before later ones. False if there is no such folder or file.
  bool add(const std::filesystem::path& place);
  // The folder of the user's model.
  void add_beside_model(const std::filesystem::path& folder);

  const std::vector<std::string>& places() const { return places_; }
  std::vector<std::string> names() const;
  std::vector<std::string> versions(std::string_view name) const;  // "" for a folder without one in its name
  const std::vector<TwoFiles>& twice() const { return twice_; }
  bool has_folder_without_package(std::string_view name) const;

  // Without a requested version: in the first place that has the library, the one without a version in its name,
  // otherwise the newest. With one: the library with this version in its name, in any place; otherwise the first
  // without a version in its name, which may be of any version. Nothing if there is none of these.
  const StoredClass* choose(std::string_view name, std::string_view version) const;

 private:
  struct Found {
    StoredClass stored;
    std::size_t place;
  };
  void add_all(Listing listing);

  std::vector<std::string> places_;
  std::map<std::string, std::vector<Found>, std::less<>> libraries_;
  std::vector<TwoFiles> twice_;
  std::vector<std::string> without_package_;
};

// The folders of the environment variable MODELICAPATH, separated by colons.
std::vector<std::string> modelica_path();

}  // namespace driftless::language
