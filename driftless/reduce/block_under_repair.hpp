// A model under repair (repair.hpp) and the block that is being examined: its part of the system Jacobian as
// expressions, and generic points at which expressions are tested for being zero. Both conversions use this.
//
// Invariant: `state.differentiations` and `state.replaced` have an element for every equation of the model, and
// `state.least` for every variable.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/model/model.hpp"
#include "driftless/reduce/cancellation.hpp"
#include "driftless/reduce/differentiation_index.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/vanishing_combination.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless {

class BlockUnderRepair {
 public:
  // The equations of the model are copied; its pool is shared.
  BlockUnderRepair(const Model& model, structure::Structure shape);

  // The data that conversions change, kept so that a conversion can be undone.
  struct State {
    std::shared_ptr<Model> model;
    std::vector<int> least;  // orders of derivatives that the user's equations contain, by variable
    std::vector<Differentiations> differentiations;
    std::vector<bool> replaced;
    std::vector<std::string> steps;
  };
  State state;
  structure::Structure shape;

  // Selects a block, with the present values of the parameters or for all values.
  void look_at(structure::Block looked_at, bool with_present_values);

  // Of the selected block:
  structure::Block block;
  std::vector<GenericPoint> points;
  ExpressionRows rows, columns;  // of the system Jacobian
  bool with_values = false;      // the present values of the parameters are part of the structure

  Pool& pool() const { return *state.model->pool; }
  int c(int i) const { return shape.offsets.c[i]; }
  int d(int j) const { return shape.offsets.d[j]; }
  int equation_at(int place) const { return index(block.rows[place]); }
  int variable_at(int place) const { return index(block.cols[place]); }
  bool is_constant(NodeId factor) const { return pool()[factor].op == Op::Constant; }
  // Does an expression depend on a variable of the block with this many of its highest orders missing?
  bool depends_on_highest(NodeId expression, int missing) const;

  Cancellation cancellation() const { return {pool(), points}; }
  NodeId derivative(NodeId expression, int times) { return derivative_(expression, times); }
  NodeId with_present_values(NodeId expression);
  void set_points(const structure::Offsets& offsets);

  void replace(int i, NodeId residual, const std::string& text);
  // Records parameters whose present values were used to find a cancellation.
  void use_parameters_of(int equation);
  void note_values_used();

 private:
  void read_jacobian();

  TimeDerivative derivative_;  // all models here share one pool
  std::set<int> used_parameters_;
};

}  // namespace driftless
