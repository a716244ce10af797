#include "driftless/reduce/vanishing_combination.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/factorization.hpp"
#include "driftless/linear/graded_elimination.hpp"

namespace driftless {
namespace {

constexpr double rounding = 1e-9;            // the remainder of numbers of size 1 that cancel
constexpr int most_rows_by_symbols = 12;     // in a combination whose factors are not constant
constexpr std::size_t longest_factor = 400;  // nodes
constexpr std::size_t most_candidates = 20;  // dependent rows that are examined
constexpr int largest_denominator = 12;

using Numbers = std::vector<std::vector<std::pair<int, double>>>;

// A ratio of small integers, if the value is one.
std::optional<double> simple_ratio(double value) {
  for (int q = 1; q <= largest_denominator; ++q) {
    const double p = std::round(value * q);
    if (std::abs(p) <= 1e6 && std::abs(value * q - p) <= rounding * std::max(1.0, std::abs(p))) return p / q;
  }
  return {};
}

class Search {
 public:
  Search(Pool& pool, const ExpressionRows& rows, int cols, const std::vector<GenericPoint>& points,
         const std::function<bool(int)>& may_use)
      : pool_(pool), rows_(rows), cols_(cols), points_(points), may_use_(may_use) {}

  std::optional<VanishingCombination> run() {
    const auto first = numbers_at(points_.front());
    if (!first) return {};
    const std::optional<std::vector<int>> support = smallest_support(*first);
    if (!support) return {};
    return static_cast<int>(support->size()) <= most_rows_by_symbols ? by_symbols(*support) : by_numbers(*support);
  }

 private:
  std::optional<Numbers> numbers_at(const GenericPoint& point) const {
    Numbers numbers(rows_.size());
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (const auto& [col, value] : rows_[i]) {
        const double number = evaluate(pool_, value, std::cref(point));
        if (!std::isfinite(number)) return {};
        numbers[i].emplace_back(col, number);
      }
    return numbers;
  }

  // Factors of the pivot rows that give a dependent row, in the order of the pivots.
  class Dependence {
   public:
    Dependence(const Numbers& numbers, const linear::GradedElimination& elimination, int cols)
        : numbers_(numbers), elimination_(elimination), place_(cols, -1) {
      const int n = elimination.rank();
      for (int k = 0; k < n; ++k) place_[elimination.pivots[k].col] = k;
      std::vector<linear::Coordinate> coordinates;
      std::vector<double> values;
      for (int k = 0; k < n; ++k)
        for (const auto& [col, value] : numbers[elimination.pivots[k].row])
          if (place_[col] >= 0) {
            coordinates.push_back({k, place_[col]});
            values.push_back(value);
          }
      const linear::Assembly assembly = linear::assemble(n, coordinates);
      std::vector<double> assembled(assembly.pattern.rows.size(), 0.0);
      for (std::size_t k = 0; k < values.size(); ++k) assembled[assembly.position[k]] += values[k];
      factorization_ = linear::make_sparse(assembly.pattern);
      regular_ = factorization_->factorize(assembled);
    }
    bool regular() const { return regular_; }

    std::vector<double> factors(int row) const {
      std::vector<double> b(elimination_.pivots.size(), 0.0);
      for (const auto& [col, value] : numbers_[row])
        if (place_[col] >= 0) b[place_[col]] = value;
      if (!b.empty()) factorization_->solve_transposed(b);
      return b;
    }
    // A factor counts if its row contributes more than rounding to the dependent one.
    std::vector<int> support(int row) const {
      double own = 0.0;
      for (const auto& [col, value] : numbers_[row]) own = std::max(own, std::abs(value));
      const std::vector<double> factor = factors(row);
      std::vector<int> result{row};
      for (std::size_t k = 0; k < factor.size(); ++k) {
        double size = 0.0;
        for (const auto& [col, value] : numbers_[elimination_.pivots[k].row]) size = std::max(size, std::abs(value));
        if (std::abs(factor[k]) * size > rounding * own) result.push_back(elimination_.pivots[k].row);
      }
      std::ranges::sort(result);
      return result;
    }

