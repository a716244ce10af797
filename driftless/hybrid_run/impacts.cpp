// Classifies the impacts of an event: which lead back, which are the last ones, and which are lost.
#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/hybrid_run/contacts.hpp"

namespace driftless {
namespace {

constexpr double part_of_last_interval = 1e-4;  // of the duration of ever more frequent impacts
constexpr int impacts_before_rest = 2;          // that were led back, before one that stops at the surface
constexpr double part_that_is_lost = 0.999;     // of the speed: more is kept only by an elastic impact
constexpr double part_of_speed = 1e-10;         // a speed across the surface below this part counts as none
constexpr double units_of_speed = 16.0;         // in the last place of the speeds: a smaller difference is rounding
constexpr double units_of_instant = 8.0;        // in the last place of the time: events that are further apart

}  // namespace

// Is the speed across the surface zero, or a rounding error of the speeds from which it is computed, so that reinit
// changes nothing, although it would lead back from any other speed? Such a motion is at rest.
bool HybridContacts::is_faint(double t, std::size_t relation, const ContinuousPoint& from,
                              std::span<const double> parameters, const Slopes& slopes) {
  if (!slopes.before || !slopes.behind) return false;
  const std::vector<std::size_t>& reinits = pushes_.reinits_in(from.mode, relation);
  const std::vector<double> along = pushes_.slopes_at(t, relation, reinits, from, parameters);
  double size = 0.0;
  for (std::size_t k = 0; k < reinits.size(); ++k) size += std::abs(along[k] * pushes_.value_of(reinits[k], from));
  if (std::abs(*slopes.before) > units_of_speed * std::numeric_limits<double>::epsilon() * size) return false;
  const std::vector<double> law = pushes_.law_at(t, relation, reinits, from, parameters);
  return std::ranges::any_of(law, [](double change) { return change != 0.0; });
}

HybridContacts::Impacts HybridContacts::count_impacts(double t, const EventIteration::Causes& causes,
                                                      std::span<const int> never_left, const ContinuousPoint& from,
                                                      std::span<const double> parameters, const SlopesOf& slopes) {
  Impacts impacts;
  for (std::size_t i = 0; i < causes.held.size(); ++i) {
    const int k = causes.held[i];
    Accumulation& accumulation = accumulations_[k];
    const double interval = t - accumulation.last();
    const bool stayed = std::ranges::find(never_left, k) != never_left.end() && accumulation.exists() &&
                        interval > units_of_instant * (std::nextafter(t, HUGE_VAL) - t);
    const ParamId held = part_.held[static_cast<std::size_t>(k)].held;
    const bool is_not_led_back = parameters[static_cast<std::size_t>(index(held))] == causes.values[i];
    const bool passes =
        is_not_led_back && accumulation.exists() && interval < part_of_last_interval * (t - accumulation.begin());
    const bool ends = is_not_led_back && (is_faint(t, static_cast<std::size_t>(k), from, parameters, slopes(k)) ||
                                          stops(k, t, accumulation, slopes(k)));
    const bool is_weak = stayed || passes || ends;
    if (is_weak) impacts.weak.push_back(k);
    if (!is_weak && is_not_led_back && rested_.contains(k) && is_lost(slopes(k))) impacts.lost.push_back(k);
    if (!is_weak && is_not_led_back && is_slow(t, k, from, parameters, slopes(k))) impacts.slow.push_back(k);
    if (!is_not_led_back && pushes_.depends_on_speed(from.mode, static_cast<std::size_t>(k))) note_speed(k, slopes(k));
    impacts.held.push_back(k);
    if (!is_not_led_back || accumulation.exists()) accumulation.add(t);
    if (!is_not_led_back && accumulation.is_brief() && loses_speed(slopes(k)))
      impacts.brief.push_back(k), fading_.insert(k);
    else
      fading_.erase(k);
  }
  return impacts;
}

bool HybridContacts::are_fading(double t, std::span<const int> relations) const {
  return !relations.empty() && std::ranges::all_of(relations, [&](int k) {
    return fading_.contains(k) && accumulations_.at(k).is_brief_at(t);
  });
}

bool HybridContacts::loses_speed(const Slopes& slopes) {
  return slopes.before && slopes.behind && std::abs(*slopes.behind) < part_that_is_lost * std::abs(*slopes.before);
}

// Does reinit change the speed across the surface, and not lead away from it?
bool HybridContacts::is_lost(const Slopes& slopes) {
  return slopes.before && slopes.behind && *slopes.behind <= 0.0 && *slopes.behind != *slopes.before;
}

void HybridContacts::note_speed(int relation, const Slopes& slopes) {
  if (!slopes.before || *slopes.before == 0.0) return;
  const auto [slowest, is_first] = slowest_.emplace(relation, std::abs(*slopes.before));
  if (!is_first) slowest->second = std::min(slowest->second, std::abs(*slopes.before));
}

// A law of impacts for fast motions only: `reinit(v, if v < -0.1 then -0.5*v else v)`. If it also changes nothing at
// the speeds from which it led back before, the surface no longer acts.
bool HybridContacts::is_slow(double t, int relation, const ContinuousPoint& from, std::span<const double> parameters,
                             const Slopes& slopes) {
  const auto known = slowest_.find(relation);
  if (known == slowest_.end() || !slopes.before || !slopes.behind) return false;
  if (*slopes.behind != *slopes.before || !(*slopes.before < 0.0) || -*slopes.before >= known->second) return false;
  return pushes_.would_lead_back(t, static_cast<std::size_t>(relation), *slopes.before, -known->second, from,
                                 parameters);
}

void HybridContacts::add_lost(std::span<const double> before, std::span<const double> behind, const SlopesOf& slopes,
                              Impacts& impacts) const {
  const auto look_at = [&](int k) {
    const auto at = static_cast<std::size_t>(index(part_.held[static_cast<std::size_t>(k)].held));
    if (before[at] != 0.0 || behind[at] == 0.0) return;
    if (has(static_cast<std::size_t>(k)) || std::ranges::find(impacts.held, k) != impacts.held.end()) return;
    if (const Slopes at_event = slopes(k); is_lost(at_event) && (at_event.is_near || rested_.contains(k)))
      impacts.lost.push_back(k);
  };
  for (const int k : rested_) look_at(k);
  for (const auto& [k, accumulation] : accumulations_)
    if (!rested_.contains(k)) look_at(k);
}

// Called if reinit has not led the relation back. If reinit has led it back some times before and now removes its speed
// across the surface, the motion stops. Otherwise the motion continues beyond the surface, which is worth a remark if
// it came back before.
bool HybridContacts::stops(int relation, double t, const Accumulation& accumulation, const Slopes& slopes) {
  if (!accumulation.exists() || !slopes.before || !slopes.behind || *slopes.before == 0.0) return false;
  const bool is_stopped = std::abs(*slopes.behind) <= part_of_speed * std::abs(*slopes.before);
  if (is_stopped && accumulation.events() >= impacts_before_rest) return true;
  const std::string& text = part_.held[static_cast<std::size_t>(relation)].text;
  const std::string remark = fmt::format(
      "from t = {:.9g} on {} is true: reinit, which led back from there before, "
      "does not any more",
      t, text);
  const auto is_of_relation = [&](const std::string& known) {
    return known.find(fmt::format("on {} is true: reinit", text)) != std::string::npos;
  };
  if (std::ranges::none_of(solution_.remarks, is_of_relation)) solution_.remarks.push_back(remark);
  return false;
}

std::string HybridContacts::why_not_at_rest(const Impacts& impacts) const {
  if (!impacts.slow.empty())
    return fmt::format(
        "reinit at {} changes nothing at so small a speed, but led back from a larger one: the motion would go on "
        "beyond the surface. Let reinit lead back at all speeds, or take the speed away",
        part_.held[static_cast<std::size_t>(impacts.slow.front())].text);
  const int k = impacts.lost.empty() ? impacts.weak.front() : impacts.lost.front();
  const std::string& text = part_.held[static_cast<std::size_t>(k)].text;
  if (!impacts.lost.empty())
    return fmt::format(
        "the motion was at rest on the surface of {}, and would now go on beyond it: reinit does not lead away from it",
        text);
  return fmt::format(
      "reinit at {} no longer leads away from it: what is left of the motion is smaller than rounding errors, and no "
      "motion at rest was found",
      text);
}

}  // namespace driftless
