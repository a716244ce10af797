#include "driftless/language/parser.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/language/parse_text.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;

const ast::ComponentClause& clause(const ast::Element& element) { return std::get<ast::ComponentClause>(element.node); }

const ast::ClassDefinition& nested(const ast::Element& element) {
  return *std::get<std::unique_ptr<ast::ClassDefinition>>(element.node);
}

std::vector<std::string> names(const std::vector<ast::Identifier>& identifiers) {
  std::vector<std::string> result;
  for (const ast::Identifier& identifier : identifiers) result.push_back(identifier.text);
  return result;
}

TEST(StoredDefinition, WithinAndSeveralClasses) {
  const Parsed parsed = parse_well("within A.B; model M end M; final package P end P;");
  EXPECT_EQ(to_string(*parsed.tree.within), "A.B");
  ASSERT_EQ(parsed.tree.classes.size(), 2U);
  EXPECT_FALSE(parsed.tree.classes[0].is_final);
  EXPECT_TRUE(parsed.tree.classes[1].is_final);
  EXPECT_TRUE(parse_well("within;").tree.within->empty());
  EXPECT_FALSE(parse_well("// nothing").tree.within.has_value());
}

TEST(StoredDefinition, BaseModelica) {
  const Parsed parsed = parse_well(R"(//! base 0.1.0
package 'Pendulum'
  model 'Pendulum' "in the plane"
    parameter Real 'body.m';
    Real 'body.r[1]';
  parameter equation
    guess('body.m') = 2.0;
  initial equation
    'body.r[1]' = 1;
  equation
    der('body.r[1]') = 'body.m';
  end 'Pendulum';
end 'Pendulum';
)");
  EXPECT_EQ(parsed.tree.base_modelica, "0.1.0");
  const ast::ClassDefinition& model = nested(parsed.body().elements.at(0));
  EXPECT_EQ(unquoted(model.name), "Pendulum");
  EXPECT_EQ(model.comment.text, "in the plane");
  const auto& body = std::get<ast::LongClass>(model.node);
  EXPECT_EQ(unquoted(clause(body.elements.at(1)).components.at(0).name), "body.r[1]");
  ASSERT_EQ(body.equations.size(), 3U);
  EXPECT_EQ(body.equations[0].kind, ast::EquationKind::Parameter);
  EXPECT_EQ(body.equations[1].kind, ast::EquationKind::Initial);
  EXPECT_EQ(body.equations[2].kind, ast::EquationKind::Normal);
  const auto& guess = std::get<ast::Equality>(body.equations[0].equations.at(0).node);
  EXPECT_EQ(to_string(guess.left), "guess('body.m')");
}

TEST(Classes, EveryKindAndPrefix) {
  const Parsed parsed = parse_well(R"(encapsulated package P
  partial model A end A;
  class B end B;
  record C end C;
  block D end D;
  connector E end E;
  expandable connector F end F;
  type G = Real;
  function H end H;
  pure function I end I;
  impure function J end J;
  operator K end K;
  operator record L end L;
  operator function N end N;
  pure operator function O end O;
end P;)");
  EXPECT_TRUE(parsed.only().encapsulated);
  EXPECT_EQ(parsed.only().kind, ast::ClassKind::Package);
  std::vector<std::string> kinds;
  for (const ast::Element& element : parsed.body().elements) kinds.push_back(to_string(nested(element).kind));
  EXPECT_THAT(kinds, ElementsAre("model", "class", "record", "block", "connector", "expandable connector", "type",
                                 "function", "function", "function", "operator", "operator record", "operator function",
                                 "operator function"));
  EXPECT_TRUE(nested(parsed.body().elements[0]).partial);
  EXPECT_EQ(nested(parsed.body().elements[8]).purity, ast::Purity::Pure);
  EXPECT_EQ(nested(parsed.body().elements[9]).purity, ast::Purity::Impure);
  EXPECT_EQ(nested(parsed.body().elements[7]).purity, ast::Purity::Unspecified);
}

