// For tests: a ball that bounces, by closed form. It falls from h = 1 and keeps e = 0.8 of its speed at each bounce.
// Between the bounces k and k+1 it flies for 2 v_k/g with v_k = e^k sqrt(2 g).
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "driftless/solution/solution.hpp"

namespace driftless {

struct BallFlight {
  double begin, speed;  // upwards, at its begin
  double height(double t) const { return speed * (t - begin) - 0.5 * 9.81 * (t - begin) * (t - begin); }
  double velocity(double t) const { return speed - 9.81 * (t - begin); }
};

// The flights that begin before t = stop. The first one is the second half of a flight from the ground to h = 1.
inline std::vector<BallFlight> ball_flights(double stop) {
  const double g = 9.81, v = std::sqrt(2.0 * g);
  std::vector<BallFlight> flights{{-v / g, v}};
  for (double begin = v / g, speed = 0.8 * v; begin < stop; begin += 2.0 * speed / g, speed *= 0.8)
    flights.push_back({begin, speed});
  return flights;
}

// Columns: h and v; the number of bounces, whether the last one was loud (beyond 3 m/s), how the ball bounces (an
// enumeration), and the energy right after the last bounce (a discrete Real).
inline Solution bouncing_ball(double stop = 2.5, int intervals = 50) {
  Solution s;
  s.model = "BouncingBall";
  s.stop = s.reached = stop;
  s.tolerance = 1e-8;
  s.method = "bdf";
  s.statistics.modes = 1;
  s.columns = {{.name = "h", .unit = "m"},
               {.name = "v", .unit = "m/s"},
               {.name = "bounces", .discrete = Column::Discrete::Integer},
               {.name = "loud", .discrete = Column::Discrete::Boolean},
               {.name = "kind", .discrete = Column::Discrete::Enumeration, .literals = {"drop", "high", "low"}},
               {.name = "energy", .unit = "J", .discrete = Column::Discrete::Real},
               {.name = "e", .is_parameter = true, .parameter_value = 0.8}};
  const std::vector<BallFlight> flights = ball_flights(stop);
  const auto row = [&](std::size_t k, double t) {
    const double hit = k == 0 ? 0.0 : flights[k].speed / 0.8;  // the speed that the ball came with
    s.times.push_back(t);
    const double kind = k == 0 ? 1.0 : flights[k].speed > 2.0 ? 2.0 : 3.0;
    s.values.insert(s.values.end(), {flights[k].height(t), flights[k].velocity(t), static_cast<double>(k),
                                     hit > 3.0 ? 1.0 : 0.0, kind, 0.5 * flights[k].speed * flights[k].speed});
  };
  for (std::size_t k = 0, point = 0; k < flights.size(); ++k) {
    const bool is_last = k + 1 == flights.size();
    const double end = is_last ? stop : flights[k + 1].begin;
    if (k > 0) row(k, flights[k].begin);
    for (; static_cast<int>(point) <= intervals; ++point) {
      const double t = stop * static_cast<double>(point) / intervals;
      if (t > end || (t == end && !is_last)) break;
      row(k, t);
    }
    if (!is_last) row(k, end);
  }
  for (std::size_t k = 0; k + 1 < s.times.size(); ++k) {
    if (s.times[k] != s.times[k + 1]) continue;
    Event event{.time = s.times[k], .causes = {"h < 0"}, .iterations = 2};
    for (const std::size_t c : {2u, 3u, 4u, 5u})
      if (s.value(k, c) != s.value(k + 1, c))
        event.discrete.push_back({s.columns[c].name, s.value(k, c), s.value(k + 1, c)});
    event.jumps = {{"v", s.value(k, 1), s.value(k + 1, 1)}};
    s.events.push_back(std::move(event));
  }
  s.points = s.times.size();
  s.statistics.events = static_cast<long>(s.events.size());
  s.statistics.event_iterations = 2 * s.statistics.events;
  s.statistics.events_by_cause = {{"h < 0", s.statistics.events}};
  return s;
}

}  // namespace driftless
