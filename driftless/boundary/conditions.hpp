// The conditions of a boundary value problem: those of the model for its start (fixed starts and initial equations) and
// for its end (final equations), as functions of the unknowns of a point (point_equations.hpp).
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "driftless/boundary/point_equations.hpp"
#include "driftless/compile/kernel.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless::boundary {

enum class End { Start, Stop };

struct Condition {
  End end = End::Start;
  int fixed = -1;   // the variable whose start is fixed; -1: an equation
  NodeId residual;  // leaves are slots and rates; of a fixed start the value alone
  SourceRange range;
  std::string text;  // "line 7: v = 0", "the fixed start x = 1"
  std::vector<std::pair<Quantity, NodeId>> gradient = {};
};

class Conditions {
 public:
  // Precondition: the pool of the model takes new expressions.
  explicit Conditions(const Reduced& reduced);

  // Precondition: no condition has a derivative that the equations do not determine (well_posed.hpp).
  void compile(const CompiledSystem& system);

  const std::vector<Condition>& at(End end) const { return end == End::Start ? start_ : stop_; }
  std::size_t size() const { return start_.size() + stop_.size(); }

  // Residuals and their derivatives by all unknowns of the point. False if some value does not exist.
  bool evaluate(PointEquations& equations, End end, double t, const Eigen::VectorXd& u, Eigen::VectorXd& residuals,
                Eigen::MatrixXd* gradient = nullptr) const;

 private:
  void differentiate(std::vector<Condition>& conditions);

  std::shared_ptr<Pool> pool_;
  std::vector<Condition> start_, stop_;
  Kernels kernels_;  // residuals then derivatives, of each end
};

}  // namespace driftless::boundary
