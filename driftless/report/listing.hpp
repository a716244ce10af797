// The text of a model as HTML: highlighted, every line with a number and a link target.
#pragma once

#include <string>
#include <string_view>

#include "driftless/diagnostics/source.hpp"

namespace driftless::reporting {

// <pre> with one element for each line, whose id is `prefix` and its number: "L12". Longer texts are cut, with a note.
// Everything is escaped.
std::string listing(std::string_view text, std::string_view prefix, int most_lines = 4000);

// A sentence, escaped, in which "line 12" links to that line of a text with `lines` lines.
std::string with_links(std::string_view sentence, std::string_view prefix, int lines);

}  // namespace driftless::reporting
