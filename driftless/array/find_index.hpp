// How often the equations of a model must be differentiated until they determine its solution, decided by ranks: the
// derivative array with the fewest differentiations that, at a consistent point and near it,
//
//   has full row rank,  has ranks that do not change,  and
//   determines the highest derivatives (Campbell and Moore, ranks.hpp), or
//   contains a form of index 1 (Kunkel and Mehrmann, kunkel_mehrmann.hpp).
#pragma once

#include <variant>

#include "driftless/array/array_index.hpp"
#include "driftless/array/array_start.hpp"
#include "driftless/array/kunkel_mehrmann.hpp"
#include "driftless/array/ranks.hpp"

namespace driftless {

// The index is searched up to this number of differentiations.
inline constexpr int most_differentiations = 9;

// The equations that are integrated, and the array on which starts are found. The latter also determines the highest
// derivatives, and is the same array in the form of Campbell and Moore.
struct ArraySystem {
  ArrayIndex index;
  std::shared_ptr<const DerivativeArray> start;
  ArrayRanks ranks;  // of `start`, where they were decided
  std::shared_ptr<const Reduced> reduced;
  std::vector<std::optional<Quantity>> value_of_slot;  // y and y' as unknowns of `start`; 0 without one
  std::vector<std::optional<Quantity>> rate_of_slot;
};

struct NoArray {
  std::string reason;  // "the equations have to be differentiated more than 9 times", ...
  std::vector<std::string> details = {};
};

enum class ArrayForm { CampbellMoore, KunkelMehrmann };

// The pool of the model takes new expressions. Ranks are evaluated at the start of the experiment.
std::variant<ArraySystem, NoArray> find_array(const std::shared_ptr<const Model>& model, ArrayForm form);

// "--formulation derivative-array integrates this model: ...", if its array determines the solution; nothing otherwise,
// or if the model is too large for a quick answer.
std::optional<std::string> advice_to_use_array(const std::shared_ptr<const Model>& model);

// "derivative array: ...", with all results from the ranks.
std::string to_string(const ArrayIndex& index);

// The consistent start of a run with other numbers, or at another time, if the ranks there are the same.
std::variant<State, NoConsistentStart> start_on(const ArraySystem& system, const Model& numbers, double t);

}  // namespace driftless
