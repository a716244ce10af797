#include "driftless/integrate/system/jacobian_part.hpp"

#include <algorithm>
#include <limits>

namespace driftless {
namespace {

// Fewer calls than these are not worth a look at the expressions.
constexpr long first_look = 8;
// A kernel is made at the price of so many evaluations of its nodes, and gains nothing beside machine code for all
// entries unless it is far shorter.
constexpr double price = 60.0, far_shorter = 0.25;

// All different nodes below the expressions.
std::size_t count_nodes(const Pool& pool, const std::vector<NodeId>& expressions) {
  std::vector<bool> met(pool.size(), false);
  std::vector<NodeId> open;
  const auto meet = [&](NodeId id) {
    if (met[index(id)]) return;
    met[index(id)] = true;
    open.push_back(id);
  };
  std::size_t count = 0;
  NodeId buffer[3];
  for (const NodeId expression : expressions)
    for (meet(expression); !open.empty(); ++count) {
      const NodeId id = open.back();
      open.pop_back();
      for (const NodeId operand : pool.operands(id, buffer)) meet(operand);
    }
  return count;
}

}  // namespace

void JacobianPart::take(std::vector<int> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  own_.resize(entries_.size());
  code_ = nullptr;
  calls_ = 0;
  calls_until_it_pays_ = first_look;
}

bool JacobianPart::pays() {
  if (++calls_ < calls_until_it_pays_) return false;
  if (calls_ > first_look) return true;
  const std::vector<NodeId>& all = system_.compiled().jacobian_expressions();
  std::vector<NodeId> own;
  for (const int e : entries_) own.push_back(all[e]);
  const Pool& pool = *system_.compiled().pool();
  const double of_all = static_cast<double>(count_nodes(pool, all)),
               of_own = static_cast<double>(count_nodes(pool, own));
  calls_until_it_pays_ = of_own > far_shorter * of_all
                             ? std::numeric_limits<long>::max()
                             : std::max(first_look + 1, static_cast<long>(price * of_own / (of_all - of_own)));
  return false;
}

// Runs of the same equations share it.
void JacobianPart::make() {
  const CompiledSystem& compiled = system_.compiled();
  code_ = compiled.part<Code>(entries_, [&] {
    std::vector<KernelSource> sources{{"part of the jacobian", {}}};
    for (const int e : entries_) sources[0].outputs.push_back(compiled.jacobian_expressions()[e]);
    return std::make_shared<const Code>(compiled.compile(compiled.pool(), sources));
  });
}

bool JacobianPart::operator()(const System::Point& at, std::span<double> values) {
  // Other kernels on the way are what that backend is for; with the others, steps never allocate.
  if (entries_.empty() || system_.backend() != Backend::Adaptive || !system_.has_plain_jacobian()) {
    system_.jacobian(at, values);
    return true;
  }
  if (!code_ && pays()) make();
  if (!code_) {
    system_.jacobian(at, values);
    return true;
  }
  system_.evaluate(*code_->kernels[0], at, own_);
  for (std::size_t k = 0; k < entries_.size(); ++k) values[entries_[k]] = own_[k];
  return false;
}

}  // namespace driftless
