// An axis of a plot: its range, and ticks at nice numbers (1, 2 or 5 times a power of ten) whose
// labels stay short. What all labels share, a power of ten or a large constant, is told once.
#pragma once

#include <string>
#include <vector>

namespace driftless {

struct Tick {
  double value = 0.0;
  std::string label;  // with a true minus sign
};

struct Axis {
  double low = 0.0, high = 1.0;  // low < high
  std::vector<Tick> ticks;       // ascending, within [low, high]
  std::string shared;            // "", "×10⁻⁶", "+ 300", "×10⁻¹² + 1": value = label * power + constant

  double fraction(double value) const { return (value - low) / (high - low); }
};

// Ticks for [low, high] as given, at most about `most` of them. A range too narrow for double
// precision is widened.
Axis make_axis(double low, double high, int most);

// A range that shows data in [low, high] with some air around it.
Axis make_padded_axis(double low, double high, int most);

}  // namespace driftless
