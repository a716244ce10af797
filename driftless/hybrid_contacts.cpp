#include "driftless/hybrid_contacts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/hybrid/rest.hpp"
#include "driftless/hybrid/sliding.hpp"

namespace driftless {
namespace {

constexpr double part_of_accumulation = 1e-6;   // of the time that events take: infinitely many within it are one
constexpr double part_of_last_interval = 1e-4;  // of the time that impacts take which become ever more frequent
constexpr int impacts_before_rest = 2;          // that were led back, before one that stops at the surface
constexpr double part_of_speed = 1e-10;         // across the surface, that is none
constexpr double units_of_instant = 8.0;        // in the last place of the time: events that are further apart

}  // namespace

HybridContacts::HybridContacts(HybridModes& modes, const SimulateOptions& options, Solution& solution)
    : modes_(modes), options_(options), solution_(solution), part_(modes.numbers().discrete) {}

std::optional<ContinuousPoint> HybridContacts::rest(double t, const Impacts& impacts, const ContinuousPoint& from,
                                                    const ContinuousPoint& to, std::span<const double> parameters) {
  if (contact_) return {};
  for (const int k : impacts.held) {
    const Accumulation& accumulation = accumulations_[k];
    if (accumulation.events() <= 1) note_pushes(k, from, to);
    const std::optional<double> remaining = accumulation.remaining();
    const bool is_short = remaining && *remaining <= part_of_accumulation * (t - accumulation.begin());
    const bool is_weak = std::ranges::find(impacts.weak, k) != impacts.weak.end();
    if (!is_short && !is_weak) continue;
    if (auto point = rest_at(t, static_cast<std::size_t>(k), is_short ? *remaining : 0.0, from, to, parameters))
      return point;
  }
  return {};
}

double HybridContacts::change_by(std::size_t reinit, const ContinuousPoint& from, const ContinuousPoint& to) const {
  if (from.mode != to.mode) return 0.0;
  const Quantity q{part_.reinits[reinit].variable, part_.reinits[reinit].order};
  const Reduced& reduced = modes_[to.mode].reduced();
  const auto at =
      static_cast<std::size_t>(std::ranges::lower_bound(reduced.quantities, q) - reduced.quantities.begin());
  return to.quantities[at] - from.quantities[at];
}

void HybridContacts::note_pushes(int relation, const ContinuousPoint& from, const ContinuousPoint& to) {
  std::vector<int>& pushes = pushes_[relation];
  pushes.clear();
  for (std::size_t r = 0; r < part_.reinits.size(); ++r)
    if (const double change = change_by(r, from, to); change != 0.0)
      pushes.push_back(change > 0.0 ? static_cast<int>(r) + 1 : -static_cast<int>(r) - 1);
}

HybridContacts::Impacts HybridContacts::count_impacts(double t, const EventIteration::Causes& causes,
                                                      std::span<const int> never_left,
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
    const bool ends = is_not_led_back && !contact_ && stops(k, t, accumulation, slopes(k));
    if (stayed || passes || ends) impacts.weak.push_back(k);
    impacts.held.push_back(k);
    if (!is_not_led_back || accumulation.exists()) accumulation.add(t);
  }
  return impacts;
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
  return fmt::format(
      "reinit at {} no longer leads away from it: what is left of the motion is smaller than rounding "
      "errors, and no motion at rest was found{}",
      part_.held[static_cast<std::size_t>(impacts.weak.front())].text,
      contact_ ? fmt::format(", since {} is at rest already", part_.held[contact_->relation].text) : "");
}

std::optional<ContinuousPoint> HybridContacts::rest_at(double t, std::size_t relation, double remaining,
                                                       const ContinuousPoint& from, const ContinuousPoint& to,
                                                       std::span<const double> parameters) {
  const Model& model = *modes_[from.mode].prepared->analysis.model;
  for (const std::size_t r : reinits_of(model, relation)) {
    const std::vector<int>& pushes = pushes_[static_cast<int>(relation)];
    const auto first = std::ranges::find(pushes, static_cast<int>(r) + 1, [](int push) { return std::abs(push); });
    const bool rises = first != pushes.end() ? *first > 0 : change_by(r, from, to) > 0.0;
    auto rest = rest_model(model, relation, r, rises);
    auto* found = std::get_if<RestModel>(&rest);
    if (!found) continue;
    const std::string note = fmt::format("the events of {} accumulate at t = {:.12g}, where the motion comes to rest",
                                         part_.held[relation].text, t + remaining);
    Contact contact{0, from.mode, relation, {{static_cast<int>(found->ends), 0.0}}};
    const ContactOrigin origin{true, from.mode, relation, r, rises};
    if (auto point = enter(t, std::move(found->model), note, to, parameters, std::move(contact), origin)) return point;
  }
  return {};
}

