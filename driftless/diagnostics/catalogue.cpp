#include "driftless/diagnostics/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <iterator>
#include <sstream>
#include <utility>

#include "driftless/diagnostics/catalogue/parts.hpp"
#include "driftless/diagnostics/spelling.hpp"

namespace driftless {
namespace {

constexpr std::size_t columns = 96;

std::vector<CatalogueEntry> all_entries() {
  std::vector<CatalogueEntry> all;
  for (const auto part :
       {diagnostics::entries_of_syntax, diagnostics::entries_of_text, diagnostics::entries_of_names,
        diagnostics::entries_of_types, diagnostics::entries_of_functions, diagnostics::entries_of_values,
        diagnostics::entries_of_components, diagnostics::entries_of_events, diagnostics::entries_of_structure,
        diagnostics::entries_of_jumps, diagnostics::entries_of_initialization, diagnostics::entries_of_requests,
        diagnostics::entries_of_runs, diagnostics::entries_of_files})
    std::ranges::copy(part(), std::back_inserter(all));
  std::ranges::sort(all, {}, &CatalogueEntry::code);
  return all;
}

std::string in_small_letters(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// The text broken at blanks.
std::string paragraph(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::string result, line;
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > columns) result += std::exchange(line, "") + "\n";
    line += (line.empty() ? "" : " ") + word;
  }
  return result + line + "\n";
}

std::string indented(std::string_view text) {
  std::istringstream lines{std::string(text)};
  std::string result;
  for (std::string line; std::getline(lines, line);) result += "    " + line + "\n";
  return result;
}

const char* language_of(std::string_view example) {
  if (example.starts_with("$ ")) return "sh";
  return example.starts_with("model ") || example.starts_with("package ") ? "modelica" : "cpp";
}

std::string fenced(const char* language, std::string_view text) {
  return fmt::format("```{}\n{}\n```\n", language, text);
}

const char* title_of_group(int hundred) {
  switch (hundred) {
    case 1: return "Text and syntax";
    case 2: return "Names, types and sizes";
    case 3: return "Counts and structure";
    case 4: return "Jumps that would be differentiated";
    case 5: return "Initialization";
    case 6: return "Requests and the command line";
    case 7: return "The run";
    default: return "Files and output";
  }
}

// The hundred that "D031" or "0399" begins with; 0 if there is none.
int hundred_of(std::string_view text) {
  if (!text.empty() && (text.front() == 'D' || text.front() == 'd')) text.remove_prefix(1);
  const bool has_two = text.size() >= 2 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  return has_two ? text[1] - '0' : 0;
}

int hundred_of(Code code) { return static_cast<int>(code) / 100; }

std::string section(const CatalogueEntry& entry) {
  std::string text = fmt::format("### {}: {}\n\n{}\n", to_string(entry.code), entry.title, paragraph(entry.reason));
  if (!entry.wrong.empty())
    text += fmt::format("{}\n{}\n", fenced(language_of(entry.wrong), entry.wrong), fenced("text", entry.message));
  text += paragraph(fmt::format("**What to do.** {}", entry.cure));
  if (!entry.right.empty()) text += "\n" + fenced(language_of(entry.right), entry.right);
  return text + "\n";
}

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  static const std::vector<CatalogueEntry> all = all_entries();
  return all;
}

const CatalogueEntry& entry_of(Code code) {
  const auto found = std::ranges::lower_bound(catalogue(), code, {}, &CatalogueEntry::code);
  assert(found != catalogue().end() && found->code == code);
  return *found;
}

const CatalogueEntry* find_entry(std::string_view code) {
  if (!code.empty() && (code.front() == 'D' || code.front() == 'd')) code.remove_prefix(1);
  if (code.empty() || code.size() > 4 || !std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '9'; }))
    return nullptr;
  int number = 0;
  for (const char digit : code) number = 10 * number + (digit - '0');
  const auto found = std::ranges::lower_bound(catalogue(), static_cast<Code>(number), {}, &CatalogueEntry::code);
  return found != catalogue().end() && found->code == static_cast<Code>(number) ? &*found : nullptr;
}

std::vector<Code> similar_codes(std::string_view text) {
  constexpr std::size_t most = 5;
  std::vector<std::string> spelt;
  const std::string group = to_string(static_cast<Code>(100 * hundred_of(text)));
  for (const CatalogueEntry& entry : catalogue())
    if (const std::string code = to_string(entry.code); code.starts_with(group.substr(0, 3))) spelt.push_back(code);
  std::vector<Code> similar;
  if (const auto nearest = nearest_name(text, {spelt.begin(), spelt.end()}))
    similar.push_back(find_entry(*nearest)->code);
  const std::string wanted = in_small_letters(text);
  for (const CatalogueEntry& entry : catalogue())
    if (similar.size() < most && wanted.size() > 2 && in_small_letters(entry.title).find(wanted) != std::string::npos)
      similar.push_back(entry.code);
  return similar;
}

std::string explain(const CatalogueEntry& entry) {
  std::string text = fmt::format("{}  {}\n\n{}", to_string(entry.code), entry.title, paragraph(entry.reason));
  if (!entry.wrong.empty())
    text += fmt::format("\nexample\n{}\nmessage\n{}", indented(entry.wrong), indented(entry.message));
  text += fmt::format("\nwhat to do\n{}", paragraph(entry.cure));
  if (!entry.right.empty()) text += fmt::format("\nexample without the mistake\n{}", indented(entry.right));
  return text;
}

std::string list_of_codes() {
  std::string text;
  int hundred = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (hundred_of(entry.code) != hundred) {
      hundred = hundred_of(entry.code);
      text += fmt::format("{}{}\n", text.empty() ? "" : "\n", title_of_group(hundred));
    }
    text += fmt::format("  {}  {}\n", to_string(entry.code), entry.title);
  }
  return text;
}

std::string catalogue_page() {
  std::string text = fmt::format(
      "# Diagnostics\n\n"
      "Every error, warning and failure carries a code. `driftless explain D0301` prints its entry, `driftless "
      "explain`\n"
      "lists all {} codes, and in C++ `driftless/diagnostics/catalogue.hpp` has them as a table. A code is never given "
      "to\n"
      "another mistake. This page is what `driftless explain --markdown` prints; a test runs every example: the first\n"
      "must get this message, the second none.\n\n",
      catalogue().size());
  int hundred = 0;
  for (const CatalogueEntry& entry : catalogue()) {
    if (hundred_of(entry.code) != hundred) {
      hundred = hundred_of(entry.code);
      text += fmt::format("## {}\n\n", title_of_group(hundred));
    }
    text += section(entry);
  }
  text.pop_back();
  return text;
}

}  // namespace driftless
