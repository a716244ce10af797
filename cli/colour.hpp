// Colours, on terminals only.
#pragma once

#include <string>

namespace driftless::cli {

// Whether this stream is a terminal whose user wants colours (NO_COLOR is not set, TERM is not dumb).
bool wants_colour(int descriptor);

// Rendered diagnostics (file:line:column: error D0301: ..., source, carets) with the words and carets painted.
std::string painted(const std::string& diagnostics);

// For the standard error.
void print_diagnostics(const std::string& text);

}  // namespace driftless::cli
