#include "driftless/language/libraries/libraries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/language/libraries/annotation_values.hpp"
#include "driftless/language/libraries/text_file.hpp"
#include "driftless/language/libraries/version.hpp"
#include "driftless/language/parser.hpp"

namespace driftless::language {

namespace fs = std::filesystem;

struct Libraries::Entry {
  std::string full_name;
  Entry* parent = nullptr;
  std::optional<StoredClass> stored;             // if it has a file or folder of its own
  const ast::ClassDefinition* syntax = nullptr;  // set when it is read, unless its file has errors
  std::vector<Entry*> files;                     // the classes in its folder, by name
  bool is_listed = false, is_read = false, is_protected = false;

  std::string_view name() const {
    return std::string_view(full_name).substr(parent ? parent->full_name.size() + 1 : 0);
  }
};

Libraries::Libraries(Sources& sources, Diagnostics& diagnostics) : sources_(sources), diagnostics_(diagnostics) {}
Libraries::~Libraries() = default;

bool Libraries::add_place(const std::string& place) {
  if (path_.add(place)) return true;
  diagnostics_.error(Code::CannotRead, {}, fmt::format("cannot read '{}': there is no such folder or file", place));
  return false;
}

void Libraries::require(const std::string& library, const std::string& version, SourceRange where) {
  const auto entry = entries_.find(library);
  const bool is_loaded = entry != entries_.end() && entry->second->is_read;
  if (!version.empty() && !wishes_.contains(library)) wishes_.emplace(library, Wish{version, where});
  if (is_loaded) check_version(*entry->second);
}

Libraries::Entry& Libraries::add_entry(std::string full_name, Entry* parent) {
  std::unique_ptr<Entry>& place = entries_[full_name];
  if (!place) place = std::make_unique<Entry>();
  place->full_name = std::move(full_name);
  place->parent = parent;
  return *place;
}

Libraries::Entry* Libraries::find_library(std::string_view name) {
  if (refused_.contains(name)) return nullptr;
  const auto wish = wishes_.find(name);
  const StoredClass* chosen = path_.choose(name, wish == wishes_.end() ? "" : wish->second.version);
  if (chosen) {
    Entry& entry = add_entry(std::string(name), nullptr);
    entry.stored = *chosen;
    for (const auto& [library, first, second] : path_.twice())
      if (first == chosen->file || second == chosen->file)
        diagnostics_.error(Code::WrongLibraryFile, {}, fmt::format("the library {} has two files", name))
            .note(shown(first))
            .note(shown(second));
    return &entry;
  }
  if (wish != wishes_.end() && !path_.versions(name).empty()) {
    refused_.emplace(name);
    diagnostics_
        .error(Code::LibraryNotFound, wish->second.where,
               fmt::format("there is no version {} of the library {}", wish->second.version, name))
        .note(fmt::format("there is {}: change the annotation, or add the folder of the other version by --library",
                          fmt::join(path_.versions(name), ", ")));
  }
  return nullptr;
}

Libraries::Entry* Libraries::find_entry(std::string_view full_name) {
  if (const auto known = entries_.find(full_name); known != entries_.end()) return known->second.get();
  Entry* entry = nullptr;
  for (std::size_t end = 0; end < full_name.size();) {
    const std::size_t dot = full_name.find('.', entry ? end + 1 : 0);
    end = std::min(dot, full_name.size());
    const std::string_view prefix = full_name.substr(0, end);
    const auto look = [&] {
      const auto known = entries_.find(prefix);
      return known == entries_.end() ? nullptr : known->second.get();
    };
    Entry* next = look();
    if (!next && !entry) next = find_library(prefix);
    if (!next && entry) {  // the text of a package is read only if no file has the class
      list(*entry);
      next = look();
    }
    if (!next && entry) {
      read(*entry);
      next = look();
    }
    if (!next) return nullptr;
    entry = next;
  }
  return entry;
}

const ast::ClassDefinition* Libraries::find(std::string_view full_name) {
  Entry* entry = find_entry(full_name);
  if (!entry) return nullptr;
  read(*entry);
  return entry->syntax;
}

void Libraries::list(Entry& entry) {
  if (entry.is_listed || !entry.stored || !entry.stored->is_folder) return;
  entry.is_listed = true;
  Listing listing = list_package(entry.stored->folder());
  for (StoredClass& stored : listing.classes) {
    std::string full_name = fmt::format("{}.{}", entry.full_name, stored.name);
    if (const auto known = entries_.find(full_name); known != entries_.end()) {
      // Added by the user, or a second file, which is reported below; otherwise the class is also in the text of the
      // package.
      if (!known->second->stored && known->second->parent == &entry)
        diagnostics_
            .error(Code::WrongLibraryFile, known->second->syntax->name.range,
                   fmt::format("the class {} stands here and in a file of its own", full_name))
            .note(shown(stored.file));
      continue;
    }
    Entry& child = add_entry(std::move(full_name), &entry);
    child.stored = std::move(stored);
    entry.files.push_back(&child);
  }
  for (const auto& [name, first, second] : listing.twice)
    diagnostics_.error(Code::WrongLibraryFile, {}, fmt::format("the class {}.{} has two files", entry.full_name, name))
        .note(shown(first))
        .note(shown(second));
}

// Checks that `within` gives the names of the enclosing classes.
void Libraries::check_within(const Entry& entry, const ast::StoredDefinition& tree) {
  if (!tree.within) return;
  const std::string expected = entry.parent ? entry.parent->full_name : std::string();
  const std::string written = ast::to_string(*tree.within);
  if (written == expected) return;
  diagnostics_
      .error(Code::WrongLibraryFile, tree.within->empty() ? SourceRange{tree.file, 0, 0} : tree.within->range,
             fmt::format("this file is {} by its place, but says 'within{}{}'", entry.full_name,
                         written.empty() ? "" : " ", written))
      .note(expected.empty() ? "a library begins with 'within;', or without it"
                             : fmt::format("write 'within {};', or move the file", expected));
}

const ast::ClassDefinition* Libraries::matching_class(const Entry& entry, const ast::StoredDefinition& tree) {
  const ast::ClassDefinition* found = nullptr;
  for (const ast::ClassDefinition& definition : tree.classes)
    if (definition.name.text == entry.name()) found = &definition;
  // A file beside the user's model may hold more than the class that it is named after.
  if (found && (tree.classes.size() == 1 || !entry.parent)) return found;
  const SourceRange where = tree.classes.empty() ? SourceRange{tree.file, 0, 0} : tree.classes.back().name.range;
  std::string others;
  for (const ast::ClassDefinition& definition : tree.classes)
    if (&definition != found) others += (others.empty() ? "" : ", ") + definition.name.text;
  diagnostics_.error(Code::WrongLibraryFile, where,
                     others.empty() ? fmt::format("this file is {} by its place, but defines no class", entry.full_name)
                                    : fmt::format("this file is {} by its place, but defines {}{}", entry.full_name,
                                                  others, found ? " as well" : ""));
  return found;
}

void Libraries::read(Entry& entry) {
  if (entry.is_read) return;
  entry.is_read = true;
  if (!entry.stored) return;
  const std::string path = shown(entry.stored->file);
  auto text = read_text_file(path);
  if (const auto* problem = std::get_if<CannotReadFile>(&text)) {
    diagnostics_.error(Code::CannotRead, {}, problem->message);
    return;
  }
  const FileId file = sources_.add(path, std::move(std::get<std::string>(text)));
  Diagnostics syntax;
  ast::StoredDefinition& tree = trees_.emplace_back(parse(file, sources_, syntax));
  const auto is_wanted = [&](const ast::ClassDefinition& one) { return one.name.text == entry.name(); };
  if (entry.stored->is_beside_model && std::ranges::none_of(tree.classes, is_wanted))
    return;                   // another file of the user
  if (syntax.has_errors()) {  // warnings about the text of a library do not help its users
    for (const Diagnostic& one : syntax.all())
      if (one.severity == Severity::Error) diagnostics_.error(one.code, one.range, one.message).notes = one.notes;
    return;
  }
  check_within(entry, tree);
  if (const ast::ClassDefinition* definition = matching_class(entry, tree)) adopt(entry, *definition);
}

// Registers the classes inside the text of a class. A class both in the text and in a file is an error of the library.
void Libraries::adopt(Entry& top, const ast::ClassDefinition& definition) {
  top.syntax = &definition;
  top.is_read = true;
  std::vector<Entry*> queue{&top};
  for (std::size_t k = 0; k < queue.size(); ++k) {
    Entry& entry = *queue[k];
    const auto* body = std::get_if<ast::LongClass>(&entry.syntax->node);
    if (!body) continue;
    for (const ast::Element& element : body->elements) {
      const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node);
      if (!inner) continue;
      std::string full_name = fmt::format("{}.{}", entry.full_name, (*inner)->name.text);
      const auto known = entries_.find(full_name);
      if (known != entries_.end() && known->second->stored)
        diagnostics_
            .error(Code::WrongLibraryFile, (*inner)->name.range,
                   fmt::format("the class {} stands here and in a file of its own", full_name))
            .note(shown(known->second->stored->file));
      if (known != entries_.end()) continue;
      Entry& child = add_entry(std::move(full_name), &entry);
      child.syntax = inner->get();
      child.is_read = true;
      child.is_protected = element.is_protected;
      queue.push_back(&child);
    }
  }
  if (top.parent) return;
  for (const UsedLibrary& used : used_libraries(definition)) require(used.name, used.version, used.range);
  check_version(top);
}

