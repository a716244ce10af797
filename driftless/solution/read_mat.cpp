#include "driftless/solution/read_mat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>

namespace driftless {
namespace {

// Thrown if the file cannot be read: one sentence for the user.
struct BadFile {
  std::string reason;
};

struct Matrix {
  std::size_t rows = 0, cols = 0;
  std::vector<double> values;  // by columns
  double at(std::size_t row, std::size_t col) const { return values[col * rows + row]; }
};

template <class T>
double number_at(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<double>(value);
}

// Doubles, floats, 32-bit and 16-bit integers, bytes: the tens of a matrix' type.
struct Element {
  std::size_t size;
  double (*read)(const char* bytes);
};
constexpr Element kinds_of_elements[] = {{8, number_at<double>},        {4, number_at<float>},
                                         {4, number_at<std::int32_t>},  {2, number_at<std::int16_t>},
                                         {2, number_at<std::uint16_t>}, {1, number_at<std::uint8_t>}};

class MatBytes {
 public:
  explicit MatBytes(std::string bytes) : bytes_(std::move(bytes)) {}

  std::map<std::string, Matrix> matrices() {
    std::map<std::string, Matrix> all;
    while (at_ < bytes_.size()) {
      std::int32_t head[5];  // type, rows, columns, imaginary part, length of the name
      std::memcpy(head, take(sizeof head), sizeof head);
      const std::int32_t kind = head[0] / 10;
      if (head[0] < 0 || kind >= std::ssize(kinds_of_elements) || head[1] < 0 || head[2] < 0 || head[3] != 0 ||
          head[4] < 1)
        throw BadFile{"it is no MATLAB file of level 4"};
      const auto length = static_cast<std::size_t>(head[4]);
      const std::string name(take(length), length - 1);
      Matrix matrix{static_cast<std::size_t>(head[1]), static_cast<std::size_t>(head[2]), {}};
      const Element& element = kinds_of_elements[kind];
      if (matrix.cols > 0 && matrix.rows > bytes_.size() / matrix.cols) throw BadFile{"it is incomplete"};
      const std::size_t count = matrix.rows * matrix.cols;
      const char* data = take(count * element.size);
      matrix.values.reserve(count);
      for (std::size_t k = 0; k < count; ++k) matrix.values.push_back(element.read(data + k * element.size));
      all[name] = std::move(matrix);
    }
    return all;
  }

