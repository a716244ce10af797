// The functions that an EventSearch follows: collected from the relations of a model, with their slopes and the sizes
// of their terms, and compiled once for all runs.
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/vanishing_relations.hpp"
#include "driftless/integrate/crossings/event_search.hpp"

namespace driftless {

EventSearch::EventSearch(const CompiledSystem& system) {
  const Model& model = *system.reduced().model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  times_ = TimeEvents(model, pool, static_cast<int>(model.parameters.size()));
  quantities_ = system.reduced().quantities.size();
  inputs_.assign(system.layout_of_quantities().inputs, 0.0);
  std::vector<NodeId> of_state, of_time;
  const std::vector<bool> vanishes = vanishing_relations(model);  // need no search
  for (std::size_t k = 0; k < model.discrete.held.size(); ++k) {
    parameter_of_.push_back(model.discrete.held[k].held);
    if (times_.takes(static_cast<int>(k)) || vanishes[k]) continue;
    const HeldFunction function = held_function(*pool, model.discrete.held[k].expression);
    const bool varies = !variables_of(*pool, function.g).empty();
    (varies ? of_state : of_time).push_back(function.g);
    Group& group = varies ? of_state_ : of_time_;
    group.held.push_back(static_cast<int>(k));
    group.functions.push_back({function.kind, false});
  }
  compile_kernels(system, pool, of_state, of_state_);
  compile_kernels(system, pool, of_time, of_time_);
}

void EventSearch::compile_kernels(const CompiledSystem& system, const std::shared_ptr<Pool>& shared_pool,
                                  std::span<const NodeId> g, Group& group) {
  if (g.empty()) return;
  Pool& pool = *shared_pool;
  const Reduced& reduced = system.reduced();
  const Model& model = *reduced.model;
  const auto all_exist = [&](NodeId expression) {
    return std::ranges::all_of(variables_of(pool, expression), [&](NodeId leaf) {
      const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
      return std::ranges::binary_search(reduced.quantities, q);
    });
  };
  KernelSource values{"events", {g.begin(), g.end()}}, sizes{"sizes of events", {}}, allowed;
  TimeDerivative d_dt(pool);
  DefinitionsInserted insert(pool, reduced);
  for (std::size_t f = 0; f < g.size(); ++f) {
    assert(all_exist(g[f]));
    NodeId slope = d_dt(g[f]);
    if (!all_exist(slope)) slope = d_dt(insert(g[f]));  // the derivatives of definitions are not among the quantities
    group.functions[f].has_slope = all_exist(slope);
    values.outputs.push_back(group.functions[f].has_slope ? slope : pool.zero());
    NodeId size = pool.unary(Op::Abs, pool.mul(partial(pool, g[f], pool.time()), pool.time())),
           with_nominal = pool.zero();
    for (const Partial& p : gradient(pool, g[f])) {
      const double nominal = std::abs(model[VarId{static_cast<int>(pool[p.leaf].a)}].nominal);
      const NodeId weight = pool.unary(Op::Abs, p.derivative), value = pool.unary(Op::Abs, p.leaf);
      size = pool.add(size, pool.mul(weight, value));
      with_nominal = pool.add(with_nominal, pool.mul(weight, pool.add(value, pool.constant(nominal))));
    }
    sizes.outputs.push_back(size);
    allowed.outputs.push_back(with_nominal);
  }
  sizes.outputs.insert(sizes.outputs.end(), allowed.outputs.begin(), allowed.outputs.end());
  const KernelSource sources[] = {std::move(values), std::move(sizes)};
  if (&group == &of_state_) {
    depends_on_untested_ = std::ranges::any_of(g, [&](NodeId function) {
      return std::ranges::any_of(variables_of(pool, insert(function)), [&](NodeId leaf) {
        const Reduced::Address& at = reduced.addresses[pool[leaf].a][pool[leaf].b];
        const Slot* slot = at.place == Place::Slot ? &reduced.slots[static_cast<std::size_t>(at.index)] : nullptr;
        return !slot || (slot->stage >= 0 && !slot->tested);
      });
    });
    find_needed(system, pool, sources);
    quick_ = QuickLook(system, shared_pool, g, group.functions);
    terms_ = TimeTerms(system, shared_pool, g);
  }
  const Kernels kernels = compile(shared_pool, sources, system.layout_of_quantities(), Backend::Interpreter).kernels;
  group.values = kernels[0], group.sizes = kernels[1];
  group.work.resize(std::max(group.values->work_size(), group.sizes->work_size()));
  group.outputs.resize(2 * g.size()), group.output_sizes.resize(2 * g.size());
}

void EventSearch::find_needed(const CompiledSystem& system, const Pool& pool, std::span<const KernelSource> sources) {
  const std::vector<Quantity>& quantities = system.reduced().quantities;
  std::vector<bool> is_needed(quantities.size(), false);
  for (const KernelSource& source : sources)
    for (const NodeId output : source.outputs)
      for (const NodeId leaf : variables_of(pool, output)) {
        const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
        is_needed[static_cast<std::size_t>(std::ranges::lower_bound(quantities, q) - quantities.begin())] = true;
      }
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < is_needed.size(); ++k)
    if (is_needed[k]) places.push_back(k);
  needed_ = NeededQuantities(system, places);
}

}  // namespace driftless