std::optional<ContinuousPoint> HybridContacts::sliding(double t, const EventIteration::Result& result,
                                                       const ContinuousPoint& from,
                                                       std::span<const double> parameters) {
  if (!options_.sliding || result.flipping.size() != 1 || contact_) return {};
  const std::size_t k = result.flipping.front();
  auto sliding = sliding_model(*modes_[from.mode].prepared->analysis.model, k);
  auto* found = std::get_if<SlidingModel>(&sliding);
  if (!found) {
    solution_.details.push_back(std::get<std::string>(sliding));
    return {};
  }
  Contact contact{
      0, from.mode, k, {{static_cast<int>(found->ends_true), 1.0}, {static_cast<int>(found->ends_false), 0.0}}};
  return enter(t, std::move(found->model),
               fmt::format("from t = {:.9g} on the solution slides along {}", t, part_.held[k].text), from, parameters,
               std::move(contact), {false, from.mode, k});
}

std::size_t HybridContacts::add(Model model, std::string note, std::span<const double> parameters,
                                const ContactOrigin& origin) {
  const Formulation& asked = modes_[origin.mode].prepared->analysis.formulation;
  const std::size_t k = modes_.add(prepare_as_asked(std::make_shared<const Model>(std::move(model)), asked, options_),
                                   std::move(note), parameters);
  modes_[k].origin = origin;
  return k;
}

std::optional<std::size_t> HybridContacts::add_again(const ContactOrigin& origin, std::string note,
                                                     std::span<const double> parameters) {
  const Model& model = *modes_[origin.mode].prepared->analysis.model;
  if (origin.is_rest) {
    auto rest = rest_model(model, origin.relation, origin.reinit, origin.rises);
    if (auto* found = std::get_if<RestModel>(&rest))
      return add(std::move(found->model), std::move(note), parameters, origin);
  } else {
    auto sliding = sliding_model(model, origin.relation);
    if (auto* found = std::get_if<SlidingModel>(&sliding))
      return add(std::move(found->model), std::move(note), parameters, origin);
  }
  return {};
}

std::optional<ContinuousPoint> HybridContacts::enter(double t, Model model, std::string note,
                                                     const ContinuousPoint& from, std::span<const double> parameters,
                                                     Contact contact, const ContactOrigin& origin) {
  try {
    contact.mode = add(std::move(model), note, parameters, origin);
    ContinuousPoint to{contact.mode, {}, {}, {}, {}};
    std::string reason;
    if (!modes_.jump(t, parameters, from, {}, to, reason)) {
      solution_.details.push_back(std::move(reason));
      return {};
    }
    solution_.remarks.push_back(std::move(note));
    modes_.replace(contact.replaces, contact.mode);
    contact_ = std::move(contact);
    return to;
  } catch (const ModelError& error) {
    give_up(error);
    return {};
  }
}

void HybridContacts::give_up(const ModelError& error) {
  for (const Diagnostic& diagnostic : error.diagnostics().all()) solution_.details.push_back(diagnostic.message);
  contact_.reset();
  modes_.restore();
}

bool HybridContacts::ends_at(const EventSearch::Found& found, std::size_t mode, std::span<double> parameters) {
  if (!contact_ || contact_->mode != mode) return false;
  for (const auto& [held, value] : contact_->ends)
    if (std::ranges::find(found.held, held) != found.held.end()) {
      parameters[static_cast<std::size_t>(index(part_.held[contact_->relation].held))] = value;
      contact_.reset();
      modes_.restore();
      accumulations_.clear();
      pushes_.clear();
      return true;
    }
  return false;
}

std::optional<std::size_t> HybridContacts::relation_of(std::size_t mode) const {
  if (!contact_ || contact_->mode != mode) return {};
  return contact_->relation;
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
      std::vector<int> pushes;
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
  archive(contact_);
  if (archive.is_reading()) {
    if (contact_)
      modes_.replace(contact_->replaces, contact_->mode);
    else
      modes_.restore();
  }
}

}  // namespace driftless
