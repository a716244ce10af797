// Ctrl-C, SIGTERM and SIGHUP. Before a run has delivered its first point, the program ends at once. After that the run
// is asked to stop and keeps its results; a second signal, or a run that does not respond within a few seconds, ends
// the program with the results that are on disk.
#pragma once

#include "driftless/diagnostics/code.hpp"

namespace driftless::cli {

// `json`: if the program ends at once, it prints a JSON object.
void watch_signals(bool json);

void announce_results();  // from now on there are results to keep
bool is_interrupted();    // a signal has arrived: the caller must stop soon

// Ends the program: files of rows get their final names, other temporary files are removed. `message` is one line for
// people.
[[noreturn]] void end_at_once(const char* outcome, Code code, const char* message) noexcept;

}  // namespace driftless::cli
