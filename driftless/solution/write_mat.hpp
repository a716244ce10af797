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
//
// An event has two columns of the same time in data_2, before and after it, so linear interpolation is correct for
// discrete variables, too. Booleans are 0 and 1, enumerations the number of the literal: 1, 2, ...
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/output_file.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Point by point, while the run goes on. The number of points precedes them in the file: it is updated whenever points
// have reached the disk, so the file can be read at any time. Pipes are not possible.
class MatWriter {
 public:
  explicit MatWriter(const std::filesystem::path& path);

  void begin(const Solution& head);                       // a second call discards all points before it
  bool row(double time, std::span<const double> series);  // false if it cannot be written
  [[nodiscard]] std::optional<std::string> commit(const Solution& end);

 private:
  void count_points();

  OutputFile file_;
  std::size_t count_position_ = 0, time_position_ = 0;  // file positions of the numbers that are updated
  std::size_t points_ = 0;
  double last_time_ = 0.0;
  std::vector<double> row_;
};

[[nodiscard]] std::optional<std::string> write_mat(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
