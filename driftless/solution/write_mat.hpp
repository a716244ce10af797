// The result file of Modelica tools, `<Model>_res.mat`: MATLAB level 4, trajectory class 1.1, layout
// binTrans (one column per point in time). It holds six matrices:
//
//   Aclass       4 x 11         "Atrajectory", "1.1", "", "binTrans", one per row
//   name         w x n          one name per column: "time", the series, the parameters
//   description  w x n          "text [unit]"
//   dataInfo     4 x n  int32   matrix (0 = abscissa of all, 1, 2), row in it from 1, interpolation 0 = linear,
//                               extrapolation -1 = not defined outside, 0 = constant
//   data_1       (1+p) x 2      time and parameters, at start and at the last point reached
//   data_2       (1+s) x points time and series
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "driftless/solution/solution.hpp"

namespace driftless {

[[nodiscard]] std::optional<std::string> write_mat(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
