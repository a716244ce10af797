// A trajectory from a table of numbers: a line of names, the first of which is `time`, and a line of values for each
// time; two lines of the same time are the values before and after a jump. Reads the files of write_csv.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "driftless/solution/solution.hpp"

namespace driftless {

// The trajectory alone, or the error in the file.
std::variant<Solution, std::string> read_csv(const std::filesystem::path& path);

}  // namespace driftless