TEST(Classes, ShortEnumerationAndDerivative) {
  const Parsed parsed = parse_body(R"(
  connector In = input Real[3, :](unit = "m", min = 0) "a comment";
  type E = enumeration(one "first", two annotation(x = 1), three);
  type Open = enumeration(:);
  type None = enumeration();
  function f_xy = der(P.f, x, y);)");
  const auto& in = std::get<ast::ShortClass>(nested(parsed.body().elements[0]).node);
  EXPECT_EQ(in.causality, ast::Causality::Input);
  EXPECT_EQ(to_string(in.base), "Real");
  ASSERT_EQ(in.subscripts.size(), 2U);
  EXPECT_EQ(in.subscripts[1], nullptr);
  EXPECT_EQ(in.modifiers.size(), 2U);
  EXPECT_EQ(nested(parsed.body().elements[0]).comment.text, "a comment");
  const auto& enumeration = std::get<ast::Enumeration>(nested(parsed.body().elements[1]).node);
  ASSERT_EQ(enumeration.literals.size(), 3U);
  EXPECT_EQ(enumeration.literals[0].comment.text, "first");
  EXPECT_EQ(enumeration.literals[2].name.text, "three");
  EXPECT_TRUE(std::get<ast::Enumeration>(nested(parsed.body().elements[2]).node).open);
  EXPECT_TRUE(std::get<ast::Enumeration>(nested(parsed.body().elements[3]).node).literals.empty());
  const auto& derivative = std::get<ast::DerivativeClass>(nested(parsed.body().elements[4]).node);
  EXPECT_EQ(to_string(derivative.function), "P.f");
  EXPECT_THAT(names(derivative.variables), ElementsAre("x", "y"));
}

TEST(Classes, LongClassThatExtends) {
  const Parsed parsed = parse_body("redeclare model extends A(x = 1) \"more\" Real y; end A;");
  const ast::Element& element = parsed.body().elements.at(0);
  EXPECT_TRUE(element.redeclare);
  const auto& body = std::get<ast::LongClass>(nested(element).node);
  EXPECT_TRUE(body.extends);
  EXPECT_EQ(body.modifiers.size(), 1U);
  EXPECT_EQ(body.elements.size(), 1U);
  EXPECT_EQ(nested(element).comment.text, "more");
}

TEST(Classes, ExternalFunctions) {
  const Parsed parsed = parse_well(R"(function f
  input Real x; output Real y;
  external "C" y = c_f(x, size(x, 1)) annotation(Library = "m");
  annotation(Inline = false);
end f;)");
  const ast::External& external = *parsed.body().external;
  EXPECT_EQ(external.language, "C");
  EXPECT_EQ(to_string(*external.result), "y");
  EXPECT_EQ(external.function.text, "c_f");
  EXPECT_EQ(external.arguments.size(), 2U);
  EXPECT_EQ(external.annotation.size(), 1U);
  EXPECT_EQ(parsed.body().annotation.size(), 1U);
  EXPECT_TRUE(parse_well("function f external; end f;").body().external->function.empty());
  EXPECT_FALSE(parse_well("function f external \"C\" g(); end f;").body().external->result.has_value());
}

TEST(Elements, ImportsAndExtends) {
  const Parsed parsed = parse_body(R"(
  import A.B.C;
  import D = A.B "short";
  import A.*;
  import A.B.{C, D};
  extends .A.B(x = 1, break c, break connect(p, q.n)) annotation(y = 2);)");
  const auto import = [&](std::size_t k) -> const ast::Import& {
    return std::get<ast::Import>(parsed.body().elements.at(k).node);
  };
  EXPECT_EQ(to_string(import(0).name), "A.B.C");
  EXPECT_EQ(import(1).alias.text, "D");
  EXPECT_EQ(import(1).comment.text, "short");
  EXPECT_TRUE(import(2).all);
  EXPECT_THAT(names(import(3).names), ElementsAre("C", "D"));
  const auto& extends = std::get<ast::Extends>(parsed.body().elements.at(4).node);
  EXPECT_EQ(to_string(extends.base), ".A.B");
  ASSERT_EQ(extends.modifiers.size(), 3U);
  EXPECT_EQ(std::get<ast::Removal>(extends.modifiers[1].node).component.text, "c");
  EXPECT_EQ(to_string(std::get<ast::Removal>(extends.modifiers[2].node).connection->second), "q.n");
  EXPECT_EQ(extends.annotation.size(), 1U);
}