 private:
  const char* take(std::size_t count) {
    if (count > bytes_.size() - at_) throw BadFile{at_ == 0 ? "it is no MATLAB file of level 4" : "it is incomplete"};
    at_ += count;
    return bytes_.data() + at_ - count;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

// One text per column, or per row.
std::vector<std::string> texts_of(const Matrix& matrix, bool by_columns) {
  std::vector<std::string> texts(by_columns ? matrix.cols : matrix.rows);
  for (std::size_t k = 0; k < texts.size(); ++k) {
    for (std::size_t place = 0; place < (by_columns ? matrix.rows : matrix.cols); ++place)
      texts[k] += static_cast<char>(by_columns ? matrix.at(place, k) : matrix.at(k, place));
    texts[k].resize(texts[k].find_last_not_of(std::string_view(" \0", 2)) + 1);
  }
  return texts;
}

// "position [m]" has the unit m.
std::string unit_in(const std::string& description) {
  const std::size_t begin = description.rfind('[');
  if (begin == std::string::npos || !description.ends_with(']')) return {};
  const std::string unit = description.substr(begin + 1, description.size() - begin - 2);
  return unit.substr(0, unit.find('|'));  // Dymola: unit|display unit
}

// The matrices, each variable in a row.
class ResultFile {
 public:
  explicit ResultFile(std::map<std::string, Matrix> matrices) : matrices_(std::move(matrices)) {
    const std::vector<std::string> format = texts_of(matrix("Aclass"), false);
    if (format.size() < 4 || format[0] != "Atrajectory" || (format[3] != "binTrans" && format[3] != "binNormal"))
      throw BadFile{"it is not a result file of a Modelica tool"};
    by_columns_ = format[3] == "binTrans";
    names_ = texts_of(matrix("name"), by_columns_);
    descriptions_ = texts_of(matrix("description"), by_columns_);
    if (!by_columns_)
      for (const char* name : {"dataInfo", "data_1", "data_2"}) matrices_[name] = transposed(matrix(name));
    if (matrix("dataInfo").rows < 2 || matrix("dataInfo").cols != names_.size())
      throw BadFile{"its matrix dataInfo does not fit its names"};
  }

  Solution solution() const {
    const Matrix& data = matrix("data_2");
    if (data.rows == 0 || data.cols == 0) throw BadFile{"it has no point"};
    Solution solution;
    for (std::size_t k = 0; k < data.cols; ++k) {
      solution.times.push_back(data.at(0, k));
      if (k > 0 && !(solution.times[k] >= solution.times[k - 1])) throw BadFile{"its times decrease"};
    }
    solution.start = solution.times.front();
    solution.stop = solution.reached = solution.times.back();
    add_columns(solution, data);
    return solution;
  }

 private:
  struct Row {
    std::size_t row;
    double sign;
  };

  const Matrix& matrix(const char* name) const {
    const auto found = matrices_.find(name);
    if (found == matrices_.end()) throw BadFile{fmt::format("it has no matrix {}", name)};
    return found->second;
  }

  static Matrix transposed(const Matrix& matrix) {
    Matrix other{matrix.cols, matrix.rows, {}};
    for (std::size_t col = 0; col < other.cols; ++col)
      for (std::size_t row = 0; row < other.rows; ++row) other.values.push_back(matrix.at(col, row));
    return other;
  }

  Row row_of(std::size_t variable, const Matrix& data) const {
    const double row = matrix("dataInfo").at(1, variable);
    if (!(std::abs(row) >= 1.0) || std::abs(row) > static_cast<double>(data.rows))
      throw BadFile{fmt::format("its matrix dataInfo has no place for {}", names_[variable])};
    return {static_cast<std::size_t>(std::abs(row)) - 1, row < 0.0 ? -1.0 : 1.0};
  }

  // Parameters come last.
  void add_columns(Solution& solution, const Matrix& data) const {
    const Matrix &info = matrix("dataInfo"), &constants = matrix("data_1");
    std::vector<Row> rows;
    std::vector<Column> parameters;
    for (std::size_t k = 0; k < names_.size(); ++k) {
      Column column{.name = names_[k]};
      if (k < descriptions_.size()) column.unit = unit_in(descriptions_[k]);
      column.is_derivative = column.name.starts_with("der(");
      if (info.at(0, k) == 2.0) {
        rows.push_back(row_of(k, data));
        solution.columns.push_back(std::move(column));
      } else if (info.at(0, k) == 1.0 && constants.cols > 0) {
        const Row row = row_of(k, constants);
        column.is_parameter = true;
        column.parameter_value = row.sign * constants.at(row.row, 0);
        parameters.push_back(std::move(column));
      }  // otherwise the time
    }
    solution.columns.insert(solution.columns.end(), parameters.begin(), parameters.end());
    for (std::size_t point = 0; point < data.cols; ++point)
      for (const Row& row : rows) solution.values.push_back(row.sign * data.at(row.row, point));
  }

  std::map<std::string, Matrix> matrices_;
  bool by_columns_ = true;
  std::vector<std::string> names_, descriptions_;
};

}  // namespace

std::variant<Solution, std::string> read_mat(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("cannot read {}: {}", path.string(), std::strerror(errno));
  if (std::filesystem::is_directory(path)) return fmt::format("cannot read {}: it is a directory", path.string());
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  try {
    return ResultFile(MatBytes(std::move(bytes)).matrices()).solution();
  } catch (const BadFile& bad) {
    return fmt::format("cannot use {}: {}", path.string(), bad.reason);
  }
}

}  // namespace driftless
