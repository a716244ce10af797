#include "driftless/model/jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/model/listing.hpp"

namespace driftless {
namespace {

constexpr int enough_points = 6;     // of a surface, on which the two sides agree
constexpr int most_points = 400;     // tried
constexpr double agreement = 1e-10;  // relative to the largest term of a sum
constexpr int highest_level = 3;     // derivatives beyond are not examined

bool is_relation(Op op) { return op >= Op::Less && op <= Op::NotEqual; }

bool switches(Op op) { return op == Op::Sign || op == Op::Floor || op == Op::Ceil || is_relation(op); }

// Points for testing an expression: near the start, of all sizes, near the numbers it contains.
class Sampler {
 public:
  Sampler(const Model& model, const Listing& listing) : model_(model) {
    const Pool& pool = *model.pool;
    for (const NodeId id : listing.nodes()) {
      const Node& node = pool[id];
      if (is_moving_leaf(node.op)) leaves_.push_back(id);
      if (node.op == Op::Constant) numbers_.push_back(pool.constant_value(id));
      if (node.op == Op::Parameter) numbers_.push_back(model.parameters[node.a].value);
    }
    std::erase_if(numbers_, [](double number) { return !std::isfinite(number); });
  }

  NodeMap<double> operator()() {
    NodeMap<double> point;
    for (const NodeId leaf : leaves_) point[leaf] = value_for(leaf);
    return point;
  }

  std::size_t pick(std::size_t n) { return static_cast<std::size_t>(generator_() % n); }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(generator_); }

  double value_for(NodeId leaf) {
    const Node& node = (*model_.pool)[leaf];
    const int kind = static_cast<int>(pick(10));
    if (node.op == Op::Time && kind < 5) return uniform(model_.experiment.start, model_.experiment.stop);
    const bool is_variable = node.op == Op::Variable;
    const double nominal = is_variable ? model_.variables[node.a].nominal : 1.0;
    const double start = is_variable && node.b == 0 ? model_.variables[node.a].start.value_or(0.0) : 0.0;
    if (kind < 7 && !numbers_.empty() && kind >= 4)
      return numbers_[pick(numbers_.size())] * (pick(2) ? 1.0 : -1.0) * uniform(0.5, 1.5);
    if (kind < 4) return start + nominal * uniform(-2.0, 2.0);
    return nominal * std::pow(10.0, uniform(-3.0, 4.0)) * (pick(2) ? 1.0 : -1.0);
  }

  const Model& model_;
  std::vector<NodeId> leaves_;
  std::vector<double> numbers_;
  std::mt19937 generator_{12345};
};

// One expression with its switches.
class Examination {
 public:
  Examination(const Model& model, NodeId expression)
      : model_(model), pool_(*model.pool), listing_(model, expression), sampler_(model, listing_) {}

  const Listing& listing() const { return listing_; }

  // The switches that can have an influence with the present parameters, without those in promised expressions.
  std::vector<NodeId> switches_outside(const NodeMap<bool>& promised) const {
    std::vector<NodeId> open{listing_.nodes().back()}, found;
    NodeMap<bool> seen;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (promised.contains(id) || !listing_.is_moving(id) || !seen.insert(id)) continue;
      if (switches(pool_[id].op)) found.push_back(id);
      listing_.push_deciding(id, true, open);
    }
    std::ranges::sort(found);
    return found;
  }

  std::optional<Jump> at(NodeId switching) {
    int agreed = 0;
    for (int n = 0; n < most_points && agreed < enough_points; ++n) {
      NodeMap<double> point = sampler_();
      const auto leaf = put_on_surface(switching, point);
      if (!leaf) continue;
      switch (compare(switching, point, *leaf)) {
        case Verdict::Jumps: return Jump{switching, 0, true, before_, after_};
        case Verdict::Agrees: ++agreed; break;
        case Verdict::Unknown: break;
      }
    }
    if (agreed >= enough_points / 2) return {};
    return Jump{switching, 0, false};
  }

 private:
  enum class Verdict { Agrees, Jumps, Unknown };

  // The distance from the surface: 0 on it.
  double distance(NodeId switching, const NodeMap<double>& point, double step) {
    listing_.evaluate(point, {}, 0.0);
    const Node& node = pool_[switching];
    const double u = listing_.value(node.operand(0));
    if (is_relation(node.op)) return u - listing_.value(node.operand(1));
    return node.op == Op::Sign ? u : u - step;
  }