TEST(Elements, PrefixesOfComponents) {
  const Parsed parsed = parse_body(R"(
  final inner outer parameter Real a;
  flow Real b; stream Real c; discrete input Real d; constant Integer e = 1; output Boolean f;
protected
  replaceable Resistor r(R = 1) constrainedby OnePort(p = 2) "any";
public
  redeclare final A.B g[3] if use_g "conditional";)");
  const auto& elements = parsed.body().elements;
  EXPECT_TRUE(elements[0].is_final && elements[0].inner && elements[0].outer);
  EXPECT_EQ(clause(elements[0]).variability, ast::Variability::Parameter);
  EXPECT_EQ(clause(elements[1]).connection, ast::Connection::Flow);
  EXPECT_EQ(clause(elements[2]).connection, ast::Connection::Stream);
  EXPECT_EQ(clause(elements[3]).variability, ast::Variability::Discrete);
  EXPECT_EQ(clause(elements[3]).causality, ast::Causality::Input);
  EXPECT_EQ(clause(elements[4]).variability, ast::Variability::Constant);
  EXPECT_EQ(clause(elements[5]).causality, ast::Causality::Output);
  EXPECT_TRUE(elements[6].is_protected && elements[6].replaceable);
  EXPECT_EQ(to_string(elements[6].constraint->type), "OnePort");
  EXPECT_EQ(elements[6].constraint->comment.text, "any");
  EXPECT_FALSE(elements[7].is_protected);
  EXPECT_TRUE(elements[7].redeclare && elements[7].is_final);
  EXPECT_EQ(to_string(*clause(elements[7]).components[0].condition), "use_g");
  EXPECT_EQ(clause(elements[7]).components[0].comment.text, "conditional");
}

TEST(Elements, SizesModificationsAndValues) {
  const Parsed parsed = parse_body(
      "Real[2, :] x[n](each start = 1, final fixed = {true}, p.q(r = 2) \"deep\") = f(n) \"a\" + \"b\", y = break, z;");
  const ast::ComponentClause& real = clause(parsed.body().elements.at(0));
  EXPECT_EQ(real.subscripts.size(), 2U);
  ASSERT_EQ(real.components.size(), 3U);
  const ast::Component& x = real.components[0];
  EXPECT_EQ(to_string(*x.subscripts.at(0)), "n");
  EXPECT_EQ(to_string(*x.modification.value), "f(n)");
  EXPECT_EQ(x.comment.text, "ab");
  ASSERT_EQ(x.modification.modifiers.size(), 3U);
  EXPECT_TRUE(x.modification.modifiers[0].each);
  EXPECT_TRUE(x.modification.modifiers[1].is_final);
  const auto& deep = std::get<ast::ElementModification>(x.modification.modifiers[2].node);
  EXPECT_EQ(to_string(deep.name), "p.q");
  EXPECT_EQ(deep.comment, "deep");
  EXPECT_EQ(deep.modification.modifiers.size(), 1U);
  EXPECT_TRUE(real.components[1].modification.removes_value);
  EXPECT_TRUE(real.components[2].modification.empty());
}

TEST(Elements, RedeclarationsInModifications) {
  const Parsed parsed = parse_body(
      "A a(redeclare package Medium = Water(x = 1), redeclare each final Real r[2] = 1, "
      "replaceable model R = S constrainedby T, each replaceable B b);");
  const auto& modifiers = clause(parsed.body().elements.at(0)).components.at(0).modification.modifiers;
  ASSERT_EQ(modifiers.size(), 4U);
  const auto element = [&](std::size_t k) -> const ast::Element& {
    return *std::get<ast::Redeclaration>(modifiers[k].node).element;
  };
  EXPECT_TRUE(element(0).redeclare);
  EXPECT_EQ(nested(element(0)).name.text, "Medium");
  EXPECT_TRUE(modifiers[1].each && modifiers[1].is_final);
  EXPECT_EQ(clause(element(1)).components.at(0).name.text, "r");
  EXPECT_TRUE(element(2).replaceable && !element(2).redeclare);
  EXPECT_EQ(to_string(element(2).constraint->type), "T");
  EXPECT_TRUE(modifiers[3].each && element(3).replaceable);
}

