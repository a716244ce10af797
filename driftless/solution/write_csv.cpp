#include "driftless/solution/write_csv.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace driftless {
namespace {

void append_field(std::string& line, std::string_view name) {
  if (name.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += name;
    return;
  }
  line += '"';
  for (const char c : name) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void append_number(std::string& line, double value) {
  char digits[32];
  // The sign of a NaN means nothing, and "-nan" confuses readers.
  const auto end = std::to_chars(digits, digits + sizeof digits, std::isnan(value) ? std::abs(value) : value).ptr;
  line.append(digits, end);
}

}  // namespace

CsvWriter::CsvWriter(const std::filesystem::path& path) : file_(path, OutputFile::Kind::Rows) {}

void CsvWriter::begin(const Solution& head) {
  file_.start_over();
  line_ = "time";
  for (std::size_t k = 0; k < head.series(); ++k) {
    line_ += ',';
    append_field(line_, head.columns[k].name);
  }
  line_ += '\n';
  file_.write(line_);
}

bool CsvWriter::row(double time, std::span<const double> series) {
  line_.clear();
  append_number(line_, time);
  for (const double value : series) {
    line_ += ',';
    append_number(line_, value);
  }
  line_ += '\n';
  file_.write(line_);
  return !file_.failed();
}

std::optional<std::string> write_csv(const Solution& solution, const std::filesystem::path& path) {
  CsvWriter writer(path);
  writer.begin(solution);
  const std::size_t series = solution.series();
  for (std::size_t row = 0; row < solution.times.size(); ++row)
    if (!writer.row(solution.times[row], std::span(solution.values).subspan(row * series, series))) break;
  return writer.commit();
}

}  // namespace driftless
