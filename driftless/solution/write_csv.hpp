// Comma-separated values (RFC 4180): a header "time,x,der(x),..." and one line per output point; an event has two lines
// of the same time, before and after it. Every number is the shortest decimal that reads back as the same double.
// Integers, Booleans (0 or 1) and enumerations (the number of the literal: 1, 2, ...) have neither a decimal point nor
// an exponent. Parameters, which do not change, are left out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/output_file.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Line by line, while the run goes on.
class CsvWriter {
 public:
  explicit CsvWriter(const std::filesystem::path& path);

  void begin(const Solution& head);                       // the header; a second call discards earlier lines
  bool row(double time, std::span<const double> series);  // false if it cannot be written
  [[nodiscard]] std::optional<std::string> commit() { return file_.commit(); }

 private:
  OutputFile file_;
  std::vector<bool> whole_;  // which columns have integers only
  std::string line_;
};

[[nodiscard]] std::optional<std::string> write_csv(const Solution& solution, const std::filesystem::path& path);

}  // namespace driftless