// A folder without a version in its name may be of any version: the version in its annotation is compared with the
// requested one.
void Libraries::check_version(const Entry& entry) {
  const auto wish = wishes_.find(entry.full_name);
  if (wish == wishes_.end() || !entry.syntax || !entry.stored) return;
  const auto version = string_setting(annotation_of(*entry.syntax), "version");
  if (!version || same_version(*version, wish->second.version)) return;
  for (const std::string& older : compatible_versions(*entry.syntax))
    if (same_version(older, wish->second.version)) return;
  diagnostics_
      .warning(Code::LibraryNotFound, wish->second.where,
               fmt::format("version {} of the library {} is asked for, but version {} is used", wish->second.version,
                           entry.full_name, *version))
      .note(shown(entry.stored->file));
  wishes_.erase(wish);  // said once
}

std::vector<std::string> Libraries::add_tree(const ast::StoredDefinition& tree, const std::string& path) {
  std::error_code unknown;
  const fs::path file = fs::absolute(path, unknown).lexically_normal();
  if (name_of_path(path).empty()) path_.add_beside_model(file.parent_path());
  const std::string within = tree.within ? ast::to_string(*tree.within) : std::string();
  Entry* parent = within.empty() ? nullptr : find_entry(within);
  if (parent) list(*parent);
  if (!within.empty() && !parent) parent = &add_entry(within, nullptr);
  std::vector<std::string> names;
  for (const ast::ClassDefinition& definition : tree.classes) {
    const std::string& name = definition.name.text;
    Entry& entry = add_entry(parent ? fmt::format("{}.{}", within, name) : name, parent);
    if (!parent && file.filename() == "package.mo") entry.stored = StoredClass{name, file, true};
    adopt(entry, definition);
    names.push_back(entry.full_name);
  }
  return names;
}

