// The user's equations in terms of slots: definitions are written out, except those of chosen leaves, which stay
// symbols. Reduced::rows eliminate every definition; the mass matrix of a mechanical model, for example, can only be
// read off before the accelerations are eliminated.
#pragma once

#include <map>
#include <set>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

class Expansion {
 public:
  Expansion(const Reduced& reduced, const std::set<NodeId>& symbols);

  NodeId operator()(EqnId equation, int level);  // the residual, differentiated `level` times

 private:
  const Reduced& reduced_;
  Pool& pool_;
  TimeDerivative derivative_;
  std::map<NodeId, NodeId> written_out_;  // defined leaves
  Substitution substitution_;
};

}  // namespace driftless
