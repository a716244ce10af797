#include "driftless/language/semi_linear.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "driftless/language/elaboration.hpp"

namespace driftless::language {

namespace {

// Variables that are equal, opposite or zero by equations whose terms are variables: a = b, a + b = 0, a + b + c = 0
// where c is zero.
class Equals {
 public:
  explicit Equals(const Model& model) : pool_(*model.pool), of_(model.variables.size()) {
    for (std::size_t v = 0; v < of_.size(); ++v) of_[v] = {v, 1};
    is_zero_.assign(of_.size(), false);
    std::vector<Sum> open;
    for (const Equation& equation : model.equations)
      if (auto sum = sum_of(equation.residual)) open.push_back(std::move(*sum));
    for (bool again = true; again;) {
      again = false;
      std::erase_if(open, [&](const Sum& sum) {
        const bool taken = take(sum);
        again = again || taken;
        return taken;
      });
    }
  }

  struct Signed {
    std::size_t root;
    int sign;
  };
  // Nothing for zero, and for nodes that are neither a variable nor its negation.
  std::optional<Signed> of(NodeId node) {
    int sign = 1;
    if (pool_[node].op == Op::Neg) sign = -1, node = NodeId{pool_[node].a};
    if (pool_[node].op != Op::Variable || pool_[node].b != 0) return std::nullopt;
    const Signed found = root_of(pool_[node].a);
    if (is_zero_[found.root]) return std::nullopt;
    return Signed{found.root, sign * found.sign};
  }

  bool is_zero(NodeId node) {
    if (pool_[node].op == Op::Neg) node = NodeId{pool_[node].a};
    if (pool_[node].op != Op::Variable || pool_[node].b != 0) return pool_.is_constant(node, 0.0);
    return is_zero_[root_of(pool_[node].a).root];
  }

 private:
  using Sum = std::vector<Signed>;

  std::optional<Sum> sum_of(NodeId residual) const {
    constexpr std::size_t most = 8;  // terms: longer sums do not relate two variables
    Sum sum;
    std::vector<std::pair<NodeId, int>> open{{residual, 1}};
    while (!open.empty()) {
      const auto [id, sign] = open.back();
      open.pop_back();
      const Node& node = pool_[id];
      switch (node.op) {
        case Op::Variable:
          if (node.b != 0 || sum.size() == most) return std::nullopt;
          sum.push_back({node.a, sign});
          break;
        case Op::Neg: open.emplace_back(node.operand(0), -sign); break;
        case Op::Add:
        case Op::Sub:
          open.emplace_back(node.operand(0), sign);
          open.emplace_back(node.operand(1), node.op == Op::Add ? sign : -sign);
          break;
        default: return std::nullopt;
      }
    }
    return sum;
  }

  Signed root_of(std::size_t variable) {
    Signed at{variable, 1};
    while (of_[at.root].root != at.root) at = {of_[at.root].root, at.sign * of_[at.root].sign};
    return of_[variable] = at;
  }

  // False if the sum does not relate variables yet.
  bool take(const Sum& sum) {
    std::map<std::size_t, int> terms;
    for (const Signed& term : sum) {
      const Signed found = root_of(term.root);
      if (!is_zero_[found.root]) terms[found.root] += term.sign * found.sign;
    }
    std::erase_if(terms, [](const auto& term) { return term.second == 0; });
    if (terms.size() > 2) return false;
    if (terms.size() == 1) is_zero_[terms.begin()->first] = true;
    if (terms.size() != 2) return true;
    const auto& [a, factor] = *terms.begin();
    const auto& [b, other] = *terms.rbegin();
    if (std::abs(factor) != std::abs(other)) return false;
    of_[b] = {a, factor == other ? -1 : 1};
    return true;
  }

