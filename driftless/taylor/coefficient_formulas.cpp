#include "driftless/taylor/coefficient_formulas.hpp"

#include <utility>

namespace driftless::taylor {

CoefficientFormulas::CoefficientFormulas(Recurrences& result, const std::vector<int>& unknown_of)
    : result_(result),
      pool_(*result.system.model->pool),
      unknown_of_(unknown_of),
      operations_(pool_, *result.system.model),
      homes_(operations_, static_cast<int>(result.classes.size())),
      inputs_(pool_, static_cast<int>(unknown_of.size())),
      factors_(result.classes.size()),
      convolutions_(result.classes.size()),
      stored_(result.classes.size()),
      reading_home_(result.classes.size()),
      coefficients_(result.classes.size(), 0) {}

// ---- inputs

// The value of an expression at order 0.
NodeId CoefficientFormulas::factor(NodeId expression, int cls) {
  const Op op = pool_[expression].op;
  if (op == Op::Constant || op == Op::Parameter) return expression;
  std::vector<NodeId>& list = factors_[cls];
  const auto [at, fresh] = factor_numbers_.insert({{expression, cls}, static_cast<int>(list.size())});
  if (fresh) list.push_back(expression);
  return input(InputKind::Factor, cls, at->second);
}

NodeId CoefficientFormulas::convolution(NodeId left, NodeId right, int cls, Weight weight) {
  std::vector<Convolution>& list = convolutions_[cls];
  const Convolution wanted{left, right, weight};
  const auto [at, fresh] = convolution_numbers_.insert({{wanted, cls}, static_cast<int>(list.size())});
  if (fresh) list.push_back(wanted);
  return input(InputKind::Sum, cls, at->second);
}
// sum_{0<j<K} j u_j v_{K-j} / K
NodeId CoefficientFormulas::weighted(NodeId u, NodeId v, int cls) {
  return pool_.mul(reciprocal_order(cls), convolution(u, v, cls, Weight::Order));
}

// ---- the coefficient of order K >= 1 of a node in a class, in terms of inputs

NodeId CoefficientFormulas::series(NodeId node, int cls, Top top) {
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

bool CoefficientFormulas::is_open_end(NodeId node, int cls) {
  const Form form = operations_.form_of(node);
  return form == Form::Constant || form == Form::Leaf || (form == Form::Nonlinear && homes_.at(node) != cls);
}

NodeId CoefficientFormulas::formula(NodeId node, int cls, Top top) {
  switch (operations_.form_of(node)) {
    case Form::Constant: return pool_.zero();
    case Form::Leaf: return leaf_coefficient(node, cls, top);
    case Form::Linear: return linear_formula(node, cls, top);
    case Form::Nonlinear: return homes_.at(node) == cls ? nonlinear_formula(node, cls, top) : reading(node, cls);
  }
  return pool_.zero();
}

NodeId CoefficientFormulas::leaf_coefficient(NodeId node, int cls, Top top) {
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

// The coefficient of an operation that a higher class has already computed.
NodeId CoefficientFormulas::reading(NodeId node, int cls) {
  const int home = homes_.at(node);
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

NodeId CoefficientFormulas::linear_formula(NodeId node, int cls, Top top) {
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

// If the active expression is constant it has no coefficients, however steep the function is there.
NodeId CoefficientFormulas::where_active(NodeId node, int cls, NodeId coefficient) {
  const NodeId condition = activity_(node);
  return pool_.is_constant(condition) ? coefficient : where(pool_, factor(condition, cls), coefficient);
}

NodeId CoefficientFormulas::nonlinear_formula(NodeId node, int cls, Top top) {
  const NodeId coefficient = function_formula(node, cls, top);
  return may_be_steep(pool_[node].op) ? where_active(node, cls, coefficient) : coefficient;
}

NodeId CoefficientFormulas::function_formula(NodeId node, int cls, Top top) {
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

NodeId CoefficientFormulas::power_formula(NodeId node, int cls, auto product, auto quotient, auto at) {
  const Node n = pool_[node];
  const NodeId a = n.operand(0), r = n.operand(1);
  if (const auto parts = operations_.power_parts(node))
    return parts->first == node ? quotient(pool_.zero(), parts->second) : product(parts->first, parts->second);
  // a f' = r f a', so a_0 f_K = r f_0 a_K + (r sum j a_j f_{K-j} - sum j f_j a_{K-j}) / K
  const NodeId lower = pool_.sub(pool_.mul(factor(r, cls), weighted(a, node, cls)), weighted(node, a, cls));
  return pool_.mul(factor(pool_.div(pool_.one(), a), cls),
                   pool_.add(pool_.mul(factor(pool_.mul(r, node), cls), at(a)), lower));
}

}  // namespace driftless::taylor
