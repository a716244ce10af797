#include "driftless/expr/print.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <stdexcept>
#include <string_view>

#include "driftless/expr/function.hpp"
#include "driftless/expr/random_expression.hpp"

namespace driftless {
namespace {

const Names names{[](VarId id) { return std::string(1, static_cast<char>('x' + index(id))); },
                  [](ParamId id) { return std::string("p").append(std::to_string(index(id))); }};

// Reads back what the printer wrote, by the precedences of Modelica's grammar.
class Reader {
 public:
  Reader(Pool& pool, std::string_view text) : pool_(pool), rest_(text) {}

  NodeId read() {
    const NodeId e = expression();
    if (!rest_.empty()) throw std::runtime_error("unread: " + std::string(rest_));
    return e;
  }

 private:
  bool accept(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) throw std::runtime_error("expected " + std::string(token) + " before " + std::string(rest_));
  }

  NodeId expression() {
    if (accept("if ")) {
      const NodeId condition = expression();
      expect(" then ");
      const NodeId then = expression();
      expect(" else ");
      return pool_.if_else(condition, then, expression());
    }
    NodeId left = logical_term();
    while (accept(" or ")) left = pool_.binary(Op::Or, left, logical_term());
    return left;
  }
  NodeId logical_term() {
    NodeId left = logical_factor();
    while (accept(" and ")) left = pool_.binary(Op::And, left, logical_factor());
    return left;
  }
  NodeId logical_factor() { return accept("not ") ? pool_.unary(Op::Not, relation()) : relation(); }
  NodeId relation() {
    const NodeId left = sum();
    if (accept(" <= ")) return pool_.binary(Op::LessEqual, left, sum());
    if (accept(" < ")) return pool_.binary(Op::Less, left, sum());
    if (accept(" == ")) return pool_.binary(Op::Equal, left, sum());
    if (accept(" <> ")) return pool_.binary(Op::NotEqual, left, sum());
    return left;
  }
  NodeId sum() {
    NodeId left = accept("-") ? pool_.neg(product()) : product();
    for (;;) {
      if (accept(" + "))
        left = pool_.add(left, product());
      else if (accept(" - "))
        left = pool_.sub(left, product());
      else
        return left;
    }
  }
  NodeId product() {
    NodeId left = power();
    for (;;) {
      if (accept("*"))
        left = pool_.mul(left, power());
      else if (accept("/"))
        left = pool_.div(left, power());
      else
        return left;
    }
  }
  NodeId power() {
    const NodeId base = primary();
    return accept("^") ? pool_.pow(base, primary()) : base;
  }
  NodeId primary() {
    if (accept("(")) {
      const NodeId e = expression();
      expect(")");
      return e;
    }
    double value;
    const auto number = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (number.ec == std::errc() && rest_[0] != '-') {
      rest_.remove_prefix(static_cast<std::size_t>(number.ptr - rest_.data()));
      return pool_.constant(value);
    }
    std::size_t length = 0;
    while (length < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[length])))) ++length;
    const std::string word(rest_.substr(0, length));
    rest_.remove_prefix(length);
    if (!accept("(")) return leaf(word);
    const NodeId a = expression();
    if (word == "der") {
      expect(")");
      return pool_.variable(VarId{static_cast<int>(pool_[a].a)}, static_cast<int>(pool_[a].b) + 1);
    }
    for (int op = 0; op <= static_cast<int>(Op::Ceil); ++op) {
      if (word != name(Op{static_cast<std::uint8_t>(op)})) continue;
      const bool two = accept(", ");
      const NodeId e = two ? pool_.binary(Op{static_cast<std::uint8_t>(op)}, a, expression())
                           : pool_.unary(Op{static_cast<std::uint8_t>(op)}, a);
      expect(")");
      return e;
    }
    throw std::runtime_error("unknown function " + word);
  }
  NodeId leaf(const std::string& word) {
    if (word == "time") return pool_.time();
    if (word.size() == 2 && word[0] == 'p') return pool_.parameter(ParamId{word[1] - '0'});
    if (word.size() == 1) return pool_.variable(VarId{word[0] - 'x'});
    throw std::runtime_error("unknown name " + word);
  }
  static std::string_view name(Op op) {
    constexpr std::string_view from_sqrt[] = {"sqrt",  "exp",  "log",   "log10", "sin",  "cos",   "tan",   "asin",
                                              "acos",  "atan", "atan2", "sinh",  "cosh", "tanh",  "asinh", "acosh",
                                              "atanh", "abs",  "sign",  "min",   "max",  "floor", "ceil"};
    return op < Op::Sqrt ? "" : from_sqrt[static_cast<int>(op) - static_cast<int>(Op::Sqrt)];
  }

  Pool& pool_;
  std::string_view rest_;
};

