// Computes when constraints between positions will depend on each other. Their smallest singular value, in nominal
// values of the positions, falls to 0 linearly where the motion passes such a point, so its value and its rate at one
// point suffice.
#pragma once

#include <optional>
#include <vector>

#include <Eigen/Core>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

class RankAhead {
 public:
  explicit RankAhead(System& system);

  bool has_constraints() const { return !choices_.empty(); }
  // The time from this point, by difference quotients over a time `probe`; nothing if no singular value falls.
  std::optional<double> time_left(const System::Point& at, double probe);

 private:
  struct Constraints {  // that choose among the same positions
    const Choice* choice;
    const std::vector<System::ChoiceEntry>* entries;
    std::size_t offset;  // of their values
  };
  double smallest(const Constraints& constraints) const;

  System& system_;
  std::vector<Constraints> choices_;
  std::vector<double> values_, y_;
};

}  // namespace driftless
