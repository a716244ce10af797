// Of a form F(t, y, y') = 0 of index 1 that was taken from a derivative array (array/kunkel_mehrmann.hpp): do its
// differential equations, which were chosen at the start, still determine the motion? The matrix of the rows with rates
// by y' and of all others by y must be regular. It is watched at the ends of steps: where its determinant has another
// sign than at the start, or has become small beside it, other equations would have to be chosen.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class DifferentialRows {
 public:
  explicit DifferentialRows(System& system) : system_(system) {}

  static bool are_in(const Reduced& reduced);

  // The first call is for the start. What is wrong, or nothing.
  std::optional<std::string> lost_at(const System::Point& at);

  void archive(Archive& archive) { archive(sign_, log_at_start_); }

 private:
  System& system_;
  int sign_ = 0;  // 0: not known yet
  double log_at_start_ = 0.0;
};

}  // namespace driftless
