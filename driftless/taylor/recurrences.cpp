#include "driftless/taylor/recurrences.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "driftless/expr/calculus.hpp"
#include "driftless/taylor/formula_inputs.hpp"
#include "driftless/taylor/homes.hpp"
#include "driftless/taylor/operations.hpp"
#include "driftless/taylor/shared_functions.hpp"

namespace driftless::taylor {
namespace {

// The unknown coefficients of the stage: as inputs, as zeros, or in terms of the residuals that these give.
enum class Top { Included, Zero, Solved };

class Builder {
 public:
  explicit Builder(NaturalSystem system) : pool_(*system.model->pool), operations_(pool_, *system.model) {
    result_.system = std::move(system);
  }

  Recurrences build() {
    number_unknowns();
    make_classes();
    homes_.emplace(operations_, classes());
    inputs_.emplace(pool_, static_cast<int>(unknown_of_.size()));
    for (std::size_t s = 0; s < result_.classes.size(); ++s)
      for (int i = 0; i < result_.classes[s].rows; ++i) homes_->need(residual(s, i), static_cast<int>(s));
    find_leaves();
    write_formulas();
    share_functions(result_, pool_, unknown_of_, *inputs_);
    lay_out();
    return std::move(result_);
  }

 private:
  int classes() const { return static_cast<int>(result_.classes.size()); }
  int c_of(int cls) const { return result_.classes[cls].c; }
  NodeId residual(std::size_t cls, int i) const {
    return result_.system.rows[result_.classes[cls].first_row + i].residual;
  }

  void number_unknowns() {
    unknown_of_.assign(result_.system.model->variables.size(), -1);
    for (std::size_t j = 0; j < result_.system.unknowns.size(); ++j)
      unknown_of_[index(result_.system.unknowns[j].variable)] = static_cast<int>(j);
  }

  void make_classes() {
    const std::vector<Row>& rows = result_.system.rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 0 || rows[i].c != rows[i - 1].c) {
        result_.classes.emplace_back();
        result_.classes.back().c = rows[i].c;
        result_.classes.back().first_row = static_cast<int>(i);
      }
      ++result_.classes.back().rows;
    }
  }

  // ---- inputs

  NodeId input(InputKind kind, int cls, int number) { return (*inputs_)(kind, cls, number); }

  // The value of an expression at order 0.
  NodeId factor(NodeId expression, int cls) {
    const Op op = pool_[expression].op;
    if (op == Op::Constant || op == Op::Parameter) return expression;
    std::vector<NodeId>& list = factors_[cls];
    const auto [at, fresh] = factor_numbers_.insert({{expression, cls}, static_cast<int>(list.size())});
    if (fresh) list.push_back(expression);
    return input(InputKind::Factor, cls, at->second);
  }

  enum class Weight { None, Order };  // u_j or j u_j
  struct Convolution {
    NodeId left, right;
    Weight weight;
    auto operator<=>(const Convolution&) const = default;
  };
  NodeId convolution(NodeId left, NodeId right, int cls, Weight weight = Weight::None) {
    std::vector<Convolution>& list = convolutions_[cls];
    const Convolution wanted{left, right, weight};
    const auto [at, fresh] = convolution_numbers_.insert({{wanted, cls}, static_cast<int>(list.size())});
    if (fresh) list.push_back(wanted);
    return input(InputKind::Sum, cls, at->second);
  }
  // sum_{0<j<K} j u_j v_{K-j} / K
  NodeId weighted(NodeId u, NodeId v, int cls) {
    return pool_.mul(reciprocal_order(cls), convolution(u, v, cls, Weight::Order));
  }

