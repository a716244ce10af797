// A reduced model at one of its points, linearized: its rows are solved for everything but the states.
//
// Let x be the slots that are states, u the unknowns of the rows (the other slots and the rates), and p the inputs. The
// rows F(t, x, u, p) = 0 have every constraint at every level, and F_u is regular, so
//
//   δu = -F_u^-1 (F_x δx + F_p δp),
//
// one solution for each state and each input, by the sparse factorization of F_u. The rates of the states and the
// outputs are functions of x, u and p: A, B, C and D follow by the chain rule. Partial derivatives come from the
// expressions.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "driftless/diagnostics/code.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/state_space/directions.hpp"
#include "driftless/state_space/state_space.hpp"

namespace driftless {

struct Selected {
  std::vector<std::string> states;   // preferred states; the others are chosen as at the start of a run
  std::vector<std::string> inputs;   // inputs and parameters
  std::vector<std::string> outputs;  // variables and derivatives
  std::vector<std::string> given;    // parameters set by the run (directions.hpp)
};

struct NotLinear {
  Code code;
  std::string reason;  // as text
};

// `system`: with every level of every equation, and with the parameters of the point. Otherwise the reason why there is
// no such linear system.
std::variant<StateSpace, NotLinear> linearize_at(System& system, const System::Point& at, const Selected& selected);

}  // namespace driftless
