// Two times between which a function changes its sign, brought together by regula falsi. The value at an end that stays
// is halved (Illinois), so that both ends approach the zero: either from the second time on that it stays, which suits
// smooth functions, or at once.
#pragma once

#include <cmath>
#include <numeric>
#include <optional>

namespace driftless {

struct Bracket {
  double before, behind;
  double g_before, g_behind;  // of opposite signs
  bool halves_at_once = false;
  enum class End { None, Before, Behind } moved = End::None;
  double width_last = HUGE_VAL, width_before_last = HUGE_VAL;

  // The zero of the chord, or the midpoint if the chord has no zero inside; nothing if no floating-point number lies
  // inside.
  std::optional<double> next(bool middle = false) const {
    double t = before + (behind - before) * g_before / (g_before - g_behind);
    if (middle || !(t > before && t < behind)) t = std::midpoint(before, behind);
    return t > before && t < behind ? std::optional(t) : std::nullopt;
  }
  // Regula falsi may converge slowly beside a value that is nearly 0: true if two steps have not halved the bracket, so
  // that the midpoint is needed. To be called once after every step.
  bool creeps() {
    const bool is_slow = behind - before > 0.5 * width_before_last;
    width_before_last = width_last;
    width_last = behind - before;
    return is_slow;
  }
  void take(double t, double g) {
    const End end = (g > 0.0) == (g_behind > 0.0) ? End::Behind : End::Before;
    if (halves_at_once || end == moved) (end == End::Behind ? g_before : g_behind) *= 0.5;
    (end == End::Behind ? behind : before) = t;
    (end == End::Behind ? g_behind : g_before) = g;
    moved = end;
  }
};

}  // namespace driftless
