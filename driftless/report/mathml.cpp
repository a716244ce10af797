#include "driftless/report/mathml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/expr/function.hpp"
#include "driftless/solution/characters.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t max_length = 24'000;
constexpr std::size_t most_factors = 40;  // of one product

// The precedence of a node in a formula; fractions, roots and absolute values need no parentheses.
enum class Binding { Any, Or, And, Not, Relation, Sum, Product, Power, Primary };

std::string_view function_name(Op op) {
  switch (op) {
    case Op::Log: return "ln";
    case Op::Log10: return "lg";
    case Op::Sin: return "sin";
    case Op::Cos: return "cos";
    case Op::Tan: return "tan";
    case Op::Asin: return "arcsin";
    case Op::Acos: return "arccos";
    case Op::Atan: return "arctan";
    case Op::Atan2: return "arctan2";
    case Op::Sinh: return "sinh";
    case Op::Cosh: return "cosh";
    case Op::Tanh: return "tanh";
    case Op::Asinh: return "arsinh";
    case Op::Acosh: return "arcosh";
    case Op::Atanh: return "artanh";
    case Op::Sign: return "sgn";
    case Op::Min: return "min";
    case Op::Max: return "max";
    default: return {};
  }
}

struct Infix {
  std::string_view sign;
  Binding binding, left, right;
};

