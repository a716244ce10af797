// Where a function that is sampled at three times may reach 0 between them and turn back.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace driftless {

// The vertex of the parabola through (t_i, g_i), all g_i of one sign, if it lies between the samples and its value is
// 0, of the other sign, or at most `comes_near` times the larger of the outer values.
inline std::optional<double> extremum_near_zero(const double (&t)[3], const double (&g)[3], double comes_near) {
  const bool below = g[0] < 0.0;
  if ((g[1] < 0.0) != below || (g[2] < 0.0) != below) return {};
  const double first = (g[1] - g[0]) / (t[1] - t[0]), second = (g[2] - g[1]) / (t[2] - t[1]);
  const double bend = (second - first) / (t[2] - t[0]);
  if (!(below ? bend < 0.0 : bend > 0.0)) return {};  // it bends away from 0
  const double vertex = std::midpoint(t[0], t[1]) - 0.5 * first / bend;
  if (!(vertex > t[0] && vertex < t[2]) || vertex == t[1]) return {};
  const double value = g[0] + (vertex - t[0]) * (first + bend * (vertex - t[1]));
  if ((value < 0.0) == below && std::abs(value) > comes_near * std::max(std::abs(g[0]), std::abs(g[2]))) return {};
  return vertex;
}

}  // namespace driftless
