// Consistent initial values: every equation at every level, every fixed value and every initial equation holds, and the
// guesses are moved as little as possible.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "driftless/reduce/reduced.hpp"

namespace driftless {

// A consistent point: y and y' of the reduction.
struct State {
  double t = 0.0;
  std::vector<double> y, yp;
  std::vector<std::string> remarks;     // e.g. which guesses replaced missing conditions
  int degrees_of_freedom = 0;           // from numerical ranks where the structure is misleading, otherwise structural
  bool index_one = true;                // implicit systems: y' is determined (1-fullness), so the index is 1
  std::vector<double> parameters = {};  // all of the model if some were computed at the start, otherwise empty
};

// The reason why there is no start.
struct NoConsistentStart {
  std::string message;
  std::vector<std::string> details;
  bool evaluation_failed = false;
  Code code = Code::StartNotFound;
};

// Another way to find a guess, tried if the iteration fails: from y and y' at the guesses to a point at which the rows
// of the reduction hold, with the states held. False if it finds none.
using LeadToRows = std::function<bool(const Reduced& reduced, double t, std::span<double> y, std::span<double> yp)>;

// Initial equations that cannot be used are reported in the diagnostics.
std::variant<State, NoConsistentStart> initialize(const Reduced& reduced, double t, Diagnostics& diagnostics,
                                                  const LeadToRows& lead = {});

// The equations of the start, made once for any number of runs and threads.
struct InitialProblem;
class StartEquations {
 public:
  explicit StartEquations(std::shared_ptr<const Reduced> reduced);

  // As initialize, with the numbers of a run. Nothing if these equations do not suffice: for starts or bounds that
  // differ from the model's, if the iteration fails, or if homotopy is needed.
  std::optional<State> find(const Model& numbers, double t) const;

 private:
  std::shared_ptr<const Reduced> given_, reduced_;
  std::shared_ptr<const InitialProblem> problem_;  // null: the initial equations cannot be used
};

// Extends a consistent state of the base to a formulation by the slots that it adds.
State extended(State base, const Reduced& formulation);

}  // namespace driftless
