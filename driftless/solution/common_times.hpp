// Rows of two trajectories that belong to the same time, and at an event to the same side of it.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace driftless {

struct CommonRow {
  std::size_t one = 0, other = 0;
  bool operator==(const CommonRow&) const = default;
};

// Ascending. Times that differ by less than `close` are the same. Where both have several rows of a time, an event, the
// first ones belong together, before the event, and the last ones, after it. If only one of them has several, the
// single row of the other could be on either side: such a time is left out.
std::vector<CommonRow> common_rows(std::span<const double> one, std::span<const double> other, double close);

}  // namespace driftless
