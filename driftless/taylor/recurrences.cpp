#include "driftless/taylor/recurrences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "driftless/expr/calculus.hpp"
#include "driftless/taylor/operations.hpp"

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
    for (std::size_t s = 0; s < result_.classes.size(); ++s)
      for (int i = 0; i < result_.classes[s].rows; ++i) need(residual(s, i), static_cast<int>(s));
    find_leaves();
    write_formulas();
    share_functions();
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

  // ---- which operations are computed in which class

  // The coefficients of this node are needed in this class, and so are those of all it is made of.
  void need(NodeId node, int cls) {
    std::vector<std::pair<NodeId, int>> open{{node, cls}};
    while (!open.empty()) {
      const auto [n, s] = open.back();
      open.pop_back();
      const Form form = operations_.form_of(n);
      if (form == Form::Constant || form == Form::Leaf) continue;
      if (form == Form::Nonlinear) {
        int& home = home_.insert({n, classes()}).first->second;
        if (home <= s) continue;  // classes descend: a smaller number is a higher class
        home = s;
      } else if (!linear_.insert({n, s}).second) {
        continue;
      }
      for (const NodeId ingredient : operations_.ingredients(n)) open.push_back({ingredient, s});
    }
  }

  // ---- inputs, as variables beyond those of the model until their positions are known

  struct Input {
    enum class Kind { Function, Factor, Sum, Coefficient, Reading, Order, Inverse } kind;
    int cls;     // of a Function: its group
    int number;  // within kind and class
  };
  NodeId input(Input::Kind kind, int cls, int number) {
    const auto [at, fresh] = input_numbers_.insert({{kind, cls, number}, static_cast<int>(inputs_.size())});
    if (fresh) inputs_.push_back({kind, cls, number});
    return pool_.variable(VarId{static_cast<int>(unknown_of_.size()) + at->second}, 0);
  }

  // The value of an expression at order 0.
  NodeId factor(NodeId expression, int cls) {
    const Op op = pool_[expression].op;
    if (op == Op::Constant || op == Op::Parameter) return expression;
    std::vector<NodeId>& list = factors_[cls];
    const auto [at, fresh] = factor_numbers_.insert({{expression, cls}, static_cast<int>(list.size())});
    if (fresh) list.push_back(expression);
    return input(Input::Kind::Factor, cls, at->second);
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
    return input(Input::Kind::Sum, cls, at->second);
  }
  // sum_{0<j<K} j u_j v_{K-j} / K
  NodeId weighted(NodeId u, NodeId v, int cls) {
    return pool_.mul(reciprocal_order(cls), convolution(u, v, cls, Weight::Order));
  }

  NodeId order(int cls) { return input(Input::Kind::Order, cls, 0); }
  NodeId reciprocal_order(int cls) { return input(Input::Kind::Order, cls, 1); }
  NodeId time_coefficient(int cls) { return input(Input::Kind::Order, cls, 2); }
  NodeId scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(Input::Kind::Order, cls, 3); }
  NodeId reciprocal_scale(int cls) { return c_of(cls) == 0 ? pool_.one() : input(Input::Kind::Order, cls, 4); }

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
    return form == Form::Constant || form == Form::Leaf || (form == Form::Nonlinear && home_.at(node) != cls);
  }

  NodeId formula(NodeId node, int cls, Top top) {
    switch (operations_.form_of(node)) {
      case Form::Constant: return pool_.zero();
      case Form::Leaf: return leaf_coefficient(node, cls, top);
      case Form::Linear: return linear_formula(node, cls, top);
      case Form::Nonlinear: return home_.at(node) == cls ? nonlinear_formula(node, cls, top) : reading(node, cls);
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
    return input(Input::Kind::Coefficient, cls, at->second);
  }

  // Of an operation that a higher class has computed already.
  NodeId reading(NodeId node, int cls) {
    const int home = home_.at(node);
    std::vector<NodeId>& list = stored_[home];
    const auto [stored, first] = stored_numbers_.insert({node, static_cast<int>(list.size())});
    if (first) list.push_back(node);
    std::vector<Class::Reading>& readings = result_.classes[cls].readings;
    const auto [at, fresh] = reading_numbers_.insert({{node, cls}, static_cast<int>(readings.size())});
    if (fresh) {
      readings.push_back({at->second, stored->second, c_of(home) - c_of(cls)});
      reading_home_[cls].push_back(home);
    }
    return input(Input::Kind::Reading, cls, at->second);
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
      for (int i = 0; i < n; ++i) sum = pool_.add(sum, pool_.mul(input(Input::Kind::Inverse, 0, j * n + i), scaled[i]));
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

  // ---- elementary functions at order 0

  // What takes much longer than an operation: calls of the library.
  bool is_function(NodeId node) const {
    const Node n = pool_[node];
    if (n.op != Op::Pow) return n.op >= Op::Exp && n.op <= Op::Atanh;
    if (pool_[n.operand(1)].op != Op::Constant) return true;
    const double exponent = pool_.constant_value(n.operand(1));
    return exponent != std::floor(exponent) || std::abs(exponent) > 8.0;
  }

  // The stage that finds the last of the derivatives in an expression.
  int stage_of(NodeId node) const {
    int stage = std::numeric_limits<int>::min();
    for (const NodeId leaf : variables_of(pool_, node)) {
      const int unknown = unknown_of_[pool_[leaf].a];
      stage = std::max(stage, static_cast<int>(pool_[leaf].b) - result_.system.unknowns[unknown].d);
    }
    return stage;
  }

  // The formulas of order 0 read the values of functions, which kernels of their own write.
  void share_functions() {
    std::vector<std::size_t> readers{
        static_cast<std::size_t>(result_.jacobian)};  // sources, of which there will be more
    for (int s = 0; s < classes(); ++s)
      for (const std::size_t source : {result_.value_residuals(s), result_.factors(s)}) readers.push_back(source);
    std::map<int, std::vector<NodeId>> by_stage;
    std::set<NodeId> found;
    for (const std::size_t source : readers)
      for (const NodeId output : result_.sources[source].outputs)
        for (const NodeId node : nodes_of(pool_, output))
          if (is_function(node) && found.insert(node).second) by_stage[stage_of(node)].push_back(node);
    NodeMap<NodeId> replaced;
    for (const auto& [stage, nodes] : by_stage) {
      const int group = static_cast<int>(result_.functions.size());
      for (std::size_t k = 0; k < nodes.size(); ++k)
        replaced.insert(nodes[k], input(Input::Kind::Function, group, static_cast<int>(k)));
      result_.functions.push_back({stage, static_cast<int>(result_.sources.size()), 0, static_cast<int>(nodes.size())});
      result_.sources.push_back({"taylor functions", nodes});
    }
    if (found.empty()) return;
    for (const std::size_t source : readers)
      for (NodeId& output : result_.sources[source].outputs) output = with_replaced(output, replaced);
  }

  NodeId with_replaced(NodeId expression, NodeMap<NodeId>& replaced) {
    for (const NodeId node : nodes_of(pool_, expression)) {
      if (replaced.contains(node)) continue;
      const Node n = pool_[node];
      const auto operand = [&](int k) { return replaced.at(n.operand(k)); };
      switch (arity(n.op)) {
        case 0: replaced.insert(node, node); break;
        case 1: replaced.insert(node, pool_.unary(n.op, operand(0))); break;
        case 2: replaced.insert(node, pool_.binary(n.op, operand(0), operand(1))); break;
        default: replaced.insert(node, pool_.if_else(operand(0), operand(1), operand(2)));
      }
    }
    return replaced.at(expression);
  }

  // Positions of the inputs.
  void lay_out() {
    const int parameters = static_cast<int>(result_.system.model->parameters.size());
    int position = result_.first_value = 1 + parameters;
    position += static_cast<int>(result_.leaves.size());
    const auto align = [&] {  // so that a vector of sums lies in one line of the cache
      position = (position + lanes - 1) / lanes * lanes;
    };
    for (FunctionValues& f : result_.functions) f.first = position, position += f.number;
    for (Class& c : result_.classes) c.first_factor = position, position += c.factors;
    align();
    for (Class& c : result_.classes) c.first_sum = position, position += c.convolutions;
    std::vector<int> first_coefficient, first_reading;
    for (int s = 0; s < classes(); ++s) {
      Class& c = result_.classes[s];
      first_coefficient.push_back(position);
      for (auto* list : {&c.known, &c.unknown})
        for (Class::Coefficient& coefficient : *list) coefficient.input += position;
      position += coefficients_[s];
      first_reading.push_back(position);
      for (std::size_t r = 0; r < c.readings.size(); ++r) {
        c.readings[r].input += position;
        c.readings[r].record += result_.classes[reading_home_[s][r]].stored;
      }
      position += static_cast<int>(c.readings.size());
      c.order = position;
      position += 5;
    }
    result_.first_inverse = position;
    if (result_.whole_stages) position += static_cast<int>(solution_.size() * solution_.size());
    std::vector<int> positions;
    for (const Input& input : inputs_) positions.push_back(position_of(input, first_coefficient, first_reading));
    result_.layout.parameters = parameters;
    result_.layout.inputs = position;
    result_.layout.variable = [unknown_of = unknown_of_, values = value_numbers_, first = result_.first_value,
                               positions](VarId v, int order) {
      const auto variable = static_cast<std::size_t>(index(v));
      if (variable >= unknown_of.size()) return positions[variable - unknown_of.size()];
      return first + values.at({unknown_of[variable], order});
    };
  }

  int position_of(const Input& input, const std::vector<int>& first_coefficient,
                  const std::vector<int>& first_reading) {
    switch (input.kind) {
      case Input::Kind::Function: return result_.functions[input.cls].first + input.number;
      case Input::Kind::Inverse: return result_.first_inverse + input.number;
      case Input::Kind::Factor: return result_.classes[input.cls].first_factor + input.number;
      case Input::Kind::Sum: return result_.classes[input.cls].first_sum + input.number;
      case Input::Kind::Coefficient: return first_coefficient[input.cls] + input.number;
      case Input::Kind::Reading: return first_reading[input.cls] + input.number;
      case Input::Kind::Order: break;
    }
    result_.classes[input.cls].uses_order = true;
    return result_.classes[input.cls].order + input.number;
  }

  Recurrences result_;
  Pool& pool_;
  std::vector<int> unknown_of_;  // by variable of the model
  Operations operations_;
  Activity activity_{pool_,
                     [this](NodeId leaf) { return pool_[leaf].op == Op::Parameter ? pool_.zero() : pool_.one(); }};
  std::map<NodeId, int> home_;               // class of a nonlinear operation
  std::set<std::pair<NodeId, int>> linear_;  // linear operations and the classes they are needed in
  std::map<std::tuple<NodeId, int, Top>, NodeId> series_;
  std::vector<Input> inputs_;
  std::map<std::tuple<Input::Kind, int, int>, int> input_numbers_;
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
