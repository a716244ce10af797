// Messages about requests that cannot be met: words of the command line that are not understood, files that cannot be
// written.
#pragma once

#include <string>

#include "driftless/diagnostics/code.hpp"

namespace CLI {
class App;
class Error;
}  // namespace CLI

namespace driftless::cli {

std::string complaint(Code code, const std::string& message);  // "driftless: error D0802: ...", a line
void print_complaint(Code code, const std::string& message);   // to the standard error

// Errors found by the option parser: the code, the text, and the printed form.
Code code_of(const CLI::App& app, const CLI::Error& error);
std::string complaint_text(const CLI::App& app, const CLI::Error& error);
std::string failure_message(const CLI::App* app, const CLI::Error& error);

}  // namespace driftless::cli
