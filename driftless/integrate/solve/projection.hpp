// Projections: how the end point of every step is moved to satisfy more than the discretized equations.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace driftless {

namespace projection {
struct None {};

// The nearest point in the norm of the weight that satisfies the chosen levels of the constraints: first the positions,
// then the velocities with the positions held (Lubich).
enum class Levels { Position, Velocity, Both };
enum class Weight { Identity, Mass };
struct Coordinates {
  Levels levels = Levels::Velocity;
  Weight weight = Weight::Identity;
  // Along the directions at the beginning of the step instead of those at its end. With both levels, a Runge-Kutta
  // method on the index-1 form is then one in the tangent chart of the beginning of the step whose stages have
  // predicted dependent coordinates and whose end point alone is on the manifold (Potra 1995).
  bool predicted = false;
};

// x - F(x) h(x), with h all levels below the highest and F such that I - h_x F is small or nilpotent.
//   Newton  F = H^T (H H^T)^-1, with H = h_x: the first Newton step of the coordinate projection
//   Force   F = diag(B (GB)^-1, B (GB)^-1), B = M^-1 G^T
//   Normal  F = diag(G^T (G G^T)^-1, G^T (G G^T)^-1)
enum class Stabilizer { Newton, Force, Normal };
struct PostStabilization {
  Stabilizer stabilizer = Stabilizer::Force;
  int times = 2;
  bool frozen = false;  // F is kept until it no longer contracts
};

// The invariants that the model declares, along their gradients.
struct Invariants {
  bool output_only = false;  // the recurrence goes on from the unprojected point
};
}  // namespace projection

using Projection =
    std::variant<projection::None, projection::Coordinates, projection::PostStabilization, projection::Invariants>;

// "none", "position", "velocity", "both", "both:weight=mass", "both:predicted", "post:F=force,times=2,frozen",
// "invariants", "invariants:output"
std::string to_string(const Projection& projection);
std::optional<Projection> parse_projection(const std::string& text);
const std::vector<std::string>& projection_names();  // without parameters
const std::vector<std::string>& projection_flags();  // parameters without a value

}  // namespace driftless
