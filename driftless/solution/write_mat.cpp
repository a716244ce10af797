#include "driftless/solution/write_mat.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/solution/mat_matrices.hpp"

namespace driftless {
namespace {

// Unlike the others, Aclass has one text per row: readers read it before they know the layout.
void append_class(std::string& text) {
  const std::array<std::string, 4> rows{"Atrajectory", "1.1", "", "binTrans"};
  append_mat_rows(text, "Aclass", rows);
}

std::string described(const Column& column) {
  if (column.unit.empty()) return column.description;
  return column.description + (column.description.empty() ? "[" : " [") + column.unit + "]";
}

struct Head {
  std::string text;                           // everything before the points
  std::size_t count_position, time_position;  // of the number of points and the time of the last one
};

Head head_of(const Solution& solution, std::size_t points) {
  const std::size_t series = solution.series(), parameters = solution.columns.size() - series;
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

  Head head;
  append_class(head.text);
  append_mat_columns(head.text, "name", names);
  append_mat_columns(head.text, "description", descriptions);
  append_mat_header(head.text, MatType::Int32, 4, names.size(), "dataInfo");
  head.text += bytes_of(std::span<const std::int32_t>(info));

  append_mat_header(head.text, MatType::Double, 1 + parameters, 2, "data_1");
  std::vector<double> values(1 + parameters);
  for (const double time : {solution.start, solution.reached}) {
    values[0] = time;
    for (std::size_t k = 0; k < parameters; ++k) values[1 + k] = solution.columns[series + k].parameter_value;
    head.time_position = head.text.size();
    head.text += bytes_of(std::span<const double>(values));
  }
  head.count_position = head.text.size() + mat_columns_in_header;
  append_mat_header(head.text, MatType::Double, 1 + series, points, "data_2");
  return head;
}

bool is_too_large(const Solution& solution, std::size_t points) {
  return std::max(points, solution.columns.size()) >= std::numeric_limits<std::int32_t>::max();
}

}  // namespace

MatWriter::MatWriter(const std::filesystem::path& path) : file_(path, OutputFile::Kind::Rows) {}

void MatWriter::begin(const Solution& head) {
  file_.start_over();
  const Head made = head_of(head, 0);
  count_position_ = made.count_position;
  time_position_ = made.time_position;
  points_ = 0;
  last_time_ = head.start;
  file_.write(made.text);
  file_.flush();
}

bool MatWriter::row(double time, std::span<const double> series) {
  row_.assign(1, time);
  row_.insert(row_.end(), series.begin(), series.end());
  ++points_;
  last_time_ = time;
  const std::size_t before = file_.on_disk();
  file_.write(bytes_of(std::span<const double>(row_)));
  if (file_.on_disk() != before) count_points();
  return !file_.failed();
}

void MatWriter::count_points() {
  const auto count = static_cast<std::int32_t>(points_);
  file_.overwrite(count_position_, bytes_of(std::span(&count, 1)));
  file_.overwrite(time_position_, bytes_of(std::span<const double>(&last_time_, 1)));
}

std::optional<std::string> MatWriter::commit(const Solution& end) {
  file_.flush();
  last_time_ = end.reached;
  count_points();
  return file_.commit();
}

std::optional<std::string> write_mat(const Solution& solution, const std::filesystem::path& path) {
  const std::size_t series = solution.series(), points = solution.times.size();
  if (is_too_large(solution, points))
    return "cannot write '" + path.string() + "': too many values for a MATLAB level 4 file";
  OutputFile file(path);
  file.write(head_of(solution, points).text);
  for (std::size_t row = 0; row < points; ++row) {
    file.write(bytes_of(std::span<const double>(&solution.times[row], 1)));
    file.write(bytes_of(std::span<const double>(solution.values).subspan(row * series, series)));
  }
  return file.commit();
}

}  // namespace driftless