TEST(Equations, EveryKind) {
  const Parsed parsed = parse_body(R"(equation
  x + y = 2 * z "a sum" annotation(a = 1);
  if a then x = 1; elseif b then x = 2; y = 3; else connect(p.a[1], q); end if;
  for i in 1:n, j loop x[i, j] = i; end for;
  when time > 1 then reinit(x, 0); elsewhen {a, b} then y = pre(y); end when;
  connect(r.p, s.n);
  assert(x > 0, "positive");
  (u, , v) = f(x);
initial equation
  der(x) = 0;)");
  ASSERT_EQ(parsed.body().equations.size(), 2U);
  const auto& equations = parsed.body().equations[0].equations;
  ASSERT_EQ(equations.size(), 7U);
  EXPECT_EQ(to_string(std::get<ast::Equality>(equations[0].node).left), "x + y");
  EXPECT_EQ(equations[0].comment.text, "a sum");
  EXPECT_EQ(parsed.text(equations[0].range), "x + y = 2 * z");
  const auto& choice = std::get<ast::IfEquation>(equations[1].node);
  ASSERT_EQ(choice.branches.size(), 2U);
  EXPECT_EQ(choice.branches[1].body.size(), 2U);
  EXPECT_EQ(to_string(std::get<ast::Connect>(choice.otherwise.at(0).node).from), "p.a[1]");
  const auto& loop = std::get<ast::ForEquation>(equations[2].node);
  ASSERT_EQ(loop.iterators.size(), 2U);
  ASSERT_NE(loop.iterators[1].range, nullptr);  // from its use as a subscript
  EXPECT_EQ(to_string(*loop.iterators[1].range), "1:size(x, 2)");
  EXPECT_EQ(loop.body.size(), 1U);
  EXPECT_EQ(std::get<ast::WhenEquation>(equations[3].node).branches.size(), 2U);
  EXPECT_EQ(to_string(std::get<ast::Connect>(equations[4].node).to), "s.n");
  EXPECT_EQ(to_string(std::get<ast::CallEquation>(equations[5].node).call), "assert(x > 0, \"positive\")");
  EXPECT_EQ(to_string(std::get<ast::Equality>(equations[6].node).left), "(u, , v)");
  EXPECT_EQ(parsed.body().equations[1].kind, ast::EquationKind::Initial);
}

TEST(Statements, EveryKind) {
  const Parsed parsed = parse_body(R"(algorithm
  x[2].y := 3 "set";
  (a, , b[1]) := f(x);
  g(x);
  for i in 1:3 loop if i == 2 then break; else x := i; end if; end for;
  while x < 3 loop x := x + 1; return; end while;
  when a then x := 1; elsewhen b then x := 2; end when;
initial algorithm
  x := 0;)");
  ASSERT_EQ(parsed.body().algorithms.size(), 2U);
  EXPECT_FALSE(parsed.body().algorithms[0].initial);
  EXPECT_TRUE(parsed.body().algorithms[1].initial);
  const auto& statements = parsed.body().algorithms[0].statements;
  ASSERT_EQ(statements.size(), 6U);
  EXPECT_EQ(to_string(std::get<ast::Assignment>(statements[0].node).target), "x[2].y");
  EXPECT_EQ(statements[0].comment.text, "set");
  const auto& tuple = std::get<ast::TupleAssignment>(statements[1].node);
  ASSERT_EQ(tuple.targets.size(), 3U);
  EXPECT_FALSE(tuple.targets[1].has_value());
  EXPECT_EQ(to_string(*tuple.targets[2]), "b[1]");
  EXPECT_TRUE(std::holds_alternative<ast::CallStatement>(statements[2].node));
  const auto& loop = std::get<ast::ForStatement>(statements[3].node);
  const auto& choice = std::get<ast::IfStatement>(loop.body.at(0).node);
  EXPECT_TRUE(std::holds_alternative<ast::Break>(choice.branches.at(0).body.at(0).node));
  EXPECT_EQ(choice.otherwise.size(), 1U);
  const auto& repeat = std::get<ast::WhileStatement>(statements[4].node);
  EXPECT_TRUE(std::holds_alternative<ast::Return>(repeat.body.at(1).node));
  EXPECT_EQ(std::get<ast::WhenStatement>(statements[5].node).branches.size(), 2U);
}

