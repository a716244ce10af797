// The equations of consistent initial values: all levels of all equations, and the user's conditions.
//
// Unknowns are the slots and rates of the reduction (and, where initial equations need them or the reduction is
// implicit, further derivatives), defined quantities whose start the user gave, and parameters with fixed = false.
// Conditions are `fixed = true` starts and initial equations. All other starts that the user gave are wishes: the grade
// of an unknown is the priority of holding it at its start.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

// From unknowns that are released first to those held as long as possible. Within a grade the better conditioned choice
// decides.
namespace start_grade {
inline constexpr int follows = 0;        // algebraic unknowns, highest derivatives
inline constexpr int guessed = 1;        // the same with a start: a guess for the iteration
inline constexpr int parameter = 2;      // fixed = false
inline constexpr int never = 3;          // stateSelect = never
inline constexpr int candidate = 10;     // possible states: + 10 per level below the highest derivative, + stateSelect
inline constexpr int with_start = 1000;  // added if the user gave the start
}  // namespace start_grade

struct InitialUnknown {
  Quantity quantity;  // of a parameter: the variable that represents it, numbered after those of the model
  int parameter = -1;
  double guess = 0.0;
  double reach = 1.0;  // where wishes contradict each other: how far the unknown moves at the same cost
  bool given = false;  // the user gave the guess
  double nominal = 1.0;
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  int grade = start_grade::follows;
  bool is_candidate() const { return grade >= start_grade::candidate; }
  bool is_wish() const { return grade >= start_grade::with_start; }
};

struct InitialRow {
  enum class Kind { Equation, Fixed, Initial };
  Kind kind = Kind::Equation;
  NodeId residual;  // over the unknowns' leaves only
  int source = 0;   // EqnId, VarId, or index of the initial equation
  int level = 0;
  // Of a row without unknowns, such as a condition on a quantity that an equation already gives: the terms of its
  // residual, which determine the size of its rounding errors.
  std::vector<NodeId> terms = {};
};

// Kernels of rows (rows.hpp), made once for all who solve them. Their name says what they are made of: residuals and
// unknowns. So a problem may share them with a copy that has other rows.
struct InitialProblem;
struct RowLayout;
class InitialKernels {
 public:
  using Name = std::vector<std::vector<std::int64_t>>;
  Kernels of(const Name& name, const std::function<Kernels()>& make);

  // Of these parts of the rows. The last ones that were asked for are remembered: runs ask for the same again and
  // again.
  std::shared_ptr<const RowLayout> layout_of(const InitialProblem& problem, const std::vector<std::vector<int>>& parts,
                                             const std::function<RowLayout()>& make);

 private:
  std::mutex making_, looking_;
  std::map<Name, Kernels> known_;
  std::array<std::shared_ptr<const RowLayout>, 8> latest_;
  std::size_t next_ = 0;  // to be forgotten
};

// Orders of solution that were found, by the rows and unknowns that an elimination has chosen or left (plan.hpp). Runs
// in several threads share them.
struct StartPlan;
class KnownPlans {
 public:
  std::shared_ptr<const StartPlan> find(const std::vector<std::int64_t>& name) const;
  void keep(std::vector<std::int64_t> name, std::shared_ptr<const StartPlan> plan);

 private:
  mutable std::mutex looking_;
  std::map<std::vector<std::int64_t>, std::shared_ptr<const StartPlan>> known_;
};

struct InitialProblem {
  std::shared_ptr<const Pool> pool;  // of the expressions below
  std::shared_ptr<InitialKernels> kernels = std::make_shared<InitialKernels>();
  std::shared_ptr<KnownPlans> plans = std::make_shared<KnownPlans>();
  std::vector<InitialUnknown> unknowns;
  std::vector<InitialRow> rows;
  std::vector<std::vector<std::pair<int, NodeId>>> gradients;  // per row: unknown and derivative
  int conditions = 0;                                          // rows that are not equations
  int degrees_of_freedom = 0;                                  // the required number of conditions
};

// Some rows and the unknowns that occur in them, as a problem of their own.
struct PartialProblem {
  InitialProblem problem;
  std::vector<int> rows, unknowns;  // of the whole
};
PartialProblem part_of(const InitialProblem& whole, std::vector<int> rows);

// The most levels of derivatives beyond the reduction that an initial equation may contain.
inline constexpr int most_extra_levels = 4;

InitialProblem make_initial_problem(const Reduced& reduced, Diagnostics& diagnostics);

// "line 7: x^2 + y^2 = L^2 (differentiated once)", "the fixed start x = 1", "initial equation line 9: ..."
std::string describe(const Reduced& reduced, const InitialRow& row);

// "x", "der(x)", or the name of a parameter.
std::string name_of(const Reduced& reduced, const InitialUnknown& unknown);

}  // namespace driftless
