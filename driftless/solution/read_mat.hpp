// A trajectory from a MATLAB file of level 4 as Modelica tools write it: the matrices Aclass, name, description,
// dataInfo, data_1 and data_2 (write_mat.hpp). Files of OpenModelica and Dymola are read as well, by rows or by
// columns, in double or single precision; a variable that is another one with the opposite sign is a column of its own.
#pragma once

#include <filesystem>
#include <string>
#include <variant>

#include "driftless/solution/solution.hpp"

namespace driftless {

// The trajectory alone, or the error in the file.
std::variant<Solution, std::string> read_mat(const std::filesystem::path& path);

}  // namespace driftless
