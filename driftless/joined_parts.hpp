// Dense output of a run that was changed on its way, by an input that begins another piece or by its user: each part
// has equations with other numbers. So has what is in force from when on, which sensitivities ask for.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "driftless/sensitivity/epoch.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

class JoinedParts {
 public:
  // In the order of time. A part is over at `end`, behind which its last step may go on; `behind` are the events of the
  // parts before it. Takes the observer of the part, and leaves its segments up to the end.
  void add(Solution& part, const std::vector<Epoch>& epochs, double end, std::size_t behind);
  // The values of all series at the end of the last part; the next one begins there with other values.
  void leave(std::vector<double> series) { left_ = std::move(series); }
  // A part is not known: there will be no dense output.
  void give_up() { is_known_ = false, observers_.clear(); }

  bool is_empty() const { return epochs_.empty(); }
  const std::vector<Epoch>& epochs() const { return epochs_; }

  // Of the whole; without its segments where a part has none, or where the parts need very much memory.
  void give_to(Solution& whole);

 private:
  using Observer = decltype(Solution::observer);
  std::vector<std::pair<double, Observer>> observers_;  // from when on
  std::vector<Epoch> epochs_;
  std::vector<double> left_;
  std::size_t values_ = 0;  // of a point, added up over the parts
  bool is_known_ = true;
};

}  // namespace driftless