std::string Libraries::name_of_path(const std::string& path) {
  std::error_code unknown;
  fs::path place = fs::absolute(path, unknown).lexically_normal();
  if (!place.has_filename() || place.filename() == "package.mo") place = place.parent_path();
  std::string name;
  const auto prepend = [&](const std::string& part) { name = name.empty() ? part : part + "." + name; };
  if (!fs::is_directory(place, unknown)) {
    if (!fs::exists(place.parent_path() / "package.mo", unknown)) return {};
    prepend(place.stem().string());
    place = place.parent_path();
  }
  if (!fs::exists(place / "package.mo", unknown)) return {};
  for (; fs::exists(place.parent_path() / "package.mo", unknown); place = place.parent_path())
    prepend(place.filename().string());
  const std::string top = place.filename().string();
  prepend(top.substr(0, top.find(' ')));
  path_.add(place);
  path_.add(place.parent_path());
  return name;
}

bool Libraries::is_protected(std::string_view full_name) {
  Entry* entry = find_entry(full_name);
  return entry && entry->is_protected;
}

std::vector<std::string> Libraries::children(std::string_view full_name) {
  std::vector<std::string> names;
  Entry* entry = find_entry(full_name);
  if (!entry) return names;
  list(*entry);
  read(*entry);
  std::set<std::string, std::less<>> all, given;
  std::vector<std::string> in_text;
  const auto* body = entry->syntax ? std::get_if<ast::LongClass>(&entry->syntax->node) : nullptr;
  if (body)
    for (const ast::Element& element : body->elements)
      if (const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node))
        if (all.insert((*inner)->name.text).second) in_text.push_back((*inner)->name.text);
  for (const Entry* file : entry->files) all.emplace(file->name());
  const auto give = [&](std::string_view name) {
    if (all.contains(name) && given.emplace(name).second) names.emplace_back(name);
  };
  if (entry->stored && entry->stored->is_folder) {
    const std::vector<std::string> order = read_package_order(entry->stored->folder());
    check_order(*entry, order);
    for (const std::string& name : order) give(name);
  }
  for (const std::string& name : in_text) give(name);
  for (const Entry* file : entry->files) give(file->name());
  return names;
}

