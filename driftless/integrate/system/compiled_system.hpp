// The reduced model made callable, once for any number of runs and threads: kernels, patterns and the places of all
// quantities. It holds no values of a run; parameters, time and unknowns are in the inputs of a run (system.hpp).
//
// Kernels that are used together are made together, when one of them is first needed: a Taylor method needs neither
// rows nor their Jacobian, finding a start needs nothing else. Data that other parts of a run derive from the equations
// once, such as recurrences of series or the indicators of switches, are kept here for later runs.
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <typeindex>
#include <utility>
#include <vector>

#include "driftless/compile/kernel.hpp"
#include "driftless/integrate/system/difference_quotients.hpp"
#include "driftless/reduce/reduced.hpp"

namespace driftless {

class CompiledSystem {
 public:
  enum KernelIndex { Rows, Jacobian, Choices, Definitions, Certificate, Invariants, InvariantGradient, KernelCount };

  CompiledSystem(std::shared_ptr<const Reduced> reduced, Backend backend);
  ~CompiledSystem();

  const Reduced& reduced() const { return *reduced_; }
  const std::shared_ptr<const Reduced>& shared_reduced() const { return reduced_; }
  Backend backend() const { return backend_; }

  // Entries of the Jacobian of [rows; rates]: row rows() + k is the rate of candidate k.
  using Entry = DifferenceQuotients::Entry;  // rate: with respect to y' instead of y
  const std::vector<Entry>& jacobian_entries() const { return entries_; }
  const std::vector<NodeId>& jacobian_expressions() const { return jacobian_; }  // of the entries, in pool()
  const std::vector<Entry>& invariant_entries() const { return invariant_entries_; }

  // The entry (row, candidate) of a choice; rows and candidates are numbered within the choice.
  struct ChoiceEntry {
    int row;
    int candidate;
  };
  const std::vector<std::vector<ChoiceEntry>>& choice_entries() const { return choice_entries_; }
  std::size_t choice_values() const { return choice_values_; }

  // The constraints of the reduction, in their order, then the user's other equations that are rows.
  const std::vector<Constraint>& checks() const { return checks_; }

  // What a kernel reads: time, parameters, y, y', definitions.
  const InputLayout& layout() const { return layout_; }
  std::size_t y_offset() const { return y_offset_; }
  std::size_t yp_offset() const { return yp_offset_; }
  std::size_t definition_offset() const { return definition_offset_; }
  const std::vector<std::size_t>& places_of_quantities() const { return places_of_quantities_; }  // in the inputs
  const std::vector<double>& inputs() const { return inputs_; }  // with the parameters of the model, and 0 otherwise

  // The layout for kernels in all quantities instead: time, parameters, quantities as System::observe gives them.
  InputLayout layout_of_quantities() const;

  const Kernel& kernel(KernelIndex index) const {
    const Kernel* made = made_[index].load(std::memory_order_acquire);
    return made ? *made : make(index);
  }

  // Holds the expressions of the model and those made for the kernels.
  const std::shared_ptr<const Pool>& pool() const { return pool_; }
  // Kernels for expressions of slots and rates, of a pool that lies upon that of the model.
  Kernels compile(const std::shared_ptr<const Pool>& pool, std::span<const KernelSource> sources) const;

  // Calls `make`, which returns a shared_ptr<const Part>, at the first call with this key; later calls get the same
  // object.
  template <class Part, class Make>
  std::shared_ptr<const Part> part(const std::vector<int>& key, Make&& make) const {
    const PartName name{std::type_index(typeid(Part)), key};
    if (auto known = find_part(name)) return std::static_pointer_cast<const Part>(known);
    return std::static_pointer_cast<const Part>(keep_part(name, std::shared_ptr<const Part>(make())));
  }

 private:
  using PartName = std::pair<std::type_index, std::vector<int>>;
  using AnyPart = std::shared_ptr<const void>;

  const Kernel& make(KernelIndex index) const;
  AnyPart find_part(const PartName& name) const;
  AnyPart keep_part(const PartName& name, AnyPart part) const;  // returns the one that was kept first

  std::shared_ptr<const Reduced> reduced_;
  Backend backend_;
  std::shared_ptr<const Pool> pool_;
  std::vector<Entry> entries_, invariant_entries_;
  std::vector<NodeId> jacobian_;
  std::vector<Constraint> checks_;
  std::vector<std::vector<ChoiceEntry>> choice_entries_;
  std::size_t choice_values_ = 0;
  InputLayout layout_;
  std::vector<double> inputs_;
  std::vector<std::size_t> places_of_quantities_;
  std::size_t y_offset_ = 0, yp_offset_ = 0, definition_offset_ = 0;

  // Made on demand; a run sees either nothing or the complete kernels.
  mutable std::mutex making_kernels_, making_parts_;
  mutable std::vector<KernelSource> sources_;
  mutable Kernels kernels_;
  mutable std::array<std::atomic<const Kernel*>, KernelCount> made_ = {};
  mutable std::map<PartName, AnyPart> parts_;
};

}  // namespace driftless
