// What the operating system gives, arranged so that running out of it is an error with a message.
#pragma once

namespace driftless::cli {

// No file that is opened later may take the place of a standard stream that was closed.
void keep_standard_streams();

// Less than the machine has to spare: an allocation then fails, where the system would otherwise kill a process.
void limit_memory();

// The usual eight megabytes, where less is set and more is allowed: what is nested in a model needs some of it.
void raise_stack_limit();

// What could not be handled anywhere ends with a message, not with an abort.
void explain_terminations();

// Whether everything printed has arrived.
bool standard_output_arrived();

}  // namespace driftless::cli
