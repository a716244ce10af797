#include "driftless/expr/function.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <string>
#include <utility>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/foreign.hpp"

namespace driftless {

// A program over one array of registers: the locals, then the constants, then the intermediate
// values of expressions. Structured statements have become jumps.
struct FlatProgram {
  enum class Code { Apply, Parameter, Call, Move, Jump, JumpIfZero, CountIteration };
  struct Instruction {
    Code code;
    Op op = Op::Neg;          // Apply
    int target = -1;          // a register; for jumps an instruction
    int a = 0, b = 0, c = 0;  // registers
    NodeId node{};            // Parameter and Call: the leaf and the call
  };
  std::vector<Instruction> instructions;
  std::vector<std::vector<int>> arguments;  // registers; of the Call whose c is the index here
  std::vector<double> initial;              // all registers at the start
};

namespace {

constexpr long max_iterations = 10'000'000;
constexpr int max_call_depth = 256;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

using Code = FlatProgram::Code;

class Flattener {
 public:
  Flattener(const Pool& pool, const Function& function) : pool_(pool) {
    program_.initial.assign(static_cast<std::size_t>(function.locals), 0.0);
    block(function.body);
    for (const int jump : returns_) at(jump).target = here();
  }

  FlatProgram take() { return std::move(program_); }

 private:
  int here() const { return static_cast<int>(program_.instructions.size()); }
  FlatProgram::Instruction& at(int i) { return program_.instructions[static_cast<std::size_t>(i)]; }

  int emit(FlatProgram::Instruction instruction) {
    program_.instructions.push_back(instruction);
    return here() - 1;
  }

  int new_register(double value = 0.0) {
    program_.initial.push_back(value);
    return static_cast<int>(program_.initial.size()) - 1;
  }

  int expression(NodeId root) {
    NodeMap<int> registers;
    for (const NodeId id : nodes_of(pool_, root)) registers[id] = node(id, registers);
    return registers.at(root);
  }

  int node(NodeId id, const NodeMap<int>& registers) {
    const Node& node = pool_[id];
    if (node.op == Op::Local) return static_cast<int>(node.a);
    if (node.op == Op::Constant) return new_register(pool_.constant_value(id));
    const int target = new_register(no_value);
    if (node.op == Op::Call) {
      std::vector<int> arguments;
      for (const NodeId argument : pool_.call_site(node).arguments) arguments.push_back(registers.at(argument));
      const int list = static_cast<int>(program_.arguments.size());
      program_.arguments.push_back(std::move(arguments));
      emit({.code = Code::Call, .target = target, .c = list, .node = id});
      return target;
    }
    if (node.op == Op::Parameter) {
      emit({.code = Code::Parameter, .target = target, .node = id});
      return target;
    }
    assert(arity(node.op) > 0 && "bodies of functions know locals, parameters and constants only");
    int operands[3] = {};
    for (int k = 0; k < arity(node.op); ++k) operands[k] = registers.at(node.operand(k));
    emit({.code = Code::Apply, .op = node.op, .target = target, .a = operands[0], .b = operands[1], .c = operands[2]});
    return target;
  }

  void block(const std::vector<Statement>& statements) {
    for (const Statement& s : statements) statement(s);
  }

  void statement(const Statement& s) {
    switch (s.kind) {
      case Statement::Kind::Assign: {
        const int value = expression(s.expression);
        emit({.code = Code::Move, .target = s.target, .a = value});
        break;
      }
      case Statement::Kind::If: {
        const int condition = expression(s.expression);
        const int to_otherwise = emit({.code = Code::JumpIfZero, .a = condition});
        block(s.body);
        const int to_end = emit({.code = Code::Jump});
        at(to_otherwise).target = here();
        block(s.otherwise);
        at(to_end).target = here();
        break;
      }
      case Statement::Kind::While: {
        const int top = here();
        const int condition = expression(s.expression);
        const int to_end = emit({.code = Code::JumpIfZero, .a = condition});
        emit({.code = Code::CountIteration});
        std::vector<int> outer_breaks = std::exchange(breaks_, {});
        block(s.body);
        emit({.code = Code::Jump, .target = top});
        at(to_end).target = here();
        for (const int jump : breaks_) at(jump).target = here();
        breaks_ = std::move(outer_breaks);
        break;
      }
      case Statement::Kind::Return: returns_.push_back(emit({.code = Code::Jump})); break;
      case Statement::Kind::Break: breaks_.push_back(emit({.code = Code::Jump})); break;
    }
  }

