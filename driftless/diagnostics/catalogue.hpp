// The meaning of every code: the error, an example with its message, and the remedy. `driftless explain D0301` prints
// an entry, docs/diagnostics.md has all of them; tests/diagnostics runs the examples.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/diagnostics/code.hpp"

namespace driftless {

// An example is a model, a command ("$ driftless run ..."), or statements in C++ ("Modeling m; ..."). Errors such as
// running out of memory have no example.
struct CatalogueEntry {
  Code code;
  std::string_view title;    // "a semicolon is missing"
  std::string_view reason;   // what is wrong, and why it matters
  std::string_view wrong;    // an example with the error
  std::string_view message;  // the program's message, without notes and source lines
  std::string_view cure;
  std::string_view right;  // the example without the error
};

std::span<const CatalogueEntry> catalogue();  // in the order of the codes; every code has an entry

const CatalogueEntry& entry_of(Code code);
const CatalogueEntry* find_entry(std::string_view code);  // "D0301", "d301" or "301"; null if there is none

// Suggestions for a text that is not a code: codes spelt similarly, and those whose titles contain the words.
std::vector<Code> similar_codes(std::string_view text);

std::string explain(const CatalogueEntry& entry);  // for a terminal
std::string list_of_codes();                       // a line for each
std::string catalogue_page();                      // docs/diagnostics.md

}  // namespace driftless
