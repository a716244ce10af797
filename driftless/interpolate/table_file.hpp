// Tables in files: the text format of the Modelica Standard Library,
//
//   #1
//   double name(3,2)   # comment
//   0 1
//   1 4
//   2 9
//
// and numbers separated by commas (.csv).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// A matrix row by row, or the error in the text and its line.
struct TableText {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values = {};
  std::string mistake = {};  // empty if it was read
  int line = 0;              // of the error

  bool ok() const { return mistake.empty(); }
};

TableText read_named_table(std::string_view text, std::string_view name);
TableText read_separated_table(std::string_view text, char delimiter, int header_lines);

}  // namespace driftless
