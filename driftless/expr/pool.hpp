// Expressions: a directed acyclic graph in which equal expressions are one node.
//
// A node is a 32-bit handle into a Pool. Operands always have smaller handles than the nodes
// that use them, so a loop over handles in ascending order visits operands first; no walk over
// expressions needs recursion. The k-th time derivative of a variable is a leaf (variable, k):
// der(der(x)) needs no auxiliary variable.
//
// Constructors simplify what is local and cheap (constants fold, x+0, 1*x, x-x, x^1, --x, ...).
// The canonical form is an invariant of the pool: see pool.cpp. Nothing is simplified that would
// change a value at a point where the original is defined.
//
// A pool that is frozen never changes again. A pool may lie on top of a frozen one: handles of the lower pool are valid
// in the upper one, and new nodes belong to the upper one alone. So any number of threads can build expressions on top
// of one model.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace driftless {

enum class NodeId : std::uint32_t {};
enum class VarId : std::int32_t {};
enum class ParamId : std::int32_t {};
enum class FunctionId : std::int32_t {};

constexpr std::uint32_t index(NodeId id) { return static_cast<std::uint32_t>(id); }
constexpr std::int32_t index(VarId id) { return static_cast<std::int32_t>(id); }
constexpr std::int32_t index(ParamId id) { return static_cast<std::int32_t>(id); }
constexpr std::int32_t index(FunctionId id) { return static_cast<std::int32_t>(id); }

// Relations and logic have the value 1.0 (true) or 0.0 (false); any nonzero operand is true.
enum class Op : std::uint8_t {
  // leaves
  Constant,  // payload: the bits of a double
  Time,
  Parameter,  // a = ParamId
  Variable,   // a = VarId, b = order of the time derivative
  Local,      // a = slot of a local variable; occurs only in the bodies of functions
  // arithmetic
  Neg,
  Add,
  Sub,
  Mul,
  Div,
  Pow,  // a^b, b any expression
  // elementary functions
  Sqrt,
  Exp,
  Log,
  Log10,
  Sin,
  Cos,
  Tan,
  Asin,
  Acos,
  Atan,
  Atan2,
  Sinh,
  Cosh,
  Tanh,
  Asinh,
  Acosh,
  Atanh,
  Abs,
  Sign,
  Min,
  Max,
  Floor,
  Ceil,  // piecewise constant: derivative 0
  // relations and logic
  Less,
  LessEqual,
  Equal,
  NotEqual,  // greater is less with exchanged operands
  And,
  Or,
  Not,
  IfElse,  // a ? b : c
  Call,    // a = index of a call site: a function, which output, and its arguments
};

int arity(Op op);  // number of operand handles in a, b, c; 0 for leaves and for Call
constexpr bool is_piecewise_constant(Op op) { return op == Op::Sign || (op >= Op::Floor && op <= Op::Not); }

struct Node {
  Op op;
  std::uint32_t a = 0, b = 0, c = 0;

  NodeId operand(int k) const { return NodeId{k == 0 ? a : k == 1 ? b : c}; }
  bool operator==(const Node&) const = default;
};

// A use of a user's function that could not be unrolled into expressions (its loops depend on
// values). See function.hpp.
struct CallSite {
  FunctionId function;
  int output = 0;
  std::vector<NodeId> arguments;

  bool operator==(const CallSite&) const = default;
};

struct Function;

class Pool {
 public:
  Pool();
  // A pool on top of a frozen one, which it keeps alive. If that lies on top of another one, its own few nodes are
  // copied.
  explicit Pool(const std::shared_ptr<const Pool>& lower);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // From now on adding a new expression throws std::logic_error; existing ones, except calls, can still be looked up.
  void freeze() const { frozen_.store(true, std::memory_order_relaxed); }
  bool is_frozen() const { return frozen_.load(std::memory_order_relaxed); }

  NodeId constant(double value);
  NodeId time();
  NodeId parameter(ParamId id);
  NodeId variable(VarId id, int order = 0);
  NodeId local(int slot);

  NodeId unary(Op op, NodeId a);
  NodeId binary(Op op, NodeId a, NodeId b);
  NodeId if_else(NodeId condition, NodeId then, NodeId otherwise);
  NodeId call(FunctionId function, int output, std::span<const NodeId> arguments);

  // Short names for frequent operations.
  NodeId add(NodeId a, NodeId b) { return binary(Op::Add, a, b); }
  NodeId sub(NodeId a, NodeId b) { return binary(Op::Sub, a, b); }
  NodeId mul(NodeId a, NodeId b) { return binary(Op::Mul, a, b); }
  NodeId div(NodeId a, NodeId b) { return binary(Op::Div, a, b); }
  NodeId pow(NodeId a, NodeId b) { return binary(Op::Pow, a, b); }
  NodeId neg(NodeId a) { return unary(Op::Neg, a); }
  NodeId zero() { return constant(0.0); }
  NodeId one() { return constant(1.0); }

  const Node& operator[](NodeId id) const {
    return index(id) < lower_size_ ? lower_nodes_[index(id)] : nodes_[index(id) - lower_size_];
  }
  std::size_t size() const { return lower_size_ + nodes_.size(); }
  double constant_value(NodeId id) const;  // the node must be a Constant
  bool is_constant(NodeId id) const { return (*this)[id].op == Op::Constant; }
  bool is_constant(NodeId id, double value) const;
  const CallSite& call_site(const Node& node) const;

  // All operands of any node, those of calls included. Valid until the pool grows.
  std::span<const NodeId> operands(NodeId id, NodeId (&buffer)[3]) const;

  FunctionId add_function(Function function);
  const Function& function(FunctionId id) const;
  // d(output)/d(input) as a function of the same inputs; made once.
  FunctionId partial_derivative(FunctionId id, int input);

 private:
  NodeId intern(Node node);
  void require_growth() const;
  void grow_table();
  std::size_t find(const Node& node, std::uint64_t hashed) const;  // in the table: its entry, or an empty one for it
  std::uint64_t hash(const Node& node) const;
  bool equal(const Node& x, const Node& y) const;

  bool is_negative(NodeId id) const;
  std::optional<NodeId> folded(Op op, std::initializer_list<NodeId> operands);
  NodeId make_sum(NodeId a, NodeId b);
  NodeId make_difference(NodeId a, NodeId b);
  NodeId make_product(NodeId a, NodeId b);
  NodeId make_quotient(NodeId a, NodeId b);
  NodeId make_power(NodeId a, NodeId b);
  NodeId make_logical(Op op, NodeId a, NodeId b);

  std::shared_ptr<const Pool> lower_;  // or null
  const Node* lower_nodes_ = nullptr;
  std::uint32_t lower_size_ = 0;
  std::vector<Node> nodes_;           // handles begin at lower_size_
  std::vector<std::uint64_t> table_;  // open addressing over nodes_, 0 = empty, otherwise half a hash and a place
  std::vector<CallSite> call_sites_;  // numbers continue those of the lower pool
  std::vector<std::shared_ptr<const Function>> functions_;  // those of the lower pool come first
  std::vector<std::vector<FunctionId>> partials_;           // [function][input], -1 = not made yet
  mutable std::atomic<bool> frozen_ = false;
};

// A pool that accepts new expressions: the pool itself, or one on top of it if it is frozen.
std::shared_ptr<Pool> growable(const std::shared_ptr<Pool>& pool);

}  // namespace driftless
