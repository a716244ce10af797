#include "driftless/expr/print.hpp"

#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

constexpr std::size_t max_length = 4000;  // a graph can be exponentially long as text

// The precedence of a node's text, in the order of Modelica's grammar. A minus sign belongs to a sum: -a*b is -(a*b),
// and a*(-b) needs its parentheses. Powers do not associate.
enum class Binding { Any, Or, And, Not, Relation, Sum, Product, Power, Primary };

std::string_view function_name(Op op) {
  switch (op) {
    case Op::Sqrt: return "sqrt";
    case Op::Exp: return "exp";
    case Op::Log: return "log";
    case Op::Log10: return "log10";
    case Op::Sin: return "sin";
    case Op::Cos: return "cos";
    case Op::Tan: return "tan";
    case Op::Asin: return "asin";
    case Op::Acos: return "acos";
    case Op::Atan: return "atan";
    case Op::Atan2: return "atan2";
    case Op::Sinh: return "sinh";
    case Op::Cosh: return "cosh";
    case Op::Tanh: return "tanh";
    case Op::Asinh: return "asinh";
    case Op::Acosh: return "acosh";
    case Op::Atanh: return "atanh";
    case Op::Abs: return "abs";
    case Op::Sign: return "sign";
    case Op::Min: return "min";
    case Op::Max: return "max";
    case Op::Floor: return "floor";
    case Op::Ceil: return "ceil";
    default: return {};
  }
}

// Infix operations: their sign, their precedence, and the precedence that operands without parentheses need.
struct Infix {
  std::string_view sign;
  Binding binding, left, right;
};

std::optional<Infix> infix(Op op) {
  switch (op) {
    case Op::Or: return Infix{" or ", Binding::Or, Binding::Or, Binding::And};
    case Op::And: return Infix{" and ", Binding::And, Binding::And, Binding::Not};
    case Op::Less: return Infix{" < ", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::LessEqual: return Infix{" <= ", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::Equal: return Infix{" == ", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::NotEqual: return Infix{" <> ", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::Add: return Infix{" + ", Binding::Sum, Binding::Sum, Binding::Product};
    case Op::Sub: return Infix{" - ", Binding::Sum, Binding::Sum, Binding::Product};
    case Op::Mul: return Infix{"*", Binding::Product, Binding::Product, Binding::Power};
    case Op::Div: return Infix{"/", Binding::Product, Binding::Product, Binding::Power};
    case Op::Pow: return Infix{"^", Binding::Power, Binding::Primary, Binding::Primary};
    default: return std::nullopt;
  }
}

// Text still to be written, the last first.
struct Pending {
  std::string text;
  std::optional<NodeId> node;  // instead of text
  Binding at_least = Binding::Any;
};

class Printer {
 public:
  Printer(const Pool& pool, const Names& names) : pool_(pool), names_(names) {}

  std::string print(NodeId root) {
    node(root);
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.back());
      pending_.pop_back();
      if (next.node) {
        expand(*next.node, next.at_least);
      } else {
        out_ += next.text;
      }
      if (out_.size() > max_length) return cut();
    }
    return std::move(out_);
  }

 private:
  void text(std::string_view s) { pending_.push_back({std::string(s), std::nullopt}); }
  void node(NodeId id, Binding at_least = Binding::Any) { pending_.push_back({{}, id, at_least}); }

  // Cuts the text, but never inside a UTF-8 sequence.
  std::string cut() {
    std::size_t end = max_length;
    while (end > 0 && (static_cast<unsigned char>(out_[end]) & 0xC0u) == 0x80u) --end;
    return out_.substr(0, end) + "…";
  }

  bool begins_with_minus(NodeId id) const {
    const Node& n = pool_[id];
    if (n.op == Op::Neg) return true;
    if (n.op == Op::Constant) return std::signbit(pool_.constant_value(id));
    // The constant of a product: -2*x is read as -(2*x), which is the same node.
    return (n.op == Op::Mul || n.op == Op::Div) && pool_.is_constant(n.operand(0)) &&
           std::signbit(pool_.constant_value(n.operand(0)));
  }

  Binding binding_of(NodeId id) const {
    const Op op = pool_[id].op;
    if (begins_with_minus(id)) return Binding::Sum;
    if (op == Op::Not) return Binding::Not;
    if (const auto operation = infix(op)) return operation->binding;
    return Binding::Primary;  // if-expressions have their own parentheses
  }

  void expand(NodeId id, Binding at_least) {
    if (binding_of(id) < at_least) {
      out_ += '(';
      text(")");
    }
    const Node& n = pool_[id];
    switch (n.op) {
      case Op::Constant: text(decimal(pool_.constant_value(id))); return;
      case Op::Time: text("time"); return;
      case Op::Parameter: text(names_.parameter(ParamId{static_cast<std::int32_t>(n.a)})); return;
      case Op::Variable: variable(n); return;
      case Op::Local: text("local" + std::to_string(n.a)); return;
      case Op::Neg:
        node(n.operand(0), Binding::Product);
        text("-");
        return;
      case Op::Not:
        node(n.operand(0), Binding::Relation);
        text("not ");
        return;
      case Op::IfElse:
        text(")");
        node(n.operand(2));
        text(" else ");
        node(n.operand(1));
        text(" then ");
        node(n.operand(0));
        text("(if ");
        return;
      case Op::Call: {
        const CallSite& site = pool_.call_site(n);
        const Function& function = pool_.function(site.function);
        const bool several = function.outputs.size() > 1;
        arguments(site.arguments, several ? ")[" + std::to_string(site.output + 1) + "]" : ")");
        text(function.name + "(");
        return;
      }
      default: break;
    }
    if (const auto operation = infix(n.op)) {
      const bool minus_in_front = begins_with_minus(id);
      node(n.operand(1), operation->right);
      text(operation->sign);
      node(n.operand(0), minus_in_front ? Binding::Any : operation->left);
      return;
    }
    NodeId buffer[3];
    arguments(pool_.operands(id, buffer), ")");
    text("(");
    text(function_name(n.op));
  }

  void arguments(std::span<const NodeId> list, std::string_view close) {
    text(close);
    for (std::size_t k = list.size(); k-- > 0;) {
      node(list[k]);
      if (k > 0) text(", ");
    }
  }

  void variable(const Node& n) {
    const std::string name = names_.variable(VarId{static_cast<std::int32_t>(n.a)});
    for (std::uint32_t k = 0; k < n.b; ++k) text(")");
    text(name);
    for (std::uint32_t k = 0; k < n.b; ++k) text("der(");
  }

  const Pool& pool_;
  const Names& names_;
  std::vector<Pending> pending_;
  std::string out_;
};

}  // namespace

std::string decimal(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string to_string(const Pool& pool, NodeId expression, const Names& names) {
  return Printer(pool, names).print(expression);
}

}  // namespace driftless
