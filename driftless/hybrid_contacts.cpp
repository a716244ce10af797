#include "driftless/hybrid_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/hybrid/impact_law.hpp"
#include "driftless/hybrid/rest.hpp"

namespace driftless {
namespace {

constexpr double part_of_accumulation = 1e-6;   // of the time that events take: infinitely many within it are one
constexpr double part_of_last_interval = 1e-4;  // of the time that impacts take which become ever more frequent
constexpr int impacts_before_rest = 2;          // that were led back, before one that stops at the surface
constexpr double part_that_is_lost = 0.999;     // of the speed, by an impact that is not elastic
constexpr double part_of_speed = 1e-10;         // across the surface, that is none
constexpr double units_of_change = 4.0;         // in the last place: a change by an impact
constexpr double part_of_weight = 1e-6;         // of the largest one: what rounding may make of one (hybrid/rest.hpp)
constexpr double units_of_speed = 16.0;         // in the last place of the speeds: their difference
constexpr long most_remarks = 8;                // on one relation
constexpr double units_of_instant = 8.0;        // in the last place of the time: events that are further apart

}  // namespace

HybridContacts::HybridContacts(HybridModes& modes, const SimulateOptions& options, Solution& solution)
    : modes_(modes), options_(options), solution_(solution), part_(modes.numbers().discrete) {}

std::optional<ContinuousPoint> HybridContacts::rest(double t, const Impacts& impacts, const ContinuousPoint& from,
                                                    const ContinuousPoint& to, std::span<const double> parameters) {
  for (const int k : impacts.held) {
    if (has(static_cast<std::size_t>(k))) continue;
    const Accumulation& accumulation = accumulations_[k];
    if (accumulation.events() <= 1 || !pushes_.contains(k)) note_pushes(t, k, from, to, parameters);
    const std::optional<double> remaining = accumulation.remaining();
    const bool is_short = remaining && *remaining <= part_of_accumulation * (t - accumulation.begin());
    const auto is_among = [k](const std::vector<int>& some) { return std::ranges::find(some, k) != some.end(); };
    if (!is_short && !is_among(impacts.weak) && !is_among(impacts.brief)) continue;
    if (auto point = rest_at(t, static_cast<std::size_t>(k), is_short ? *remaining : 0.0, from, to, parameters))
      return point;
  }
  return {};
}

double HybridContacts::change_by(std::size_t reinit, const ContinuousPoint& from, const ContinuousPoint& to) const {
  return from.mode == to.mode ? value_of(reinit, to) - value_of(reinit, from) : 0.0;
}

double HybridContacts::value_of(std::size_t reinit, const ContinuousPoint& point) const {
  const Quantity q{part_.reinits[reinit].variable, part_.reinits[reinit].order};
  const Reduced& reduced = modes_[point.mode].reduced();
  const auto at =
      static_cast<std::size_t>(std::ranges::lower_bound(reduced.quantities, q) - reduced.quantities.begin());
  return point.quantities[at];
}

const std::vector<std::size_t>& HybridContacts::reinits_in(std::size_t mode, std::size_t held) {
  const auto [at, is_new] = reinits_.try_emplace(mode);
  if (is_new) at->second = reinits_by_relation(*modes_[mode].prepared->analysis.model);
  return at->second[held];
}

void HybridContacts::note_pushes(double t, int relation, const ContinuousPoint& from, const ContinuousPoint& to,
                                 std::span<const double> parameters) {
  std::vector<Push> pushes;
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
  take_pushes_from_law(t, held, of_relation, from, parameters, pushes);
  if (std::ranges::any_of(pushes, [](const Push& push) { return push.change != 0.0; }))
    pushes_[relation] = std::move(pushes);
}

// What the model says of all impacts is exact. What one of them has changed is a rounding error of it, and may be no
// more than that.
void HybridContacts::take_pushes_from_law(double t, std::size_t relation, const std::vector<std::size_t>& reinits,
                                          const ContinuousPoint& from, std::span<const double> parameters,
                                          std::vector<Push>& pushes) const {
  const std::vector<double> slopes = slopes_at(t, relation, reinits, from, parameters),
                            law = law_at(t, relation, reinits, from, parameters);
  if (std::ranges::none_of(law, [](double change) { return change != 0.0; })) return;
  std::vector<Push> by_law;
  for (std::size_t k = 0; k < reinits.size(); ++k) {
    const bool is_idle =
        slopes[k] == 0.0 && coordinate_of(*modes_[from.mode].prepared->analysis.model, part_.reinits[reinits[k]]);
    by_law.push_back({reinits[k], law[k], slopes[k] == 0.0 ? std::nullopt : std::optional(slopes[k]), is_idle});
  }
  pushes = std::move(by_law);
}

std::optional<double> HybridContacts::slope_at(double t, std::size_t relation, std::size_t reinit,
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

std::function<double(NodeId)> HybridContacts::leaves_at(double t, const ContinuousPoint& point, const Pool& pool,
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

std::vector<double> HybridContacts::slopes_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                                              const ContinuousPoint& point, std::span<const double> parameters) const {
  std::vector<double> slopes;
  for (const std::size_t r : reinits) slopes.push_back(slope_at(t, relation, r, point, parameters).value_or(0.0));
  return slopes;
}

// Of these reinits: D of hybrid/impact_law.hpp.
std::vector<double> HybridContacts::law_at(double t, std::size_t relation, std::span<const std::size_t> reinits,
                                           const ContinuousPoint& point, std::span<const double> parameters) const {
  const Model& model = *modes_[point.mode].prepared->analysis.model;
  const std::shared_ptr<Pool> pool = growable(model.pool);
  return changes_of_slowest_impact(model, *pool, reinits, slopes_at(t, relation, reinits, point, parameters),
                                   leaves_at(t, point, *pool, parameters));
}

// The speed across the surface is none, or a rounding error of the speeds that it is made of, and reinit changes
// nothing; but from any other speed it would lead back. A motion that comes like this is at rest.
bool HybridContacts::is_faint(double t, std::size_t relation, const ContinuousPoint& from,
                              std::span<const double> parameters, const Slopes& slopes) {
  if (!slopes.before || !slopes.behind) return false;
  const std::vector<std::size_t>& reinits = reinits_in(from.mode, relation);
  const std::vector<double> along = slopes_at(t, relation, reinits, from, parameters);
  double size = 0.0;
  for (std::size_t k = 0; k < reinits.size(); ++k) size += std::abs(along[k] * value_of(reinits[k], from));
  if (std::abs(*slopes.before) > units_of_speed * std::numeric_limits<double>::epsilon() * size) return false;
  const std::vector<double> law = law_at(t, relation, reinits, from, parameters);
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

// reinit has not led the relation back. A motion that it has led back some times before, and whose speed across the
// surface it now takes away, has come to its end. Otherwise the model says that the motion goes on beyond the surface:
// where it has come back so far, that is worth a remark.
bool HybridContacts::stops(int relation, double t, const Accumulation& accumulation, const Slopes& slopes) {
  if (!accumulation.exists() || !slopes.before || !slopes.behind || *slopes.before == 0.0) return false;
  const bool is_stopped = std::abs(*slopes.behind) <= part_of_speed * std::abs(*slopes.before);
  if (is_stopped && accumulation.events() >= impacts_before_rest) return true;
  if (*slopes.behind == *slopes.before) return false;
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

std::optional<ContinuousPoint> HybridContacts::rest_at(double t, std::size_t relation, double remaining,
                                                       const ContinuousPoint& from, const ContinuousPoint& to,
                                                       std::span<const double> parameters) {
  for (const SurfaceContact& contact : rests(relation, from, to)) {
    std::string note = fmt::format("the events of {} accumulate at t = {:.12g}, where the motion comes to rest",
                                   part_.held[relation].text, t + remaining);
    if (auto point = enter(t, {contact}, std::move(note), to, parameters)) {
      rested_.insert(static_cast<int>(relation));
      return point;
    }
  }
  return {};
}

// The contacts that may be meant, one of which is taken: a force on all variables that reinit has pushed away from the
// surface, if these are several, and otherwise on each alone.
std::vector<SurfaceContact> HybridContacts::rests(std::size_t relation, const ContinuousPoint& from,
                                                  const ContinuousPoint& to) {
  const Model& model = *modes_[from.mode].prepared->analysis.model;
  const std::vector<Push>& pushes = pushes_[static_cast<int>(relation)];
  SurfaceContact common{.is_rest = true, .relation = relation};
  for (std::size_t k = 0; k < part_.held.size(); ++k) {
    const CommonSurface surface = k == relation ? CommonSurface::None : common_surface(modes_.numbers(), relation, k);
    if (surface != CommonSurface::None) (surface == CommonSurface::Same ? common.same : common.opposite).push_back(k);
  }
  if (const auto unknown = std::ranges::find(pushes, true, &Push::is_unknown); unknown != pushes.end()) {
    const Reinit& reinit = part_.reinits[unknown->reinit];
    std::string why = fmt::format("the impacts of {} are too weak to tell the force of rest on {}",
                                  part_.held[relation].text, modes_.numbers()[reinit.variable].name);
    if (std::ranges::find(solution_.details, why) == solution_.details.end())
      solution_.details.push_back(std::move(why));
    return {};
  }
  const std::vector<std::size_t>& reinits = reinits_in(from.mode, relation);
  const auto is_idle = [&](std::size_t r) {
    const auto first = std::ranges::find(pushes, r, &Push::reinit);
    return first != pushes.end() && first->is_idle;
  };
  std::ranges::copy_if(reinits, std::back_inserter(common.idle), is_idle);
  std::vector<SurfaceContact> all;
  SurfaceContact together = common;
  for (const std::size_t r : reinits) {
    if (is_idle(r)) continue;
    const auto first = std::ranges::find(pushes, r, &Push::reinit);
    const bool rises = first != pushes.end() ? first->change > 0.0 : change_by(r, from, to) > 0.0;
    SurfaceContact alone = common;
    alone.pushes.push_back({r, rises ? 1.0 : -1.0});
    all.push_back(std::move(alone));
    if (first == pushes.end() || std::holds_alternative<std::string>(rest_model(model, relation, r, rises))) continue;
    const bool turns = first->slope.has_value();
    together.pushes.push_back({r, turns ? first->change / *first->slope : first->change, turns});
  }
  if (together.pushes.size() < 2) return all;
  // As large as the force on the variable that is pushed most.
  double largest = 0.0;
  for (const SurfaceContact::Push& push : together.pushes) largest = std::max(largest, std::abs(push.weight));
  for (SurfaceContact::Push& push : together.pushes) push.weight /= largest;
  return {together};
}

bool HybridContacts::take_values_on_surfaces(std::span<double> parameters) const {
  bool changes = false;
  for (const SurfaceContact& contact : modes_.contacts()) {
    if (!contact.is_rest) continue;
    for (const auto* relations : {&contact.same, &contact.opposite})
      for (const std::size_t k : *relations) {
        const Pool& pool = *modes_.numbers().pool;
        const double value = pool[part_.held[k].expression].op == Op::LessEqual ? 1.0 : 0.0;
        double& present = parameters[static_cast<std::size_t>(index(part_.held[k].held))];
        changes = changes || present != value;
        present = value;
      }
  }
  return changes;
}

// Relations that have one surface share a contact.
std::optional<ContinuousPoint> HybridContacts::sliding(double t, const EventIteration::Result& result,
                                                       const ContinuousPoint& from,
                                                       std::span<const double> parameters) {
  if (!options_.sliding) return {};
  std::vector<SurfaceContact> begin;
  std::vector<std::string> texts;
  const auto begins_with = [&](std::size_t k) {
    return std::ranges::any_of(begin, [k](const SurfaceContact& contact) {
      return std::ranges::find(contact.same, k) != contact.same.end() ||
             std::ranges::find(contact.opposite, k) != contact.opposite.end();
    });
  };
  for (const std::size_t k : result.flipping) {
    if (has(k)) return {};
    if (begins_with(k)) continue;
    begin.push_back({.is_rest = false, .relation = k});
    texts.push_back(part_.held[k].text);
    for (std::size_t other = 0; other < part_.held.size(); ++other) {
      if (other == k || !modes_.in_equations(part_.held[other].held)) continue;
      const CommonSurface common = common_surface(modes_.numbers(), k, other);
      if (common != CommonSurface::None)
        (common == CommonSurface::Same ? begin.back().same : begin.back().opposite).push_back(other);
    }
  }
  if (begin.empty()) return {};
  return enter(t, begin, fmt::format("from t = {:.9g} on the solution slides along {}", t, fmt::join(texts, ", ")),
               from, parameters);
}

std::optional<ContinuousPoint> HybridContacts::enter(double t, const std::vector<SurfaceContact>& begin,
                                                     std::string note, const ContinuousPoint& from,
                                                     std::span<const double> parameters) {
  given_up_to_ = modes_.contacts();
  std::vector<SurfaceContact> contacts = given_up_to_;
  contacts.insert(contacts.end(), begin.begin(), begin.end());
  stay_on(std::move(contacts));
  Unsolved why;
  if (const auto mode = modes_.at(parameters, why)) {
    ContinuousPoint to{*mode, {}, {}, {}, {}};
    if (modes_.jump(t, parameters, from, {}, to, why.reason)) {
      if (std::ranges::count(solution_.remarks, note.substr(0, note.find(" at t = ")), [](const std::string& remark) {
            return remark.substr(0, remark.find(" at t = "));
          }) < most_remarks)
        solution_.remarks.push_back(std::move(note));
      return to;
    }
  }
  if (std::ranges::find(solution_.details, why.reason) == solution_.details.end())
    solution_.details.push_back(std::move(why.reason));
  stay_on(given_up_to_);
  return {};
}

void HybridContacts::give_up(const ModelError& error) {
  for (const Diagnostic& diagnostic : error.diagnostics().all()) solution_.details.push_back(diagnostic.message);
  stay_on(given_up_to_);
}

void HybridContacts::stay_on(std::vector<SurfaceContact> contacts) {
  relations_.clear();
  for (const SurfaceContact& contact : contacts) {
    relations_.push_back(contact.relation);
    relations_.insert(relations_.end(), contact.same.begin(), contact.same.end());
    relations_.insert(relations_.end(), contact.opposite.begin(), contact.opposite.end());
  }
  modes_.stay_on(std::move(contacts));
}

bool HybridContacts::has(std::size_t relation) const {
  return std::ranges::find(relations_, relation) != relations_.end();
}

void HybridContacts::set_relations(const SurfaceContact& contact, bool value, std::span<double> parameters) {
  const auto set = [&](std::size_t relation, bool is_true) {
    parameters[static_cast<std::size_t>(index(part_.held[relation].held))] = is_true ? 1.0 : 0.0;
    pushes_.erase(static_cast<int>(relation));
  };
  set(contact.relation, value);
  for (const std::size_t k : contact.same) set(k, value);
  for (const std::size_t k : contact.opposite) set(k, !value);
}

bool HybridContacts::ends_at(const EventSearch::Found& found, std::size_t mode, std::span<double> parameters) {
  if (modes_.contacts().empty() || modes_[mode].contacts != modes_.contacts()) return false;
  std::vector<std::size_t> ended;
  for (const ContactEnd& end : modes_[mode].ends) {
    if (std::ranges::find(found.held, end.held) == found.held.end()) continue;
    set_relations(modes_.contacts()[end.contact], end.value != 0.0, parameters);
    ended.push_back(end.contact);
  }
  if (ended.empty()) return false;
  leave(ended);
  return true;
}

void HybridContacts::end(const std::vector<std::size_t>& places, std::span<double> parameters) {
  for (const std::size_t place : places) {
    const SurfaceContact& contact = modes_.contacts()[place];
    const double value = parameters[static_cast<std::size_t>(index(part_.held[contact.relation].held))];
    set_relations(contact, !contact.is_rest && value != 0.0, parameters);
  }
  leave(places);
}

std::vector<std::size_t> HybridContacts::turned(double t, const ContinuousPoint& point,
                                                std::span<const double> parameters) const {
  std::vector<std::size_t> places;
  const std::vector<SurfaceContact>& contacts = modes_.contacts();
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto slope = [&](std::size_t reinit) {
      return std::abs(slope_at(t, contacts[k].relation, reinit, point, parameters).value_or(0.0));
    };
    double pushed = 0.0;
    for (const SurfaceContact::Push& push : contacts[k].pushes) pushed += slope(push.reinit);
    const double least = part_of_slope * (pushed > 0.0 ? pushed : 1.0);
    if (std::ranges::any_of(contacts[k].idle, [&](std::size_t reinit) { return slope(reinit) > least; }))
      places.push_back(k);
  }
  return places;
}

void HybridContacts::leave(const std::vector<std::size_t>& places) {
  std::vector<SurfaceContact> left;
  for (std::size_t k = 0; k < modes_.contacts().size(); ++k)
    if (std::ranges::find(places, k) == places.end()) left.push_back(modes_.contacts()[k]);
  stay_on(std::move(left));
}

void HybridContacts::archive(Archive& archive) {
  std::size_t count = accumulations_.size();
  archive(count);
  if (archive.is_reading()) {
    accumulations_.clear();
    pushes_.clear();
    for (std::size_t k = 0; k < count; ++k) {
      int relation = 0;
      Accumulation accumulation;
      std::vector<Push> pushes;
      archive(relation, accumulation, pushes);
      accumulations_.emplace(relation, accumulation);
      pushes_.emplace(relation, std::move(pushes));
    }
  } else {
    for (auto& [relation, accumulation] : accumulations_) {
      int place = relation;
      archive(place, accumulation, pushes_[relation]);
    }
  }
  for (std::set<int>* relations : {&rested_, &fading_}) {
    std::vector<int> all(relations->begin(), relations->end());
    archive(all);
    *relations = {all.begin(), all.end()};
  }
  std::vector<SurfaceContact> contacts = modes_.contacts();
  archive(contacts);
  if (archive.is_reading()) stay_on(std::move(contacts));
}

}  // namespace driftless
