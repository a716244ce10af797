// Ctrl-C, SIGTERM and SIGHUP. Before a run has delivered its first point there is nothing to lose, and the program ends
// at once. After that the run is asked to stop and keeps what it has; a second signal, or a run that does not answer
// within a few seconds, ends the program with what has reached the disk.
#pragma once

#include "driftless/diagnostics/code.hpp"

namespace driftless::cli {

// `json`: a program that ends at once leaves a JSON object on the standard output.
void watch_signals(bool json);

void announce_results();  // from now on there is something to keep
bool is_interrupted();    // a signal has come: true means that the caller stops in good time

// Ends the program: files of rows take their names, other temporary files vanish. `message` is one line for people.
[[noreturn]] void end_at_once(const char* outcome, Code code, const char* message) noexcept;

}  // namespace driftless::cli
