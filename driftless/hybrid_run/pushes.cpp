#include "driftless/hybrid_run/pushes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/impact_law.hpp"
#include "driftless/hybrid/rest.hpp"

namespace driftless {
namespace {

constexpr double units_of_change = 4.0;  // in the last place: a change by an impact
constexpr double part_of_weight = 1e-6;  // of the largest weight: a possible rounding error (hybrid/rest.hpp)

}  // namespace

ImpactPushes::ImpactPushes(const HybridModes& modes) : modes_(modes), part_(modes.numbers().discrete) {}

double ImpactPushes::change_by(std::size_t reinit, const ContinuousPoint& from, const ContinuousPoint& to) const {
  return from.mode == to.mode ? value_of(reinit, to) - value_of(reinit, from) : 0.0;
}

double ImpactPushes::value_of(std::size_t reinit, const ContinuousPoint& point) const {
  const Quantity q{part_.reinits[reinit].variable, part_.reinits[reinit].order};
  const Reduced& reduced = modes_[point.mode].reduced();
  const auto at =
      static_cast<std::size_t>(std::ranges::lower_bound(reduced.quantities, q) - reduced.quantities.begin());
  return point.quantities[at];
}

const std::vector<std::size_t>& ImpactPushes::reinits_in(std::size_t mode, std::size_t held) {
  const auto [at, is_new] = reinits_.try_emplace(mode);
  if (is_new) at->second = reinits_by_relation(*modes_[mode].prepared->analysis.model);
  return at->second[held];
}

void ImpactPushes::note(double t, int relation, const ContinuousPoint& from, const ContinuousPoint& to,
                        std::span<const double> parameters) {
  std::vector<ImpactPush> pushes;
  std::vector<double> rounding;
  const auto held = static_cast<std::size_t>(relation);
  const std::vector<std::size_t>& of_relation = reinits_in(from.mode, held);
  double largest = 0.0;  // weight
  for (std::size_t r = 0; r < part_.reinits.size(); ++r) {
    const double change = change_by(r, from, to);
    if (change == 0.0 && std::ranges::find(of_relation, r) == of_relation.end()) continue;
    const std::optional<double> slope = slope_at(t, held, r, from, parameters);
    if (change == 0.0 && !slope) continue;
    const bool is_idle = slope && *slope == 0.0;
    pushes.push_back({r, change, is_idle ? std::nullopt : slope, is_idle});
    rounding.push_back(units_of_change * std::numeric_limits<double>::epsilon() * std::abs(value_of(r, from)));
    if (pushes.back().slope) largest = std::max(largest, std::abs(change / *slope));
  }
  for (std::size_t k = 0; k < pushes.size(); ++k)
    pushes[k].is_unknown = pushes[k].slope && rounding[k] > part_of_weight * largest * std::abs(*pushes[k].slope);
  take_from_law(t, held, of_relation, from, parameters, pushes);
  if (std::ranges::any_of(pushes, [](const ImpactPush& push) { return push.change != 0.0; }))
    known_[relation] = std::move(pushes);
}

// The law of impacts from the model is exact, whereas the change by one impact has rounding errors, and may consist of
// them.
void ImpactPushes::take_from_law(double t, std::size_t relation, const std::vector<std::size_t>& reinits,
                                 const ContinuousPoint& from, std::span<const double> parameters,
                                 std::vector<ImpactPush>& pushes) const {
  const std::vector<double> slopes = slopes_at(t, relation, reinits, from, parameters),
                            law = law_at(t, relation, reinits, from, parameters);
  if (std::ranges::none_of(law, [](double change) { return change != 0.0; })) return;
  std::vector<ImpactPush> by_law;
  for (std::size_t k = 0; k < reinits.size(); ++k) {
    const bool is_idle =
        slopes[k] == 0.0 && coordinate_of(*modes_[from.mode].prepared->analysis.model, part_.reinits[reinits[k]]);
    by_law.push_back({reinits[k], law[k], slopes[k] == 0.0 ? std::nullopt : std::optional(slopes[k]), is_idle});
  }
  pushes = std::move(by_law);
}

std::optional<double> ImpactPushes::slope_at(double t, std::size_t relation, std::size_t reinit,
                                             const ContinuousPoint& point, std::span<const double> parameters) const {
  const Model& model = *modes_[point.mode].prepared->analysis.model;
  const auto coordinate = coordinate_of(model, part_.reinits[reinit]);
  if (!coordinate) return {};
  const std::shared_ptr<Pool> pool = growable(model.pool);
  const auto slope = slope_of_surface(model, *pool, relation, *coordinate);
  if (!slope || *slope == pool->zero()) return {};
  const double value = evaluate(*pool, *slope, leaves_at(t, point, *pool, parameters));
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::function<double(NodeId)> ImpactPushes::leaves_at(double t, const ContinuousPoint& point, const Pool& pool,
                                                      std::span<const double> parameters) const {
  const HybridMode& mode = modes_[point.mode];
  return [t, &point, &pool, &mode, numbers = mode.parameters_with_ends(parameters)](NodeId leaf) {
    const Node node = pool[leaf];
    if (node.op == Op::Time) return t;
    if (node.op == Op::Parameter) return numbers[node.a];
    const Quantity q{VarId{static_cast<int>(node.a)}, static_cast<int>(node.b)};
    const auto known = std::ranges::lower_bound(mode.reduced().quantities, q);
    if (known == mode.reduced().quantities.end() || *known != q) return std::nan("");
    return point.quantities[static_cast<std::size_t>(known - mode.reduced().quantities.begin())];
  };
}

std::vector<double> ImpactPushes::slopes_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                                            const ContinuousPoint& point, std::span<const double> parameters) const {
  std::vector<double> slopes;
  for (const std::size_t r : reinits) slopes.push_back(slope_at(t, relation, r, point, parameters).value_or(0.0));
  return slopes;
}

// D of hybrid/impact_law.hpp for these reinits.
std::vector<double> ImpactPushes::law_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                                         const ContinuousPoint& point, std::span<const double> parameters) const {
  const Model& model = *modes_[point.mode].prepared->analysis.model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  return changes_of_slowest_impact(model, *pool, reinits, slopes_at(t, relation, reinits, point, parameters),
                                   leaves_at(t, point, *pool, parameters));
}

