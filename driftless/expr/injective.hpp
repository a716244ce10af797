// Do equations have at most one solution in their domain?
//
// Let F be functions of as many unknowns, on a domain that is convex. For two points a and b
//
//   F(a) - F(b) = M (a - b),   where M is the mean of the Jacobian of F on the straight line from b to a.
//
// The entries of the Jacobian are sums of terms. The mean of a term lies within its bounds, and it is the same wherever
// the term occurs. So det M is a sum of products of such means: if all of these products have the same sign, and one is
// not 0, then M is regular, and F(a) = F(b) only where a = b. That is so for networks of resistors and diodes, whose
// determinants are sums over spanning trees, and not for a tunnel diode.
//
// True is a proof; false means only that this test did not succeed.
#pragma once

#include <functional>
#include <vector>

#include "driftless/expr/interval.hpp"

namespace driftless {

struct MapOfUnknowns {
  struct Slope {
    int function, unknown;
    NodeId derivative;
  };
  std::vector<NodeId> functions;
  std::vector<NodeId> unknowns;  // leaves, ascending
  std::vector<Slope> slopes;     // the entries of the Jacobian; columns in any order
};

// `of_leaf`: the bounds of a leaf in the domain; equal bounds for constants.
bool is_injective(const Pool& pool, const MapOfUnknowns& equations,
                  const std::function<Interval(const Node&)>& of_leaf);

}  // namespace driftless
