#include "driftless/joined_solution.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "driftless/solution/join_certificates.hpp"

namespace driftless {

void keep_up_to(Solution& solution, double t) {
  const std::size_t kept =
      static_cast<std::size_t>(std::ranges::upper_bound(solution.times, t) - solution.times.begin());
  solution.points -= solution.times.size() - kept;
  solution.times.resize(kept);
  solution.values.resize(kept * solution.series());
  solution.constraint_drift.resize(kept * solution.drift_levels);
  std::erase_if(solution.events, [t](const Event& event) { return event.time > t; });
}

void append(Solution& whole, Solution part) {
  const auto add = [](auto& to, auto& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  };
  Solution before = std::move(whole);
  whole = std::move(part);
  whole.start = before.start;
  whole.points += before.points;
  std::swap(whole.times, before.times), add(whole.times, before.times);
  std::swap(whole.values, before.values), add(whole.values, before.values);
  std::swap(whole.constraint_drift, before.constraint_drift), add(whole.constraint_drift, before.constraint_drift);
  std::swap(whole.pivots, before.pivots), add(whole.pivots, before.pivots);
  std::swap(whole.events, before.events), add(whole.events, before.events);
  std::swap(whole.remarks, before.remarks);
  std::erase_if(before.remarks, [&](const std::string& remark) {
    return std::ranges::find(whole.remarks, remark) != whole.remarks.end();
  });
  add(whole.remarks, before.remarks);
  add_to_certificate(whole.certificate, before.certificate);
  whole.statistics.add(before.statistics);
  std::swap(whole.segments, before.segments), add(whole.segments, before.segments);
  whole.observer = {};
}

}  // namespace driftless
