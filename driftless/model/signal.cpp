#include "driftless/model/signal.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace driftless {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string problem_of(const InputTable& table) {
  if (table.times.size() != table.values.size())
    return fmt::format("has {} times and {} values", table.times.size(), table.values.size());
  if (table.times.empty()) return "has no rows";
  for (std::size_t k = 0; k < table.times.size(); ++k) {
    if (!std::isfinite(table.times[k]) || !std::isfinite(table.values[k]))
      return fmt::format("has a row that is not finite: {} at {}", table.values[k], table.times[k]);
    if (k > 0 && table.times[k] < table.times[k - 1])
      return fmt::format("has times that go back: {} after {}", table.times[k], table.times[k - 1]);
  }
  return {};
}

}  // namespace

double SignalPiece::operator()(double t) const {
  const double s = t - origin;
  return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

const SignalPiece& PiecewiseSignal::at(double t) const {
  const auto behind = std::ranges::upper_bound(pieces, t, {}, &SignalPiece::from);
  return *std::prev(behind);
}

double PiecewiseSignal::next_after(double t) const {
  const auto behind = std::ranges::upper_bound(pieces, t, {}, &SignalPiece::from);
  return behind == pieces.end() ? infinity : behind->from;
}

SignalOrProblem pieces_of(const InputTable& table, Between between) {
  if (std::string problem = problem_of(table); !problem.empty()) return problem;
  const auto& [times, values] = table;
  PiecewiseSignal signal;
  signal.known = {times.front(), times.back()};
  signal.pieces.push_back({-infinity, times.front(), {values.front()}, 0});
  double before = values.front();  // the value at the end of the last piece
  const auto add = [&](double from, double value, double slope) {
    const int jumps = value == before ? 1 : 0;
    if (jumps == 1 && signal.pieces.back().c[1] == slope) return;  // rows on one line need no event
    signal.pieces.push_back({from, from, {value, slope}, jumps});
  };
  for (std::size_t k = 0; k + 1 < times.size(); ++k) {
    if (times[k + 1] == times[k]) continue;
    const double end = between == Between::Held ? values[k] : values[k + 1];
    add(times[k], values[k], (end - values[k]) / (times[k + 1] - times[k]));
    before = end;
  }
  add(times.back(), values.back(), 0.0);
  return signal;
}

}  // namespace driftless
