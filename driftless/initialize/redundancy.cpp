#include "driftless/initialize/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/initialize/consistent_points.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/linear/svd.hpp"
#include "driftless/reduce/generic_point.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless {
namespace {

constexpr int wanted_points = 4, most_tries = 12;
constexpr int most_left_out = 12, most_pairs = 100;
constexpr double involved = 1e-6;       // components of null vectors
constexpr double step_in_time = 0.013;  // of the interval of the experiment

struct NullVectors {
  std::vector<int> equations, variables;  // where they do not vanish
};

// The null vectors of the first singular part; nothing if none is singular.
std::optional<NullVectors> null_vectors(const Model& model, const structure::Structure& shape, const Leaves& at) {
  for (const structure::Block& part : constrained_parts(model, shape)) {
    const Eigen::MatrixXd jacobian = jacobian_of(model, shape.offsets, part, at);
    if (!jacobian.allFinite()) continue;
    const linear::Svd svd = linear::svd(jacobian);
    if (!is_singular(svd.values)) continue;
    const Eigen::Index n = jacobian.rows();
    NullVectors null;
    for (Eigen::Index k = 0; k < n; ++k) {
      if (std::abs(svd.U(k, n - 1)) > involved) null.equations.push_back(index(part.rows[k]));
      if (std::abs(svd.V(k, n - 1)) > involved) null.variables.push_back(index(part.cols[k]));
    }
    return null;
  }
  return {};
}

// A model with some equations replaced.
struct Variant {
  std::shared_ptr<const Model> model;
  structure::Structure shape;
  std::vector<int> left_out;  // equations
  std::vector<int> zero;      // variables: x_j = 0 replaces the equations
};

std::shared_ptr<Model> replaced(const Model& model, int l, NodeId residual, const std::string& text) {
  auto result = std::make_shared<Model>(model);
  result->replaced.push_back(model.equations[l]);
  Equation& equation = result->equations[l];
  equation.label = fmt::format("instead of {}", equation.label);
  equation.residual = residual;
  equation.text = text;
  equation.simplified.reset();
  return result;
}

std::shared_ptr<Model> without(const Model& model, int l, int j) {
  return replaced(model, l, model.pool->variable(VarId{j}, 0), fmt::format("{} = 0", model.variables[j].name));
}

// The structure, with the orders of derivatives in removed equations taken into account.
std::variant<structure::Structure, structure::Singular> structure_of(const Model& model) {
  std::vector<int> least(model.variables.size(), 0);
  for (const Equation& equation : model.replaced)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual))
      least[(*model.pool)[leaf].a] = std::max(least[(*model.pool)[leaf].a], static_cast<int>((*model.pool)[leaf].b));
  return structure::analyze(signature_of(model), least);
}

// Tests whether the removed equations follow from the rest, and finds the forces that are not unique.
class Test {
 public:
  Test(const Model& original, const Variant& variant, double t) : original_(original), variant_(variant), t_(t) {}

  bool passes() {
    if (find_hidden_singularity(*variant_.model, variant_.shape) || !are_constraints()) return false;
    const Reduced reduced = reduce(variant_.model, variant_.shape);
    int points = 0;
    const bool in_time = contains_time();
    bool later = !in_time;
    for (unsigned seed = 1; seed <= most_tries && points < wanted_points; ++seed) {
      const bool moves = in_time && seed % 2 == 0;
      const auto point = consistent_point(reduced, moves ? t_ + step_in_time * seed * span() : t_, seed);
      if (!point) continue;
      ++points;
      later = later || moves;
      for (const int l : variant_.left_out)
        if (!holds_at(original_, original_.equations[l], order_of(l), *point)) return false;
      if (!add_forces(*point)) return false;
    }
    return points == wanted_points && later && forces_.size() > 1;  // a single one is not a force: it occurs nowhere
  }

