#include "driftless/solution/write_mat.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/solution/output_file.hpp"

namespace driftless {
namespace {

static_assert(std::endian::native == std::endian::little, "the type codes below announce little-endian numbers");

// MOPT of the level 4 format: machine 0 (little-endian IEEE), 0, precision, 0 = numbers or 1 = text.
enum class MatType : std::int32_t { Double = 0, Int32 = 20, Text = 51 };

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void write_header(OutputFile& file, MatType type, std::size_t rows, std::size_t cols, std::string_view name) {
  const std::int32_t fields[5] = {static_cast<std::int32_t>(type), static_cast<std::int32_t>(rows),
                                  static_cast<std::int32_t>(cols), 0, static_cast<std::int32_t>(name.size() + 1)};
  file.write(bytes_of(std::span<const std::int32_t>(fields)));
  file.write(name);
  file.write(std::string_view("\0", 1));
}

// One text per column, padded with zeros.
void write_texts(OutputFile& file, std::string_view name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  write_header(file, MatType::Text, width, texts.size(), name);
  for (std::string padded : texts) {
    padded.resize(width, '\0');
    file.write(padded);
  }
}

// Unlike the others, Aclass has one text per row: readers look at it before they know the layout.
void write_class(OutputFile& file) {
  constexpr std::array<std::string_view, 4> rows{"Atrajectory", "1.1", "", "binTrans"};
  constexpr std::size_t width = 11;
  write_header(file, MatType::Text, rows.size(), width, "Aclass");
  for (std::size_t col = 0; col < width; ++col) {
    for (const std::string_view row : rows) file.write(col < row.size() ? row.substr(col, 1) : std::string_view(" "));
  }
}

std::string described(const Column& column) {
  if (column.unit.empty()) return column.description;
  return column.description + (column.description.empty() ? "[" : " [") + column.unit + "]";
}

}  // namespace

std::optional<std::string> write_mat(const Solution& solution, const std::filesystem::path& path) {
  const std::size_t series = solution.series();
  const std::size_t parameters = solution.columns.size() - series;
  const std::size_t points = solution.times.size();
  if (std::max(points, solution.columns.size()) >= std::numeric_limits<std::int32_t>::max()) {
    return "cannot write '" + path.string() + "': too many values for a MATLAB level 4 file";
  }

  std::vector<std::string> names{"time"}, descriptions{"Time [s]"};
  std::vector<std::int32_t> info{0, 1, 0, -1};
  for (std::size_t k = 0; k < solution.columns.size(); ++k) {
    const Column& column = solution.columns[k];
    names.push_back(column.name);
    descriptions.push_back(described(column));
    const bool constant = k >= series;
    const std::size_t row = 2 + (constant ? k - series : k);
    info.insert(info.end(), {constant ? 1 : 2, static_cast<std::int32_t>(row), 0, constant ? 0 : -1});
  }

  OutputFile file(path);
  write_class(file);
  write_texts(file, "name", names);
  write_texts(file, "description", descriptions);
  write_header(file, MatType::Int32, 4, names.size(), "dataInfo");
  file.write(bytes_of(std::span<const std::int32_t>(info)));

  write_header(file, MatType::Double, 1 + parameters, 2, "data_1");
  std::vector<double> values(1 + parameters);
  for (const double time : {solution.start, solution.reached}) {
    values[0] = time;
    for (std::size_t k = 0; k < parameters; ++k) values[1 + k] = solution.columns[series + k].parameter_value;
    file.write(bytes_of(std::span<const double>(values)));
  }

  write_header(file, MatType::Double, 1 + series, points, "data_2");
  for (std::size_t row = 0; row < points; ++row) {
    file.write(bytes_of(std::span<const double>(&solution.times[row], 1)));
    file.write(bytes_of(std::span<const double>(solution.values).subspan(row * series, series)));
  }
  return file.commit();
}

}  // namespace driftless
