// Some entries of the Jacobian of a system, for whoever holds the states and needs no derivative by them. In a
// mechanism the forces are what makes the Jacobian long, and accelerations and multipliers enter linearly: their
// entries take a small part of its work. So when the whole Jacobian has been evaluated so often that a kernel of the
// entries alone would have paid for itself, they get one. The values are the same bits.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

class JacobianPart {
 public:
  explicit JacobianPart(System& system) : system_(system) {}

  // `entries`: positions among those of the system, from now on.
  void take(std::vector<int> entries);

  // Values of these entries, in their places among all. False: the others were left as they are.
  bool operator()(const System::Point& at, std::span<double> values);

 private:
  struct Code {
    Kernels kernels;
  };
  bool pays();
  void make();

  System& system_;
  std::vector<int> entries_;
  std::vector<double> own_;
  std::shared_ptr<const Code> code_;  // null: all are evaluated
  long calls_ = 0, calls_until_it_pays_ = 0;
};

}  // namespace driftless