  // A variable that occurs in one equation only, which is no equation of motion, is a result computed from the others.
  std::set<int> forces() const {
    const Pool& pool = *original_.pool;
    std::map<int, std::vector<const Equation*>> occurrences;
    for (const Equation& equation : original_.equations)
      for (const NodeId leaf : variables_of(pool, equation.residual)) occurrences[pool[leaf].a].push_back(&equation);
    const auto moves = [&](NodeId leaf) { return variant_.shape.offsets.d[pool[leaf].a] > 0; };
    std::set<int> list;
    for (const int j : forces_)
      if (occurrences[j].size() > 1 || std::ranges::any_of(variables_of(pool, occurrences[j][0]->residual), moves))
        list.insert(j);
    return list;
  }

  // If one equation is removed: the direction of the forces, if it is the same at all points.
  std::optional<Eigen::VectorXd> direction() const {
    if (variant_.left_out.size() != 1 || directions_.empty()) return {};
    for (const Eigen::VectorXd& other : directions_)
      if ((other - directions_[0]).norm() > involved * directions_[0].norm()) return {};
    return directions_[0];
  }

 private:
  // An equation that holds at the start only, as x = sin(t), v = 1 + t with x' = v, does not follow.
  bool contains_time() const {
    return std::ranges::any_of(original_.equations, [&](const Equation& equation) {
      return any_node(*original_.pool, equation.residual,
                      [&](NodeId node) { return (*original_.pool)[node].op == Op::Time; });
    });
  }
  double span() const {
    const double span = original_.experiment.stop - original_.experiment.start;
    return span > 0.0 ? span : 1.0;
  }

  // Are the forces algebraic, and do the removed equations contain differentiated variables only?
  bool are_constraints() const {
    const std::vector<int>& d = variant_.shape.offsets.d;
    for (const int l : variant_.left_out)
      for (const NodeId leaf : variables_of(*original_.pool, original_.equations[l].residual))
        if (d[(*original_.pool)[leaf].a] == 0) return false;
    return std::ranges::all_of(variant_.zero, [&](int j) { return d[j] == 0; });
  }

  // How often the equation can be differentiated with derivatives that the model without it determines.
  int order_of(int l) const {
    int order = 1000;
    for (const NodeId leaf : variables_of(*original_.pool, original_.equations[l].residual)) {
      const Node& node = (*original_.pool)[leaf];
      order = std::min(order, variant_.shape.offsets.d[node.a] - static_cast<int>(node.b));
    }
    return std::clamp(order, 0, 4);
  }

  // Solves J' v = e_l for every removed equation; false if J' is singular, or if not only forces are not unique.
  bool add_forces(const ConsistentPoint& point) {
    const auto n = static_cast<Eigen::Index>(original_.variables.size());
    for (const structure::Block& part : constrained_parts(*variant_.model, variant_.shape)) {
      const Eigen::MatrixXd jacobian =
          jacobian_of(*variant_.model, variant_.shape.offsets, part, [&](NodeId leaf) { return point(leaf); });
      if (!jacobian.allFinite()) return false;
      const linear::Svd svd = linear::svd(jacobian);
      if (is_singular(svd.values)) return false;
      for (const int l : variant_.left_out) {
        const auto row = std::ranges::find(part.rows, structure::Row{l});
        if (row == part.rows.end()) continue;
        const Eigen::VectorXd v =
            svd.V * (svd.U.row(row - part.rows.begin()).transpose().array() / svd.values.array()).matrix();
        Eigen::VectorXd whole = Eigen::VectorXd::Zero(n);
        for (Eigen::Index k = 0; k < v.size(); ++k)
          if (std::abs(v[k]) > involved * v.cwiseAbs().maxCoeff()) {
            const int j = index(part.cols[k]);
            if (variant_.shape.offsets.d[j] > 0) return false;
            forces_.insert(j);
            whole[j] = v[k];
          }
        directions_.push_back(std::move(whole));
      }
    }
    return true;
  }

  const Model& original_;
  const Variant& variant_;
  double t_;
  std::set<int> forces_;
  std::vector<Eigen::VectorXd> directions_;
};

std::string names(const Model& model, const std::set<int>& variables) {
  std::vector<std::string> list;
  for (const int j : variables) list.push_back(model.variables[j].name);
  return fmt::format("{}", fmt::join(list, ", "));
}

