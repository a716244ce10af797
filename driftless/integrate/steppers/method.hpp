// Discretizations, as types that carry their own parameters. Which formula, tableau or pair of tableaus a method has is
// data (tableau.hpp, multistep_formula.hpp); there is one stepper for each kind.
//
//   with a step size from the error test (tolerance):   Bdf, Ida, Taylor, Radau with 3, 5 and 7 stages, and
//                                                       explicit and half-explicit methods with an embedded one
//   with a given step size:                             all but Bdf, Ida and Taylor
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace driftless {

class Archive;

namespace method {
struct Bdf {};  // variable order 1 to 5, variable step
struct Ida {};  // the same by the code IDA of SUNDIALS, if it was available when the program was built
struct ConstantBdf {
  int order = 2;  // 1 to 6; 1 is the backward Euler method
};
// sum_j alpha_j y_{n-j} = h sum_j beta_j y'_{n-j}, j = 0 .. k
struct Multistep {
  std::vector<double> alpha, beta;
  bool one_leg = false;  // the equations are evaluated once per step, between the points of the formula
};
struct Radau {
  int stages = 3;  // Radau IIA, order 2s - 1; 0: chosen at every step among 3, 5 and 7
};
struct Gauss {
  int stages = 2;  // order 2s
  bool projected = false;
};
enum class LobattoKind { A, C };
struct Lobatto {
  LobattoKind kind = LobattoKind::C;
  int stages = 3;  // order 2s - 2
};
enum class Explicit { Euler, Heun3, Rk4, Dopri5, Dop853, Adaptive };  // Adaptive: Dopri5 or Dop853, by the tolerance
struct ExplicitRungeKutta {
  Explicit tableau = Explicit::Dopri5;
};
// The multipliers of index 2 are found such that the constraint holds at the next stage. Extrapolation is no tableau:
// it repeats a simple scheme with more and more steps and extrapolates to infinitely many.
enum class HalfExplicitTableau { Euler, Midpoint, Hem3, Hem4, Hem5, Heun3, Extrapolation };
struct HalfExplicit {
  HalfExplicitTableau tableau = HalfExplicitTableau::Hem4;
  int columns = 0;     // of Extrapolation, 2 to 10; 0: by the tolerance, 4 for constant steps
  bool euler = false;  // of Extrapolation: Euler's scheme even where the midpoint rule is possible
};
// For mechanical models with a constant mass matrix and forces that depend on positions only.
enum class SymplecticKind { Euler, StoermerVerlet, Shake, Rattle, LobattoPair };
struct Symplectic {
  SymplecticKind kind = SymplecticKind::Rattle;
  int stages = 3;  // of LobattoPair only, order 2s - 2
};
// The Taylor series of the solution, from the equations as they stand, of any index.
enum class Precision { Double, Extended, Quadruple };
struct Taylor {
  int order = 0;  // 0: by the tolerance
  Precision precision = Precision::Double;
};
struct Auto {};  // chosen together with the formulation
}  // namespace method

using Method = std::variant<method::Bdf, method::Ida, method::ConstantBdf, method::Multistep, method::Radau,
                            method::Gauss, method::Lobatto, method::ExplicitRungeKutta, method::HalfExplicit,
                            method::Symplectic, method::Taylor, method::Auto>;

// The methods to switch to where the run turns out to be stiff, and where it turns out not to be; none: the first
// method takes all steps.
struct Successors {
  std::optional<Method> when_stiff = {}, when_not_stiff = {};
};

// "bdf", "ida", "backward-euler", "bdf3", "radau", "radau3", "taylor:order=20,precision=quadruple", "gauss2-projected",
// "lobatto-iiic3", "dopri5", "half-explicit4", "rattle", "multistep:alpha=1/-1,beta=0.5/0.5", ...
std::string to_string(const Method& method);
std::optional<Method> parse_method(const std::string& text);
void archive(Archive& archive, Method& method);
const std::vector<std::string>& method_names();  // of all methods without parameters

// All of them abbreviated, for messages: "bdf2..bdf6", "radau1..radau5", ...
const std::vector<std::string>& method_families();

// Does it choose its steps by the tolerance? Otherwise it must be given a step size.
bool controls_step(const Method& method);

// Does it compute a step from slopes or a series, solving for the highest derivatives only? Stability then bounds its
// steps.
bool is_explicit(const Method& method);

// The reason why a method cannot be run with this constant step size, or without any; nothing if it can.
std::optional<std::string> step_problem(const Method& method, const std::optional<double>& step);

}  // namespace driftless
