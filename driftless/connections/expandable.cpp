#include "driftless/connections/expandable.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "driftless/connections/union_find.hpp"

namespace driftless::connections {
namespace {

using Key = std::pair<int, int>;  // an augmentation set and a name

bool drives(const Use& use) {
  return use.causality == (use.side == Side::Inside ? Causality::Output : Causality::Input);
}

class Expander {
 public:
  explicit Expander(const ExpandableConnectors& input)
      : input_(input), sets_(static_cast<std::size_t>(input.connectors)) {}

  Expansion run() && {
    for (const Whole& whole : input_.wholes) sets_.unite(whole.a, whole.b);
    join_nested();
    find_endless();
    if (result_.endless.empty()) create_nested();
    find_members();
    find_drivers();
    for (int k = 0; k < static_cast<int>(sets_.size()); ++k) result_.set_of.push_back(sets_.root(k));
    return std::move(result_);
  }

 private:
  // Nested connectors of one name in one set form one set. Joining them may give their own nested ones the same name,
  // so this is repeated until nothing changes; each round joins at least two sets, and the number of rounds is the
  // depth of nesting.
  void join_nested() {
    for (bool changed = true; changed;) {
      changed = false;
      std::map<Key, int> first;
      for (const Nested& one : input_.nested) {
        const auto [place, fresh] = first.emplace(Key{sets_.root(one.outer), one.name}, one.inner);
        if (!fresh && sets_.unite(place->second, one.inner)) changed = true;
      }
    }
  }

  // Removes sets without an outer set until none is left, or only those that contain themselves and sets inside these
  // (Kahn 1962).
  void find_endless() {
    std::map<int, std::vector<int>> inner_of;  // by set: places in `nested`
    std::map<int, int> outers;
    for (int k = 0; k < static_cast<int>(input_.nested.size()); ++k) {
      const Nested& one = input_.nested[static_cast<std::size_t>(k)];
      inner_of[sets_.root(one.outer)].push_back(k);
      ++outers[sets_.root(one.inner)];
    }
    std::vector<int> ready;
    for (const auto& [set, inner] : inner_of)
      if (!outers.contains(set)) ready.push_back(set);
    std::vector<bool> taken(input_.nested.size(), false);
    for (std::size_t k = 0; k < ready.size(); ++k)
      for (const int place : inner_of[ready[k]]) {
        taken[static_cast<std::size_t>(place)] = true;
        const int set = sets_.root(input_.nested[static_cast<std::size_t>(place)].inner);
        if (--outers[set] == 0) ready.push_back(set);
      }
    for (std::size_t place = 0; place < taken.size(); ++place)
      if (!taken[place]) result_.endless.push_back(static_cast<int>(place));
  }

  // Every connector of a set gets the nested connectors of the others, and so does a connector that is created here.
  void create_nested() {
    std::map<Key, bool> having;  // connector and name
    std::map<Key, bool> known;   // set and name
    std::map<int, std::vector<const Nested*>> names_of;
    for (const Nested& one : input_.nested) {
      const int set = sets_.root(one.outer);
      having.emplace(Key{one.outer, one.name}, true);
      if (known.emplace(Key{set, one.name}, true).second) names_of[set].push_back(&one);
    }
    for (int connector = 0; connector < static_cast<int>(sets_.size()); ++connector) {
      const auto names = names_of.find(sets_.root(connector));
      if (names == names_of.end()) continue;
      for (const Nested* model : names->second) {
        if (having.contains({connector, model->name})) continue;
        const int fresh = static_cast<int>(sets_.size());
        sets_.grow(sets_.size() + 1);
        sets_.unite(fresh, model->inner);
        result_.created.push_back({connector, model->name, fresh});
      }
    }
  }

  void find_members() {
    std::map<int, std::vector<int>> origins;  // by set: the first use of each name
    std::map<Key, bool> seen;
    for (int k = 0; k < static_cast<int>(input_.uses.size()); ++k) {
      const Use& use = input_.uses[static_cast<std::size_t>(k)];
      const int set = sets_.root(use.connector);
      if (seen.emplace(Key{set, use.name}, true).second) origins[set].push_back(k);
    }
    for (int connector = 0; connector < static_cast<int>(sets_.size()); ++connector) {
      const auto names = origins.find(sets_.root(connector));
      if (names == origins.end()) continue;
      for (const int origin : names->second)
        result_.members.push_back({connector, input_.uses[static_cast<std::size_t>(origin)].name, origin});
    }
  }

  void find_drivers() {
    struct Ends {
      int first = -1;  // the first use with a causality
      std::vector<int> driving;
    };
    std::map<Key, Ends> ends;
    for (int k = 0; k < static_cast<int>(input_.uses.size()); ++k) {
      const Use& use = input_.uses[static_cast<std::size_t>(k)];
      if (use.causality == Causality::Acausal) continue;
      Ends& of_member = ends[{sets_.root(use.connector), use.name}];
      if (of_member.first < 0) of_member.first = k;
      if (drives(use)) of_member.driving.push_back(k);
    }
    for (auto& [member, found] : ends) {
      if (found.driving.empty()) result_.undriven.push_back(found.first);
      if (found.driving.size() > 1) result_.driven_twice.push_back(std::move(found.driving));
    }
    std::ranges::sort(result_.undriven);
    std::ranges::sort(result_.driven_twice);
  }

  const ExpandableConnectors& input_;
  UnionFind sets_;
  Expansion result_;
};

}  // namespace

Expansion expand(const ExpandableConnectors& input) { return Expander(input).run(); }

}  // namespace driftless::connections