  // Moves one coordinate of the point, which is returned, such that it lies on the surface.
  std::optional<NodeId> put_on_surface(NodeId switching, NodeMap<double>& point) {
    listing_.evaluate(point, {}, 0.0);
    const Node& node = pool_[switching];
    const double step = is_relation(node.op) ? 0.0 : std::round(listing_.value(node.operand(0)));
    std::vector<NodeId> leaves;
    for (const NodeId id : nodes_of(pool_, switching))
      if (is_moving_leaf(pool_[id].op)) leaves.push_back(id);
    const NodeId leaf = leaves[sampler_.pick(leaves.size())];
    const double here = point.at(leaf);
    const auto g = [&](double x) {
      point[leaf] = x;
      return distance(switching, point, step);
    };
    step_ = step;
    if (const auto root = secant(g, here)) return point[leaf] = *root, std::optional(leaf);
    if (const auto root = bisection(g)) return point[leaf] = *root, std::optional(leaf);
    return {};
  }

  template <class F>
  static std::optional<double> secant(F g, double x) {
    double a = x, b = x + 1e-3 * (1.0 + std::abs(x)), ga = g(a), gb = g(b);
    if (gb == 0.0) return b;
    for (int n = 0; n < 40 && std::isfinite(ga) && std::isfinite(gb) && ga != gb; ++n) {
      const double c = b - gb * (b - a) / (gb - ga);
      if (!std::isfinite(c) || std::abs(c) > 1e8) return {};
      a = b, ga = gb, b = c, gb = g(c);
      if (gb == 0.0 || std::abs(b - a) <= 4e-16 * std::abs(b)) return b;
    }
    return {};
  }

  template <class F>
  static std::optional<double> bisection(F g) {
    std::vector<double> grid{0.0};
    for (double size = 1e-3; size < 2e4; size *= 2.5) grid.push_back(size), grid.push_back(-size);
    std::ranges::sort(grid);
    for (std::size_t k = 0; k + 1 < grid.size(); ++k) {
      double a = grid[k], b = grid[k + 1], ga = g(a);
      const double gb = g(b);
      if (!std::isfinite(ga) || !std::isfinite(gb) || (ga < 0.0) == (gb < 0.0)) continue;
      for (double m = std::midpoint(a, b); m > a && m < b; m = std::midpoint(a, b)) {
        const double gm = g(m);
        if ((gm < 0.0) == (ga < 0.0))
          a = m, ga = gm;
        else
          b = m;
      }
      return b;
    }
    return {};
  }

  Verdict compare(NodeId switching, NodeMap<double>& point, NodeId leaf) {
    const Node& node = pool_[switching];
    if (node.op == Op::Equal || node.op == Op::NotEqual) return compare_nearby(switching, point, leaf);
    const bool steps = node.op == Op::Floor || node.op == Op::Ceil;
    const double low = steps ? (node.op == Op::Floor ? step_ - 1.0 : step_) : node.op == Op::Sign ? -1.0 : 0.0;
    const double high = steps ? low + 1.0 : 1.0;
    listing_.evaluate(point, switching, low);
    before_ = listing_.result();
    double scale = listing_.scale();
    const bool counts_low = in_force(switching);
    listing_.evaluate(point, switching, high);
    after_ = listing_.result();
    scale = std::max(scale, listing_.scale());
    if (!counts_low && !in_force(switching)) return Verdict::Unknown;
    if (!std::isfinite(before_) || !std::isfinite(after_)) return compare_nearby(switching, point, leaf);
    return std::abs(after_ - before_) <= agreement * scale ? Verdict::Agrees : Verdict::Jumps;
  }

  // For branches without a value on the surface itself: sin(x)/x at 0.
  Verdict compare_nearby(NodeId switching, NodeMap<double>& point, NodeId leaf) {
    const double here = point.at(leaf);
    double first = 0.0;
    for (const double distance : {1e-3, 1e-5, 1e-7}) {
      const double shift = distance * (1.0 + std::abs(here));
      double values[3];
      bool counts = false;
      int k = 0;
      for (const double x : {here - shift, here, here + shift}) {
        point[leaf] = x;
        listing_.evaluate(point, {}, 0.0);
        counts = counts || in_force(switching);
        values[k++] = listing_.result();
      }
      if (!counts || !std::isfinite(values[0]) || !std::isfinite(values[2])) return Verdict::Unknown;
      double gap = std::abs(values[2] - values[0]);
      if (pool_[switching].op == Op::Equal || pool_[switching].op == Op::NotEqual) {
        if (!std::isfinite(values[1])) return Verdict::Unknown;
        gap = std::max(gap, std::abs(values[1] - values[0]));
      }
      if (distance == 1e-3) first = gap;
      before_ = values[0], after_ = values[2];
      if (distance == 1e-7) {
        if (gap <= 1e-6 * listing_.scale() || gap <= 0.05 * first) return Verdict::Agrees;
        return Verdict::Jumps;
      }
    }
    return Verdict::Unknown;
  }

