#include "driftless/structure/matching.hpp"

#include "driftless/structure/hopcroft_karp.hpp"

namespace driftless::structure {

Matching maximum_matching(const Signature& signature) {
  Matching matching(signature.rows(), signature.cols());
  HopcroftKarp(signature, matching, [](Row, const Entry&) { return true; }).run();
  return matching;
}

}  // namespace driftless::structure
