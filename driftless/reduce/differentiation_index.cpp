#include "driftless/reduce/differentiation_index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/graded_elimination.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_rows = 2000;

bool is_linear(const Model& model) {
  return std::ranges::all_of(model.equations, [&](const Equation& equation) {
    return std::ranges::all_of(gradient(*model.pool, equation.residual),
                               [&](const Partial& p) { return variables_of(*model.pool, p.derivative).empty(); });
  });
}

class DerivativeArray {
 public:
  DerivativeArray(const Model& model, int most) : model_(model), derivative_(*model.pool) {
    highest_.assign(model.variables.size(), 1);
    for (const Equation& equation : model.equations)
      for (const NodeId leaf : variables_of(*model.pool, equation.residual)) {
        int& highest = highest_[(*model.pool)[leaf].a];
        highest = std::max(highest, static_cast<int>((*model.pool)[leaf].b));
      }
    structure::Offsets offsets;
    offsets.d = highest_;
    for (int& d : offsets.d) d += most;
    point_.emplace(model, offsets, 5);
    orders_ = most + 1;
  }

  // The equations differentiated `level` times; false if a derivative has no value.
  bool add(int level) {
    for (const Equation& equation : model_.equations) {
      Row& top = top_.emplace_back();
      Row& above = above_.emplace_back();
      for (const Partial& p : gradient(*model_.pool, derivative_(equation.residual, level))) {
        const Node& leaf = (*model_.pool)[p.leaf];
        const int over = static_cast<int>(leaf.b) - highest_[leaf.a];
        if (over < 0) continue;
        const double value = evaluate(*model_.pool, p.derivative, std::cref(*point_));
        if (!std::isfinite(value)) return false;
        const int col = static_cast<int>(leaf.a) * orders_ + over;
        top.emplace_back(col, value);
        if (over > 0) above.emplace_back(col, value);
      }
    }
    return true;
  }

  bool determines_highest() const { return rank(top_) == static_cast<int>(model_.variables.size()) + rank(above_); }

 private:
  using Row = std::vector<std::pair<int, double>>;

  int rank(const std::vector<Row>& rows) const {
    return linear::eliminate_by_grade(rows, std::vector<int>(model_.variables.size() * orders_, 0)).rank();
  }

  const Model& model_;
  TimeDerivative derivative_;
  std::vector<int> highest_;  // orders of the derivatives to be determined, by variable
  int orders_ = 1;
  std::optional<GenericPoint> point_;
  std::vector<Row> top_, above_;
};

}  // namespace

std::optional<int> differentiation_index(const Model& model, int most) {
  if (!is_linear(model)) return {};
  DerivativeArray array(model, most);
  for (int level = 0; level <= most; ++level) {
    if (model.equations.size() * (level + 1) > most_rows || !array.add(level)) return {};
    if (array.determines_highest()) return level;
  }
  return {};
}

int bound_of_index(const Model& model, const std::vector<Differentiations>& differentiations) {
  const auto smallest = std::get<structure::Structure>(structure::analyze(signature_of(model)));
  const auto& [c, d] = smallest.offsets;
  std::vector<int> more(c.size(), 0), row_of(d.size());
  for (std::size_t i = 0; i < c.size(); ++i) row_of[index(smallest.transversal.col_of_row[i])] = static_cast<int>(i);
  std::vector<int> block_of(c.size());
  for (std::size_t b = 0; b < smallest.blocks.size(); ++b)
    for (const structure::Row row : smallest.blocks[b].rows) block_of[index(row)] = static_cast<int>(b);
  std::vector<bool> needed(smallest.blocks.size(), false);
  for (std::size_t j = 0; j < d.size(); ++j)
    if (d[j] == 0 && !model.variables[j].auxiliary) needed[block_of[row_of[j]]] = true;
  for (std::size_t b = needed.size(); b-- > 0;)  // later blocks need earlier ones
    if (needed[b])
      for (const structure::Row row : smallest.blocks[b].rows) {
        more[index(row)] = 1;
        for (const NodeId leaf : variables_of(*model.pool, model.equations[index(row)].residual))
          if (const auto j = (*model.pool)[leaf].a; static_cast<int>((*model.pool)[leaf].b) == d[j] - c[index(row)])
            needed[block_of[row_of[j]]] = true;
      }
  int most = 0;
  for (std::size_t i = 0; i < c.size(); ++i)
    for (const auto& [equation, count] : differentiations[i]) most = std::max(most, count + c[i] + more[i]);
  return most;
}

}  // namespace driftless
