#include "driftless/hybrid_run/contacts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/hybrid/rest.hpp"

namespace driftless {
namespace {

constexpr double part_of_accumulation = 1e-6;  // of the interval of the events: this much counts as one instant
constexpr long most_remarks = 8;               // on one relation

}  // namespace

HybridContacts::HybridContacts(HybridModes& modes, const SimulateOptions& options, Solution& solution)
    : modes_(modes), options_(options), solution_(solution), part_(modes.numbers().discrete), pushes_(modes) {}

std::optional<ContinuousPoint> HybridContacts::rest(double t, const Impacts& impacts, const ContinuousPoint& from,
                                                    const ContinuousPoint& to, std::span<const double> parameters) {
  for (const int k : impacts.held) {
    if (has(static_cast<std::size_t>(k))) continue;
    const Accumulation& accumulation = accumulations_[k];
    if (accumulation.events() <= 1 || !pushes_.knows(k)) pushes_.note(t, k, from, to, parameters);
    const std::optional<double> remaining = accumulation.remaining();
    const bool is_short = remaining && *remaining <= part_of_accumulation * (t - accumulation.begin());
    const auto is_among = [k](const std::vector<int>& some) { return std::ranges::find(some, k) != some.end(); };
    if (!is_short && !is_among(impacts.weak) && !is_among(impacts.brief)) continue;
    if (auto point = rest_at(t, static_cast<std::size_t>(k), is_short ? *remaining : 0.0, from, to, parameters))
      return point;
  }
  return {};
}

std::optional<ContinuousPoint> HybridContacts::rest_at(double t, std::size_t relation, double remaining,
                                                       const ContinuousPoint& from, const ContinuousPoint& to,
                                                       std::span<const double> parameters) {
  for (const SurfaceContact& contact : rests(relation, from, to, parameters)) {
    std::string note = fmt::format("the events of {} accumulate at t = {:.12g}, where the motion comes to rest",
                                   part_.held[relation].text, t + remaining);
    if (auto point = enter(t, {contact}, std::move(note), to, parameters)) {
      rested_.insert(static_cast<int>(relation));
      return point;
    }
  }
  return {};
}

std::optional<ContinuousPoint> HybridContacts::rest_of_all(double t, std::span<const std::size_t> relations,
                                                           const ContinuousPoint& from, const ContinuousPoint& to,
                                                           std::span<const double> parameters) {
  std::vector<SurfaceContact> begin;
  std::vector<std::string> texts;
  for (const std::size_t k : relations) {
    if (has(k)) continue;
    if (!pushes_.knows(static_cast<int>(k))) pushes_.note(t, static_cast<int>(k), from, to, parameters);
    const std::vector<SurfaceContact> some = rests(k, from, to, parameters);
    if (some.empty()) return {};
    begin.push_back(some.front());
    texts.push_back(part_.held[k].text);
  }
  auto point = enter(t, begin,
                     fmt::format("the events of {} accumulate at t = {:.12g}, where the motion comes to rest",
                                 fmt::join(texts, ", "), t),
                     to, parameters);
  if (point)
    for (const std::size_t k : relations) rested_.insert(static_cast<int>(k));
  return point;
}

// The possible contacts, one of which is used: with a force on all variables that reinit has pushed away from the
// surface if these are several, then on each alone.
std::vector<SurfaceContact> HybridContacts::rests(std::size_t relation, const ContinuousPoint& from,
                                                  const ContinuousPoint& to, std::span<const double> parameters) {
  const Model& model = modes_.without_contacts(parameters);
  const std::vector<ImpactPush>& pushes = pushes_.of(static_cast<int>(relation));
  SurfaceContact common{.is_rest = true, .relation = relation};
  for (std::size_t k = 0; k < part_.held.size(); ++k) {
    const CommonSurface surface = k == relation ? CommonSurface::None : common_surface(modes_.numbers(), relation, k);
    if (surface != CommonSurface::None) (surface == CommonSurface::Same ? common.same : common.opposite).push_back(k);
  }
  if (const auto unknown = std::ranges::find(pushes, true, &ImpactPush::is_unknown); unknown != pushes.end()) {
    const Reinit& reinit = part_.reinits[unknown->reinit];
    std::string why = fmt::format("the impacts of {} are too weak to tell the force of rest on {}",
                                  part_.held[relation].text, modes_.numbers()[reinit.variable].name);
    if (std::ranges::find(solution_.details, why) == solution_.details.end())
      solution_.details.push_back(std::move(why));
    return {};
  }
  const std::vector<std::size_t>& reinits = pushes_.reinits_in(from.mode, relation);
  const auto is_idle = [&](std::size_t r) {
    const auto first = std::ranges::find(pushes, r, &ImpactPush::reinit);
    return first != pushes.end() && first->is_idle;
  };
  std::ranges::copy_if(reinits, std::back_inserter(common.idle), is_idle);
  std::vector<SurfaceContact> all;
  SurfaceContact together = common;
  for (const std::size_t r : reinits) {
    if (is_idle(r)) continue;
    const auto first = std::ranges::find(pushes, r, &ImpactPush::reinit);
    const bool rises = first != pushes.end() ? first->change > 0.0 : pushes_.change_by(r, from, to) > 0.0;
    SurfaceContact alone = common;
    alone.pushes.push_back({r, rises ? 1.0 : -1.0});
    all.push_back(std::move(alone));
    if (first == pushes.end() || std::holds_alternative<std::string>(rest_model(model, relation, r, rises))) continue;
    const bool turns = first->slope.has_value();
    together.pushes.push_back({r, turns ? first->change / *first->slope : first->change, turns});
  }
  if (together.pushes.size() < 2) return all;
  // Weights are relative to that of the variable that is pushed most.
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

// Relations with the same surface share a contact.
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

bool HybridContacts::pulls(double t, const ContinuousPoint& point, std::span<const double> parameters) {
  HybridMode& mode = modes_[point.mode];
  mode.relations->take_parameters(mode.parameters_with_ends(parameters));
  std::vector<double> values(mode.numbers->discrete.held.size());
  mode.relations->values_at(t, point.quantities, values);
  return std::ranges::any_of(mode.ends, [&](const ContactEnd& end) {
    return mode.contacts[end.contact].is_rest && values[static_cast<std::size_t>(end.held)] != 0.0;
  });
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
    pushes_.forget(static_cast<int>(relation));
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
      return std::abs(pushes_.slope_at(t, contacts[k].relation, reinit, point, parameters).value_or(0.0));
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
    for (std::size_t k = 0; k < count; ++k) {
      int relation = 0;
      Accumulation accumulation;
      archive(relation, accumulation);
      accumulations_.emplace(relation, accumulation);
    }
  } else {
    for (auto& [relation, accumulation] : accumulations_) {
      int place = relation;
      archive(place, accumulation);
    }
  }
  std::vector<std::pair<int, double>> slowest(slowest_.begin(), slowest_.end());
  archive(slowest);
  if (archive.is_reading()) slowest_ = {slowest.begin(), slowest.end()};
  pushes_.archive(archive);
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
