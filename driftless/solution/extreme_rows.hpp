// Which rows of a table are kept when a picture needs fewer: of every 4 n neighbours, for n curves, those at which some
// curve is smallest or largest, at most 2 n, so no peak is lost. The first and the last row of all stay as well.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

// `values`: row by row, `curves` numbers each. In ascending order.
std::vector<std::size_t> extreme_rows(std::span<const double> values, std::size_t rows, std::size_t curves);

}  // namespace driftless
