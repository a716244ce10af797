#include "driftless/sweep/table.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "driftless/choices/options.hpp"
#include "driftless/solution/csv_fields.hpp"

namespace driftless::sweep {
namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void append(std::string& line, double value) {
  line += ',';
  if (!std::isnan(value)) append_number(line, value);
}

void append(std::string& line, const std::string& text) {
  line += ',';
  append_field(line, text);
}

// Fields of one line; a field in quotation marks may have commas in it.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (line[k] == '"') {
      if (quoted && k + 1 < line.size() && line[k + 1] == '"')
        fields.back() += line[k++];
      else
        quoted = !quoted;
    } else if (line[k] == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += line[k];
    }
  }
  return fields;
}

double number_of(const std::string& field) {
  return parse_number(field).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::string header_of(const Plan& plan, const std::vector<Kept>& kept) {
  std::string header = "run";
  for (const Variation& variation : plan.variations()) append(header, variation.name);
  header += ",outcome,code,reached";
  for (const Kept& one : kept) append(header, one.text);
  return header + ",message\n";
}

}  // namespace

TableFile::TableFile(std::filesystem::path path, std::string identity, const Plan& plan, const std::vector<Kept>& kept)
    : path_(std::move(path)),
      part_(path_.string() + ".part"),
      mark_(path_.string() + ".sweep"),
      identity_(std::move(identity)),
      header_(header_of(plan, kept)),
      values_(plan.variations().size()),
      results_(kept.size()),
      plan_(plan),
      last_flush_(seconds()) {}

TableFile::~TableFile() {
  if (file_) std::fclose(file_);
}

void TableFile::fail() {
  if (error_ == 0) error_ = errno == 0 ? EIO : errno;
}

std::string TableFile::problem() const {
  return error_ == 0 ? "" : fmt::format("cannot write '{}': {}", part_.string(), std::strerror(error_));
}

bool TableFile::open(const char* mode) {
  if (file_) return error_ == 0;
  errno = 0;
  file_ = std::fopen(part_.c_str(), mode);
  if (!file_) fail();
  return error_ == 0;
}

std::variant<std::vector<Row>, std::string> TableFile::resume() {
  std::ifstream in(part_);
  if (!in) return std::vector<Row>();
  std::string line;
  std::ifstream mark(mark_);
  if (!std::getline(mark, line) || line != identity_)
    return fmt::format(
        "'{}' is of another sweep: its model, values, options or the version of the program were different",
        part_.string());
  std::vector<Row> rows;
  std::size_t complete = 0;  // bytes
  for (bool first = true; std::getline(in, line) && !in.eof(); first = false) {
    const std::vector<std::string> fields = fields_of(line);
    if (first && line + "\n" != header_) return fmt::format("the first line of '{}' is damaged", part_.string());
    if (!first) {
      Row row;
      row.run = rows.size();
      if (fields.size() != values_ + results_ + 5 || fields[0] != std::to_string(row.run))
        return fmt::format("line {} of '{}' is damaged", rows.size() + 2, part_.string());
      std::size_t at = 1;
      for (std::size_t k = 0; k < values_; ++k) row.values.push_back(number_of(fields[at++]));
      if (row.values != plan_.values(row.run))
        return fmt::format("line {} of '{}' has other values than its run", rows.size() + 2, part_.string());
      row.outcome = fields[at++];
      row.code = fields[at++];
      row.reached = number_of(fields[at++]);
      for (std::size_t k = 0; k < results_; ++k) row.results.push_back(number_of(fields[at++]));
      row.message = fields[at];
      rows.push_back(std::move(row));
    }
    complete += line.size() + 1;
  }
  in.close();
  if (complete == 0) return rows;
  if (::truncate(part_.c_str(), static_cast<off_t>(complete)) != 0) fail();
  open("ab");
  return rows;
}

bool TableFile::write(const Row& row) {
  if (!file_) {
    std::ofstream mark(mark_, std::ios::trunc);
    mark << identity_ << "\n";
    mark.close();
    if (!mark) fail();
    if (!open("wb") || std::fwrite(header_.data(), 1, header_.size(), file_) != header_.size()) fail();
  }
  if (error_ != 0) return false;
  std::string line = std::to_string(row.run);
  for (const double value : row.values) append(line, value);
  append(line, row.outcome);
  append(line, row.code);
  append(line, row.reached);
  for (const double value : row.results) append(line, value);
  append(line, row.message);
  line += '\n';
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size()) fail();
  if (seconds() - last_flush_ > 0.5) flush();
  return error_ == 0;
}

void TableFile::flush() {
  last_flush_ = seconds();
  if (file_ && std::fflush(file_) != 0) fail();
}

std::optional<std::string> TableFile::commit() {
  if (file_ && std::fclose(file_) != 0) fail();
  file_ = nullptr;
  if (error_ == 0 && std::rename(part_.c_str(), path_.c_str()) != 0) fail();
  if (error_ != 0) return problem();
  std::error_code ignored;
  std::filesystem::remove(mark_, ignored);
  return {};
}

Summary::Summary(const std::vector<Kept>& kept) : results_(kept.size()), sorted_(kept.size()) {
  for (const Kept& one : kept) names_.push_back(one.text);
}

void Summary::add(const Row& row) {
  ++rows_;
  if (!row.succeeded()) {
    Reason& reason = reasons_[{row.outcome, row.code}];
    if (reason.count++ == 0) reason.first = row.run, reason.message = row.message;
    return;
  }
  ++successes_;
  for (std::size_t k = 0; k < results_.size(); ++k) results_[k].push_back(row.results[k]);
}

double Summary::mean(std::size_t result) const {
  double sum = 0.0;
  for (const double value : results_[result]) sum += value;
  return sum / static_cast<double>(results_[result].size());
}

double quantile(const std::vector<double>& sorted, double p) {
  if (sorted.empty()) return std::numeric_limits<double>::quiet_NaN();
  const double place = p * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  const double part = place - static_cast<double>(below);
  return sorted[below] * (1.0 - part) + sorted[above] * part;
}

double Summary::quantile(std::size_t result, double p) const {
  std::vector<double>& sorted = sorted_[result];
  if (sorted.size() != results_[result].size()) {
    sorted = results_[result];
    std::ranges::sort(sorted);
  }
  return sweep::quantile(sorted, p);
}

std::string Summary::text() const {
  std::string text = fmt::format("runs       {}, of which {} succeeded\n", rows_, successes_);
  for (const auto& [kind, reason] : reasons_)
    text += fmt::format("failed     {} x {} {}: {} (first: run {})\n", reason.count, kind.first, kind.second,
                        reason.message, reason.first);
  if (successes_ == 0 || names_.empty()) return text;
  std::size_t width = 6;
  for (const std::string& name : names_) width = std::max(width, name.size());
  text += fmt::format("\n{:{}}  {:>11} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "result", width, "mean", "least", "5 %",
                      "median", "95 %", "largest");
  for (std::size_t k = 0; k < names_.size(); ++k)
    text +=
        fmt::format("{:{}}  {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g} {:>11.5g}\n", names_[k], width, mean(k),
                    quantile(k, 0.0), quantile(k, 0.05), quantile(k, 0.5), quantile(k, 0.95), quantile(k, 1.0));
  return text;
}

}  // namespace driftless::sweep