   private:
    const Numbers& numbers_;
    const linear::GradedElimination& elimination_;
    std::vector<int> place_;  // of each column among the pivots
    std::unique_ptr<linear::Factorization> factorization_;
    bool regular_ = false;
  };

  std::optional<std::vector<int>> smallest_support(const Numbers& numbers) const {
    const linear::GradedElimination elimination =
        linear::eliminate_by_grade(numbers, std::vector<int>(static_cast<std::size_t>(cols_), 0));
    if (elimination.dependent.empty()) return {};
    const Dependence dependence(numbers, elimination, cols_);
    if (elimination.rank() > 0 && !dependence.regular()) return {};
    std::optional<std::vector<int>> best;
    for (std::size_t k = 0; k < std::min(elimination.dependent.size(), most_candidates); ++k) {
      std::vector<int> next = dependence.support(elimination.dependent[k]);
      if (may_use_ && !std::ranges::all_of(next, may_use_)) continue;
      if (!best || next.size() < best->size()) best = std::move(next);
    }
    return best;
  }

  // ---- by symbols: elimination without divisions by anything but constants

  std::vector<double> values_of(NodeId expression) const {
    std::vector<double> values;
    for (const GenericPoint& point : points_) values.push_back(evaluate(pool_, expression, std::cref(point)));
    return values;
  }

  // a b - c d, or exactly 0 if it is zero at all points.
  NodeId difference(NodeId a, NodeId b, NodeId c, NodeId d) {
    const NodeId first = pool_.mul(a, b), second = pool_.mul(c, d);
    const std::vector<double> x = values_of(first), y = values_of(second);
    bool vanishes = true;
    for (std::size_t k = 0; k < x.size(); ++k)
      vanishes = vanishes && std::abs(x[k] - y[k]) <= rounding * (std::abs(x[k]) + std::abs(y[k]));
    return vanishes ? pool_.zero() : pool_.sub(first, second);
  }

  using Line = std::map<int, NodeId>;  // without zeros

  // pivot * line - factor * other; with a constant pivot divided by it.
  Line eliminate(const Line& line, NodeId pivot, NodeId factor, const Line& other) {
    Line result;
    const bool constant = pool_[pivot].op == Op::Constant;
    const NodeId own = constant ? pool_.one() : pivot, times = constant ? pool_.div(factor, pivot) : factor;
    const auto entry = [&](const Line& from, int col) {
      const auto place = from.find(col);
      return place == from.end() ? pool_.zero() : place->second;
    };
    const auto add = [&](int col) {
      if (result.contains(col)) return;
      const NodeId value = difference(own, entry(line, col), times, entry(other, col));
      if (!pool_.is_constant(value, 0.0)) result[col] = value;
    };
    for (const auto& [col, value] : line) add(col);
    for (const auto& [col, value] : other) add(col);
    return result;
  }

  // Constants first, then short expressions that are not small.
  std::size_t effort(NodeId pivot) const { return pool_[pivot].op == Op::Constant ? 0 : nodes_of(pool_, pivot).size(); }

