#include "driftless/input_file.hpp"

#include <fmt/format.h>

#include "driftless/solution/read_csv.hpp"

namespace driftless {

std::variant<NamedSignals, std::string> read_input_file(const std::filesystem::path& path) {
  const auto read = read_csv(path);
  if (const auto* problem = std::get_if<std::string>(&read)) return *problem;
  const Solution& rows = std::get<Solution>(read);
  if (rows.columns.empty()) return fmt::format("{} has no column besides time", path.string());
  NamedSignals signals;
  for (std::size_t k = 0; k < rows.columns.size(); ++k) {
    InputTable table{rows.times, {}};
    for (std::size_t row = 0; row < rows.times.size(); ++row) table.values.push_back(rows.value(row, k));
    signals.emplace_back(rows.columns[k].name, std::move(table));
  }
  return signals;
}

}  // namespace driftless
