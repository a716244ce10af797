// Dense output of a run that was changed while it went on, by an input that begins another piece or by its user: each
// part has equations with other numbers. Also its epochs, which sensitivities need.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "driftless/sensitivity/epoch.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class JoinedParts {
 public:
  // In the order of time. A part ends at `end`, although its last step may go beyond it; `behind` is the number of
  // events of earlier parts. Takes the observer of the part, and leaves its segments up to the end.
  void add(Solution& part, const std::vector<Epoch>& epochs, double end, std::size_t behind);
  // The values of all series at the end of the last part; the next one begins there with other values.
  void leave(std::vector<double> series) { left_ = std::move(series); }
  // Called if a part is unknown: there will be no dense output.
  void give_up() { is_known_ = false, observers_.clear(); }

  bool is_empty() const { return epochs_.empty(); }
  const std::vector<Epoch>& epochs() const { return epochs_; }

  // Gives the dense output of the whole; without segments if a part has none, or if the parts need too much memory.
  void give_to(Solution& whole);

 private:
  using Observer = decltype(Solution::observer);
  std::vector<std::pair<double, Observer>> observers_;  // each with its first time
  std::vector<Epoch> epochs_;
  std::vector<double> left_;
  std::size_t values_ = 0;  // values of a point, summed over the parts
  bool is_known_ = true;
};

}  // namespace driftless
