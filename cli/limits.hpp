// Sets limits of system resources so that exhausting them gives an error message.
#pragma once

namespace driftless::cli {

// Prevents files opened later from replacing a closed standard stream.
void keep_standard_streams();

// Limits memory to less than is available, so that an allocation fails instead of the system killing the process.
void limit_memory();

// Raises the stack limit to the usual eight megabytes if allowed, as nested models need it.
void raise_stack_limit();

// Makes unhandled exceptions end the program with a message instead of an abort.
void explain_terminations();

// Was all output written successfully?
bool standard_output_arrived();

}  // namespace driftless::cli