  const Pool& pool_;
  std::vector<Signed> of_;
  std::vector<bool> is_zero_;
};

// y = semiLinear(x, from, to) in the direction of the chain.
struct Link {
  std::size_t equation;
  NodeId x, y, from, to;
};

class Chains {
 public:
  explicit Chains(Elaboration& all) : all_(all), pool_(all.pool), equals_(all.model) {}

  void replace() {
    for (std::size_t k = 0; k < all_.model.equations.size(); ++k) add_link(k);
    for (const auto& [key, links] : groups_)
      if (links.size() > 1) replace(links);
  }

 private:
  void add_link(std::size_t k) {
    const Node& residual = pool_[all_.model.equations[k].residual];
    if (residual.op != Op::Sub) return;
    for (const int side : {0, 1}) {
      const auto known = all_.semi_linears.find(residual.operand(side));
      if (known == all_.semi_linears.end()) continue;
      const SemiLinear& of = known->second;
      const NodeId left = residual.operand(1 - side);
      if (const NodeId sides = pool_.sub(of.positive, of.negative);
          equals_.is_zero(left) && equals_.is_zero(of.x) && !pool_.is_constant(sides)) {
        all_.model.equations[k].residual = sides;
        return;
      }
      const auto y = equals_.of(left), x = equals_.of(of.x);
      if (!x || !y) continue;
      // semiLinear(-x, a, b) = -semiLinear(x, b, a)
      const bool turned = x->sign < 0;
      Link link{k, of.x, left, of.positive, of.negative};
      if (turned) link = {k, pool_.neg(of.x), pool_.neg(left), of.negative, of.positive};
      groups_[{y->root, x->root, x->sign * y->sign}].push_back(link);
    }
  }

  // Equal potentials have the same place.
  std::pair<bool, std::uint64_t> place_of(NodeId potential) {
    const auto known = equals_.of(potential);
    if (known && known->sign > 0) return {true, known->root};
    return {false, static_cast<std::uint64_t>(potential)};
  }

  void replace(const std::vector<Link>& links) {
    std::map<std::pair<bool, std::uint64_t>, std::vector<std::size_t>> leaving, entering;
    for (std::size_t k = 0; k < links.size(); ++k) {
      leaving[place_of(links[k].from)].push_back(k);
      entering[place_of(links[k].to)].push_back(k);
    }
    for (const auto* ends : {&leaving, &entering})
      for (const auto& [place, list] : *ends)
        if (list.size() > 1) return;  // parts in parallel, not in series
    for (std::size_t first = 0; first < links.size(); ++first) {
      if (entering.contains(place_of(links[first].from))) continue;
      std::vector<std::size_t> chain{first};
      for (auto next = leaving.find(place_of(links[first].to)); next != leaving.end();
           next = leaving.find(place_of(links[chain.back()].to)))
        chain.push_back(next->second.front());
      if (chain.size() > 1) replace(links, chain);
    }
  }

  void replace(const std::vector<Link>& links, const std::vector<std::size_t>& chain) {
    const Link& first = links[chain.front()];
    const NodeId a = first.from, b = links[chain.back()].to, x = first.x;
    const NodeId is_backward = pool_.binary(Op::Less, x, pool_.zero());
    const auto set = [&](const Link& link, NodeId residual) {
      all_.model.equations[link.equation].residual = residual;
    };
    set(first, pool_.sub(first.y, pool_.if_else(is_backward, pool_.mul(b, x), pool_.mul(a, x))));
    for (std::size_t k = 1; k < chain.size(); ++k)
      set(links[chain[k]], pool_.sub(links[chain[k]].from, pool_.if_else(is_backward, b, a)));
  }

  Elaboration& all_;
  Pool& pool_;
  Equals equals_;
  std::map<std::tuple<std::size_t, std::size_t, int>, std::vector<Link>> groups_;
};

}  // namespace

void replace_semi_linear_chains(Elaboration& all) {
  if (!all.semi_linears.empty() && !all.has_errors()) Chains(all).replace();
}

}  // namespace driftless::language
