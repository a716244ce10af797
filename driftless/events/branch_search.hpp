// The order in which branches of a mixed system are tried: relations and continuous equations that must agree.
//
// A combination gives each relation a value. With these the equations have a solution at which some relations disagree
// with their values, or no solution, because there are too many equations for some unknowns. From each combination the
// search continues with its neighbours, those of the most promising one first:
//
//   some disagree    all of them get their other values, then each of them alone
//   no solution      each relation alone gets its other value
//
// Promising are combinations with few relations that disagree and few equations too many, after few combinations
// without a solution. Changing relations that
// disagree one at a time is principal pivoting, which solves linear complementarity problems (Murty 1974); no
// combination is tried twice, so the search cannot cycle. When no neighbours are left, all other combinations of up to
// 12 relations follow, few changes before many.
#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace driftless {

class BranchSearch {
 public:
  using Values = std::vector<double>;  // one for each relation

  // `free`: the places that may change, in the order in which they are tried. At most `most` combinations are tried.
  BranchSearch(Values first, std::vector<std::size_t> free, int most);

  // The next combination; none if all have been tried, or as many as allowed.
  std::optional<Values> next();

  // Reports the result of a combination. `other`: places and the values that they have at the solution, the most
  // doubtful one last.
  void disagree(std::span<const std::pair<std::size_t, double>> other);
  // `excess`: how many equations are too many; `involved`: places on which these depend, if known.
  void has_no_solution(int excess, std::span<const std::size_t> involved = {});

  int tried() const { return tried_; }
  bool tried_all() const { return is_complete_; }

 private:
  struct Candidate {
    int measure = 0;  // smaller: more promising
    long number = 0;  // in the order of discovery: of equal measure the last one is tried first
    Values values = {};
    int disagreeing = 0;  // relations, at the last combination on the way here that has a solution
    int depth = 0;        // combinations without a solution since then
    bool operator<(const Candidate& other) const {
      return std::pair(other.measure, number) < std::pair(measure, other.number);
    }
  };
  void add(int measure, Values values, int disagreeing, int depth);
  bool take_remaining();

  std::vector<std::size_t> free_;
  int most_, tried_ = 0;
  long met_ = 0;
  bool is_complete_ = false;
  Values first_;
  Candidate last_;
  std::priority_queue<Candidate> queue_;
  std::set<Values> known_;
  std::vector<std::uint32_t> remaining_;  // combinations of all free relations, the last one first
  bool remaining_are_known_ = false;
};

}  // namespace driftless
