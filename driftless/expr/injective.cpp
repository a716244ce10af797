#include "driftless/expr/injective.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/node_map.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_unknowns = 12, most_terms = 1000;

enum class Sense : std::uint8_t { Unknown, Positive, Negative, NotNegative, NotPositive };

Sense sense_of(Interval bounds) {
  if (bounds.low > 0.0) return Sense::Positive;
  if (bounds.high < 0.0) return Sense::Negative;
  if (bounds.low == 0.0) return Sense::NotNegative;
  return bounds.high == 0.0 ? Sense::NotPositive : Sense::Unknown;
}

Sense product(Sense a, Sense b) {
  if (a == Sense::Unknown || b == Sense::Unknown) return Sense::Unknown;
  const auto is_positive = [](Sense s) { return s == Sense::Positive || s == Sense::NotNegative; };
  const auto is_strict = [](Sense s) { return s == Sense::Positive || s == Sense::Negative; };
  const bool positive = is_positive(a) == is_positive(b), strict = is_strict(a) && is_strict(b);
  if (strict) return positive ? Sense::Positive : Sense::Negative;
  return positive ? Sense::NotNegative : Sense::NotPositive;
}

// A non-numeric factor of a term: a node, its inverse, or several of these that vary with the unknowns and whose
// product has its own mean.
struct Symbol {
  NodeId node{};
  bool inverse = false;
  std::vector<int> factors;
  bool changes = false;  // with the unknowns
  Sense sense = Sense::Unknown;
  Interval bounds = {};
};

// 0 times infinity is 0: a factor that is 0 stays 0.
Interval product(Interval a, Interval b) {
  const auto times = [](double x, double y) { return x == 0.0 || y == 0.0 ? 0.0 : x * y; };
  const auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}

// Of a divisor.
Interval inverse(Interval a, Sense sense) {
  if (sense == Sense::Positive) return {a.high > 0.0 ? 1.0 / a.high : 0.0, 1.0 / std::max(a.low, 0.0)};
  return sense == Sense::Negative ? Interval{1.0 / std::min(a.high, -0.0), 1.0 / a.low} : Interval{};
}

using Term = std::vector<int>;  // symbols, ascending
using Polynomial = std::map<Term, double>;

Term times(const Term& a, const Term& b) {
  Term result(a.size() + b.size());
  std::ranges::merge(a, b, result.begin());
  return result;
}

bool add_product(Polynomial& sum, const Polynomial& a, const Polynomial& b, double factor) {
  for (const auto& [term_a, of_a] : a)
    for (const auto& [term_b, of_b] : b) {
      const auto [at, is_new] = sum.try_emplace(times(term_a, term_b), 0.0);
      if ((at->second += factor * of_a * of_b) == 0.0) sum.erase(at);
      if (sum.size() > most_terms) return false;
    }
  return true;
}

bool is_arithmetic(Op op) { return op == Op::Neg || op == Op::Add || op == Op::Sub || op == Op::Mul || op == Op::Div; }

class Injectivity {
 public:
  Injectivity(const Pool& pool, const MapOfUnknowns& equations, const std::function<Interval(const Node&)>& of_leaf)
      : pool_(pool), equations_(equations), of_leaf_(of_leaf) {}

  bool holds() {
    return std::ranges::all_of(equations_.functions, [this](NodeId f) { return learn(f); }) && has_convex_domain() &&
           determinant_has_one_sign();
  }

 private:
  // How the unknowns occur in an expression.
  enum class In : std::uint8_t { Nowhere, Linear, Otherwise };

  bool learn(NodeId expression);
  In occurrence(const Node& node) const;
  bool is_continuous(const Node& node) const;
  bool has_convex_domain();
  bool admits_line(const Node& node) const;
  bool is_number(NodeId id) const;
  int symbol(NodeId node, bool inverse);
  int compound(const Term& factors);
  Polynomial of_symbol(NodeId node, bool inverse) { return {{{symbol(node, inverse)}, 1.0}}; }
  std::optional<Polynomial> expanded(NodeId expression);
  std::optional<Polynomial> quotient(const Polynomial& a, const Polynomial& b, NodeId divisor);
  Polynomial mean(const Polynomial& of);
  std::optional<Polynomial> determinant(const std::vector<std::vector<std::pair<int, Polynomial>>>& rows) const;
  bool determinant_has_one_sign();
  Sense sense(const Term& term, double coefficient) const;
  Interval bounds_of_term(const Term& term, double coefficient) const;
  bool is_bounded_away_from_zero(const Polynomial& sum) const;

