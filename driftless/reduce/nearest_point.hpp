// Some equations of a model as functions of the quantities in them, and points with the smallest residuals of any
// selection of them: damped Gauss-Newton steps, each equation in units of its own slopes. Derivatives are independent
// unknowns; time is the start of the experiment. The equations are turned into a list of operations once, so that many
// selections can be tried.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Sparse>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

class NearestPoint {
 public:
  NearestPoint(const Model& model, const std::vector<EqnId>& equations);

  // A point has all quantities; those that occur only in equations not selected keep their values.
  struct Found {
    Eigen::VectorXd point;
    double missed = HUGE_VAL;  // the size of the residual in units of the slopes; infinite if there is no value
    bool holds() const { return missed <= satisfied; }
    bool exists() const { return std::isfinite(missed); }
  };
  static constexpr double satisfied = 1e-9;

  int equations() const { return static_cast<int>(rows_.size()); }
  // The starts of the model for attempt 0, and other reproducible guesses.
  Eigen::VectorXd guess(int attempt) const;
  // `selected`: equations, ascending, as places in the list of the constructor.
  Found from(Eigen::VectorXd point, const std::vector<int>& selected);

  double residual(int equation, const Eigen::VectorXd& point);
  // The residual of each selected equation, in units of its slopes.
  Eigen::VectorXd missed(const std::vector<int>& selected, const Eigen::VectorXd& point);
  // The quantities in these equations, by name.
  std::vector<std::pair<std::string, double>> named(const std::vector<int>& selected,
                                                    const Eigen::VectorXd& point) const;

 private:
  struct Operation {
    NodeId node;
    Op op;
    std::array<int, 3> operands;  // places of values
    int quantity = -1;            // of a leaf that is an unknown
  };
  struct Row {
    std::vector<int> operations;                 // places, operands first
    int value = 0;                               // the place of the residual,
    std::vector<std::pair<int, int>> by_column;  // and of its slopes, by column
  };
  // The selected rows, scaled by their largest slope, with columns in units of the quantities.
  struct Linear {
    Eigen::VectorXd residual;
    Eigen::SparseMatrix<double> slopes;
    bool exists = false;
  };

  int place_of(NodeId node);
  void append(Row& row, NodeId expression);
  void evaluate(const Row& row, const Eigen::VectorXd& point);
  double call(const Operation& operation) const;
  double unit(int column, const Eigen::VectorXd& point) const;
  double scale_of(const Row& row, const Eigen::VectorXd& point) const;
  void take_columns(const std::vector<int>& selected);
  Linear linearize(const std::vector<int>& selected, const Eigen::VectorXd& point);
  double size_at(const std::vector<int>& selected, const Eigen::VectorXd& point);

  const Model& model_;
  std::vector<NodeId> quantities_;
  std::vector<double> nominal_;
  std::map<NodeId, int> column_, place_;
  std::vector<Operation> operations_;
  std::vector<double> values_;
  std::vector<Row> rows_;
  std::vector<int> local_, global_;  // columns of the present selection
};

}  // namespace driftless
