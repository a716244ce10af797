#include "driftless/sensitivity/jump_sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"

namespace driftless::sensitivity {
namespace {

constexpr double contradiction = 1e-3;    // of the linear conditions, relative to their terms: as kept derivatives
constexpr double least_tolerance = 1e-9;  // by which positions are moved onto constraints, as in the run

class JumpConditions {
 public:
  JumpConditions(const JumpPassage& passage, JumpIntoMode& jump)
      : passage_(passage),
        jump_(jump),
        left_(passage.event.left.linearization.array()),
        right_(passage.event.right.linearization.array()) {}

  std::variant<Eigen::MatrixXd, std::string> solve() {
    if (std::string why = jump_again(); !why.empty()) return why;
    number_impulses();
    add_array();
    if (jumped_.equations) add_impulses();
    if (std::string why = add_memory(); !why.empty()) return why;
    return solution();
  }

 private:
  using Terms = std::vector<std::pair<Eigen::Index, double>>;

  // Repeats the jump of the run to get its equations and impulses. Its values must agree with those of the run.
  std::string jump_again() {
    std::vector<PrescribedValue> set;
    for (const PrescribedMotion& one : passage_.set) set.push_back(one.set);
    const EventPassage& event = passage_.event;
    auto jumped =
        jump_(event.t, values_before(), event.right.parameters, set, std::max(least_tolerance, event.tolerance));
    if (auto* why = std::get_if<std::string>(&jumped)) return std::move(*why);
    jumped_ = std::get<Jumped>(std::move(jumped));
    for (int col = 0; col < right_.cols(); ++col) {
      const Quantity q = right_.quantities()[static_cast<std::size_t>(col)];
      if (right_.is_highest(col) || !jump_.has_memory(q)) continue;
      const double found = jumped_.inputs[static_cast<std::size_t>(jump_.layout().of(q))],
                   is = event.right.quantities[static_cast<std::size_t>(col)];
      if (!(std::abs(found - is) <= passage_.closeness * (std::abs(found) + std::abs(is) + right_.nominal(col))))
        return fmt::format(
            "{} jumps, but not by one reinit or impulse from the values before the event: what its value "
            "is made of is not known",
            right_.name(col));
    }
    return {};
  }

  Values values_before() const {
    Values before(right_.model().variables.size());
    for (int col = 0; col < left_.cols(); ++col) {
      const Quantity q = left_.quantities()[static_cast<std::size_t>(col)];
      const auto v = static_cast<std::size_t>(index(q.variable));
      if (v >= before.size()) continue;
      before[v].resize(std::max(before[v].size(), static_cast<std::size_t>(q.order) + 1), std::nan(""));
      before[v][static_cast<std::size_t>(q.order)] = passage_.event.left.quantities[static_cast<std::size_t>(col)];
    }
    return before;
  }

  // Unknown are the total derivatives of all quantities, then those of the impulses that occur as such.
  void number_impulses() {
    is_impulsive_.assign(right_.model().variables.size(), false);
    unknowns_ = right_.cols();
    if (!jumped_.equations) return;
    for (const int j : jumped_.equations->impulsive) is_impulsive_[static_cast<std::size_t>(j)] = true;
    const Pool& pool = *jump_.mode().model->pool;
    const auto n = static_cast<int>(is_impulsive_.size());
    for (const NodeId residual : jumped_.equations->residuals)
      for (const NodeId id : variables_of(pool, residual))
        if (const int v = static_cast<int>(pool[id].a); v >= n && v < 2 * n && pool[id].b == 0)
          if (impulse_.emplace(v - n, unknowns_).second) ++unknowns_;
  }

  void add_array() {
    VariationalArray::Point point;
    const EventSide& side = passage_.event.right;
    right_.evaluate(passage_.event.t, side.parameters, side.quantities, point);
    const auto first = static_cast<std::size_t>(right_.rows());
    rows_.resize(first);
    right_sides_.assign(first, Eigen::RowVectorXd::Zero(passage_.before.time.size()));
    for (std::size_t e = 0; e < point.slopes.size(); ++e)
      rows_[static_cast<std::size_t>(right_.entries()[e].row)].emplace_back(right_.entries()[e].col, point.slopes[e]);
    for (std::size_t e = 0; e < point.of_parameters.size(); ++e)
      right_sides_[static_cast<std::size_t>(right_.parameter_entries()[e].row)] -=
          point.of_parameters[e] * passage_.parameters.row(right_.parameter_entries()[e].col);
    for (std::size_t e = 0; e < point.of_time.size(); ++e)
      right_sides_[static_cast<std::size_t>(right_.time_rows()[e])] -= point.of_time[e] * passage_.before.time;
  }

  void add_impulses() {
    Pool& pool = *jump_.mode().model->pool;
    for (const NodeId residual : jumped_.equations->residuals) {
      Terms terms;
      Eigen::RowVectorXd side = Eigen::RowVectorXd::Zero(passage_.before.time.size());
      for (const NodeId id : nodes_of(pool, residual)) {
        const Node leaf = pool[id];
        if (leaf.op != Op::Time && leaf.op != Op::Parameter && leaf.op != Op::Variable) continue;
        const double slope = value_of(pool, partial(pool, residual, id));
        if (slope != 0.0) add_term(leaf, slope, terms, side);
      }
      rows_.push_back(std::move(terms));
      right_sides_.push_back(std::move(side));
    }
  }

