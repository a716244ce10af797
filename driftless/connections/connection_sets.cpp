#include "driftless/connections/connection_sets.hpp"

#include <cassert>

#include "driftless/connections/union_find.hpp"

namespace driftless::connections {
namespace {

// Faces as numbers: inside and outside of leaf 0, of leaf 1, ...
int number_of(Face face) { return 2 * face.leaf + (face.side == Side::Outside ? 1 : 0); }
Face face_of(int number) { return {number / 2, number % 2 == 0 ? Side::Inside : Side::Outside}; }

}  // namespace

std::vector<ConnectionSet> connection_sets(std::span<const Kind> kinds, std::span<const Pair> pairs) {
  const std::size_t faces = 2 * kinds.size();
  UnionFind classes(faces);
  for (const Pair& pair : pairs) {
    assert(kinds[static_cast<std::size_t>(pair.a.leaf)] == kinds[static_cast<std::size_t>(pair.b.leaf)]);
    classes.unite(number_of(pair.a), number_of(pair.b));
  }
  std::vector<int> sizes(faces, 0), place(faces, -1);
  for (std::size_t face = 0; face < faces; ++face)
    ++sizes[static_cast<std::size_t>(classes.root(static_cast<int>(face)))];
  std::vector<ConnectionSet> sets;
  for (std::size_t face = 0; face < faces; ++face) {
    const auto root = static_cast<std::size_t>(classes.root(static_cast<int>(face)));
    const Kind kind = kinds[face / 2];
    const bool alone = sizes[root] == 1;
    if (alone && (kind != Kind::Flow || face % 2 == 1)) continue;
    if (place[root] < 0) {
      place[root] = static_cast<int>(sets.size());
      sets.push_back({kind, {}});
      sets.back().faces.reserve(static_cast<std::size_t>(sizes[root]));
    }
    sets[static_cast<std::size_t>(place[root])].faces.push_back(face_of(static_cast<int>(face)));
  }
  return sets;
}

std::vector<std::pair<int, int>> equalities(const ConnectionSet& potentials) {
  std::vector<std::pair<int, int>> list;
  const int first = potentials.faces.front().leaf;
  int last = first;  // the faces of one variable are adjacent
  for (const Face& face : potentials.faces) {
    if (face.leaf != last) list.emplace_back(first, face.leaf);
    last = face.leaf;
  }
  return list;
}

std::vector<SignedLeaf> flow_sum(const ConnectionSet& flows) {
  std::vector<SignedLeaf> terms;
  for (const Face& face : flows.faces) {
    if (!terms.empty() && terms.back().leaf == face.leaf)
      terms.pop_back();
    else
      terms.push_back({face.leaf, face.side == Side::Inside ? 1 : -1});
  }
  return terms;
}

std::vector<Face> sources(const ConnectionSet& set, std::span<const Causality> causality) {
  std::vector<Face> list;
  for (const Face& face : set.faces) {
    const Causality written = causality[static_cast<std::size_t>(face.leaf)];
    if (written == (face.side == Side::Inside ? Causality::Output : Causality::Input)) list.push_back(face);
  }
  return list;
}

}  // namespace driftless::connections