  const Pool& pool_;
  FlatProgram program_;
  std::vector<int> breaks_;  // jumps that leave the innermost loop
  std::vector<int> returns_;
};

using ValueOf = std::function<double(NodeId parameter)>;

// The registers of active calls, one after the other. The array grows during the first calls; later ones do not
// allocate.
class Registers {
 public:
  explicit Registers(const std::vector<double>& initial) : base_(used_) {
    used_ += initial.size();
    if (values_.size() < used_) values_.resize(2 * used_);
    std::ranges::copy(initial, values_.begin() + static_cast<std::ptrdiff_t>(base_));
  }
  ~Registers() { used_ = base_; }
  Registers(const Registers&) = delete;
  Registers& operator=(const Registers&) = delete;

  double& operator[](int r) { return values_[base_ + static_cast<std::size_t>(r)]; }

 private:
  std::size_t base_;
  static inline thread_local std::vector<double> values_;
  static inline thread_local std::size_t used_ = 0;
};

double run(const Pool& pool, const Function& function, int output, const ValueOf& value_of, std::span<double> locals,
           int depth) {
  const int slot = function.outputs[static_cast<std::size_t>(output)];
  if (slot == Function::zero_output) return 0.0;
  if (depth > max_call_depth) return no_value;

  if (function.foreign) return run_foreign(function, output, locals);
  assert(function.flat && "only functions of a pool can be run");
  const FlatProgram& program = *function.flat;
  Registers registers(program.initial);
  for (int k = 0; k < function.inputs; ++k) registers[k] = locals[static_cast<std::size_t>(k)];
  const auto value = [&](int r) -> double& { return registers[r]; };

  long iterations = 0;
  for (std::size_t next = 0; next < program.instructions.size();) {
    const FlatProgram::Instruction& i = program.instructions[next++];
    switch (i.code) {
      case Code::Apply: value(i.target) = apply(i.op, value(i.a), value(i.b), value(i.c)); break;
      case Code::Parameter: value(i.target) = value_of(i.node); break;
      case Code::Move: value(i.target) = value(i.a); break;
      case Code::Jump: next = static_cast<std::size_t>(i.target); break;
      case Code::JumpIfZero:
        if (value(i.a) == 0.0) next = static_cast<std::size_t>(i.target);
        break;
      case Code::CountIteration:
        if (++iterations > max_iterations) return no_value;
        break;
      case Code::Call: {
        const CallSite& site = pool.call_site(pool[i.node]);
        const Function& callee = pool.function(site.function);
        std::vector<double> frame(static_cast<std::size_t>(callee.locals));
        const std::vector<int>& arguments = program.arguments[static_cast<std::size_t>(i.c)];
        std::transform(arguments.begin(), arguments.end(), frame.begin(), value);
        value(i.target) = run(pool, callee, site.output, value_of, frame, depth + 1);
        break;
      }
    }
  }
  for (int k = 0; k < function.locals; ++k) locals[static_cast<std::size_t>(k)] = registers[k];
  return value(slot);
}

// ---- tangent programs

// Which locals carry a tangent: those that depend differentiably on the input. Found as the
// smallest set closed under assignment; every pass adds a local or is the last.
class Tangent {
 public:
  Tangent(Pool& pool, const Function& function, int input) : pool_(pool), function_(function) {
    active_.assign(static_cast<std::size_t>(function.locals), false);
    active_[static_cast<std::size_t>(input)] = true;
    follows_activity_ = has_steep_operation(function.body);
    do {
      grown_ = false;
      Differential differential = make_differential();
      spread(function.body, differential);
    } while (grown_);
  }

