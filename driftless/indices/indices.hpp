// The index of a model by each of its definitions, side by side (docs/index-definitions.md). They agree for most
// models; where they do not, the difference shows an unusual property.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "driftless/indices/perturbation.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

// How a rank was decided: by the gap between the smallest singular value that counts and the largest that does not.
struct RankGap {
  double smallest_kept = 1.0, largest_dropped = 0.0;  // relative to the same norm
  bool is_clear = true;                               // no other rank is comparable
};

// Of a linear model with constant coefficients, B u' + A u = d(t), with a regular pencil A + λB.
struct NilpotencyIndex {
  int index = 0;
  std::vector<int> block_sizes;             // of the nilpotent matrix, descending
  int free_values = 0;                      // at the start: the dimension of the differential part
  std::vector<std::complex<double>> modes;  // λ with det(A + λB) = 0
  std::vector<std::string> algebraic;       // combinations of unknowns that no initial value changes: "x + 2*y"
  RankGap narrowest;
};

// det(A + λB) = 0 for all λ.
struct SingularModel {
  int rank = 0, size = 0;              // of A + λB, with derivatives of higher order as separate unknowns
  std::vector<std::string> equations;  // that depend on each other, derivatives included
  std::vector<std::string> unknowns;   // that are not determined
};

struct NotApplicable {
  std::string reason;
};

struct DifferentiationIndex {
  std::optional<int> index;         // none: not determined
  std::string reason;               // why not
  std::vector<std::string> points;  // where the derivative array was evaluated, as text
  RankGap narrowest;
  bool has_dependent_rows = false;  // of the derivative array: equations follow from derivatives of others
};

struct Indices {
  int structural = 0;
  std::variant<NilpotencyIndex, SingularModel, NotApplicable> nilpotency;
  DifferentiationIndex differentiation;
  PerturbationProbe perturbation;
};

// Each index separately, for the model as written, not as repaired.
std::variant<NilpotencyIndex, SingularModel, NotApplicable> nilpotency_index(const Model& model);
DifferentiationIndex differentiation_index_at_points(const Analysis& analysis);

Indices find_indices(const Analysis& analysis);

// The model as written: that of the analysis, or the original of its repair.
std::shared_ptr<const Model> model_as_written(const Analysis& analysis);

}  // namespace driftless