  NodeId order(int cls) { return input(InputKind::Order, cls, 0); }
  NodeId reciprocal_order(int cls) { return input(InputKind::Order, cls, 1); }
  NodeId time_coefficient(int cls) { return input(InputKind::Order, cls, 2); }
  NodeId scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(InputKind::Order, cls, 3); }
  NodeId reciprocal_scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(InputKind::Order, cls, 4); }

  // ---- the coefficient of order K >= 1 of a node in a class, in terms of inputs

  NodeId series(NodeId node, int cls, Top top) {
    struct Open {
      NodeId node;
      bool expanded;
    };
    std::vector<Open> open{{node, false}};
    while (!open.empty()) {
      const auto [n, expanded] = open.back();
      if (known(n, cls, top)) {
        open.pop_back();
        continue;
      }
      if (expanded || is_open_end(n, cls)) {
        open.pop_back();
        series_.insert({{n, cls, top}, formula(n, cls, top)});
        continue;
      }
      open.back().expanded = true;
      for (const NodeId ingredient : operations_.same_order_ingredients(n))
        if (!known(ingredient, cls, top)) open.push_back({ingredient, false});
    }
    return at_order(node, cls, top);
  }
  bool known(NodeId node, int cls, Top top) const { return series_.contains({node, cls, top}); }
  NodeId at_order(NodeId node, int cls, Top top) const { return series_.at({node, cls, top}); }

  bool is_open_end(NodeId node, int cls) {
    const Form form = operations_.form_of(node);
    return form == Form::Constant || form == Form::Leaf || (form == Form::Nonlinear && homes_->at(node) != cls);
  }

  NodeId formula(NodeId node, int cls, Top top) {
    switch (operations_.form_of(node)) {
      case Form::Constant: return pool_.zero();
      case Form::Leaf: return leaf_coefficient(node, cls, top);
      case Form::Linear: return linear_formula(node, cls, top);
      case Form::Nonlinear: return homes_->at(node) == cls ? nonlinear_formula(node, cls, top) : reading(node, cls);
    }
    return pool_.zero();
  }

  NodeId leaf_coefficient(NodeId node, int cls, Top top) {
    const Node n = pool_[node];
    if (n.op == Op::Time) return time_coefficient(cls);
    const int unknown = unknown_of_[n.a], m = static_cast<int>(n.b);
    const bool is_top = c_of(cls) + m == result_.system.unknowns[unknown].d;
    if (is_top && top == Top::Zero) return pool_.zero();
    if (is_top && top == Top::Solved) return pool_.mul(scale(cls), solution_[unknown]);
    Class& c = result_.classes[cls];
    std::vector<Class::Coefficient>& list = is_top ? c.unknown : c.known;
    const auto [at, fresh] = coefficient_numbers_.insert({{node, cls}, coefficients_[cls]});
    if (fresh) list.push_back({coefficients_[cls]++, unknown, m});
    return input(InputKind::Coefficient, cls, at->second);
  }

  // Of an operation that a higher class has computed already.
  NodeId reading(NodeId node, int cls) {
    const int home = homes_->at(node);
    std::vector<NodeId>& list = stored_[home];
    const auto [stored, first] = stored_numbers_.insert({node, static_cast<int>(list.size())});
    if (first) list.push_back(node);
    std::vector<Class::Reading>& readings = result_.classes[cls].readings;
    const auto [at, fresh] = reading_numbers_.insert({{node, cls}, static_cast<int>(readings.size())});
    if (fresh) {
      readings.push_back({at->second, stored->second, c_of(home) - c_of(cls)});
      reading_home_[cls].push_back(home);
    }
    return input(InputKind::Reading, cls, at->second);
  }

  NodeId linear_formula(NodeId node, int cls, Top top) {
    const Node n = pool_[node];
    const NodeId a = n.operand(0), b = n.operand(1);
    const auto at = [&](NodeId operand) { return at_order(operand, cls, top); };
    switch (n.op) {
      case Op::Neg: return pool_.neg(at(a));
      case Op::Add: return pool_.add(at(a), at(b));
      case Op::Sub: return pool_.sub(at(a), at(b));
      case Op::Mul:
        return operations_.is_constant(a) ? pool_.mul(factor(a, cls), at(b)) : pool_.mul(factor(b, cls), at(a));
      case Op::Div: return pool_.mul(at(a), factor(pool_.div(pool_.one(), b), cls));
      case Op::Log10: {  // the factor 1 / ln 10 in two parts, for the longer types
        const NodeId log = at(pool_.unary(Op::Log, a));
        return pool_.add(pool_.mul(pool_.constant(0x1.bcb7b1526e50ep-2), log),
                         pool_.mul(pool_.constant(0x1.95355baaafad3p-57), log));
      }
      case Op::Abs: return pool_.if_else(factor(pool_.binary(Op::Less, a, pool_.zero()), cls), pool_.neg(at(a)), at(a));
      case Op::Min:
      case Op::Max:
      case Op::IfElse: {  // the branch that the value at order 0 takes
        const Branches branches = branches_of(pool_, node);
        return pool_.if_else(factor(branches.condition, cls), at(branches.then), at(branches.otherwise));
      }
      case Op::Pow: return where_active(node, cls, at(operations_.general_power(node)));
      default: return pool_.zero();
    }
  }

  // What the active expression keeps constant has no coefficients, however steep the function is there.
  NodeId where_active(NodeId node, int cls, NodeId coefficient) {
    const NodeId condition = activity_(node);
    return pool_.is_constant(condition) ? coefficient : where(pool_, factor(condition, cls), coefficient);
  }

  NodeId nonlinear_formula(NodeId node, int cls, Top top) {
    const NodeId coefficient = function_formula(node, cls, top);
    return may_be_steep(pool_[node].op) ? where_active(node, cls, coefficient) : coefficient;
  }

  NodeId function_formula(NodeId node, int cls, Top top) {
    const Node n = pool_[node];
    const NodeId a = n.operand(0), b = n.operand(1);
    const auto at = [&](NodeId operand) { return at_order(operand, cls, top); };
    const auto value = [&](NodeId expression) { return factor(expression, cls); };
    const auto reciprocal = [&](NodeId expression) { return factor(pool_.div(pool_.one(), expression), cls); };
    const auto product = [&](NodeId u, NodeId v) {  // u_0 v_K + u_K v_0 + (u * v)_K
      if (u == v) return pool_.add(pool_.mul(value(pool_.mul(pool_.constant(2.0), u)), at(u)), convolution(u, u, cls));
      return pool_.add(pool_.add(pool_.mul(value(u), at(v)), pool_.mul(value(v), at(u))), convolution(u, v, cls));
    };
    // f v = u, so v_0 f_K = u_K - f_0 v_K - (f * v)_K
    const auto quotient = [&](NodeId u_at_order, NodeId v) {
      return pool_.mul(reciprocal(v),
                       pool_.sub(pool_.sub(u_at_order, pool_.mul(value(node), at(v))), convolution(node, v, cls)));
    };
    // f' = q a'
    const auto along = [&](NodeId q) { return pool_.add(pool_.mul(value(q), at(a)), weighted(a, q, cls)); };
    // q f' = a'
    const auto primitive = [&](NodeId q) { return pool_.mul(reciprocal(q), pool_.sub(at(a), weighted(node, q, cls))); };
    switch (n.op) {
      case Op::Mul: return product(a, b);
      case Op::Div: return quotient(at(a), b);
      case Op::Sqrt:  // f f = a
        return pool_.mul(factor(pool_.div(pool_.constant(0.5), node), cls),
                         pool_.sub(at(a), convolution(node, node, cls)));
      case Op::Exp: return along(node);
      case Op::Sin:
      case Op::Sinh:
      case Op::Cosh:
      case Op::Tan:
      case Op::Tanh: return along(operations_.companion(node));
      case Op::Cos: return pool_.neg(along(operations_.companion(node)));
      case Op::Log:
      case Op::Asin:
      case Op::Atan:
      case Op::Asinh:
      case Op::Acosh:
      case Op::Atanh: return primitive(operations_.companion(node));
      case Op::Acos: {  // q f' = -a'
        const NodeId q = operations_.companion(node);
        return pool_.neg(pool_.mul(reciprocal(q), pool_.add(at(a), weighted(node, q, cls))));
      }
      case Op::Atan2: {  // r f' = b a' - a b', r = a^2 + b^2
        const NodeId r = operations_.companion(node);
        const NodeId same = pool_.sub(pool_.mul(value(b), at(a)), pool_.mul(value(a), at(b)));
        const NodeId lower = pool_.sub(pool_.sub(weighted(a, b, cls), weighted(b, a, cls)), weighted(node, r, cls));
        return pool_.mul(reciprocal(r), pool_.add(same, lower));
      }
      case Op::Pow: return power_formula(node, cls, product, quotient, at);
      default: return pool_.zero();
    }
  }

  NodeId power_formula(NodeId node, int cls, auto product, auto quotient, auto at) {
    const Node n = pool_[node];
    const NodeId a = n.operand(0), r = n.operand(1);
    if (const auto parts = operations_.power_parts(node))
      return parts->first == node ? quotient(pool_.zero(), parts->second) : product(parts->first, parts->second);
    // a f' = r f a', so a_0 f_K = r f_0 a_K + (r sum j a_j f_{K-j} - sum j f_j a_{K-j}) / K
    const NodeId lower = pool_.sub(pool_.mul(factor(r, cls), weighted(a, node, cls)), weighted(node, a, cls));
    return pool_.mul(factor(pool_.div(pool_.one(), a), cls),
                     pool_.add(pool_.mul(factor(pool_.mul(r, node), cls), at(a)), lower));
  }

  // ---- kernels

  void find_leaves() {
    std::set<std::pair<int, int>> found;
    for (const Row& row : result_.system.rows)
      for (const NodeId leaf : variables_of(pool_, row.residual))
        found.insert({unknown_of_[pool_[leaf].a], static_cast<int>(pool_[leaf].b)});
    for (const auto& [unknown, order] : found) {
      value_numbers_[{unknown, order}] = static_cast<int>(result_.leaves.size());
      result_.leaves.push_back({unknown, order});
    }
  }

  // The outputs of the kernels of a class.
  struct Formulas {
    std::vector<NodeId> residuals, remainders;
    std::vector<NodeId> left, right, stored;  // the record
  };

  void write_formulas() {
    result_.whole_stages = result_.system.unknowns.size() <= few_unknowns;
    factors_.resize(classes()), convolutions_.resize(classes()), stored_.resize(classes());
    reading_home_.resize(classes()), coefficients_.assign(classes(), 0);
    write_jacobian();
    write_sources(series_of_classes());
  }

  std::vector<Formulas> series_of_classes() {
    std::vector<Formulas> all(classes());
    for (int s = 0; s < classes(); ++s)
      for (int i = 0; i < result_.classes[s].rows; ++i) {
        all[s].residuals.push_back(series(residual(s, i), s, Top::Included));
        all[s].remainders.push_back(series(residual(s, i), s, Top::Zero));
      }
    // What a convolution or a later reading is made of may need further convolutions and readings.
    for (bool grows = true; grows;) {
      grows = false;
      for (int s = 0; s < classes(); ++s) {
        auto& [residuals, remainders, left, right, stored] = all[s];
        for (; left.size() < convolutions_[s].size(); grows = true) {
          const Convolution c = convolutions_[s][left.size()];
          const NodeId u = series(c.left, s, Top::Included);
          left.push_back(c.weight == Weight::Order ? pool_.mul(order(s), u) : u);
          right.push_back(series(c.right, s, Top::Included));
        }
        for (; stored.size() < stored_[s].size(); grows = true)
          stored.push_back(series(stored_[s][stored.size()], s, Top::Included));
      }
    }
    return all;
  }

  void pad(std::vector<NodeId>& outputs) const {
    while (outputs.size() % lanes != 0) outputs.push_back(pool_.zero());
  }

  void write_sources(std::vector<Formulas> all) {
    const auto append = [](std::vector<NodeId>& to, const std::vector<NodeId>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    KernelSource all_remainders{"taylor remainders", {}}, all_records{"taylor records", {}};
    std::vector<KernelSource> of_classes;
    if (result_.whole_stages) {
      solve_for_unknowns(all);
      all_records = {"taylor stage", solution_};
      pad(all_records.outputs);
    }
    int position = static_cast<int>(all_records.outputs.size());
    for (int s = 0; s < classes(); ++s) {
      Class& c = result_.classes[s];
      KernelSource values{"taylor values", {}};
      for (int i = 0; i < c.rows; ++i) values.outputs.push_back(residual(s, i));
      of_classes.push_back(std::move(values));
      of_classes.push_back({"taylor factors", factors_[s]});
      of_classes.push_back({"taylor residuals", all[s].residuals});
      c.factors = static_cast<int>(factors_[s].size());
      pad(all[s].left), pad(all[s].right);
      c.convolutions = static_cast<int>(all[s].left.size());
      KernelSource record{"taylor record", all[s].left};
      append(record.outputs, all[s].right);
      append(record.outputs, all[s].stored);
      pad(record.outputs);
      c.left = position;
      c.right = c.left + c.convolutions;
      c.stored = c.right + c.convolutions;
      c.record_end = position = c.left + static_cast<int>(record.outputs.size());
      append(all_records.outputs, result_.whole_stages ? solved_record(s) : record.outputs);
      all_records.outputs.resize(position, pool_.zero());
      if (!result_.whole_stages) append(all_remainders.outputs, all[s].remainders);
      of_classes.push_back(std::move(record));
    }
    result_.record_size = position;
    result_.remainders = 1, result_.all_records = 2;
    result_.sources.push_back(std::move(all_remainders));
    result_.sources.push_back(std::move(all_records));
    for (KernelSource& source : of_classes) result_.sources.push_back(std::move(source));
  }

  // y_j = -sum_i (J^-1)_ji r_i / s
  void solve_for_unknowns(const std::vector<Formulas>& all) {
    std::vector<NodeId> scaled;
    for (int s = 0; s < classes(); ++s)
      for (const NodeId r : all[s].remainders) scaled.push_back(pool_.neg(pool_.mul(reciprocal_scale(s), r)));
    const int n = static_cast<int>(scaled.size());
    for (int j = 0; j < n; ++j) {
      NodeId sum = pool_.zero();
      for (int i = 0; i < n; ++i) sum = pool_.add(sum, pool_.mul(input(InputKind::Inverse, 0, j * n + i), scaled[i]));
      solution_.push_back(sum);
    }
  }

  // The record of a class in terms of the solution: left factors, right factors, coefficients to be read later.
  std::vector<NodeId> solved_record(int cls) {
    std::vector<NodeId> left, right, stored;
    for (const Convolution& c : convolutions_[cls]) {
      const NodeId u = series(c.left, cls, Top::Solved);
      left.push_back(c.weight == Weight::Order ? pool_.mul(order(cls), u) : u);
      right.push_back(series(c.right, cls, Top::Solved));
    }
    left.resize(result_.classes[cls].convolutions, pool_.zero());
    right.resize(result_.classes[cls].convolutions, pool_.zero());
    for (const NodeId node : stored_[cls]) stored.push_back(series(node, cls, Top::Solved));
    left.insert(left.end(), right.begin(), right.end());
    left.insert(left.end(), stored.begin(), stored.end());
    return left;
  }

  void write_jacobian() {
    KernelSource jacobian{"taylor jacobian", {}};
    for (std::size_t i = 0; i < result_.system.rows.size(); ++i) {
      const Row& row = result_.system.rows[i];
      for (const Partial& p : gradient(pool_, row.residual)) {
        const int unknown = unknown_of_[pool_[p.leaf].a];
        if (static_cast<int>(pool_[p.leaf].b) != result_.system.unknowns[unknown].d - row.c) continue;
        result_.jacobian_entries.push_back({static_cast<int>(i), unknown});
        jacobian.outputs.push_back(p.derivative);
      }
    }
    result_.sources.push_back(std::move(jacobian));
  }

  void lay_out() {
    const std::vector<int> positions =
        inputs_->lay_out(result_, coefficients_, reading_home_, static_cast<int>(solution_.size()));
    result_.layout.parameters = static_cast<int>(result_.system.model->parameters.size());
    result_.layout.variable = [unknown_of = unknown_of_, values = value_numbers_, first = result_.first_value,
                               positions](VarId v, int order) {
      const auto variable = static_cast<std::size_t>(index(v));
      if (variable >= unknown_of.size()) return positions[variable - unknown_of.size()];
      return first + values.at({unknown_of[variable], order});
    };
  }

  Recurrences result_;
  Pool& pool_;
  std::vector<int> unknown_of_;  // by variable of the model
  Operations operations_;
  Activity activity_{pool_,
                     [this](NodeId leaf) { return pool_[leaf].op == Op::Parameter ? pool_.zero() : pool_.one(); }};
  std::map<std::tuple<NodeId, int, Top>, NodeId> series_;
  std::optional<Homes> homes_;
  std::optional<FormulaInputs> inputs_;
  std::vector<std::vector<NodeId>> factors_;  // by class
  std::map<std::pair<NodeId, int>, int> factor_numbers_, coefficient_numbers_, reading_numbers_;
  std::vector<std::vector<Convolution>> convolutions_;  // by class
  std::map<std::pair<Convolution, int>, int> convolution_numbers_;
  std::vector<std::vector<NodeId>> stored_;  // by class
  std::vector<NodeId> solution_;             // by unknown
  std::map<NodeId, int> stored_numbers_;
  std::vector<std::vector<int>> reading_home_;  // by class, as in Class::readings
  std::vector<int> coefficients_;               // by class: how many
  std::map<std::pair<int, int>, int> value_numbers_;
};

}  // namespace

Recurrences recurrences_of(NaturalSystem system) { return Builder(std::move(system)).build(); }

Code compile(const Recurrences& recurrences, Backend backend) {
  CompiledKernels compiled =
      driftless::compile(recurrences.system.model->pool, recurrences.sources, recurrences.layout, backend);
  return {std::make_move_iterator(compiled.kernels.begin()), std::make_move_iterator(compiled.kernels.end())};
}

}  // namespace driftless::taylor
