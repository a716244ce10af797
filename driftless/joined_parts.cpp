#include "driftless/joined_parts.hpp"

#include <algorithm>
#include <iterator>

namespace driftless {
namespace {

constexpr std::size_t most_values = 2'000'000;  // some hundred bytes for each

}  // namespace

void JoinedParts::add(Solution& part, const std::vector<Epoch>& epochs, double end, std::size_t behind) {
  std::erase_if(part.segments, [end](const Segment& segment) { return segment.begin >= end; });
  values_ += part.series();
  if (!part.observer || values_ > most_values) give_up();
  if (is_known_) observers_.emplace_back(part.start, std::exchange(part.observer, {}));
  for (const Epoch& epoch : epochs) {
    if (epoch.from >= end) break;
    epochs_.push_back(epoch);
    if (epochs_.back().event) *epochs_.back().event += behind;
    epochs_.back().left = std::exchange(left_, {});
  }
}

void JoinedParts::give_to(Solution& whole) {
  if (!is_known_) {
    whole.segments.clear();
    whole.observer = {};
    return;
  }
  whole.observer = [parts = std::move(observers_)](double t, std::vector<double>& y, std::vector<double>& yp,
                                                   std::vector<double>& series) {
    const auto next = std::ranges::upper_bound(parts, t, {}, &std::pair<double, Observer>::first);
    (next == parts.begin() ? *next : *std::prev(next)).second(t, y, yp, series);
  };
}

}  // namespace driftless
