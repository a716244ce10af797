#include "driftless/report/html.hpp"

#include <fmt/format.h>

namespace driftless::reporting {

std::string table_row(std::initializer_list<std::string_view> cells) {
  std::string row = "<tr>";
  for (const std::string_view cell : cells) row += fmt::format("<td>{}</td>", cell);
  return row + "</tr>";
}

std::string table(std::initializer_list<std::string_view> head, std::string_view rows) {
  std::string top;
  for (const std::string_view cell : head) top += fmt::format("<th>{}</th>", cell);
  return fmt::format("<div class=\"scroll\"><table><thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>", top,
                     rows);
}

std::string duration(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", 1e3 * seconds);
  return fmt::format("{:.3g} µs", 1e6 * seconds);
}

}  // namespace driftless::reporting
