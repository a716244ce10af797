#include "driftless/solution/text_table.hpp"

#include <algorithm>

#include "driftless/solution/characters.hpp"

namespace driftless {

std::vector<std::size_t> widths_of(const std::vector<Line>& lines) {
  std::vector<std::size_t> widths;
  for (const Line& line : lines) {
    widths.resize(std::max(widths.size(), line.size()), 0);
    for (std::size_t k = 0; k < line.size(); ++k) widths[k] = std::max(widths[k], character_count(line[k]));
  }
  return widths;
}

std::string aligned(const std::vector<Line>& lines, std::size_t columns_of_words, const Gaps& gaps) {
  const std::vector<std::size_t> widths = widths_of(lines);
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (std::size_t k = 0; k < line.size(); ++k) {
      const std::string blanks(widths[k] - character_count(line[k]), ' ');
      row += k == 0 ? gaps.before : gaps.between;
      row += k < columns_of_words ? line[k] + blanks : blanks + line[k];
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + '\n';
  }
  return text;
}

}  // namespace driftless