  const Pool& pool_;
  const MapOfUnknowns& equations_;
  const std::function<Interval(const Node&)>& of_leaf_;
  NodeMap<In> occurrence_;
  NodeMap<Interval> bounds_;
  NodeMap<bool> positive_;  // the domain is where these are
  std::vector<Symbol> symbols_;
  std::map<std::pair<NodeId, bool>, int> of_node_;
  std::map<Term, int> of_factors_;
};

// Collects bounds and occurrences for the nodes of a function. False if one of them is not continuous in the unknowns.
bool Injectivity::learn(NodeId function) {
  add_bounds(pool_, function, of_leaf_, bounds_);
  for (const NodeId id : nodes_of(pool_, function)) {  // operands first
    if (occurrence_.contains(id)) continue;
    const Node node = pool_[id];
    const In of = std::ranges::binary_search(equations_.unknowns, id) ? In::Linear : occurrence(node);
    if (of != In::Nowhere && !is_continuous(node)) return false;
    occurrence_.insert(id, of);
    if (node.op == Op::Log || node.op == Op::Log10) positive_.insert(node.operand(0), true);
  }
  return true;
}

Injectivity::In Injectivity::occurrence(const Node& node) const {
  if (node.op == Op::Call) {
    const std::vector<NodeId>& arguments = pool_.call_site(node).arguments;
    const auto changes = [&](NodeId id) { return occurrence_.at(id) != In::Nowhere; };
    return std::ranges::any_of(arguments, changes) ? In::Otherwise : In::Nowhere;
  }
  In most = In::Nowhere;
  int changing = 0;
  for (int k = 0; k < arity(node.op); ++k) {
    const In of = occurrence_.at(node.operand(k));
    most = std::max(most, of);
    changing += of != In::Nowhere;
  }
  if (most == In::Nowhere || node.op == Op::Neg || node.op == Op::Add || node.op == Op::Sub) return most;
  const bool is_scaled =
      (node.op == Op::Mul && changing == 1) || (node.op == Op::Div && occurrence_.at(node.operand(1)) == In::Nowhere);
  return is_scaled ? most : In::Otherwise;
}

// For operations that vary with the unknowns: the mean of the slope is the slope of the line only if there is no jump.
bool Injectivity::is_continuous(const Node& node) const {
  return !is_piecewise_constant(node.op) && node.op != Op::IfElse && node.op != Op::Call && node.op != Op::Tan &&
         node.op != Op::Atan2;
}

bool Injectivity::has_convex_domain() {
  for (const NodeId f : equations_.functions)
    for (const NodeId id : nodes_of(pool_, f))
      if (occurrence_.at(id) != In::Nowhere && !admits_line(pool_[id])) return false;
  return true;
}

// Is the operation, which varies with the unknowns, defined on the line between any two points at which it is?
bool Injectivity::admits_line(const Node& node) const {
  const auto of = [&](int k) { return occurrence_.at(node.operand(k)); };
  const auto bounds = [&](int k) { return bounds_.at(node.operand(k)); };
  const auto has_sign = [&](int k) { return bounds(k).low > 0.0 || bounds(k).high < 0.0; };
  switch (node.op) {
    case Op::Div: return of(1) == In::Nowhere || has_sign(1);
    case Op::Log:
    case Op::Log10:
    case Op::Sqrt: return of(0) == In::Linear || bounds(0).low > 0.0;
    case Op::Asin:
    case Op::Acos:
    case Op::Acosh:
    case Op::Atanh: return of(0) == In::Linear;
    case Op::Pow: {
      const Interval exponent = bounds(1);
      if (of(1) != In::Nowhere || exponent.low != exponent.high) return bounds(0).low > 0.0;
      const bool is_integer = std::round(exponent.low) == exponent.low;
      if (is_integer) return exponent.low >= 0.0 || has_sign(0);
      return of(0) == In::Linear;
    }
    default: return true;
  }
}

bool Injectivity::is_number(NodeId id) const {
  const Interval bounds = bounds_.at(id);
  return bounds.low == bounds.high && std::isfinite(bounds.low);
}

