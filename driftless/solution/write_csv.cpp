#include "driftless/solution/write_csv.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

#include "driftless/solution/output_file.hpp"

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

std::optional<std::string> write_csv(const Solution& solution, const std::filesystem::path& path) {
  OutputFile file(path);
  const std::size_t series = solution.series();

  std::string line = "time";
  for (std::size_t k = 0; k < series; ++k) {
    line += ',';
    append_field(line, solution.columns[k].name);
  }
  line += '\n';
  file.write(line);

  const double* next = solution.values.data();
  for (const double time : solution.times) {
    line.clear();
    append_number(line, time);
    for (std::size_t k = 0; k < series; ++k) {
      line += ',';
      append_number(line, *next++);
    }
    line += '\n';
    file.write(line);
  }
  return file.commit();
}

}  // namespace driftless
