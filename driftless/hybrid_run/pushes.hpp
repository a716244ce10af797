// The effect of impacts at a relation: the reinits it causes, the change of each reinit's variable, and the slope of
// the relation's surface along the coordinate of that variable. They define the force that holds a motion at rest
// (hybrid/rest.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "driftless/hybrid_run/modes.hpp"

namespace driftless {

struct ImpactPush {
  std::size_t reinit = 0;
  double change = 0.0;            // of its variable
  std::optional<double> slope{};  // of the surface along the coordinate of that variable, if both exist
  bool is_idle = false;           // the slope was 0, and may become nonzero
  bool is_unknown = false;        // the change may be a rounding error
  void archive(Archive& archive) { archive(reinit, change, slope, is_idle, is_unknown); }
};

class ImpactPushes {
 public:
  explicit ImpactPushes(const HybridModes& modes);  // which must outlive this object

  // Records an impact that led from `from` to `to`.
  void note(double t, int relation, const ContinuousPoint& from, const ContinuousPoint& to,
            std::span<const double> parameters);
  // The pushes of the first impact, the strongest. Changes by the last ones may be rounding errors.
  const std::vector<ImpactPush>& of(int relation) { return known_[relation]; }
  bool knows(int relation) const { return known_.contains(relation); }
  void forget(int relation) { known_.erase(relation); }

  // The reinits that a relation causes in a mode.
  const std::vector<std::size_t>& reinits_in(std::size_t mode, std::size_t held);
  double value_of(std::size_t reinit, const ContinuousPoint& point) const;
  double change_by(std::size_t reinit, const ContinuousPoint& from, const ContinuousPoint& to) const;
  // The slope of the surface along the coordinate of the variable of a reinit; nothing if there is none, or the slope
  // is 0.
  std::optional<double> slope_at(double t, std::size_t relation, std::size_t reinit, const ContinuousPoint& point,
                                 std::span<const double> parameters) const;
  std::vector<double> slopes_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                                const ContinuousPoint& point, std::span<const double> parameters) const;
  // The law of the slowest impact: D of hybrid/impact_law.hpp, for each of these reinits.
  std::vector<double> law_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                             const ContinuousPoint& point, std::span<const double> parameters) const;
  // May the effect of reinit differ at other speeds?
  bool depends_on_speed(std::size_t mode, std::size_t relation);
  // The surface is approached with this speed (negative), and reinit changes nothing. Would it lead back from another
  // one?
  bool would_lead_back(double t, std::size_t relation, double speed, double other, const ContinuousPoint& point,
                       std::span<const double> parameters);

  void archive(Archive& archive);

 private:
  void take_from_law(double t, std::size_t relation, const std::vector<std::size_t>& reinits,
                     const ContinuousPoint& from, std::span<const double> parameters,
                     std::vector<ImpactPush>& pushes) const;
  std::function<double(NodeId)> leaves_at(double t, const ContinuousPoint& point, const Pool& pool,
                                          std::span<const double> parameters) const;

  const HybridModes& modes_;
  const DiscretePart& part_;
  std::map<int, std::vector<ImpactPush>> known_;                          // by relation
  std::map<std::size_t, std::vector<std::vector<std::size_t>>> reinits_;  // by mode, for each relation
  std::map<std::pair<std::size_t, std::size_t>, bool> depend_on_speed_;   // by mode and relation
};

}  // namespace driftless
