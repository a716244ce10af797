// Which classes the files of a folder contain, by their names alone (Modelica 3.6, Section 13.4): C.mo contains the
// class C, and a folder C with a file package.mo the package C. Only folders and package.order are read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::language {

struct StoredClass {
  std::string name;
  std::filesystem::path file;  // C.mo or C/package.mo
  bool is_folder = false;
  std::string version{};  // of a library: 4.0.0 for the folder "Modelica 4.0.0"
  // It lies in the folder of the user's model, which need not be meant for libraries.
  bool is_beside_model = false;

  std::filesystem::path folder() const { return file.parent_path(); }  // of a package that is a folder
};

struct TwoFiles {
  std::string name;  // of the class
  std::filesystem::path first, second;
};

struct Listing {
  std::vector<StoredClass> classes;  // by name, so that the order does not depend on the file system
  std::vector<TwoFiles> twice;
  std::vector<std::string> without_package;  // folders that could be packages but have no package.mo
};

// The contents of a package that is a folder.
Listing list_package(const std::filesystem::path& folder);

// The libraries of a folder, where a name may end in a version. Two files of one library are an error only if they have
// the same version.
Listing list_libraries(const std::filesystem::path& folder);

// The lines of package.order; none if the folder has no such file.
std::vector<std::string> read_package_order(const std::filesystem::path& folder);

// A path as shown in messages: relative or absolute, whichever is shorter.
std::string shown(const std::filesystem::path& path);

// x, x_1 or 'any text'
bool is_class_name(std::string_view text);

// A.B.C: such names, with dots between them.
bool is_full_name(std::string_view text);

}  // namespace driftless::language