  void add_term(const Node& leaf, double slope, Terms& terms, Eigen::RowVectorXd& side) const {
    const auto n = static_cast<int>(is_impulsive_.size());
    const int v = static_cast<int>(leaf.a), order = static_cast<int>(leaf.b);
    if (leaf.op == Op::Time) {
      side -= slope * passage_.before.time;
    } else if (leaf.op == Op::Parameter) {
      side -= slope * passage_.parameters.row(v);
    } else if (v < n) {
      terms.emplace_back(right_.place({VarId{v}, order}), slope);
    } else if (v < 2 * n && order == 0) {
      terms.emplace_back(impulse_.at(v - n), slope);
    } else if (v < 2 * n) {  // X before the jump
      const int d = jump_.mode().offsets.d[static_cast<std::size_t>(v - n)];
      if (const int col = left_.place({VarId{v - n}, d - 1}); col >= 0)
        side -= slope * passage_.before.quantities.row(col);
    }
  }

  double value_of(const Pool& pool, NodeId expression) const {
    return evaluate(pool, expression, [&](NodeId id) {
      const Node& leaf = pool[id];
      if (leaf.op == Op::Time) return passage_.event.t;
      if (leaf.op == Op::Parameter) return passage_.event.right.parameters[leaf.a];
      const int place = jump_.layout().layout().variable(VarId{static_cast<int>(leaf.a)}, static_cast<int>(leaf.b));
      return place < 0 ? std::nan("") : jumped_.inputs[static_cast<std::size_t>(place)];
    });
  }

  // Adds the equations of quantities that are set or continuous.
  std::string add_memory() {
    for (int col = 0; col < right_.cols(); ++col) {
      const Quantity q = right_.quantities()[static_cast<std::size_t>(col)];
      const auto v = static_cast<std::size_t>(index(q.variable));
      if (!jump_.has_memory(q)) continue;
      const auto set = std::ranges::find(passage_.set, q, [](const PrescribedMotion& one) { return one.set.quantity; });
      if (set != passage_.set.end()) {
        add_known(col, set->moves);
        continue;
      }
      if (is_impulsive_[v] && q.order == jump_.mode().offsets.d[v] - 1) continue;
      const int was = left_.place(q);
      if (was < 0) return fmt::format("{} has no value before the event", right_.name(col));
      add_known(col, passage_.before.quantities.row(was));
    }
    return {};
  }

  void add_known(int col, const Eigen::RowVectorXd& moves) {
    rows_.push_back({{col, 1.0}});
    right_sides_.push_back(moves);
  }

  // Columns in units of nominal values, rows in units of their largest entry.
  std::variant<Eigen::MatrixXd, std::string> solution() const {
    const auto count = static_cast<Eigen::Index>(rows_.size());
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(count, unknowns_), right(count, passage_.before.time.size());
    const auto size_of = [&](Eigen::Index col) {
      return col < right_.cols() ? right_.nominal(static_cast<int>(col)) : 1.0;
    };
    for (Eigen::Index row = 0; row < count; ++row) {
      for (const auto& [col, slope] : rows_[static_cast<std::size_t>(row)]) matrix(row, col) += slope * size_of(col);
      right.row(row) = right_sides_[static_cast<std::size_t>(row)];
      const double largest = matrix.row(row).cwiseAbs().maxCoeff();
      if (!(largest > 0.0 && largest <= HUGE_VAL)) continue;
      matrix.row(row) /= largest;
      right.row(row) /= largest;
    }
    if (!matrix.allFinite() || !right.allFinite()) return "a partial derivative of the jump has no value";
    const linear::PivotedQr qr(matrix);
    if (qr.rank() < unknowns_) return "the equations of the jump do not determine how the values behind it move";
    Eigen::MatrixXd all = qr.solve(right);
    const Eigen::MatrixXd missed = (matrix * all - right).cwiseAbs();
    const Eigen::MatrixXd sizes = matrix.cwiseAbs() * all.cwiseAbs() + right.cwiseAbs();
    for (Eigen::Index k = 0; k < all.cols(); ++k)
      for (Eigen::Index row = 0; row < count; ++row)
        if (missed(row, k) > contradiction * sizes(row, k) && missed(row, k) > 1e-9 * all.col(k).cwiseAbs().maxCoeff())
          return "the jump has its values for these values of the parameters, but not for their neighbours";
    all.conservativeResize(right_.cols(), Eigen::NoChange);
    for (Eigen::Index col = 0; col < all.rows(); ++col) all.row(col) *= size_of(col);
    return all;
  }

  const JumpPassage& passage_;
  JumpIntoMode& jump_;
  VariationalArray &left_, &right_;
  Jumped jumped_;
  std::vector<bool> is_impulsive_;       // by variable
  std::map<int, Eigen::Index> impulse_;  // by variable: the column of its impulse
  Eigen::Index unknowns_ = 0;
  std::vector<Terms> rows_;
  std::vector<Eigen::RowVectorXd> right_sides_;
};

}  // namespace

std::variant<Eigen::MatrixXd, std::string> behind_jump(const JumpPassage& passage) {
  std::unique_ptr<JumpIntoMode>& jump = passage.event.jump;
  if (!jump) jump = std::make_unique<JumpIntoMode>(passage.event.base);
  return JumpConditions(passage, *jump).solve();
}

}  // namespace driftless::sensitivity
