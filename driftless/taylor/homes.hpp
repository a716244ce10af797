// Which operations are computed for which class of equations (recurrences.hpp). A nonlinear operation that several
// classes need is assigned to the highest of them, its home, which is computed first; linear ones are computed in each
// class.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "driftless/taylor/operations.hpp"

namespace driftless::taylor {

class Homes {
 public:
  // Classes are numbered from the highest on. The operations must outlive this.
  Homes(Operations& operations, int classes) : operations_(&operations), classes_(classes) {}

  // Declares that the coefficients of this expression, and those of its operands, are needed in this class.
  void need(NodeId expression, int cls);

  // Precondition: it is nonlinear and needed.
  int at(NodeId operation) const { return home_.at(operation); }

 private:
  Operations* operations_;
  int classes_;
  std::map<NodeId, int> home_;
  std::set<std::pair<NodeId, int>> linear_;  // and the classes they are needed in
};

}  // namespace driftless::taylor