int Injectivity::symbol(NodeId node, bool inverse) {
  const auto [at, is_new] = of_node_.try_emplace({node, inverse}, static_cast<int>(symbols_.size()));
  if (!is_new) return at->second;
  Symbol made{.node = node, .inverse = inverse, .factors = {}};
  const Op op = pool_[node].op;
  made.changes = any_node(pool_, node, [&](NodeId id) { return std::ranges::binary_search(equations_.unknowns, id); });
  made.sense = sense_of(bounds_.at(node));
  if (positive_.contains(node) || op == Op::Exp || op == Op::Cosh) made.sense = Sense::Positive;
  // Only slopes of roots divide by values that may be 0 (admits_line): by a root that is 0 at single points of the
  // line, or along all of it, where its slope does not count.
  if (inverse && op == Op::Sqrt) made.sense = Sense::Positive;
  if (inverse && made.sense != Sense::Positive && made.sense != Sense::Negative) made.sense = Sense::Unknown;
  made.bounds = inverse ? driftless::inverse(bounds_.at(node), made.sense) : bounds_.at(node);
  if (made.sense == Sense::Positive && !inverse) made.bounds.low = std::max(made.bounds.low, 0.0);
  symbols_.push_back(std::move(made));
  return at->second;
}

int Injectivity::compound(const Term& factors) {
  const auto [at, is_new] = of_factors_.try_emplace(factors, static_cast<int>(symbols_.size()));
  if (!is_new) return at->second;
  const Sense of_all = sense(factors, 1.0);
  const Interval bounds = bounds_of_term(factors, 1.0);
  symbols_.push_back(
      {.node = {}, .inverse = false, .factors = factors, .changes = true, .sense = of_all, .bounds = bounds});
  return at->second;
}

// The expression as a sum of products of symbols. Nothing if there are too many.
std::optional<Polynomial> Injectivity::expanded(NodeId expression) {
  add_bounds(pool_, expression, of_leaf_, bounds_);
  const std::vector<NodeId> nodes = nodes_of(pool_, expression);
  NodeMap<bool> taken_apart;
  taken_apart.insert(expression, true);
  for (auto id = nodes.rbegin(); id != nodes.rend(); ++id) {
    const Node node = pool_[*id];
    if (!taken_apart.contains(*id) || !is_arithmetic(node.op) || is_number(*id)) continue;
    for (int k = 0; k < arity(node.op); ++k) taken_apart.insert(node.operand(k), true);
  }
  NodeMap<Polynomial> known;
  for (const NodeId id : nodes) {
    if (!taken_apart.contains(id)) continue;
    const Node node = pool_[id];
    std::optional<Polynomial> result = Polynomial{};
    const auto operand = [&](int k) -> const Polynomial& { return known.at(node.operand(k)); };
    const Polynomial one{{{}, 1.0}};
    if (is_number(id)) {
      const double value = bounds_.at(id).low;
      if (value != 0.0) result->emplace(Term{}, value);
    } else if (!is_arithmetic(node.op)) {
      result = of_symbol(id, false);
    } else if (node.op == Op::Mul) {
      if (!add_product(*result, operand(0), operand(1), 1.0)) return {};
    } else if (node.op == Op::Div) {
      result = quotient(operand(0), operand(1), node.operand(1));
    } else {
      if (!add_product(*result, operand(0), one, node.op == Op::Neg ? -1.0 : 1.0)) return {};
      if (node.op != Op::Neg && !add_product(*result, operand(1), one, node.op == Op::Sub ? -1.0 : 1.0)) return {};
    }
    if (!result) return {};
    known.insert(id, std::move(*result));
  }
  return known.at(expression);
}

// A divisor that is one term is inverted factor by factor.
std::optional<Polynomial> Injectivity::quotient(const Polynomial& a, const Polynomial& b, NodeId divisor) {
  if (b.empty()) return {};
  const auto is_node = [&](int s) { return !symbols_[s].inverse; };
  Polynomial inverse;
  if (b.size() == 1 && std::ranges::all_of(b.begin()->first, is_node)) {
    Term term;
    for (const int s : b.begin()->first) term.push_back(symbol(symbols_[s].node, true));
    std::ranges::sort(term);
    inverse.emplace(std::move(term), 1.0 / b.begin()->second);
  } else {
    inverse = of_symbol(divisor, true);
  }
  Polynomial result;
  if (!add_product(result, a, inverse, 1.0)) return {};
  return result;
}

