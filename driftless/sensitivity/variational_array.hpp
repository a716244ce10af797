// The equations of a model with all the derivatives that its structure requires, 0 = f_i^(l) with l = 0, ..., c_i, as
// functions of all quantities x_j^(k) with k = 0, ..., d_j, and their partial derivatives along a trajectory.
//
// Differentiated with respect to a parameter p these equations are linear in the sensitivities s = dq/dp,
//
//   ∂f/∂q s + ∂f/∂p = 0,
//
// and contain the differentiated hidden constraints as well: their solutions are consistent at every level. They leave
// as many components of s undetermined as the model has states (docs/sensitivities.md).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless::sensitivity {

class VariationalArray {
 public:
  // `moves`: the parameters with respect to which derivatives are needed. `extra`: levels beyond those of the
  // structure. Throws NotAvailable for equations that cannot be differentiated this often.
  VariationalArray(const std::shared_ptr<const Model>& model, const structure::Offsets& offsets,
                   const std::vector<bool>& moves, int extra, Backend backend);

  int rows() const { return rows_; }
  int cols() const { return static_cast<int>(quantities_.size()); }
  const std::vector<Quantity>& quantities() const { return quantities_; }  // ascending
  int place(Quantity q) const;                                             // -1: there is none
  bool is_highest(int col) const { return highest_[static_cast<std::size_t>(col)]; }
  // Do the partial derivatives, or the switches, depend on this quantity?
  bool bends(int col) const { return bends_[static_cast<std::size_t>(col)]; }
  double nominal(int col) const { return nominal_[static_cast<std::size_t>(col)]; }
  std::string name(int col) const;
  const Model& model() const { return *model_; }

  struct Entry {
    int row, col;
  };
  const std::vector<Entry>& entries() const { return entries_; }                      // of ∂f/∂q
  const std::vector<Entry>& parameter_entries() const { return parameter_entries_; }  // of ∂f/∂p: col is a parameter
  const std::vector<int>& time_rows() const { return time_rows_; }                    // rows with ∂f/∂t

  struct Point {
    std::vector<double> slopes, of_parameters, of_time;
    std::vector<double> switches;  // of relations and the like in the equations that cause no events
  };
  void evaluate(double t, std::span<const double> parameters, std::span<const double> quantities, Point& point);
  NodeId switch_at(std::size_t k) const { return switches_[k]; }
  std::string text_of_switch(std::size_t k) const;

  const std::vector<double>& residual(double t, std::span<const double> parameters, std::span<const double> quantities);

 private:
  void add_quantities(const structure::Offsets& offsets, int extra);
  void find_switches(const structure::Offsets& offsets);
  void find_bends(const std::vector<NodeId>& partial_derivatives);
  void load(double t, std::span<const double> parameters, std::span<const double> quantities);

  std::shared_ptr<const Model> model_;
  std::vector<Quantity> quantities_;
  std::vector<bool> highest_, bends_;
  std::vector<double> nominal_;
  std::vector<Entry> entries_, parameter_entries_;
  std::vector<int> time_rows_;
  std::vector<NodeId> switches_;
  int rows_ = 0;
  Kernels kernels_;  // partial derivatives and switches, residuals
  std::vector<double> inputs_, outputs_, work_, residual_;
};

}  // namespace driftless::sensitivity
