// The order in which the unknowns of a large sparse matrix are eliminated in groups, the fronts of the multifrontal
// method (Duff, Reid 1983), by the pattern of A + A^T.
//
// An order with little fill comes from AMD (Amestoy, Davis, Duff 1996), or from nested dissection by METIS (Karypis,
// Kumar 1998) where that saves more operations than it takes to find it. The elimination tree of that order gives the
// dependences (Liu 1990); successive unknowns that fill the same places form a front, and a front joins its parent
// where that adds few zeros (Ashcraft, Grimes 1989).
#pragma once

#include <span>
#include <vector>

#include "driftless/linear/pattern.hpp"

namespace driftless::linear {

struct FrontTree {
  // The unknowns at the places first, ..., first + pivots - 1 are eliminated together.
  struct Front {
    int first, pivots;
    int parent;  // -1: none
  };

  std::vector<int> order;     // the unknown at each place
  std::vector<Front> fronts;  // children before their parents; those of one part follow each other, the last part first
  std::vector<int> starts{0}, places;  // of each front: the later places that its elimination fills, ascending
};

// `part` of each unknown; entries between different parts are ignored.
FrontTree make_front_tree(const Pattern& pattern, std::span<const int> part);

}  // namespace driftless::linear