TEST(Ranges, CoverExactlyTheirText) {
  const std::string text =
      "model M \"\xC3\xA9\"\n  Real x(start = 1) if b \"c\";\nequation\n  (a + b) * c[2] = -f(x) \"d\";\nend M;";
  const Parsed parsed = parse_well(text + "\n");
  EXPECT_EQ(parsed.text(parsed.only().range), text.substr(0, text.size() - 1));
  EXPECT_EQ(parsed.text(parsed.only().name.range), "M");
  const ast::Component& x = clause(parsed.body().elements[0]).components[0];
  EXPECT_EQ(parsed.text(x.range), "x(start = 1) if b");
  EXPECT_EQ(parsed.text(x.modification.range), "(start = 1)");
  EXPECT_EQ(parsed.text(x.modification.modifiers[0].range), "start = 1");
  EXPECT_EQ(parsed.text(x.comment.range), "\"c\"");
  const ast::Equation& equation = parsed.body().equations[0].equations[0];
  EXPECT_EQ(parsed.text(equation.range), "(a + b) * c[2] = -f(x)");
  const auto& equality = std::get<ast::Equality>(equation.node);
  EXPECT_EQ(parsed.text(equality.left.range), "(a + b) * c[2]");
  const auto* product = equality.left.as<ast::Binary>();
  EXPECT_EQ(parsed.text(product->first->range), "(a + b)");
  EXPECT_EQ(parsed.text(product->rest[0].value.range), "c[2]");
  EXPECT_EQ(parsed.text(equality.right.range), "-f(x)");
  EXPECT_EQ(parsed.text(equality.right.as<ast::Unary>()->operand->range), "f(x)");
}

TEST(Numbers, IntegersAndReals) {
  const auto number = [](const std::string& text) { return *parse_expression(text).as<ast::Number>(); };
  EXPECT_TRUE(number("12").is_integer);
  EXPECT_FALSE(number("12.").is_integer);
  EXPECT_FALSE(number("1e3").is_integer);
  EXPECT_EQ(number("1e3").value, 1000.0);
  EXPECT_EQ(number("0.1").value, 0.1);
  EXPECT_EQ(number("1e-400").value, 0.0);
  EXPECT_FALSE(number("99999999999999999999").is_integer);
  EXPECT_EQ(number("99999999999999999999").value, 1e20);
}

// Constructs without limits stay flat in the tree; nesting beyond the limit gives a message.
TEST(Depth, LongListsAreFlatAndDeepNestingIsAnError) {
  std::string sum = "a", chain = "a";
  for (int k = 0; k < 100000; ++k) sum += " + b";
  for (int k = 0; k < 5000; ++k) chain = "if c then d else " + chain;
  EXPECT_EQ(parse_expression(sum).as<ast::Binary>()->rest.size(), 100000U);
  EXPECT_EQ(parse_expression(chain).as<ast::IfExpression>()->branches.size(), 5000U);

  const auto nest = [](const std::string& open, const std::string& middle, const std::string& close, int n) {
    std::string text;
    for (int k = 0; k < n; ++k) text += open;
    text += middle;
    for (int k = 0; k < n; ++k) text += close;
    return text;
  };
  const auto in_equation = [](const std::string& text) { return "model M equation x = " + text + "; end M;"; };
  EXPECT_FALSE(parse_any(in_equation(nest("(", "a", ")", 200))).diagnostics.has_errors());
  for (const std::string& text :
       {in_equation(nest("(", "a", ")", 100000)), in_equation(nest("{", "a", "}", 100000)),
        in_equation(nest("x[", "a", "]", 100000)), in_equation(nest("f(", "a", ")", 100000)),
        in_equation(nest("f(function g(a = ", "b", "))", 100000)),
        "model M equation " + nest("if a then ", "x = 1;", " end if;", 100000) + " end M;",
        "model M algorithm " + nest("while a loop ", "x := 1;", " end while;", 100000) + " end M;",
        "model M Real x" + nest("(a", "", ")", 100000) + "; end M;", nest("model M ", "", " end M;", 100000)}) {
    const Parsed parsed = parse_any(text);
    ASSERT_EQ(parsed.diagnostics.all().size(), 1U) << text.substr(0, 40);
    EXPECT_THAT(parsed.diagnostics.all()[0].message, testing::HasSubstr("nested more than 256 levels deep"));
  }
}

}  // namespace
}  // namespace driftless
