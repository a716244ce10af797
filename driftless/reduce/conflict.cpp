#include "driftless/reduce/conflict.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Dense>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_equations = 24;
constexpr int most_steps = 60, most_halvings = 20, starting_points = 8;
constexpr double much_better = 0.9;  // otherwise the point that was found nearer to the starts is kept
constexpr double satisfied = 1e-9;   // a residual, in units of its row's slopes and of the unknowns
constexpr double smallest = 1e-12;   // a relative change of the residual that ends the search

// Some equations as functions of the leaves in them.
class LeastSquares {
 public:
  LeastSquares(const Model& model, const std::vector<EqnId>& equations) : model_(model), equations_(equations) {
    const Pool& pool = *model.pool;
    for (const EqnId e : equations)
      for (const NodeId leaf : variables_of(pool, model[e].residual))
        if (column_.try_emplace(leaf, static_cast<int>(leaves_.size())).second) leaves_.push_back(leaf);
    for (const EqnId e : equations) gradients_.push_back(gradient(*model.pool, model[e].residual));
  }

  // The best point from several ones, the same every time.
  void search() {
    for (int k = 0; k < starting_points && !holds(); ++k) {
      Eigen::VectorXd u = start(k);
      const double size = descend(u);
      if (best_.size() == 0 || size < much_better * size_of_best_) best_ = u, size_of_best_ = size;
    }
  }
  bool holds() const { return best_.size() > 0 && size_of_best_ <= satisfied; }
  bool exists() const { return std::isfinite(size_of_best_); }

  std::vector<double> residuals() const {
    std::vector<double> list;
    for (const EqnId e : equations_) list.push_back(value(model_[e].residual, best_));
    return list;
  }
  std::vector<std::pair<std::string, double>> point() const {
    std::vector<std::pair<std::string, double>> list;
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      const Node& leaf = (*model_.pool)[leaves_[k]];
      list.emplace_back(derivative_name(model_.variables[leaf.a].name, static_cast<int>(leaf.b)),
                        best_[static_cast<Eigen::Index>(k)]);
    }
    return list;
  }

 private:
  const Variable& variable(std::size_t k) const { return model_.variables[(*model_.pool)[leaves_[k]].a]; }

  Eigen::VectorXd start(int attempt) const {
    Eigen::VectorXd u(std::ssize(leaves_));
    for (std::size_t k = 0; k < leaves_.size(); ++k) {
      const bool is_derivative = (*model_.pool)[leaves_[k]].b > 0;
      double& value = u[static_cast<Eigen::Index>(k)];
      value = is_derivative ? 0.0 : variable(k).start.value_or(0.0);
      if (attempt > 0)
        value +=
            std::sin(attempt + 2.399963 * static_cast<double>(k)) * std::ldexp(variable(k).nominal, attempt / 2 - 1);
    }
    return u;
  }

  double value(NodeId expression, const Eigen::VectorXd& u) const {
    return evaluate(*model_.pool, expression, [&](NodeId id) {
      const Node& leaf = (*model_.pool)[id];
      if (leaf.op == Op::Time) return model_.experiment.start;
      if (leaf.op == Op::Parameter) return model_.parameters[leaf.a].value;
      const auto found = column_.find(id);
      return found == column_.end() ? 0.0 : u[found->second];
    });
  }

  // Rows in units of their largest slope.
  Eigen::VectorXd linearize(const Eigen::VectorXd& u, Eigen::MatrixXd& slopes) const {
    Eigen::VectorXd residual(std::ssize(equations_));
    slopes.setZero(residual.size(), u.size());
    for (Eigen::Index i = 0; i < residual.size(); ++i) {
      for (const Partial& p : gradients_[static_cast<std::size_t>(i)]) {
        const int column = column_.at(p.leaf);
        slopes(i, column) =
            value(p.derivative, u) * (std::abs(u[column]) + variable(static_cast<std::size_t>(column)).nominal);
      }
      const double largest = slopes.row(i).cwiseAbs().maxCoeff(), scale = largest > 0.0 ? 1.0 / largest : 1.0;
      slopes.row(i) *= scale;
      residual[i] = value(model_[equations_[static_cast<std::size_t>(i)]].residual, u) * scale;
    }
    return residual;
  }

  // Damped Gauss-Newton steps; the size of what is left.
  double descend(Eigen::VectorXd& u) const {
    Eigen::MatrixXd slopes;
    Eigen::VectorXd residual = linearize(u, slopes);
    for (int step = 0; step < most_steps; ++step) {
      if (!residual.allFinite() || !slopes.allFinite()) return HUGE_VAL;
      const double before = residual.norm();
      if (before <= satisfied) break;
      const Eigen::VectorXd change = slopes.completeOrthogonalDecomposition().solve(-residual);
      double part = 1.0, after = before;
      Eigen::VectorXd there;
      for (int halving = 0; halving < most_halvings; ++halving, part *= 0.5) {
        there = u;
        for (Eigen::Index k = 0; k < u.size(); ++k)
          there[k] += part * change[k] * (std::abs(u[k]) + variable(static_cast<std::size_t>(k)).nominal);
        Eigen::MatrixXd unused;
        after = linearize(there, unused).norm();
        if (after < before) break;
      }
      if (!(after < (1.0 - smallest) * before)) break;
      u = there;
      residual = linearize(u, slopes);
    }
    return residual.allFinite() ? residual.norm() : HUGE_VAL;
  }

  const Model& model_;
  std::vector<EqnId> equations_;
  std::vector<NodeId> leaves_;
  std::map<NodeId, int> column_;
  std::vector<std::vector<Partial>> gradients_;
  Eigen::VectorXd best_;
  double size_of_best_ = HUGE_VAL;
};

bool conflict_in(const Model& model, const std::vector<EqnId>& equations) {
  LeastSquares all(model, equations);
  all.search();
  return all.exists() && !all.holds();
}

}  // namespace

std::optional<Conflict> find_conflict(const Model& model, const std::vector<EqnId>& equations) {
  if (equations.size() > most_equations || !conflict_in(model, equations)) return {};
  Conflict conflict;
  conflict.equations = equations;
  for (std::size_t k = conflict.equations.size(); k-- > 0;) {
    std::vector<EqnId> fewer = conflict.equations;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
    if (!fewer.empty() && conflict_in(model, fewer)) conflict.equations = std::move(fewer);
  }
  LeastSquares left(model, conflict.equations);
  left.search();
  conflict.residuals = left.residuals();
  conflict.point = left.point();
  return conflict;
}

}  // namespace driftless