  std::optional<VanishingCombination> by_symbols(const std::vector<int>& support) {
    const std::size_t n = support.size();
    std::vector<Line> lines(n), factors(n);
    for (std::size_t k = 0; k < n; ++k) {
      factors[k][static_cast<int>(k)] = pool_.one();
      for (const auto& [col, value] : rows_[support[k]])
        if (!vanishes(value)) lines[k][col] = value;
    }
    std::vector<bool> used(n, false);
    for (std::size_t step = 0; step < n; ++step) {
      for (std::size_t k = 0; k < n; ++k)
        if (!used[k] && lines[k].empty()) return combination(support, factors[k]);
      std::size_t row = n, least = 0;
      int col = 0;
      for (std::size_t k = 0; k < n; ++k)
        if (!used[k])
          for (const auto& [j, value] : lines[k])
            if (const std::size_t e = effort(value); row == n || e < least) row = k, col = j, least = e;
      used[row] = true;
      const NodeId pivot = lines[row].at(col);
      for (std::size_t k = 0; k < n; ++k)
        if (const auto place = lines[k].find(col); !used[k] && place != lines[k].end()) {
          const NodeId factor = place->second;
          lines[k] = eliminate(lines[k], pivot, factor, lines[row]);
          factors[k] = eliminate(factors[k], pivot, factor, factors[row]);
          lines[k].erase(col);
          for (const auto& [j, value] : factors[k])
            if (nodes_of(pool_, value).size() > longest_factor) return {};
        }
    }
    return {};
  }

  bool vanishes(NodeId value) const {
    return std::ranges::all_of(values_of(value), [](double x) { return x == 0.0; });
  }

  // Common factors that are not constant are divided out where all ratios are constant.
  VanishingCombination combination(const std::vector<int>& support, const Line& factors) {
    VanishingCombination result;
    std::vector<std::vector<double>> values;
    for (const auto& [k, factor] : factors) {
      result.rows.push_back(support[static_cast<std::size_t>(k)]);
      result.factors.push_back(factor);
      values.push_back(values_of(factor));
    }
    std::vector<NodeId> constants;
    for (const std::vector<double>& value : values) {
      const double ratio = value[0] / values[0][0];
      bool same = std::isfinite(ratio);
      for (std::size_t p = 0; p < value.size(); ++p)
        same = same && std::abs(value[p] / values[0][p] - ratio) <= rounding * std::abs(ratio);
      const std::optional<double> simple = same ? simple_ratio(ratio) : std::nullopt;
      if (!simple) return result;
      constants.push_back(pool_.constant(*simple));
    }
    result.factors = std::move(constants);
    return result;
  }

  // ---- by numbers: long combinations whose factors are ratios of small integers

  std::optional<VanishingCombination> by_numbers(const std::vector<int>& support) {
    VanishingCombination result{support, {}};
    std::vector<double> known;
    for (const GenericPoint& point : points_) {
      const std::optional<Numbers> all = numbers_at(point);
      if (!all) return {};
      Numbers numbers;
      for (const int row : support) numbers.push_back((*all)[row]);
      const linear::GradedElimination elimination =
          linear::eliminate_by_grade(numbers, std::vector<int>(static_cast<std::size_t>(cols_), 0));
      if (elimination.dependent.size() != 1) return {};
      const Dependence dependence(numbers, elimination, cols_);
      if (!dependence.regular()) return {};
      std::vector<double> factors(support.size());
      factors[elimination.dependent[0]] = -1.0;
      const std::vector<double> of_pivots = dependence.factors(elimination.dependent[0]);
      for (std::size_t k = 0; k < of_pivots.size(); ++k) factors[elimination.pivots[k].row] = of_pivots[k];
      for (double& factor : factors) {
        const std::optional<double> simple = simple_ratio(factor / factors.front());
        if (&factor != &factors.front() && !simple) return {};
        if (&factor != &factors.front()) factor = *simple;
      }
      factors.front() = 1.0;
      if (!known.empty() && factors != known) return {};
      known = std::move(factors);
    }
    for (const double factor : known) result.factors.push_back(pool_.constant(factor));
    return result;
  }

  Pool& pool_;
  const ExpressionRows& rows_;
  int cols_;
  const std::vector<GenericPoint>& points_;
  const std::function<bool(int)>& may_use_;
};

}  // namespace

std::optional<VanishingCombination> find_vanishing_combination(Pool& pool, const ExpressionRows& rows, int cols,
                                                               const std::vector<GenericPoint>& points,
                                                               const std::function<bool(int)>& may_use) {
  return Search(pool, rows, cols, points, may_use).run();
}

}  // namespace driftless