class PrintTest : public testing::Test {
 protected:
  Pool pool;
  NodeId x = pool.variable(VarId{0});
  NodeId y = pool.variable(VarId{1});
  NodeId z = pool.variable(VarId{2});
  NodeId c(double value) { return pool.constant(value); }
  std::string print(NodeId e) { return to_string(pool, e, names); }
};

TEST_F(PrintTest, ParenthesesOnlyWhereNeeded) {
  EXPECT_EQ(print(pool.add(pool.add(x, y), z)), "x + y + z");
  EXPECT_EQ(print(pool.sub(x, pool.add(y, z))), "x - (y + z)");
  EXPECT_EQ(print(pool.add(x, pool.mul(y, z))), "x + y*z");
  EXPECT_EQ(print(pool.mul(pool.add(x, y), z)), "(x + y)*z");
  EXPECT_EQ(print(pool.div(x, pool.mul(y, z))), "x/(y*z)");
  EXPECT_EQ(print(pool.div(pool.mul(x, y), z)), "x*y/z");
  EXPECT_EQ(print(pool.neg(pool.mul(x, y))), "-x*y");
  EXPECT_EQ(print(pool.neg(pool.add(x, y))), "-(x + y)");
  EXPECT_EQ(print(pool.pow(pool.add(x, y), c(2))), "(x + y)^2");
  EXPECT_EQ(print(pool.pow(pool.pow(x, y), z)), "(x^y)^z");
  EXPECT_EQ(print(pool.mul(c(2), pool.pow(x, c(2)))), "2*x^2");
}

TEST_F(PrintTest, NegativeNumbers) {
  EXPECT_EQ(print(c(-2)), "-2");
  EXPECT_EQ(print(pool.mul(c(-2), x)), "-2*x");
  EXPECT_EQ(print(pool.pow(x, c(-2))), "x^(-2)");
  EXPECT_EQ(print(pool.pow(c(-2), x)), "(-2)^x");
  EXPECT_EQ(print(pool.sub(c(-2), x)), "-2 - x");
  EXPECT_EQ(print(pool.div(c(-2), x)), "-2/x");
}

TEST_F(PrintTest, Leaves) {
  EXPECT_EQ(print(pool.variable(VarId{0}, 2)), "der(der(x))");
  EXPECT_EQ(print(pool.mul(pool.parameter(ParamId{3}), pool.time())), "p3*time");
  EXPECT_EQ(print(c(0.1)), "0.1");
  EXPECT_EQ(print(c(1e-12)), "1e-12");
}

TEST_F(PrintTest, ConditionsAndLogic) {
  const NodeId less = pool.binary(Op::Less, x, y);
  const NodeId differs = pool.binary(Op::NotEqual, x, z);
  EXPECT_EQ(print(pool.if_else(less, x, pool.neg(y))), "(if x < y then x else -y)");
  EXPECT_EQ(print(pool.binary(Op::And, less, pool.unary(Op::Not, differs))), "x < y and not x <> z");
  EXPECT_EQ(print(pool.binary(Op::And, pool.binary(Op::Or, less, differs), less)), "(x < y or x <> z) and x < y");
  EXPECT_EQ(print(pool.binary(Op::Atan2, x, pool.binary(Op::Max, y, z))), "atan2(x, max(y, z))");
}

TEST_F(PrintTest, Calls) {
  Function f{.name = "f", .inputs = 2, .locals = 2, .outputs = {0}};
  Function g{.name = "g", .inputs = 1, .locals = 2, .outputs = {0, 1}};
  EXPECT_EQ(print(pool.call(pool.add_function(f), 0, std::vector{x, pool.neg(y)})), "f(x, -y)");
  EXPECT_EQ(print(pool.call(pool.add_function(g), 1, std::vector{x})), "g(x)[2]");
}

TEST_F(PrintTest, NumbersReadBackExactly) {
  std::mt19937_64 generator(1);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::bit_cast<double>(generator());
    if (!std::isnormal(value)) continue;
    EXPECT_EQ(std::stod(decimal(value)), value);
  }
}

TEST_F(PrintTest, ReadingBackGivesTheSameNode) {
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    const NodeId e = RandomExpressions(pool, seed)(12, false).node;
    const std::string text = print(e);
    EXPECT_EQ(Reader(pool, text).read(), e) << text;
  }
}

TEST_F(PrintTest, HugeTextIsCut) {
  NodeId e = x;
  for (int i = 0; i < 200; ++i) e = pool.mul(pool.unary(Op::Sin, e), pool.unary(Op::Cos, e));
  EXPECT_LT(print(e).size(), 4010u);
  EXPECT_TRUE(print(e).ends_with("…"));
  NodeId deep = x;
  for (int i = 0; i < 1'000'000; ++i) deep = pool.add(deep, pool.mul(c(i + 2), x));
  EXPECT_TRUE(print(deep).ends_with("…"));
}

}  // namespace
}  // namespace driftless