  // Does the switch influence the present value?
  bool in_force(NodeId switching) const {
    std::vector<NodeId> open{listing_.nodes().back()};
    NodeMap<bool> seen;
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      if (id == switching) return true;
      if (!seen.insert(id)) continue;
      listing_.push_deciding(id, false, open);
    }
    return false;
  }

  const Model& model_;
  const Pool& pool_;
  Listing listing_;
  Sampler sampler_;
  double step_ = 0.0, before_ = 0.0, after_ = 0.0;
};

// Promises about the expression at this level, or about terms of its derivative at this level.
NodeMap<bool> promised_at(const Model& model, NodeId expression, int level, TimeDerivative& derivative) {
  const Pool& pool = *model.pool;
  NodeMap<bool> promised;
  if (model.smooth.empty()) return promised;
  const std::vector<NodeId> nodes = nodes_of(pool, expression);  // operands come first, in the order of their handles
  for (const Promise& promise : model.smooth) {
    if (promise.derivatives < level || !std::ranges::binary_search(nodes, promise.expression)) continue;
    promised.insert(promise.expression);
    if (level == 0) continue;
    for (const NodeId id : nodes_of(pool, derivative(promise.expression, level)))
      if (switches(pool[id].op)) promised.insert(id);
  }
  return promised;
}

bool may_jump(const Pool& pool, NodeId expression, int times) {
  return any_node(pool, expression, [&](NodeId id) {
    const Op op = pool[id].op;
    return switches(op) || (times > 1 && (op == Op::Abs || op == Op::Min || op == Op::Max));
  });
}

// Do all variables rest that could change the position of the switch?
bool rests(const Pool& pool, NodeId switching, const std::vector<bool>& resting) {
  return !resting.empty() && !any_node(pool, switching, [&](NodeId id) {
    const Node& node = pool[id];
    return node.op == Op::Time || (node.op == Op::Variable && !resting[node.a]);
  });
}

const char* ordinal(int level) { return level == 1 ? "first" : level == 2 ? "second" : "third"; }

}  // namespace

std::optional<Jump> find_jump(const Model& model, NodeId expression, int times, const std::vector<bool>& resting) {
  Pool& pool = *model.pool;
  if (times <= 0 || !may_jump(pool, expression, times)) return {};
  TimeDerivative derivative(pool);
  std::vector<NodeId> written;  // the switches of the expression itself
  NodeId examined = expression;
  for (int level = 0; level < std::min(times, highest_level + 1); ++level) {
    Examination examination(model, examined);
    for (const NodeId switching : examination.switches_outside(promised_at(model, expression, level, derivative))) {
      const Op op = pool[switching].op;
      // Equalities introduced by differentiation have no surface of their own.
      if ((op == Op::Equal || op == Op::NotEqual) && level > 0 && !std::ranges::binary_search(written, switching))
        continue;
      if (rests(pool, switching, resting)) continue;
      if (auto jump = examination.at(switching)) {
        jump->level = level;
        return jump;
      }
    }
    if (level == 0)
      for (const NodeId id : examination.listing().nodes())
        if (switches(pool[id].op)) written.push_back(id);
    examined = derivative(examined);
  }
  return {};
}

std::string describe(const Jump& jump, const Model& model) {
  const Pool& pool = *model.pool;
  const Node& node = pool[jump.switching];
  const auto text = [&](NodeId id) { return to_string(pool, id, names_of(model)); };
  const std::string what = jump.level == 0 ? "it" : fmt::format("its {} derivative", ordinal(jump.level));
  if (node.op == Op::Floor || node.op == Op::Ceil)
    return fmt::format("{} {}", text(jump.switching), jump.shown ? "jumps" : "may jump");
  const std::string surface = node.op == Op::Sign
                                  ? fmt::format("{} = 0", text(node.operand(0)))
                                  : fmt::format("{} = {}", text(node.operand(0)), text(node.operand(1)));
  return fmt::format("{} {} where {}", what, jump.shown ? "jumps" : "may jump", surface);
}

std::string advice(const Jump& jump, const Model& model) {
  const Op op = (*model.pool)[jump.switching].op;
  if (!jump.shown)
    return fmt::format(
        "that its two sides meet there could not be shown; if they do, write smooth({}, ...) around them", jump.level);
  if (op == Op::Floor || op == Op::Ceil)
    return "not supported yet: jumps in such an equation; write it without floor, ceil, integer, div, mod and rem";
  if (jump.level > 0) return "not supported yet: the impulse that such a kink causes; write it with a rounded corner";
  return "not supported yet: jumps in such an equation; let its two sides meet there";
}

}  // namespace driftless