// The mean on the line: varying factors have a mean only as a product.
Polynomial Injectivity::mean(const Polynomial& of) {
  Polynomial result;
  for (const auto& [term, coefficient] : of) {
    Term fixed, changing;
    for (const int s : term) (symbols_[s].changes ? changing : fixed).push_back(s);
    if (changing.size() > 1) changing = {compound(changing)};
    if ((result[times(fixed, changing)] += coefficient) == 0.0) result.erase(times(fixed, changing));
  }
  return result;
}

// Row by row, for every set of columns that the rows so far may occupy.
std::optional<Polynomial> Injectivity::determinant(
    const std::vector<std::vector<std::pair<int, Polynomial>>>& rows) const {
  std::map<std::uint32_t, Polynomial> minors{{0U, Polynomial{{{}, 1.0}}}};
  for (const auto& row : rows) {
    std::map<std::uint32_t, Polynomial> next;
    std::size_t terms = 0;
    for (const auto& [columns, minor] : minors)
      for (const auto& [column, entry] : row) {
        const std::uint32_t bit = 1U << column;
        if (columns & bit) continue;
        const bool odd = (std::popcount(columns & ~(bit - 1U)) & 1) != 0;  // columns after it
        Polynomial& sum = next[columns | bit];
        const std::size_t before = sum.size();
        if (!add_product(sum, minor, entry, odd ? -1.0 : 1.0)) return {};
        terms += sum.size() - std::min(before, sum.size());
        if (terms > most_terms) return {};
      }
    minors = std::move(next);
  }
  return minors.empty() ? Polynomial{} : std::move(minors.begin()->second);
}

Sense Injectivity::sense(const Term& term, double coefficient) const {
  Sense result = coefficient > 0.0 ? Sense::Positive : Sense::Negative;
  for (auto s = term.begin(); s != term.end();) {
    const auto end = std::find_if(s, term.end(), [&](int other) { return other != *s; });
    const Sense one = symbols_[*s].sense;
    Sense of_power = (end - s) % 2 == 1 ? one : product(one, one);
    if ((end - s) % 2 == 0 && one == Sense::Unknown) of_power = Sense::NotNegative;  // a square
    result = product(result, of_power);
    s = end;
  }
  return result;
}

Interval Injectivity::bounds_of_term(const Term& term, double coefficient) const {
  Interval result{coefficient, coefficient};
  for (const int s : term) result = product(result, symbols_[s].bounds);
  return result;
}

// Terms of both signs, some of them bounded: x - 0.9 sin(x).
bool Injectivity::is_bounded_away_from_zero(const Polynomial& sum) const {
  Interval all{0.0, 0.0};
  for (const auto& [term, coefficient] : sum) {
    const Interval one = bounds_of_term(term, coefficient);
    all.low += one.low, all.high += one.high;
  }
  return all.low > 0.0 || all.high < 0.0;
}

bool Injectivity::determinant_has_one_sign() {
  std::vector<std::vector<std::pair<int, Polynomial>>> rows(equations_.functions.size());
  for (const auto& [function, unknown, derivative] : equations_.slopes) {
    const std::optional<Polynomial> terms = expanded(derivative);
    if (!terms) return false;
    rows[function].emplace_back(unknown, mean(*terms));
  }
  const std::optional<Polynomial> all = determinant(rows);
  if (!all) return false;
  bool positive = false, negative = false, strict = false;
  for (const auto& [term, coefficient] : *all) {
    const Sense of_term = sense(term, coefficient);
    if (of_term == Sense::Unknown) return is_bounded_away_from_zero(*all);
    positive = positive || of_term == Sense::Positive || of_term == Sense::NotNegative;
    negative = negative || of_term == Sense::Negative || of_term == Sense::NotPositive;
    strict = strict || of_term == Sense::Positive || of_term == Sense::Negative;
  }
  return positive && negative ? is_bounded_away_from_zero(*all) : strict;
}

}  // namespace

bool is_injective(const Pool& pool, const MapOfUnknowns& equations,
                  const std::function<Interval(const Node&)>& of_leaf) {
  if (equations.functions.size() > most_unknowns || equations.functions.size() != equations.unknowns.size())
    return false;
  return Injectivity(pool, equations, of_leaf).holds();
}

}  // namespace driftless
