// The strategies for a consistent start, in the order in which they are tried, and the result of each.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

namespace driftless {

enum class Strategy {
  Newton,        // damped, block by block, from the starts
  Continuation,  // F(z) = (1 - s) F(z0), from the starts
  OtherGuesses,  // the two above from shifted starts
  Bounds,        // the same between min and max
  Release,       // starts around a block change as little as possible
  Together,      // all equations for all unknowns at once, as close to the starts as possible
  Homotopy,      // homotopy(actual, simplified) of the model
  Exponentials,  // iteration guarded against overflow
};
inline constexpr int strategies = 8;

const char* to_string(Strategy strategy);

struct Trial {
  int tried = 0, solved = 0;
  double missed =
      std::numeric_limits<double>::infinity();  // the best attempt of a failed strategy: its largest scaled residual
};

class Trials {
 public:
  Trial& operator[](Strategy strategy) { return list_[static_cast<std::size_t>(strategy)]; }
  const Trial& operator[](Strategy strategy) const { return list_[static_cast<std::size_t>(strategy)]; }

  void record(Strategy strategy, bool solved, double missed) {
    Trial& trial = (*this)[strategy];
    ++trial.tried;
    if (solved)
      ++trial.solved;
    else
      trial.missed = std::min(trial.missed, missed);
  }

  void add(const Trials& others) {
    for (std::size_t k = 0; k < list_.size(); ++k) {
      list_[k].tried += others.list_[k].tried;
      list_[k].solved += others.list_[k].solved;
      list_[k].missed = std::min(list_[k].missed, others.list_[k].missed);
    }
  }

 private:
  std::array<Trial, strategies> list_ = {};
};

}  // namespace driftless
