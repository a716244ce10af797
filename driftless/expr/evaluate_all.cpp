#include "driftless/expr/evaluate_all.hpp"

#include <algorithm>

#include "driftless/expr/apply.hpp"
#include "driftless/expr/function.hpp"

namespace driftless {
namespace {

class Values {
 public:
  Values(const Pool& pool, const std::function<double(NodeId leaf)>& value_of_leaf, std::size_t size)
      : pool_(pool), value_of_leaf_(value_of_leaf), values_(size) {}

  double& operator[](NodeId id) { return values_[index(id)]; }

  void find(NodeId id) {
    const Node& node = pool_[id];
    const int n = arity(node.op);
    const auto operand = [&](int k) { return k < n ? (*this)[node.operand(k)] : 0.0; };
    (*this)[id] = node.op == Op::Constant ? pool_.constant_value(id)
                  : node.op <= Op::Local  ? value_of_leaf_(id)
                  : node.op == Op::Call   ? of_call(pool_.call_site(node))
                                          : apply(node.op, operand(0), operand(1), operand(2));
  }

 private:
  double of_call(const CallSite& site) {
    const Function& function = pool_.function(site.function);
    std::vector<double> locals(static_cast<std::size_t>(function.locals));
    std::ranges::transform(site.arguments, locals.begin(), [this](NodeId argument) { return (*this)[argument]; });
    return evaluate_function(pool_, function, site.output, value_of_leaf_, locals);
  }

  const Pool& pool_;
  const std::function<double(NodeId leaf)>& value_of_leaf_;
  std::vector<double> values_;
};

}  // namespace

// Operands have smaller handles than their users: one sweep down finds all nodes, one sweep up their values.
std::vector<double> evaluate_all(const Pool& pool, std::span<const NodeId> expressions,
                                 const std::function<double(NodeId leaf)>& value_of_leaf) {
  if (expressions.empty()) return {};
  const std::size_t size = index(std::ranges::max(expressions)) + std::size_t{1};
  std::vector<bool> needed(size, false);
  for (const NodeId expression : expressions) needed[index(expression)] = true;
  NodeId buffer[3];
  for (std::size_t k = size; k-- > 0;) {
    if (!needed[k]) continue;
    for (const NodeId operand : pool.operands(NodeId{static_cast<std::uint32_t>(k)}, buffer))
      needed[index(operand)] = true;
  }
  Values values(pool, value_of_leaf, size);
  for (std::size_t k = 0; k < size; ++k)
    if (needed[k]) values.find(NodeId{static_cast<std::uint32_t>(k)});
  std::vector<double> result;
  for (const NodeId expression : expressions) result.push_back(values[expression]);
  return result;
}

}  // namespace driftless
