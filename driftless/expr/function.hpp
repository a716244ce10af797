// A user's function whose control flow depends on values: a small imperative program over scalar
// locals. The inputs are the first locals. Expressions of a body use only Local leaves,
// constants, parameters and calls.
//
// Its derivative is again a program (forward mode: every assignment is preceded by the assignment
// of its tangent), so functions are differentiated as often as needed.
//
// A function may also be foreign: C code that is called with numbers. Its derivative is a function that the user names,
// or a difference quotient.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "driftless/expr/pool.hpp"

namespace driftless {

struct Statement {
  enum class Kind { Assign, If, While, Return, Break };
  Kind kind = Kind::Assign;
  int target = -1;                   // Assign: local slot
  NodeId expression{};               // Assign: value. If, While: condition
  std::vector<Statement> body;       // If, While
  std::vector<Statement> otherwise;  // If
};

struct FlatProgram;

// Code outside of the pool. Equal inputs are expected to give equal outputs.
struct ForeignCode {
  // All outputs for these inputs. False where there are none: their values are then NaN.
  std::function<bool(std::span<const double> inputs, std::span<double> outputs)> call;
  std::vector<bool> is_discrete;  // by inputs: an Integer or Boolean, by which nothing is differentiated
  std::uint64_t number = 0;       // different for all, from foreign_function
};

// The derivative of a foreign function given by the user: a function of all its inputs and of their rates, whose
// outputs are the rates of the outputs.
struct GivenDerivative {
  enum class Rate { Passed, Zero, Unknown };
  FunctionId function;
  std::vector<int> places =
      {};  // by inputs of the foreign function: the place of its rate among the inputs of this one
  std::vector<Rate> rates = {};  // passed there; counts as zero; or the derivative is invalid unless it is zero
};

struct Function {
  static constexpr int zero_output = -1;  // in `outputs`: identically zero, calls of it are the constant 0

  std::string name;
  int inputs = 0;
  int locals = 0;                 // number of slots, inputs included; those that are not inputs start at 0
  std::vector<int> outputs = {};  // slots
  std::vector<Statement> body = {};

  std::shared_ptr<const ForeignCode> foreign = nullptr;  // in place of a body; inputs and outputs are all locals
  // Of foreign code: the derivative given by the user, or nothing. It may call the function, so it is set after the
  // function has its place in the pool, and before anything is differentiated.
  std::shared_ptr<std::optional<GivenDerivative>> derivative = nullptr;

  std::shared_ptr<const FlatProgram> flat = nullptr;  // the body ready to run; made by Pool::add_function
};

// A foreign function with this number of inputs and outputs.
Function foreign_function(std::string name, int inputs, int outputs, ForeignCode code);

// How often the function can be differentiated without difference quotients; -1: without limit.
int exact_derivatives(const Pool& pool, FunctionId function);

// Fills function.flat.
void flatten(const Pool& pool, Function& function);

// ∂outputs/∂input: a program with the same inputs, and one output for each output of the original.
// Outputs that do not depend on the input are zero_output.
Function tangent_of(Pool& pool, const Function& function, int input);

// Runs the program of a function that belongs to the pool. `locals` must have room for
// function.locals values; the first function.inputs hold the arguments, and afterwards the outputs their values. Loops
// are bounded (10^7 iterations): beyond that the result is NaN, which every caller treats as "cannot be evaluated
// here".
double evaluate_function(const Pool& pool, const Function& function, int output, std::span<const double> parameters,
                         std::span<double> locals);
double evaluate_function(const Pool& pool, const Function& function, int output,
                         const std::function<double(NodeId parameter)>& value_of, std::span<double> locals);

}  // namespace driftless
