#include "driftless/expr/function.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/expr/foreign.hpp"
#include "driftless/expr/remembered_results.hpp"

namespace driftless {

// A program over one array of registers: the locals, then the constants, then the intermediate
// values of expressions, each of which is computed before it is used. Structured statements have become jumps.
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
  std::vector<double> initial;              // of the first registers: locals and constants
  std::size_t registers = 0;                // all of them
  bool depends_on_inputs_alone = false;     // neither on parameters nor on foreign code
  std::uint64_t number = 0;                 // such a program whose results are remembered has one of its own
};

namespace {

constexpr long max_iterations = 10'000'000;
constexpr int max_call_depth = 256;
constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

using Code = FlatProgram::Code;

std::atomic<std::uint64_t> numbers = 0;  // of programs whose results are remembered

class Flattener {
 public:
  Flattener(const Pool& pool, const Function& function) : pool_(pool) {
    program_.initial.assign(static_cast<std::size_t>(function.locals), 0.0);
    block(function.body);
    for (const int jump : returns_) at(jump).target = here();
    number_registers();
    program_.depends_on_inputs_alone =
        !function.foreign && std::ranges::all_of(program_.instructions, [&](const auto& i) {
          return i.code == Code::Call ? callee_depends_on_inputs_alone(i.node) : i.code != Code::Parameter;
        });
    if (program_.depends_on_inputs_alone && takes_longer_than_remembering()) program_.number = ++numbers;
  }

  FlatProgram take() { return std::move(program_); }

 private:
  bool callee_depends_on_inputs_alone(NodeId call) const {
    const Function& callee = pool_.function(pool_.call_site(pool_[call]).function);
    return callee.flat && callee.flat->depends_on_inputs_alone;
  }

  bool takes_longer_than_remembering() const {
    constexpr std::size_t many_instructions = 60;
    return program_.instructions.size() > many_instructions ||
           std::ranges::any_of(program_.instructions,
                               [](const auto& i) { return i.code == Code::Call || i.code == Code::CountIteration; });
  }

  int here() const { return static_cast<int>(program_.instructions.size()); }
  FlatProgram::Instruction& at(int i) { return program_.instructions[static_cast<std::size_t>(i)]; }

  int emit(FlatProgram::Instruction instruction) {
    program_.instructions.push_back(instruction);
    return here() - 1;
  }

  int constant_register(double value) {
    const auto [place, fresh] =
        constants_.try_emplace(std::bit_cast<std::uint64_t>(value), static_cast<int>(program_.initial.size()));
    if (fresh) program_.initial.push_back(value);
    return place->second;
  }

  // Registers of intermediate values are counted from -1 downwards until it is known how many constants there are.
  int new_register() { return -static_cast<int>(++intermediate_); }

  void number_registers() {
    const auto place = [&](int& r) {
      if (r < 0) r = static_cast<int>(program_.initial.size()) - 1 - r;
    };
    for (FlatProgram::Instruction& i : program_.instructions) {
      const bool is_jump = i.code == Code::Jump || i.code == Code::JumpIfZero;
      if (!is_jump) place(i.target);
      for (int* r : {&i.a, &i.b}) place(*r);
      if (i.code != Code::Call) place(i.c);
    }
    for (std::vector<int>& list : program_.arguments) std::ranges::for_each(list, place);
    program_.registers = program_.initial.size() + intermediate_;
  }

  int expression(NodeId root) {
    NodeMap<int> registers;
    for (const NodeId id : nodes_of(pool_, root)) registers[id] = node(id, registers);
    return registers.at(root);
  }

  int node(NodeId id, const NodeMap<int>& registers) {
    const Node& node = pool_[id];
    if (node.op == Op::Local) return static_cast<int>(node.a);
    if (node.op == Op::Constant) return constant_register(pool_.constant_value(id));
    const int target = new_register();
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
  std::unordered_map<std::uint64_t, int> constants_;  // by their bits: their registers
  std::size_t intermediate_ = 0;
};

using ValueOf = std::function<double(NodeId parameter)>;

// The registers of active calls, one after the other. The array grows during the first calls; later ones do not
// allocate.
class Registers {
 public:
  explicit Registers(const FlatProgram& program) : base_(used_) {
    used_ += program.registers;
    if (values_.size() < used_) values_.resize(2 * used_);
    std::ranges::copy(program.initial, values_.begin() + static_cast<std::ptrdiff_t>(base_));
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
  thread_local RememberedResults results;
  const auto inputs = locals.first(static_cast<std::size_t>(function.inputs));
  const auto deliver = [&](auto value_of_output) {
    for (std::size_t k = 0; k < function.outputs.size(); ++k)
      if (const int one = function.outputs[k]; one != Function::zero_output)
        locals[static_cast<std::size_t>(one)] = value_of_output(k, one);
    return locals[static_cast<std::size_t>(slot)];
  };
  if (program.number != 0)
    if (const double* known = results.find(program.number, inputs))
      return deliver([&](std::size_t k, int) { return known[k]; });
  Registers registers(program);
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
  if (program.number != 0) {
    std::vector<double> all;
    for (const int one : function.outputs) all.push_back(one == Function::zero_output ? 0.0 : value(one));
    results.remember(program.number, inputs, std::move(all));
  }
  return deliver([&](std::size_t, int one) { return value(one); });
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