void Libraries::check_order(const Entry& entry, const std::vector<std::string>& order) {
  const auto* body = entry.syntax ? std::get_if<ast::LongClass>(&entry.syntax->node) : nullptr;
  if (!body) return;
  std::set<std::string_view> known;
  for (const Entry* file : entry.files) known.insert(file->name());
  for (const ast::Element& element : body->elements) {
    if (const auto* inner = std::get_if<std::unique_ptr<ast::ClassDefinition>>(&element.node))
      known.insert((*inner)->name.text);
    else if (const auto* clause = std::get_if<ast::ComponentClause>(&element.node))
      for (const ast::Component& component : clause->components) known.insert(component.name.text);
  }
  for (const std::string& name : order)
    if (!known.contains(name))
      diagnostics_.warning(Code::WrongLibraryFile, {},
                           fmt::format("package.order of {} lists '{}', which is not there{}", entry.full_name, name,
                                       did_you_mean(name, {known.begin(), known.end()})));
}

void Libraries::report_missing(std::string_view full_name, SourceRange where) {
  std::string_view parent, name = full_name;
  for (;;) {  // find the first missing part
    const std::size_t dot = full_name.rfind('.');
    parent = dot == std::string_view::npos ? "" : full_name.substr(0, dot);
    name = dot == std::string_view::npos ? full_name : full_name.substr(dot + 1);
    if (parent.empty() || find_entry(parent)) break;
    full_name = parent;
  }
  if (refused_.contains(full_name)) return;  // already reported
  const std::vector<std::string> candidates = parent.empty() ? path_.names() : children(parent);
  const std::string wish = did_you_mean(name, {candidates.begin(), candidates.end()});
  Diagnostic& error = diagnostics_.error(Code::LibraryNotFound, where,
                                         parent.empty() ? fmt::format("there is no library '{}'{}", name, wish)
                                                        : fmt::format("{} has no class '{}'{}", parent, name, wish));
  if (!parent.empty()) return;
  std::vector<std::string> places;
  for (const std::string& place : path_.places()) places.push_back(shown(place));
  if (path_.has_folder_without_package(name))
    error.note(fmt::format("there is a folder '{}', but no file package.mo in it", name));
  error.note(places.empty() ? "no folder of libraries is known: give one by --library, or in MODELICAPATH"
                            : fmt::format("looked for in {}", fmt::join(places, ", ")));
}

}  // namespace driftless::language
