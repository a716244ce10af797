// Solves for what the constraints determine in
//
//   x' = r(t, x, z),   0 = d(t, x, z),   0 = g(t, x),
//
// x the states, z everything else: in the index-2 form of mechanics x are positions and velocities, z accelerations and
// multipliers, d the equations of motion and g the constraints of velocities. There are two kinds of solves:
//
//   ahead   z such that g holds one stage later:   d(t, x, z) = 0,  g(t_next, known + factor r(t, x, z)) = 0
//   here    z by the hidden constraint:            d(t, x, z) = 0,  g_t + g_x r(t, x, z) = 0
//
// Both are systems for z alone with the matrix
//
//   [ d_z ; g_x r_z ],
//
// g_x at x_next or at x; in mechanics [M Gᵀ; G 0], or G M⁻¹ Gᵀ where the reduction has eliminated the accelerations. If
// d and r are linear in z and g in those x that z moves, as in mechanics, one evaluation and one elimination suffice;
// otherwise Newton's iteration solves them to rounding.
//
// The matrix also leads back to constraints: along r_z, the constraint forces, to g, and by the same change of the
// positions to the level below it (`restore`), because a constraint has the same gradient at every level.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/newton.hpp"
#include "driftless/linear/elimination.hpp"

namespace driftless {

// The name of a constraint g that no z can satisfy; nothing if the structure of the equations allows all.
std::optional<std::string> unmet_constraint(const Problem& problem);

class MultiplierSolve {
 public:
  // Precondition: unmet_constraint(problem) is empty.
  explicit MultiplierSolve(Problem& problem);

  struct Stage {
    double t, t_next;
    std::span<const double> known;
    double factor;
  };
  // y holds x and, on entry, a guess of z; slope those of rates that belong to z. On return y holds z, slope is r(t, x,
  // z), and next is known + factor * slope in the states, the rest a guess for the next stage.
  newton::Report ahead(const Stage& stage, std::span<double> y, std::span<double> slope, std::span<double> next);

  // y holds x and a guess of z; yp all rates on return.
  newton::Report here(double t, std::span<double> y, std::span<double> yp);

  // Extends errors of the states to the slots that are returned, near the last point. None where there are constraints,
  // or where no function is steep.
  std::span<const int> spread(std::span<double> error) {
    if (!rows_) return {};
    rows_->spread(error);
    return rows_->determined_slots();
  }

  // Are there levels below the constraints, and is g one above each of them? Then `restore` is the projection of the
  // positions in the norm of the mass matrix.
  bool can_restore() const { return restores_all_; }
  // Moves x onto the levels below and onto g, all with one matrix, then `here`.
  newton::Report restore(double t, std::span<double> y, std::span<double> yp);

  // With the matrix of the last call of `here` or `restore`: removes from a change of x the part that violates g.
  void tangential(std::span<double> change);

  bool has_constraints() const { return !constraints_.empty(); }
  // Are d and r linear in z? Then the points known + factor r(t, x, z) that some z reaches are an affine space.
  bool is_linear_in_multipliers() const { return forces_linear_; }

  const std::vector<int>& states() const { return states_; }  // slots, ascending
  const Counts& counts() const { return counts_; }

  // The pivots, but not the last point: `tangential` needs another one first.
  void archive(Archive& archive) {
    archive.section("multipliers");
    archive(*elimination_, counts_);
    if (rows_) archive(*rows_);
  }

 private:
  struct Draft;
  struct Unknown {
    int slot;
    bool rate;
    std::size_t input;
  };
  struct Copied {  // a rate that is an input of the kernels: the value of a slot, or an unknown
    int slot;
    std::size_t input;
  };
  struct RateEntry {  // ∂r/∂z
    int slot, column;
  };
  struct GradientEntry {  // ∂g/∂x
    int row, slot;
  };
  struct Product {  // of an entry of g_x and one of r_z
    int position, gradient, rate;
  };
  struct Link {  // from a state that z moves to one whose rate it is
    int to, from;
  };
  struct Function {  // of t, x, z
    std::shared_ptr<const Kernel> kernel;
    std::vector<double> values;
  };

  void number_unknowns(const Reduced& reduced, Draft& draft);
  void read_rates(const Reduced& reduced, Draft& draft);
  void read_rows(const Reduced& reduced, Draft& draft);
  void find_levels(const Reduced& reduced, Draft& draft);
  void find_pattern();
  void compile(const Draft& draft);

  void load(double t, std::span<const double> y, std::span<const double> yp);
  void run(Function& function, const std::vector<double>& inputs);
  void evaluate_present(std::span<double> slope);
  void take_solved(std::span<double> slope) const;
  newton::End factorize();
  newton::Correction correct(std::span<double> y);
  void find_change();
  newton::Report settle(std::span<double> y, std::span<double> yp, bool new_matrix);
  double move_onto_levels(std::span<double> y);
  double move_onto_constraints(std::span<double> y);
  double move_state(int slot, double change, std::span<double> y);

  Problem& problem_;
  // Where there are no constraints and some function is steep: solves for z to rounding.
  std::unique_ptr<AlgebraicSolve> rows_;
  int size_ = 0;                     // of z
  std::vector<int> states_, moved_;  // slots; moved_: those whose rates z enters
  std::vector<Unknown> unknowns_;
  std::vector<int> dynamics_, constraints_;  // rows
  std::vector<int> computed_;                // slots of the rates that are computed
  std::vector<Copied> copied_;
  std::vector<Copied> solved_;  // rates that are unknowns of the rows themselves
  std::vector<linear::Coordinate> dynamics_entries_, coordinates_;
  std::vector<int> dynamics_position_;  // of an entry of d_z among the values of the matrix
  std::vector<RateEntry> rate_entries_;
  std::vector<GradientEntry> gradient_entries_;
  std::vector<Product> products_;
  std::vector<Link> links_;
  std::vector<int> levels_;  // numbers of the constraints that have a level below
  bool linear_ = true, forces_linear_ = true, restores_all_ = false;

  Function present_;   // d, rates, d_z, r_z, links
  Function gradient_;  // g, g_x
  Function hidden_;    // g_t + g_x r
  Function below_;     // the levels below
  std::optional<linear::Elimination> elimination_;
  std::vector<double> inputs_, next_inputs_, work_, matrix_, z_, change_, nominal_;
  long version_ = 0;  // of the parameters in the inputs
  std::size_t y_offset_, yp_offset_;
  Counts counts_;
};

}  // namespace driftless
