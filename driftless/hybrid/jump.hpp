// The values of a mode at its beginning, from those before the event.
//
// They are the limit of one step of the implicit Euler method on the equations of the new mode as its length goes to
// zero (impulses.hpp). Quantities below the highest derivative have a memory: for a variable whose highest derivative
// in the equations is the m-th, the derivatives of order 0 to m - 1. Values that the equations do not change stay the
// same bit for bit. Velocities jump such that momentum along free directions is kept, voltages such that charge is,
// currents such that flux is. Positions of mechanics cannot jump: the velocity would be infinite.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "driftless/hybrid/impulses.hpp"
#include "driftless/initialize/values.hpp"
#include "driftless/solution/event.hpp"

namespace driftless {

// A value of a quantity with memory that reinit sets.
struct PrescribedValue {
  Quantity quantity;
  double value = 0.0;
};

struct Jumped {
  // By variable and order. Orders below d_j satisfy every equation at every level below the highest; the highest
  // derivatives are those from before the event, as guesses for completing the point.
  Values values;
  std::vector<ChangeOfValue> jumps;  // of quantities with memory
  std::vector<Impulse> impulses;     // of unknowns without memory
  // The equations that were solved for the values that jump, null if no equation was violated; and the numbers of the
  // solution in the layout of the jump. The equations live as long as the JumpIntoMode.
  const ImpulseEquations* equations = nullptr;
  std::vector<double> inputs;
};

class JumpIntoMode {
 public:
  // `mode`: the mode that begins.
  explicit JumpIntoMode(std::shared_ptr<const Reduced> mode);

  // `before`: all quantities of the mode that ends, by variable and order; absent or NaN if without value. `tolerance`:
  // how far, relative to its size, a position may be moved onto its constraint. Otherwise the reason why there is no
  // such jump.
  std::variant<Jumped, std::string> operator()(double t, const Values& before, std::span<const double> parameters,
                                               const std::vector<PrescribedValue>& prescribed = {},
                                               double tolerance = 1e-6);

  // Its pool contains the expressions of the equations of jumps.
  const Reduced& mode() const { return *reduced_; }
  const JumpInputs& layout() const { return inputs_; }
  bool has_memory(Quantity q) const { return q.order < memory_[static_cast<std::size_t>(index(q.variable))]; }

 private:
  // All equations of one stage, for the quantities of that stage.
  struct Stage {
    int stage = 0;
    std::vector<int> equations, levels;
    std::vector<Quantity> quantities;
    std::unique_ptr<NumericEquations> numeric;
  };
  Stage make_stage(int stage) const;

  struct Numbers;  // of one jump
  std::string load(Numbers& numbers, double t, const Values& before, std::span<const double> parameters,
                   const std::vector<PrescribedValue>& prescribed) const;
  std::string settle(Stage& stage, Numbers& numbers, double tolerance);
  std::string jump(Numbers& numbers);
  std::vector<bool> bent_equations(ImpulseEquations& equations, const Numbers& numbers) const;
  std::vector<bool> possibly_bent_equations(const ImpulseEquations& equations) const;
  Jumped result(const Numbers& numbers, const Values& before) const;
  bool follows_prescription(const Stage& stage, const std::vector<bool>& rows, const Numbers& numbers) const;
  std::string name_of(int equation, int level) const;
  std::string names_of_conditions(const std::vector<bool>& which) const;  // per equation

  std::shared_ptr<const Reduced> reduced_;
  std::vector<int> memory_;  // per variable: orders below this one
  JumpInputs inputs_;
  std::optional<Impulses> impulses_;  // absent: the structure does not give the index of the mode
  std::vector<Stage> stages_;         // from the lowest to -1
};

}  // namespace driftless
