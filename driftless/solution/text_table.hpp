// Tables as text: words are aligned left, numbers right, without trailing blanks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

using Line = std::vector<std::string>;  // its cells; an empty line separates groups

struct Gaps {
  std::string_view before = "", between = "  ";
};

// The width of every column, in characters.
std::vector<std::size_t> widths_of(const std::vector<Line>& lines);

// The first columns are words, the others numbers.
std::string aligned(const std::vector<Line>& lines, std::size_t columns_of_words, const Gaps& gaps = {});

}  // namespace driftless
