// An axis of a plot: its range, and ticks at nice numbers (1, 2 or 5 times a power of ten) whose
// labels stay short. A power of ten or a large constant that all labels share is written once.
#pragma once

#include <cmath>
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
  bool logarithmic = false;      // then 0 < low

  // 0 at low, 1 at high.
  double fraction(double value) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

// An axis for exactly [low, high] with at most about `most` ticks. A range too narrow for double precision is widened.
// The data may have been divided by 10^power, since differences of the largest numbers overflow: then `shared` contains
// this power.
Axis make_axis(double low, double high, int most, int power = 0);

// An axis that shows data in [low, high] with some margin.
Axis make_padded_axis(double low, double high, int most, int power = 0);

// Shows positive data in [low, high] on a logarithmic axis, which begins and ends at a tick: at 1, 2 and 5 times powers
// of ten if there are at most about `most` of them, otherwise at every power of ten, or every second, third, fifth ...
Axis make_logarithmic_axis(double low, double high, int most);

}  // namespace driftless
