// Moves the end point of a step to satisfy more than the discretized equations.
//
//   coordinates     the levels of the constraints that the formulation left out: min |y - y~| subject to h(y) = 0,
//                   first the positions, then the velocities with the positions held (Lubich 1991). With the directions
//                   D at y~, the normals C^T or those of the constraint forces B = M^-1 G^T (norm of the mass matrix),
//                       y = y~ - D mu,  h(y) = 0
//                   by Newton's iteration to rounding (Hairer, Wanner 1996, Section VII.2). `predicted`: with D of the
//                   last projected point, the beginning of the step.
//   post            y~ - F h(y~), one or a few times, all levels together (Ascher, Chin, Reich 1994).
//   invariants      those of the model at their values at the start, along their gradients.
//
// Levels of stage -1 are velocities (or the constraint itself if it has to be differentiated only once), those below
// are positions. A level moves the slots of its own stage only, so that velocities do not move positions. Everything
// that is not a state is then recomputed from the highest level.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/completion.hpp"
#include "driftless/integrate/solve/projection.hpp"
#include "driftless/integrate/solve/right_inverse.hpp"

namespace driftless {

struct ProjectionReport {
  bool converged = true;
  double moved = 0.0;  // root mean square over the states, each relative to |y| + nominal
};

class Projector {
 public:
  // Precondition: not_applicable(projection, problem) is empty. The invariants of the model keep their value at
  // `start`.
  Projector(Problem& problem, const Projection& projection, const State& start);

  // Moves the point; if that does not converge, y and y' are undefined.
  ProjectionReport operator()(double t, std::span<double> y, std::span<double> yp);

  void states_changed();

  void archive(Archive& archive);

 private:
  // Invariants that are restored together.
  struct Part {
    std::vector<int> invariants;
    std::unique_ptr<RightInverse> inverse;
    bool found = false;
  };
  void add_part(std::vector<int> invariants, std::unique_ptr<RightInverse> inverse);
  void add_levels(const projection::Coordinates& coordinates);
  void add_levels(const projection::PostStabilization& post);
  void add_invariants_of_model();

  bool to_rounding(Part& part, double t, std::span<double> y, std::span<double> yp);
  bool a_few_times(Part& part, double t, std::span<double> y, std::span<double> yp);
  bool times(Part& part, int n, double t, std::span<double> y, std::span<double> yp);
  void residual(const Part& part, const System::Point& at);
  double step(Part& part, const System::Point& at, std::span<double> y);
  double largest_residual() const;

  Problem& problem_;
  System& system_;
  std::optional<projection::PostStabilization> post_;
  bool predicted_ = false;
  std::vector<Part> parts_;
  Completion complete_;
  std::vector<double> target_, all_, residual_, before_, unprojected_;
};

// The reason why a projection cannot be applied; nothing if it can.
std::optional<std::string> not_applicable(const Projection& projection, Problem& problem);

}  // namespace driftless
