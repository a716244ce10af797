#include "driftless/solution/read_csv.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>

namespace driftless {
namespace {

// Fields separated by commas; a field with commas is in quotation marks, which are doubled inside.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char ch = line[k];
    if (ch == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
      fields.back() += line[k++];
    else if (ch == '"')
      quoted = !quoted;
    else if (ch == ',' && !quoted)
      fields.emplace_back();
    else if (ch != '\r')
      fields.back() += ch;
  }
  return fields;
}

std::optional<double> number_of(const std::string& field) {
  double value = 0.0;
  const std::size_t begin = std::min(field.find_first_not_of(" +"), field.size());
  const std::size_t end = field.find_last_not_of(' ') + 1;
  const auto [rest, error] = std::from_chars(field.data() + begin, field.data() + std::max(begin, end), value);
  if (error != std::errc() || rest != field.data() + end) return {};
  return value;
}

}  // namespace

std::variant<Solution, std::string> read_csv(const std::filesystem::path& path) {
  std::ifstream file(path);
  const std::string name = path.string();
  std::string line;
  if (!file) return fmt::format("cannot read {}: {}", name, std::strerror(errno));
  if (std::filesystem::is_directory(path)) return fmt::format("cannot read {}: it is a directory", name);
  if (!std::getline(file, line)) return fmt::format("{} is empty: it needs a line of names, time first", name);
  const std::vector<std::string> names = fields_of(line);
  if (names[0] != "time") return fmt::format("{}:1: the first column must be called time, not '{}'", name, names[0]);

  Solution solution;
  for (std::size_t k = 1; k < names.size(); ++k) solution.columns.push_back({.name = names[k]});
  for (int number = 2; std::getline(file, line); ++number) {
    if (line.find_first_not_of(" \r") == std::string::npos) continue;
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != names.size())
      return fmt::format("{}:{}: {} values for {} columns", name, number, fields.size(), names.size());
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const auto value = number_of(fields[k]);
      if (!value) return fmt::format("{}:{}: '{}' is not a number", name, number, fields[k]);
      (k == 0 ? solution.times : solution.values).push_back(*value);
    }
    const std::vector<double>& times = solution.times;
    if (times.size() > 1 && !(times.back() >= times[times.size() - 2]))
      return fmt::format("{}:{}: the times decrease", name, number);
  }
  if (solution.times.empty()) return fmt::format("{} has no line of values", name);
  solution.start = solution.times.front();
  solution.stop = solution.reached = solution.times.back();
  return solution;
}

}  // namespace driftless
