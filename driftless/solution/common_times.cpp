#include "driftless/solution/common_times.hpp"

namespace driftless {
namespace {

// The rows [first, last] of one time.
struct Instant {
  std::size_t first, last;
  bool is_event() const { return last > first; }
};

Instant instant_at(std::span<const double> times, std::size_t first, double close) {
  Instant instant{first, first};
  while (instant.last + 1 < times.size() && times[instant.last + 1] <= times[instant.last] + close) ++instant.last;
  return instant;
}

}  // namespace

std::vector<CommonRow> common_rows(std::span<const double> one, std::span<const double> other, double close) {
  std::vector<CommonRow> rows;
  for (std::size_t i = 0, j = 0; i < one.size() && j < other.size();) {
    const Instant a = instant_at(one, i, close), b = instant_at(other, j, close);
    const bool is_common = one[a.first] <= other[b.last] + close && other[b.first] <= one[a.last] + close;
    if (is_common && a.is_event() == b.is_event()) {
      rows.push_back({a.first, b.first});
      if (a.is_event()) rows.push_back({a.last, b.last});
    }
    const bool one_is_first = one[a.last] < other[b.last];
    if (is_common || one_is_first) i = a.last + 1;
    if (is_common || !one_is_first) j = b.last + 1;
  }
  return rows;
}

}  // namespace driftless