bool ImpactPushes::depends_on_speed(std::size_t mode, std::size_t relation) {
  const auto [known, is_new] = depend_on_speed_.try_emplace({mode, relation}, false);
  if (!is_new) return known->second;
  const Model& model = *modes_[mode].prepared->analysis.model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  return known->second = !is_law_for_all_speeds(model, *pool, reinits_in(mode, relation));
}

bool ImpactPushes::would_lead_back(double t, std::size_t relation, double speed, double other,
                                   const ContinuousPoint& point, std::span<const double> parameters) {
  const std::vector<std::size_t>& reinits = reinits_in(point.mode, relation);
  const std::vector<double> slopes = slopes_at(t, relation, reinits, point, parameters);
  double squares = 0.0;
  for (const double slope : slopes) squares += slope * slope;
  if (squares == 0.0) return false;
  std::vector<double> speeds;
  for (std::size_t k = 0; k < reinits.size(); ++k)
    speeds.push_back(value_of(reinits[k], point) + (other - speed) / squares * slopes[k]);
  const Model& model = *modes_[point.mode].prepared->analysis.model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  const std::vector<double> changes =
      changes_at_speeds(model, *pool, relation, reinits, speeds, leaves_at(t, point, *pool, parameters));
  double behind = other;
  for (std::size_t k = 0; k < changes.size(); ++k) behind += slopes[k] * changes[k];
  return behind > 0.0;
}

void ImpactPushes::archive(Archive& archive) {
  std::vector<std::pair<int, std::vector<ImpactPush>>> all(known_.begin(), known_.end());
  archive(all);
  if (archive.is_reading()) known_ = {all.begin(), all.end()};
}

}  // namespace driftless
