// When the iterations for a start end, and what counts as solved.
#pragma once

#include <cstddef>
#include <limits>

namespace driftless::search_limits {

inline constexpr int most_iterations = 400, most_iterations_of_large = 60, most_iterations_on_path = 20;
inline constexpr std::size_t large = 500;  // number of unknowns from which on effort is limited
inline constexpr double shortest_damping = 1e-6;
inline constexpr double lost = 1e8;  // if a search ends this much farther away than it began, its beginning is reported
inline constexpr double solved = 1e-11;  // residual relative to the terms of the row
inline constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();  // of a row, relative to its terms
inline constexpr double uncertain =
    1e-9;  // an unknown that rounding errors of the rows change by this part of its value is not determined

}  // namespace driftless::search_limits
