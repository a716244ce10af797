// Which variables and equations belong to one clock: those connected by equations, except through operators that lead
// from one clock to another (Modelica 3.6, Section 16.7).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

class ClockPartitions {
 public:
  explicit ClockPartitions(Elaboration& all);

  // Partitions are numbers below size(); most of them are parts of the continuous equations, or of the discrete ones
  // that no clock has.
  std::size_t size() const { return parent_.size(); }
  bool is_clocked(std::size_t partition) const { return clocked_[partition]; }
  std::size_t of_variable(std::size_t variable) { return root(variable); }
  std::size_t of_discrete(std::size_t place) { return root(variables_ + place); }
  std::size_t of_mark(std::size_t mark) { return root(variables_ + discrete_ + mark); }
  // Nothing for expressions of parameters and time alone.
  std::optional<std::size_t> of_expression(NodeId expression);
  std::optional<std::size_t> of_equation(const DiscreteEquation& equation);
  // Marks that occur in the model, in their order.
  const std::vector<std::size_t>& marks() const { return used_; }

 private:
  std::size_t root(std::size_t member);
  void unite(std::span<const std::size_t> members);
  void members_of(NodeId expression, std::vector<std::size_t>& members);
  void take(NodeId left, std::optional<NodeId> right = {});
  void take_clauses();
  void take_mark(std::size_t mark);

  Elaboration& all_;
  std::size_t variables_, discrete_;
  std::vector<std::size_t> parent_;
  std::vector<bool> clocked_, known_;  // by roots in the end; marks met so far
  std::vector<std::size_t> used_;
};

}  // namespace driftless::language
