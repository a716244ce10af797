// Expressions of the random models: a small tree that prints itself as Modelica and evaluates itself in long double. It
// shares nothing with the program, so that it can judge what the program computes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace driftless::random_models {

enum class Kind { Constant, Time, Variable, Add, Multiply, Divide, Power, Call, Max, Min, If };

class Expression;
using Children = std::vector<Expression>;

// An immutable tree, cheap to copy.
class Expression {
 public:
  Expression(double value);  // NOLINT: numbers are expressions
  static Expression time();
  static Expression variable(int index, int order = 0);  // order: how often it is differentiated
  static Expression make(Kind kind, Children children, double number = 0.0, std::string function = {});

  Kind kind() const { return node_->kind; }
  const Children& children() const { return node_->children; }
  double number() const { return node_->number; }                  // value, exponent, or the time of an if
  const std::string& function() const { return node_->function; }  // of a call
  int index() const { return node_->index; }
  int order() const { return node_->order; }

 private:
  struct Node {
    Kind kind = Kind::Constant;
    Children children{};
    double number = 0.0;
    std::string function{};
    int index = 0, order = 0;
  };
  std::shared_ptr<const Node> node_;
};

Expression operator+(const Expression& a, const Expression& b);
Expression operator-(const Expression& a, const Expression& b);
Expression operator-(const Expression& a);
Expression operator*(const Expression& a, const Expression& b);
Expression operator/(const Expression& a, const Expression& b);
Expression power(const Expression& a, double exponent);
Expression call(const std::string& function,
                const Expression& a);  // sin, cos, exp, sqrt, abs, log, sign, floor, noEvent
Expression maximum(const Expression& a, const Expression& b);
Expression minimum(const Expression& a, const Expression& b);
// `a` while left < 0, then b.
Expression if_negative(const Expression& left, const Expression& a, const Expression& b);

// d/dt, for what contains no kinks.
Expression derivative(const Expression& e);
// With every variable, differentiated as often as it stands there, replaced by its solution.
Expression with_solution(const Expression& e, const std::vector<Expression>& solution);

std::string to_text(const Expression& e, const std::vector<std::string>& names);

// `size` says by how much the value changes at most, to first order, when every variable v changes by |v| + 1;
// `magnitude` the same for numbers of any kind and their own size, so that rounding is some epsilon of it.
struct Value {
  long double value = 0.0L, size = 0.0L, magnitude = 0.0L;
};
using Lookup = std::function<long double(int index, int order)>;
Value evaluate(const Expression& e, long double time, const Lookup& lookup);
long double evaluate_at(const Expression& e, long double time);  // without variables

}  // namespace driftless::random_models
