// The classes of libraries on disk, by their full names. Folders are listed when something in them is first asked for,
// and a file is parsed when a class in it is first asked for, once. What `find` returns keeps its address as long as
// the Libraries live.
//
// How the instance tree uses it: a name that is found nowhere in the texts at hand is a name from the top; its first
// part is looked up by find("Modelica"), each further part by find("Modelica.Blocks"), and so on. `find` gives a class
// from whichever file holds it, so that a package looks the same whether its classes stand in package.mo or in files of
// their own. Classes that a package inherits are not known here: that takes the instance tree.
//
// Mistakes in libraries are reported once, when they are met: a file that does not parse, that says `within` another
// package than the one it lies in, or that defines another class than its name says; two files for one class; a version
// that is not there.
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

  // The classes of a tree that is parsed already, the user's file, under their full names: they hide those on disk. The
  // tree must outlive the Libraries. Its folder, or the library that it is a part of, becomes a place: added first, it
  // comes before all others.
  std::vector<std::string> add_tree(const ast::StoredDefinition& tree, const std::string& path);

  // From now on this version of the library is meant; too late if one of its classes has been found already. Done for
  // `uses` in the annotation of every top-level class that is added or found.
  void require(const std::string& library, const std::string& version, SourceRange where);

  // Null if there is no such class, or its file has errors.
  const ast::ClassDefinition* find(std::string_view full_name);

  // The names of the classes in a class: in the order of package.order, then of the text, then by name.
  std::vector<std::string> children(std::string_view full_name);

  bool is_protected(std::string_view full_name);  // declared so in the class around it

  // "A.B.C" for the folder or file of a class in a library; empty if `path` is no part of one. The folder above its
  // topmost package becomes a place.
  std::string name_of_path(const std::string& path);

  // Says that a class is not there: where it was looked for, what has a similar name, what is missing.
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
  std::set<std::string, std::less<>> refused_;  // libraries of which there is no such version
  std::deque<ast::StoredDefinition> trees_;
};

}  // namespace driftless::language
