// Some quantities of a system at a point: those that event functions read. Slots and rates are copied, and the
// definitions among them are evaluated by a kernel of their own, which evaluates nothing else.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/system/compiled_system.hpp"

namespace driftless {

class NeededQuantities {
 public:
  NeededQuantities() = default;
  // `places` in Reduced::quantities.
  NeededQuantities(const CompiledSystem& system, std::span<const std::size_t> places);

  void take_parameters(std::span<const double> parameters);

  // Writes them to their places among all quantities; false if one of them has no value.
  bool operator()(double t, std::span<const double> y, std::span<const double> yp, std::span<double> quantities);

 private:
  struct Copied {
    std::size_t to, from;
  };
  std::vector<Copied> slots_, rates_;              // to quantities
  std::vector<Copied> input_slots_, input_rates_;  // to inputs of the kernel
  std::vector<std::size_t> defined_;               // places of quantities, in the order of the kernel
  std::shared_ptr<const Kernel> definitions_;      // null: none
  std::vector<double> inputs_, outputs_, work_;    // time, parameters, then the quantities that the definitions read
};

}  // namespace driftless
