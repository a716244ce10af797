// The classes of libraries on disk, by their full names. Folders are listed when something in them is first needed, and
// a file is parsed once, when a class in it is first needed. Results of `find` keep their addresses during the lifetime
// of the Libraries.
//
// Use by the instance tree: a name that is not found in the present texts is a name from the top; its first part is
// looked up by find("Modelica"), each further part by find("Modelica.Blocks"), and so on. `find` returns a class from
// any file, so that it does not matter whether the classes of a package are in package.mo or in separate files. Classes
// that a package inherits are not found here: they need the instance tree.
//
// Errors in libraries are reported once, when they are found: a file that does not parse, whose `within` names another
// package than its own, or that defines another class than its name; two files for one class; a missing version.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/language/ast.hpp"
#include "driftless/language/libraries/library_path.hpp"

namespace driftless::language {

class Libraries {
 public:
  // The sources and the diagnostics must outlive it.
  Libraries(Sources& sources, Diagnostics& diagnostics);
  ~Libraries();
  Libraries(const Libraries&) = delete;
  Libraries& operator=(const Libraries&) = delete;

  // A folder of libraries, or a library (library_path.hpp). Reports an error and returns false if there is none.
  bool add_place(const std::string& place);

  // Adds the classes of a parsed tree, the user's file, under their full names: they hide those on disk. The tree must
  // outlive the Libraries. Its folder, or the library to which it belongs, becomes a place: if added first, it comes
  // before all others.
  std::vector<std::string> add_tree(const ast::StoredDefinition& tree, const std::string& path);

  // Requires this version of the library from now on; an error if one of its classes has already been found. Done for
  // `uses` in the annotation of every top-level class that is added or found.
  void require(const std::string& library, const std::string& version, SourceRange where);

  // Null if there is no such class, or its file has errors.
  const ast::ClassDefinition* find(std::string_view full_name);

  // The names of the classes in a class: in the order of package.order, then of the text, then by name.
  std::vector<std::string> children(std::string_view full_name);

  bool is_protected(std::string_view full_name);  // declared so in its enclosing class

  // "A.B.C" for the folder or file of a class in a library; empty if `path` is not part of one. The folder above its
  // topmost package becomes a place.
  std::string name_of_path(const std::string& path);

  // Reports a missing class: where it was searched, similar names, missing libraries.
  void report_missing(std::string_view full_name, SourceRange where);

  Diagnostics& diagnostics() { return diagnostics_; }
  std::size_t files_parsed() const { return trees_.size(); }
  const LibraryPath& path() const { return path_; }

 private:
  struct Entry;

  Entry* find_entry(std::string_view full_name);
  Entry* find_library(std::string_view name);
  Entry& add_entry(std::string full_name, Entry* parent);
  void list(Entry& entry);
  void read(Entry& entry);
  void adopt(Entry& entry, const ast::ClassDefinition& definition);
  const ast::ClassDefinition* matching_class(const Entry& entry, const ast::StoredDefinition& tree);
  void check_within(const Entry& entry, const ast::StoredDefinition& tree);
  void check_version(const Entry& entry);
  void check_order(const Entry& entry, const std::vector<std::string>& order);

  struct Wish {
    std::string version;
    SourceRange where;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };

  Sources& sources_;
  Diagnostics& diagnostics_;
  LibraryPath path_;
  std::unordered_map<std::string, std::unique_ptr<Entry>, Hash, std::equal_to<>> entries_;
  std::map<std::string, Wish, std::less<>> wishes_;
  std::set<std::string, std::less<>> refused_;  // libraries whose requested version does not exist
  std::deque<ast::StoredDefinition> trees_;
};

}  // namespace driftless::language
