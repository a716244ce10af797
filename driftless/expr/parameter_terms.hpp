// Terms of parameters alone, such as m*L^2/3, that are evaluated once for a run instead of in every call of a kernel.
#pragma once

#include <vector>

#include "driftless/expr/node_map.hpp"
#include "driftless/expr/pool.hpp"

namespace driftless {

class ParameterTerms {
 public:
  // Term k is the variable of number `first` + k, which no expression may contain before.
  ParameterTerms(Pool& pool, VarId first) : pool_(pool), first_(first) {}

  // The expression with the largest such terms replaced by variables. Single parameters and numbers stay.
  NodeId operator()(NodeId expression);

  const std::vector<NodeId>& terms() const { return terms_; }

 private:
  struct Seen {
    NodeId replaced{};
    bool fixed = false;  // no variable and no time in it
  };
  NodeId used(NodeId operand);

  Pool& pool_;
  VarId first_;
  NodeMap<Seen> seen_;
  NodeMap<NodeId> variable_of_;
  std::vector<NodeId> terms_;
};

}  // namespace driftless