std::optional<Infix> infix(Op op) {
  switch (op) {
    case Op::Or: return Infix{"∨", Binding::Or, Binding::Or, Binding::And};
    case Op::And: return Infix{"∧", Binding::And, Binding::And, Binding::Not};
    case Op::Less: return Infix{"&lt;", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::LessEqual: return Infix{"≤", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::Equal: return Infix{"=", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::NotEqual: return Infix{"≠", Binding::Relation, Binding::Sum, Binding::Sum};
    case Op::Add: return Infix{"+", Binding::Sum, Binding::Sum, Binding::Sum};
    case Op::Sub: return Infix{"−", Binding::Sum, Binding::Sum, Binding::Product};
    default: return std::nullopt;
  }
}

// 1.5e-07 as 1.5 · 10^-7; infinity and NaN by name.
std::string number(double value) {
  const std::string text = decimal(std::abs(value));
  const std::string minus = std::signbit(value) ? "<mo>−</mo>" : "";
  if (!std::isfinite(value)) return minus + (std::isnan(value) ? "<mi>NaN</mi>" : "<mi>∞</mi>");
  const std::size_t e = text.find('e');
  if (e == text.npos) return minus + "<mn>" + text + "</mn>";
  const int exponent = std::stoi(text.substr(e + 1));
  const std::string power = fmt::format("<msup><mn>10</mn><mrow>{}<mn>{}</mn></mrow></msup>",
                                        exponent < 0 ? "<mo>−</mo>" : "", std::abs(exponent));
  if (text.substr(0, e) == "1") return minus + power;
  return fmt::format("{}<mn>{}</mn><mo>·</mo>{}", minus, text.substr(0, e), power);
}

struct Pending {
  std::string text;
  std::optional<NodeId> node;  // instead of text
  Binding at_least = Binding::Any;
};

class Typesetter {
 public:
  Typesetter(const Pool& pool, const Names& names) : pool_(pool), names_(names) {}

  std::optional<std::string> typeset(NodeId root, Binding at_least = Binding::Any) {
    node(root, at_least);
    while (!pending_.empty()) {
      const Pending next = std::move(pending_.back());
      pending_.pop_back();
      if (next.node)
        expand(*next.node, next.at_least);
      else
        out_ += next.text;
      if (out_.size() > max_length || pending_.size() > max_length) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  // Pushed in reverse: the last is written first.
  void text(std::string s) { pending_.push_back({std::move(s), std::nullopt}); }
  void node(NodeId id, Binding at_least = Binding::Any) { pending_.push_back({{}, id, at_least}); }
  void row(NodeId id, Binding at_least = Binding::Any) {
    text("</mrow>");
    node(id, at_least);
    text("<mrow>");
  }
  void between(NodeId id, std::string_view open, std::string_view close) {
    const std::string_view grows = is_tall(id) ? "" : " stretchy=\"false\"";
    text(fmt::format("<mo{}>{}</mo></mrow>", grows, close));
    node(id);
    text(fmt::format("<mrow><mo{}>{}</mo>", grows, open));
  }

  // Higher than a line of text?
  bool is_tall(NodeId id) const {
    return any_node(pool_, id, [&](NodeId k) { return pool_[k].op == Op::Div || pool_[k].op == Op::IfElse; });
  }

  bool is_number(NodeId id, double value) const { return pool_.is_constant(id) && pool_.constant_value(id) == value; }

  bool begins_with_minus(NodeId id) const {
    const Node& n = pool_[id];
    if (n.op == Op::Neg) return true;
    if (n.op == Op::Constant) return std::signbit(pool_.constant_value(id));
    return n.op == Op::Mul && factors_of(id).coefficient < 0.0;
  }

  // A flattened product: its numbers are multiplied and come first, equal factors become a power.
  struct Factors {
    double coefficient = 1.0;
    std::vector<std::pair<NodeId, int>> list{};
  };
  Factors factors_of(NodeId product) const {
    Factors factors;
    std::vector<NodeId> left{product};
    while (!left.empty()) {
      const NodeId id = left.back();
      left.pop_back();
      const Node& n = pool_[id];
      if (n.op == Op::Mul && left.size() + factors.list.size() < most_factors) {
        left.push_back(n.operand(1)), left.push_back(n.operand(0));
      } else if (n.op == Op::Constant) {
        factors.coefficient *= pool_.constant_value(id);
      } else if (n.op == Op::Neg) {
        factors.coefficient = -factors.coefficient;
        left.push_back(n.operand(0));
      } else {
        const auto known = std::ranges::find(factors.list, id, &std::pair<NodeId, int>::first);
        if (known != factors.list.end())
          ++known->second;
        else
          factors.list.emplace_back(id, 1);
      }
    }
    return factors;
  }

  Binding binding_of(NodeId id) const {
    const Node& n = pool_[id];
    if (begins_with_minus(id)) return Binding::Sum;
    if (n.op == Op::Not) return Binding::Not;
    if (n.op == Op::Pow) return is_number(n.operand(1), 0.5) ? Binding::Primary : Binding::Power;
    if (n.op == Op::Exp) return Binding::Power;
    if (n.op == Op::Constant && decimal(pool_.constant_value(id)).find('e') != std::string::npos)
      return Binding::Product;
    if (n.op == Op::Variable && n.b >= 4) return Binding::Power;
    if (n.op == Op::Mul) return Binding::Product;
    if (const auto operation = infix(n.op)) return operation->binding;
    return Binding::Primary;
  }

  void expand(NodeId id, Binding at_least) {
    if (binding_of(id) < at_least) {
      between(id, "(", ")");
      return;
    }
    const Node& n = pool_[id];
    switch (n.op) {
      case Op::Constant: text(number(pool_.constant_value(id))); return;
      case Op::Time: text("<mi>t</mi>"); return;
      case Op::Parameter: text(mathml_name(names_.parameter(ParamId{static_cast<std::int32_t>(n.a)}))); return;
      case Op::Variable:
        text(mathml_name(names_.variable(VarId{static_cast<std::int32_t>(n.a)}), static_cast<int>(n.b)));
        return;
      case Op::Local: text(fmt::format("<msub><mi>u</mi><mn>{}</mn></msub>", n.a)); return;
      case Op::Neg: node(n.operand(0), Binding::Product), text("<mo form=\"prefix\">−</mo>"); return;
      case Op::Not: node(n.operand(0), Binding::Relation), text("<mo>¬</mo>"); return;
      case Op::Mul: product(id); return;
      case Op::Div: fraction(n); return;
      case Op::Pow: power(n); return;
      case Op::Sqrt: text("</msqrt>"), node(n.operand(0)), text("<msqrt>"); return;
      case Op::Exp: text("</msup>"), row(n.operand(0)), text("<msup><mi>e</mi>"); return;
      case Op::Abs: between(n.operand(0), "|", "|"); return;
      case Op::Floor: between(n.operand(0), "⌊", "⌋"); return;
      case Op::Ceil: between(n.operand(0), "⌈", "⌉"); return;
      case Op::IfElse: cases(n); return;
      case Op::Call: call(n); return;
      default: break;
    }
    if (const auto operation = infix(n.op)) {
      // a + -b would be two signs in a row.
      node(n.operand(1), begins_with_minus(n.operand(1)) ? Binding::Product : operation->right);
      text(fmt::format("<mo>{}</mo>", operation->sign));
      node(n.operand(0), operation->left);
      return;
    }
    NodeId buffer[3];
    arguments(pool_.operands(id, buffer));
    text(fmt::format("<mi>{}</mi>", function_name(n.op)));
  }

  void product(NodeId id) {
    const Factors factors = factors_of(id);
    const double size = std::abs(factors.coefficient);
    const bool has_number = size != 1.0 || factors.list.empty();
    for (std::size_t k = factors.list.size(); k-- > 0;) {
      const auto& [factor, times] = factors.list[k];
      if (times > 1) {
        text(fmt::format("<mrow><mn>{}</mn></mrow></msup>", times));
        row(factor, Binding::Primary);
        text("<msup>");
      } else {
        node(factor, Binding::Power);
      }
      if (k > 0) text(between_factors(factors.list[k - 1].first, factor));
    }
    if (has_number) {
      if (!factors.list.empty())
        text(pool_.is_constant(first_of(factors.list[0].first)) ? "<mo>·</mo>" : "<mspace width=\"0.14em\"/>");
      text(number(size));
    }
    if (factors.coefficient < 0.0) text("<mo form=\"prefix\">−</mo>");
  }

  NodeId first_of(NodeId id) const {
    while (pool_[id].op == Op::Mul || pool_[id].op == Op::Pow) id = pool_[id].operand(0);
    return id;
  }

  void fraction(const Node& n) {
    text("</mfrac>");
    row(n.operand(1));
    row(n.operand(0));
    text("<mfrac>");
  }

  // Roots for ½; sin²(x) in the usual notation.
  void power(const Node& n) {
    const NodeId base = n.operand(0), exponent = n.operand(1);
    if (is_number(exponent, 0.5)) {
      text("</msqrt>"), node(base), text("<msqrt>");
      return;
    }
    const Op op = pool_[base].op;
    if (op >= Op::Sin && op <= Op::Tanh && op != Op::Atan2 && pool_.is_constant(exponent) &&
        pool_.constant_value(exponent) > 1.0) {
      NodeId buffer[3];
      arguments(pool_.operands(base, buffer));
      text("</msup>"), row(exponent), text(fmt::format("<msup><mi>{}</mi>", function_name(op)));
      return;
    }
    text("</msup>");
    row(exponent);
    row(base, Binding::Primary);
    text("<msup>");
  }

  void cases(const Node& n) {
    text("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>");
    node(n.operand(2));
    text("</mtd></mtr><mtr><mtd>");
    node(n.operand(0));
    text("</mtd><mtd><mtext>if&#160;</mtext>");
    node(n.operand(1));
    text("<mrow><mo>{</mo><mtable class=\"cases\"><mtr><mtd>");
  }

  void call(const Node& n) {
    const CallSite& site = pool_.call_site(n);
    const Function& function = pool_.function(site.function);
    arguments(site.arguments);
    text(function.outputs.size() > 1
             ? fmt::format("<msub><mi>{}</mi><mn>{}</mn></msub>", xml_escaped(function.name), site.output + 1)
             : fmt::format("<mi>{}</mi>", xml_escaped(function.name)));
  }

  void arguments(std::span<const NodeId> list) {
    const bool tall = std::ranges::any_of(list, [&](NodeId id) { return is_tall(id); });
    const std::string_view grows = tall ? "" : " stretchy=\"false\"";
    text(fmt::format("<mo{}>)</mo></mrow>", grows));
    for (std::size_t k = list.size(); k-- > 0;) {
      node(list[k]);
      if (k > 0) text("<mo>,</mo>");
    }
    text(fmt::format("<mrow><mo{}>(</mo>", grows));
  }

  // A thin space between single letters, a dot where words would run together.
  std::string between_factors(NodeId left, NodeId right) const {
    const bool dot = is_word(left) || is_word(first_of(right)) || pool_.is_constant(first_of(right));
    return dot ? "<mo>·</mo>" : "<mspace width=\"0.14em\"/>";
  }

  // Is it a name of several letters, or with a path?
  bool is_word(NodeId id) const {
    const Node& n = pool_[id];
    if (n.op != Op::Variable && n.op != Op::Parameter) return false;
    const std::string set =
        mathml_name(n.op == Op::Variable ? names_.variable(VarId{static_cast<std::int32_t>(n.a)})
                                         : names_.parameter(ParamId{static_cast<std::int32_t>(n.a)}));
    const std::size_t open = set.find("<mi>") + 4;
    return set.starts_with("<mrow>") || character_count(set.substr(open, set.find("</mi>") - open)) > 1;
  }

  const Pool& pool_;
  const Names& names_;
  std::vector<Pending> pending_;
  std::string out_;
};

}  // namespace

std::optional<std::string> mathml(const Pool& pool, NodeId expression, const Names& names) {
  return Typesetter(pool, names).typeset(expression);
}

std::optional<std::string> mathml_equation(const Pool& pool, NodeId residual, const Names& names) {
  const Node& n = pool[residual];
  const bool is_difference = n.op == Op::Sub;
  const auto left = mathml(pool, is_difference ? n.operand(0) : residual, names);
  const auto right = is_difference ? mathml(pool, n.operand(1), names) : "<mn>0</mn>";
  if (!left || !right) return std::nullopt;
  return *left + "<mo>=</mo>" + *right;
}

}  // namespace driftless::reporting