// sum v_j x_j / nominal_j = 0.
NodeId balance(const Model& model, const Eigen::VectorXd& direction, const std::set<int>& forces) {
  Pool& pool = *model.pool;
  NodeId sum = pool.zero();
  const double largest = direction.cwiseAbs().maxCoeff();
  for (Eigen::Index j = 0; j < direction.size(); ++j) {
    if (direction[j] == 0.0) continue;
    const double exact = direction[j] / largest, nearest = std::round(exact * 1e6) / 1e6;
    const double factor = std::abs(nearest - exact) < 1e-9 ? nearest : exact;  // without rounding of the solution
    if (!forces.contains(static_cast<int>(j))) continue;
    sum = pool.add(sum, pool.mul(pool.constant(factor / model.variables[j].nominal),
                                 pool.variable(VarId{static_cast<int>(j)}, 0)));
  }
  return sum;
}

// Applies the variant as a step of a repair, with the smallest forces where these are known.
void take(const Model& original, const Variant& tested, const Test& test, Repair& repair) {
  Variant variant = tested;
  std::string how;
  if (const auto direction = test.direction()) {
    const int l = variant.left_out[0];
    auto least = replaced(original, l, balance(original, *direction, test.forces()),
                          fmt::format("least size of {}", names(original, test.forces())));
    auto shape = structure_of(*least);
    if (auto* regular = std::get_if<structure::Structure>(&shape);
        regular && !find_hidden_singularity(*least, *regular)) {
      variant.model = std::move(least);
      variant.shape = std::move(*regular);
      how = "and taken as small as possible";
    }
  }
  std::vector<std::string> labels, zero;
  for (const int l : variant.left_out) labels.push_back(original.equations[l].label);
  for (const int j : variant.zero) zero.push_back(fmt::format("{} = 0", original.variables[j].name));
  if (how.empty()) how = fmt::format("with {}", fmt::join(zero, ", "));
  repair.steps.push_back(fmt::format("{} {} left out: {} wherever the others do; not unique, {}: {}",
                                     fmt::join(labels, ", "), labels.size() == 1 ? "is" : "are",
                                     labels.size() == 1 ? "it holds" : "they hold", how,
                                     names(original, test.forces())));
  repair.model = std::move(variant.model);
  repair.shape = std::move(variant.shape);
}

std::optional<NullVectors> null_vectors_of(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                                           double t) {
  if (const auto point = consistent_point(reduce(model, shape), t))
    if (auto found = null_vectors(*model, shape, [&](NodeId leaf) { return (*point)(leaf); })) return found;
  const GenericPoint generic(*model, shape.offsets, 17);
  return null_vectors(*model, shape, [&](NodeId leaf) { return generic(leaf); });
}

// Removes one more equation, trying the last written constraint first, as it is most likely the redundant one.
bool leave_out_one(Repair& repair, double t) {
  const std::shared_ptr<const Model> model = repair.model;
  const structure::Structure shape = repair.shape;
  const auto null = null_vectors_of(model, shape, t);
  if (!null) return false;
  const auto force = std::ranges::find_if(null->variables, [&](int j) { return shape.offsets.d[j] == 0; });
  if (force == null->variables.end()) return false;
  for (auto l = null->equations.rbegin(); l != null->equations.rend(); ++l) {
    if (shape.offsets.c[*l] == 0) continue;
    Variant variant{without(*model, *l, *force), {}, {*l}, {*force}};
    auto analyzed = structure_of(*variant.model);
    if (!std::holds_alternative<structure::Structure>(analyzed)) continue;
    variant.shape = std::move(std::get<structure::Structure>(analyzed));
    Test test(*model, variant, t);
    if (!test.passes()) continue;
    take(*model, variant, test, repair);
    return true;
  }
  return false;
}

double at_starts(const Model& model, NodeId leaf) {
  const Node& node = (*model.pool)[leaf];
  if (node.op == Op::Time) return model.experiment.start;
  if (node.op == Op::Parameter) return model.parameters[node.a].value;
  return node.b == 0 ? model.variables[node.a].start.value_or(0.0) : 0.0;
}

