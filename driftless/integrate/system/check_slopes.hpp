// How much the residuals of the checks of a system (System::checks) change with the unknowns in them:
//
//   sum_v |∂R/∂v| (|v| + nominal(v))
//
// The derivatives of an equation are formed when a run first needs them, then shared by all runs. As few points and few
// equations need them, they are interpreted.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/system/system.hpp"

namespace driftless {

// The rounding error of a residual, relative to the size of its terms.
constexpr double rounding_of_residuals = 1e3 * std::numeric_limits<double>::epsilon();

class CheckSlopes {
 public:
  explicit CheckSlopes(const System& system);

  // The inputs of the system (System::inputs), definitions included: those of the last `System::observe`.
  void set_point(std::span<const double> inputs) { inputs_.assign(inputs.begin(), inputs.end()); }

  bool is_made(std::size_t check) const { return equations_[check] != nullptr; }
  // Forms the derivatives of these checks at once, which costs less than forming them one by one.
  void make(std::span<const std::size_t> checks);

  // The change of the residual R when every unknown v moves by |v| + nominal, to first order.
  double change(std::size_t check);

  // The same as the size by which R is measured: to first order R vanishes when all unknowns move by |R| / size times
  // |v| + nominal. Near a pole or a kink this may be wrong, so the move is tried, unless R is a rounding error: 0 if R
  // does not become smaller.
  double size(std::size_t check);

 private:
  struct Unknown {
    std::size_t input;
    double nominal;
  };
  struct Equation {
    std::shared_ptr<const Kernel> kernel;  // the residual and its derivatives
    std::vector<Unknown> unknowns;
  };

  const Equation& made(std::size_t check);
  const CompiledSystem& system_;
  std::vector<std::shared_ptr<const Equation>> equations_;  // null until needed
  std::vector<double> inputs_, work_, values_, values_there_, at_;
};

}  // namespace driftless
