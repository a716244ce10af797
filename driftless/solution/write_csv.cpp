#include "driftless/solution/write_csv.hpp"

#include "driftless/solution/csv_fields.hpp"
#include "driftless/solution/event_text.hpp"

namespace driftless {

CsvWriter::CsvWriter(const std::filesystem::path& path) : file_(path, OutputFile::Kind::Rows) {}

void CsvWriter::begin(const Solution& head) {
  file_.start_over();
  line_ = "time";
  whole_.assign(head.series(), false);
  for (std::size_t k = 0; k < head.series(); ++k) {
    whole_[k] = has_whole_numbers(head.columns[k]);
    line_ += ',';
    append_field(line_, head.columns[k].name);
  }
  line_ += '\n';
  file_.write(line_);
}

bool CsvWriter::row(double time, std::span<const double> series) {
  line_.clear();
  append_number(line_, time);
  for (std::size_t k = 0; k < series.size(); ++k) {
    line_ += ',';
    whole_[k] ? append_whole_number(line_, series[k]) : append_number(line_, series[k]);
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
