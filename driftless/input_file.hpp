// Reads tables for the inputs of a model from a file.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "driftless/model/signal.hpp"

namespace driftless {

// A line of names, the first of which is `time`, and a line of numbers for each time, which may be repeated where
// values jump: one table for each further column. Otherwise the error in the file.
std::variant<NamedSignals, std::string> read_input_file(const std::filesystem::path& path);

}  // namespace driftless
