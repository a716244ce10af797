// What the iteration at an event needs from a run: values of relations at a point, and the point after a jump.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "driftless/hybrid_run/hybrid_run.hpp"

namespace driftless {
namespace {

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

}  // namespace

DiscreteSystem& HybridRun::discrete(std::size_t mode) { return *modes_[mode].discrete; }

void HybridRun::held(double t, std::span<const double> parameters, const ContinuousPoint& point,
                     std::span<const int> found, EventSearch::Side side, std::span<double> values) {
  if (!relations_are_known(t, parameters, point, found, side)) evaluate_relations(t, parameters, point, found, side);
  std::copy_n(held_.begin(), values.size(), values.begin());
  if (point.is_struck)
    for (const auto& [held, truth] : values_of_impulses(t, parameters, point)) values[held] = truth;
  for (const std::size_t relation : contacts_.relations())  // on their surfaces they have no value of their own
    values[relation] = parameters[place(part_.held[relation].held)];
}

void HybridRun::evaluate_relations(double t, std::span<const double> parameters, const ContinuousPoint& point,
                                   std::span<const int> found, EventSearch::Side side) {
  HybridMode& mode = modes_[point.mode];
  EventSearch& relations = mode.run ? mode.run->events() : *mode.relations;
  // A relation whose sides an equation of the mode makes equal keeps its value.
  held_.clear();
  present_.assign(parameters.begin(), parameters.end());
  present_.resize(mode.numbers->parameters.size(), 0.0);
  for (const Held& relation : mode.numbers->discrete.held) held_.push_back(present_[place(relation.held)]);
  relations.take_parameters(present_);
  if (is_on_the_way_ || modes_[mode_].run)
    relations.new_values(t, point.quantities, found, held_, side);
  else
    relations.values_at(t, point.quantities, held_);
}

// Are the relations already evaluated at this point with the same numbers? Otherwise records the point.
bool HybridRun::relations_are_known(double t, std::span<const double> parameters, const ContinuousPoint& point,
                                    std::span<const int> found, EventSearch::Side side) {
  const auto number = [&](ParamId id) { return parameters[place(id)]; };
  RelationsAt& known = relations_at_;
  const bool is_known = known.t == t && known.mode == point.mode && known.side == side &&
                        std::ranges::equal(known.found, found) && known.quantities == point.quantities &&
                        std::ranges::equal(in_relations_, known.numbers, {}, number);
  if (is_known) return true;
  known.t = t;
  known.mode = point.mode;
  known.side = side;
  known.found.assign(found.begin(), found.end());
  known.quantities = point.quantities;
  known.numbers.clear();
  std::ranges::transform(in_relations_, std::back_inserter(known.numbers), number);
  return false;
}

std::vector<ImpulsiveValue> HybridRun::values_of_impulses(double t, std::span<const double> parameters,
                                                          const ContinuousPoint& point) const {
  const Reduced& reduced = modes_[point.mode].reduced();
  const auto value = [&](NodeId leaf) {
    const Node& node = (*numbers_->pool)[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return parameters[node.a];
    const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
    const auto known = std::ranges::lower_bound(reduced.quantities, q);
    if (known == reduced.quantities.end() || *known != q) return std::nan("");
    return point.quantities[static_cast<std::size_t>(known - reduced.quantities.begin())];
  };
  return values_by_impulses(*numbers_, point.impulses, value);
}

std::vector<EventSearch::Doubt> HybridRun::doubts(double t, std::span<const double> parameters,
                                                  const ContinuousPoint& point) {
  HybridMode& mode = modes_[point.mode];
  EventSearch& relations = mode.run ? mode.run->events() : *mode.relations;
  relations_at_.t = std::numeric_limits<double>::quiet_NaN();  // the search takes other parameters
  relations.take_parameters(mode.parameters_with_ends(parameters));
  std::vector<EventSearch::Doubt> all(mode.numbers->discrete.held.size());
  relations.doubts(t, point.quantities, all);
  all.resize(part_.held.size());
  // A relation decided by an impulse is far from its bound, whatever the finite values are.
  if (point.is_struck)
    for (const auto& [held, truth] : values_of_impulses(t, parameters, point)) {
      all[held].size = EventSearch::Doubt::None;
      all[held].distance = HUGE_VAL;
      all[held].by_slope = truth;
    }
  return all;
}

bool HybridRun::solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                      std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) {
  return modes_.solve(t, parameters, from, set, to, why);
}

}  // namespace driftless