  Function program(int input) {
    Function tangent;
    tangent.name = "d" + function_.name + "/d" + std::to_string(input + 1);
    tangent.inputs = function_.inputs;
    tangent.locals = 3 * function_.locals;
    for (const int slot : function_.outputs) {
      const bool zero = slot == Function::zero_output || !active_[static_cast<std::size_t>(slot)];
      tangent.outputs.push_back(zero ? Function::zero_output : tangent_slot(slot));
    }
    for (int slot = 0; slot < function_.locals; ++slot) {
      if (!active_[static_cast<std::size_t>(slot)]) continue;
      const NodeId seed = pool_.constant(slot == input ? 1.0 : 0.0);
      tangent.body.push_back(assignment(tangent_slot(slot), seed));
      if (follows_activity_) tangent.body.push_back(assignment(activity_slot(slot), seed));
    }
    Differential differential = make_differential();
    for (Statement& statement : with_tangents(function_.body, differential)) {
      tangent.body.push_back(std::move(statement));
    }
    return tangent;
  }

 private:
  int tangent_slot(int slot) const { return function_.locals + slot; }
  // 1 if the present value of the local depends on the input: otherwise an infinite slope does not count.
  int activity_slot(int slot) const { return 2 * function_.locals + slot; }

  bool has_steep_operation(const std::vector<Statement>& statements) const {
    return std::ranges::any_of(statements, [&](const Statement& s) {
      const bool here = s.kind == Statement::Kind::Assign &&
                        any_node(pool_, s.expression, [&](NodeId id) { return may_be_steep(pool_[id].op); });
      return here || has_steep_operation(s.body) || has_steep_operation(s.otherwise);
    });
  }

  static Statement assignment(int target, NodeId value) {
    Statement statement;
    statement.target = target;
    statement.expression = value;
    return statement;
  }

  Differential make_differential() {
    const auto tangent = [this](NodeId leaf) {
      const Node node = pool_[leaf];
      if (node.op != Op::Local || !active_[node.a]) return pool_.zero();
      return pool_.local(tangent_slot(static_cast<int>(node.a)));
    };
    if (!follows_activity_) return Differential(pool_, tangent);
    return Differential(pool_, tangent,
                        [this](NodeId leaf) { return pool_.local(activity_slot(static_cast<int>(pool_[leaf].a))); });
  }

  void spread(const std::vector<Statement>& statements, Differential& differential) {
    for (const Statement& s : statements) {
      if (s.kind == Statement::Kind::Assign && !active_[static_cast<std::size_t>(s.target)] &&
          !pool_.is_constant(differential(s.expression), 0.0)) {
        active_[static_cast<std::size_t>(s.target)] = true;
        grown_ = true;
      }
      spread(s.body, differential);
      spread(s.otherwise, differential);
    }
  }

  // The tangent comes first: it needs the values from before the assignment.
  std::vector<Statement> with_tangents(const std::vector<Statement>& statements, Differential& differential) {
    std::vector<Statement> result;
    for (const Statement& s : statements) {
      if (s.kind == Statement::Kind::Assign && active_[static_cast<std::size_t>(s.target)]) {
        result.push_back(assignment(tangent_slot(s.target), differential(s.expression)));
        if (follows_activity_)
          result.push_back(assignment(activity_slot(s.target), differential.activity(s.expression)));
      }
      Statement copy = assignment(s.target, s.expression);
      copy.kind = s.kind;
      copy.body = with_tangents(s.body, differential);
      copy.otherwise = with_tangents(s.otherwise, differential);
      result.push_back(std::move(copy));
    }
    return result;
  }

  Pool& pool_;
  const Function& function_;
  std::vector<bool> active_;
  bool grown_ = false, follows_activity_ = false;
};

}  // namespace

void flatten(const Pool& pool, Function& function) {
  function.flat = std::make_shared<const FlatProgram>(Flattener(pool, function).take());
}

Function tangent_of(Pool& pool, const Function& function, int input) {
  if (function.foreign) return foreign_tangent(pool, function, input);
  return Tangent(pool, function, input).program(input);
}

double evaluate_function(const Pool& pool, const Function& function, int output, std::span<const double> parameters,
                         std::span<double> locals) {
  const auto value_of = [&](NodeId leaf) { return parameters[pool[leaf].a]; };
  return run(pool, function, output, value_of, locals, 0);
}

double evaluate_function(const Pool& pool, const Function& function, int output, const ValueOf& value_of,
                         std::span<double> locals) {
  return run(pool, function, output, value_of, locals, 0);
}

}  // namespace driftless