// Removes equations of the overdetermined part, each with an unknown of the underdetermined part, until the structure
// is regular: from the end, skipping some.
std::optional<Variant> regular_variant(const std::shared_ptr<const Model>& model, structure::Singular singular,
                                       std::size_t skip, std::size_t skip_unknowns) {
  Variant variant{model, {}, {}, {}};
  for (int k = 0; k < most_left_out; ++k) {
    const std::vector<structure::Row>& rows = singular.parts.over_rows;
    const std::vector<structure::Col>& cols = singular.parts.under_cols;
    if (rows.size() <= skip || cols.size() <= skip_unknowns) return {};
    const int l = index(rows[rows.size() - 1 - skip]), j = index(cols[cols.size() - 1 - skip_unknowns]);
    if (std::ranges::find(variant.left_out, l) != variant.left_out.end()) return {};
    variant.model = without(*variant.model, l, j);
    variant.left_out.push_back(l);
    variant.zero.push_back(j);
    auto analyzed = structure_of(*variant.model);
    if (auto* shape = std::get_if<structure::Structure>(&analyzed)) {
      variant.shape = std::move(*shape);
      return variant;
    }
    singular = std::move(std::get<structure::Singular>(analyzed));
  }
  return {};
}

// Also removes constraints that are redundant at a consistent point of a variant, or everywhere.
bool grow(Variant& variant, double t) {
  while (variant.left_out.size() < most_left_out) {
    const auto null = null_vectors_of(variant.model, variant.shape, t);
    if (!null) return true;
    const structure::Offsets& offsets = variant.shape.offsets;
    const auto l =
        std::find_if(null->equations.rbegin(), null->equations.rend(), [&](int i) { return offsets.c[i] > 0; });
    const auto j =
        std::find_if(null->variables.rbegin(), null->variables.rend(), [&](int k) { return offsets.d[k] == 0; });
    if (l == null->equations.rend() || j == null->variables.rend()) return false;
    variant.model = without(*variant.model, *l, *j);
    variant.left_out.push_back(*l);
    variant.zero.push_back(*j);
    auto analyzed = structure_of(*variant.model);
    if (!std::holds_alternative<structure::Structure>(analyzed)) return false;
    variant.shape = std::move(std::get<structure::Structure>(analyzed));
  }
  return false;
}

}  // namespace

bool is_singular_at_starts(const Model& model, const structure::Structure& shape) {
  return std::ranges::any_of(constrained_parts(model, shape), [&](const structure::Block& part) {
    const Eigen::MatrixXd jacobian =
        jacobian_of(model, shape.offsets, part, [&](NodeId leaf) { return at_starts(model, leaf); });
    return jacobian.allFinite() && linear::FullLu(jacobian).rank() < jacobian.rows();
  });
}

std::optional<Repair> leave_out_redundant(const std::shared_ptr<const Model>& model, const structure::Structure& shape,
                                          double t) {
  Repair repair;
  repair.as_written = repair.model = model;
  repair.shape_as_written = repair.shape = shape;
  for (int k = 0; k < most_left_out && leave_out_one(repair, t); ++k) {
  }
  // If several are redundant, the model without one of them is still singular.
  if (Variant variant{repair.model, repair.shape, {}, {}}; grow(variant, t) && variant.left_out.size() > 1)
    if (Test test(*repair.model, variant, t); test.passes()) take(*repair.model, variant, test, repair);
  if (repair.steps.empty()) return {};
  repair.index = repair.shape.structural_index;
  return repair;
}

std::optional<Repair> leave_out_redundant(const std::shared_ptr<const Model>& model,
                                          const structure::Singular& singular, double t) {
  if (model->equations.size() != model->variables.size()) return {};
  const std::size_t rows = singular.parts.over_rows.size(), cols = singular.parts.under_cols.size();
  for (std::size_t k = 0; k < std::min<std::size_t>(rows * cols, most_pairs); ++k) {
    auto variant = regular_variant(model, singular, k / cols, k % cols);
    if (!variant || !grow(*variant, t)) continue;
    Test test(*model, *variant, t);
    if (!test.passes()) continue;
    Repair repair;
    repair.as_written = model;
    take(*model, *variant, test, repair);
    repair.index = repair.shape.structural_index;
    return repair;
  }
  return {};
}

}  // namespace driftless
