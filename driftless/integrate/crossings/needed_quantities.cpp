#include "driftless/integrate/crossings/needed_quantities.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "driftless/expr/calculus.hpp"

namespace driftless {

NeededQuantities::NeededQuantities(const CompiledSystem& system, std::span<const std::size_t> places) {
  const Reduced& reduced = system.reduced();
  const Pool& pool = *system.pool();
  const int parameters = system.layout().parameters;
  KernelSource source{"definitions for events", {}};
  std::map<std::pair<Place, int>, int> inputs;  // by place and index: where the kernel reads
  for (const std::size_t place : places) {
    const Quantity q = reduced.quantities[place];
    const Reduced::Address& at = reduced.addresses[index(q.variable)][q.order];
    const auto from = static_cast<std::size_t>(at.index);
    if (at.place == Place::Slot) slots_.push_back({place, from});
    if (at.place == Place::Rate) rates_.push_back({place, from});
    if (at.place != Place::Defined) continue;
    defined_.push_back(place);
    source.outputs.push_back(reduced.definitions[from].value);
    for (const NodeId leaf : variables_of(pool, reduced.definitions[from].value)) {
      const Reduced::Address& read = reduced.addresses[pool[leaf].a][pool[leaf].b];
      inputs.try_emplace({read.place, read.index}, 1 + parameters + static_cast<int>(inputs.size()));
    }
  }
  if (defined_.empty()) return;
  for (const auto& [address, to] : inputs)
    (address.first == Place::Slot ? input_slots_ : input_rates_)
        .push_back({static_cast<std::size_t>(to), static_cast<std::size_t>(address.second)});
  InputLayout layout;
  layout.parameters = parameters;
  layout.inputs = 1 + parameters + static_cast<int>(inputs.size());
  layout.variable = [&](VarId v, int order) {
    const Reduced::Address& at = reduced.addresses[index(v)][order];
    return inputs.at({at.place, at.index});
  };
  definitions_ = compile(system.pool(), {&source, 1}, layout, Backend::Interpreter).kernels.front();
  inputs_.assign(static_cast<std::size_t>(layout.inputs), 0.0);
  outputs_.resize(defined_.size());
  work_.resize(definitions_->work_size());
}

void NeededQuantities::take_parameters(std::span<const double> parameters) {
  if (definitions_) std::ranges::copy(parameters, inputs_.begin() + 1);
}

bool NeededQuantities::operator()(double t, std::span<const double> y, std::span<const double> yp,
                                  std::span<double> quantities) {
  double sum = 0.0;  // NaN if any value is infinite or NaN, as 0 times infinity is NaN
  const auto take = [&](std::size_t place, double value) {
    quantities[place] = value;
    sum += 0.0 * value;
  };
  for (const Copied& slot : slots_) take(slot.to, y[slot.from]);
  for (const Copied& rate : rates_) take(rate.to, yp[rate.from]);
  if (definitions_) {
    inputs_[0] = t;
    for (const Copied& slot : input_slots_) inputs_[slot.to] = y[slot.from];
    for (const Copied& rate : input_rates_) inputs_[rate.to] = yp[rate.from];
    (*definitions_)(inputs_.data(), outputs_.data(), work_.data());
    for (std::size_t k = 0; k < defined_.size(); ++k) take(defined_[k], outputs_[k]);
  }
  return sum == 0.0;
}

}  // namespace driftless
