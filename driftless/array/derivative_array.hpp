// The derivative array of a model: all its equations with all their time derivatives up to the order m,
//
//   F = 0, dF/dt = 0, ..., d^m F/dt^m = 0,
//
// as algebraic equations in the variables and their derivatives. With h_j the highest order of a derivative of x_j in
// the equations, its unknowns are of three kinds:
//
//   below  x_j^(k), k < h_j            possible states
//   top    x_j^(h_j)                   the highest derivatives in the model
//   above  x_j^(k), h_j < k <= h_j + m
//
// Its rows are followed by the initial equations of the model, which hold at the start only.
#pragma once

#include <memory>
#include <vector>

#include <Eigen/Sparse>

#include "driftless/compile/kernel.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

enum class ArrayPart { Below, Top, Above };

class DerivativeArray {
 public:
  // The pool of the model takes new expressions.
  DerivativeArray(std::shared_ptr<const Model> model, int differentiations);

  const Model& model() const { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const { return model_; }
  int differentiations() const { return differentiations_; }
  const std::vector<DerivedEquation>& rows() const { return rows_; }  // level by level
  int initial_equations() const { return static_cast<int>(model_->initial_equations.size()); }
  const std::vector<Quantity>& unknowns() const { return unknowns_; }  // ascending
  int unknown_of(Quantity q) const { return first_[index(q.variable)] + q.order; }
  int highest_order(VarId variable) const { return highest_[index(variable)]; }
  ArrayPart part_of(Quantity q) const;
  int count(ArrayPart part) const;

  // The number of an initial equation that cannot be used because it has a derivative that is none of the unknowns, or
  // -1.
  int initial_equation_beyond() const { return beyond_; }

  // As functions of numbers, interpreted: rows, then initial equations. Parameters are those of `numbers`.
  struct Values {
    Eigen::VectorXd residual;
    Eigen::SparseMatrix<double> jacobian;
    bool exist() const { return residual.allFinite() && jacobian.coeffs().allFinite(); }
  };
  Eigen::VectorXd residual(const Model& numbers, double t, const Eigen::VectorXd& unknowns) const;
  Values evaluate(const Model& numbers, double t, const Eigen::VectorXd& unknowns) const;

 private:
  void compile_kernels();
  std::vector<double> inputs(const Model& numbers, double t, const Eigen::VectorXd& unknowns) const;

  std::shared_ptr<const Model> model_;
  int differentiations_;
  std::vector<int> highest_, first_;
  std::vector<Quantity> unknowns_;
  std::vector<DerivedEquation> rows_;
  int beyond_ = -1;
  struct Entry {
    int row, col;
  };
  std::vector<Entry> entries_;
  Kernels kernels_;  // residuals, derivatives
};

}  // namespace driftless
