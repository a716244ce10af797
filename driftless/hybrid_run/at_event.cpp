// What happens to a run at an event: from the values on its left side to those on its right side.
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "driftless/hybrid_run/hybrid_run.hpp"
#include "driftless/model/drive.hpp"

namespace driftless {
namespace {

constexpr int most_passed = 3;         // consecutive events that are no impacts
constexpr int most_pieces_tried = 20;  // of the past, at an event at which the time of a delay jumps

}  // namespace

// At the end of a run that has reached it, terminal() becomes true.
void HybridRun::pass_terminal_event() {
  if (!part_.terminal || solution_.reached < solution_.stop) return;
  const HybridMode& mode = modes_[mode_];
  point_ = {mode_, mode.run->end_y(), mode.run->end_yp(), {}, {}};
  mode.observe(solution_.reached, point_);
  causes_ = {};
  causes_.terminal = true;
  iterate_at(solution_.reached);
  ended_ = true;
}

void HybridRun::handle_event() {
  const HybridMode& mode = modes_[mode_];
  const EventSearch::Found& found = *mode.run->event();
  const double t = found.at;
  results_.note_found(found);
  point_.mode = mode_;
  point_.y = mode.run->point().y;
  point_.yp = mode.run->point().yp;
  point_.impulses.clear();
  point_.is_struck = false;
  mode.observe(t, point_);
  never_left_ = found.never_left;
  causes_.samplings = found.samplings;
  causes_.on_bounds.clear();
  causes_.held.clear();
  causes_.values.clear();
  for (std::size_t k = 0; k < found.held.size(); ++k)
    if (found.held[k] < static_cast<int>(part_.held.size())) {
      causes_.held.push_back(found.held[k]);
      causes_.values.push_back(found.values[k]);
    }
  note_relations_on_bounds();
  if (causes_.held.size() == found.held.size() && is_no_impact(t)) return pass_no_impact(t);
  passed_in_a_row_ = 0;
  is_pulled_ = false;
  if (causes_.held.size() == found.held.size() && causes_.samplings.empty() && contacts_.are_fading(t, causes_.held) &&
      rests_without_impact(t))
    return;
  const bool leaves_contact = contacts_.ends_at(found, mode_, parameters_);
  if (leaves_contact) recent_.clear();
  iterate_at(t, leaves_contact);
}

// An impact may bring bodies together that another one has just separated by rounding errors only.
void HybridRun::note_relations_on_bounds() {
  modes_[mode_].run->events().for_each_waiting([&](int k) {
    const bool is_cause = std::ranges::find(causes_.held, k) != causes_.held.end();
    if (k < static_cast<int>(part_.held.size()) && !is_cause && contacts_.leads_back(k)) causes_.on_bounds.push_back(k);
  });
}

// A motion that reinit has led back leaves the surface; rounding errors of the relation may show it on the other side
// again without an impact.
bool HybridRun::is_no_impact(double t) {
  if (causes_.held.empty() || !causes_.samplings.empty()) return false;
  for (std::size_t k = 0; k < causes_.held.size(); ++k)
    if (causes_.values[k] != 1.0 || !contacts_.leads_back(causes_.held[k])) return false;
  const std::vector<EventSearch::Doubt> all = doubts(t, parameters_, point_);
  return std::ranges::all_of(causes_.held, [&](int k) {
    const EventSearch::Doubt& doubt = all[static_cast<std::size_t>(k)];
    return doubt.size != EventSearch::Doubt::None && doubt.slope && *doubt.slope > 0.0;
  });
}

// If this happens repeatedly, the motion is smaller than rounding errors.
void HybridRun::pass_no_impact(double t) {
  from_ = point_;
  before_ = parameters_;
  modes_.begin_event(t, from_, before_);
  if (is_pulled_ && goes_on_unchanged(t, point_)) return;
  if (++passed_in_a_row_ <= most_passed) {
    if (!is_endless(t)) go_on(t, point_);
    return;
  }
  passed_in_a_row_ = 0;
  if (rests_without_impact(t)) return;
  if (is_pulled_) {  // it moves away, but is still near the surface
    if (!goes_on_unchanged(t, point_) && !is_endless(t)) go_on(t, point_);
    return;
  }
  end_at(t, Outcome::StepTooSmall, contacts_.why_not_at_rest({causes_.held, causes_.held}), Code::EventUnresolved);
}

// Tries rest on the surfaces of the relations that caused the event, in addition to those of present contacts.
bool HybridRun::rests_without_impact(double t) {
  from_ = point_;
  before_ = parameters_;
  modes_.begin_event(t, from_, before_);
  auto at_rest = contacts_.rest(t, {causes_.held, causes_.held}, from_, point_, parameters_);
  if (!at_rest) return false;
  is_pulled_ = contacts_.pulls(t, *at_rest, parameters_);
  if (is_pulled_) {
    contacts_.undo();
    return false;
  }
  settle_on_surface(t, *at_rest);
  if (enters(t, at_rest)) return true;
  parameters_ = before_;
  return false;
}

// From point_ and parameters_ on the left side of the event to those on its right side.
void HybridRun::iterate_at(double t, bool is_event) {
  from_ = point_;
  before_ = parameters_;
  modes_.begin_event(t, from_, before_);
  relations_at_.t = std::numeric_limits<double>::quiet_NaN();
  set_inputs(*numbers_, t, parameters_);
  delays_.pass_event(t, causes_, parameters_);
  const EventIteration::Result result = iterate_with_contacts(t);
  if (!result.converged) {
    parameters_ = before_;
    if (enters(t, contacts_.sliding(t, result, from_, before_))) return;
    modes_[mode_].set_parameters_of_run(before_);
    return end_at(t, Outcome::StepTooSmall, result.reason, Code::EventUnresolved);
  }
  const bool nothing_happens = !is_event && causes_.held.empty() && causes_.samplings.empty() && parameters_ == before_;
  if (!nothing_happens) results_.record(t, causes_, result, {before_, parameters_, from_, point_});
  if (result.violated) {
    const EventAssertion& assertion = part_.assertions[*result.violated];
    return end_at(
        t, Outcome::AssertionViolated,
        fmt::format("{}: the assertion {} is violated: {}", assertion.label, assertion.text, assertion.message), {});
  }
  if (nothing_happens) {
    // A relation of a contact's equations that does not end the contact: the motion goes on.
    if (!ended_ && modes_[mode_].run && modes_[mode_].run->event() && !is_endless(t)) go_on(t, point_);
    return;
  }
  if (!result.collapsed.empty()) return rest_behind_collapse(t, result.collapsed);
  if (!result.reinits.empty()) {
    std::vector<EventSearch::Doubt> before, behind;  // of all relations, computed if one of them is needed
    const auto slopes = [&](int relation) {
      if (before.empty()) before = doubts(t, before_, from_), behind = doubts(t, parameters_, point_);
      const auto k = static_cast<std::size_t>(relation);
      return HybridContacts::Slopes{before[k].slope, behind[k].slope, behind[k].size != EventSearch::Doubt::None};
    };
    auto impacts = contacts_.count_impacts(t, causes_, never_left_, from_, parameters_, slopes);
    contacts_.add_lost(before_, parameters_, slopes, impacts);
    const auto fail = [&] {
      end_at(t, Outcome::StepTooSmall, contacts_.why_not_at_rest(impacts), Code::EventUnresolved);
    };
    if (!impacts.lost.empty() || !impacts.slow.empty()) return fail();
    if (auto at_rest = contacts_.rest(t, impacts, from_, point_, parameters_)) {
      settle_on_surface(t, *at_rest);
      if (enters(t, at_rest)) return;
    }
    if (!impacts.weak.empty()) return fail();
  }
  if (is_endless(t)) return;
  if (!goes_on_unchanged(t, point_)) go_on(t, point_);
  if (result.terminate && !ended_) {
    solution_.remarks.push_back(fmt::format("the model ended the run at t = {:.9g}: {}", t, *result.terminate));
    ended_ = true;
  }
}

void HybridRun::rest_behind_collapse(double t, const std::vector<std::size_t>& relations) {
  if (auto at_rest = contacts_.rest_of_all(t, relations, from_, point_, parameters_)) {
    settle_on_surface(t, *at_rest);
    if (enters(t, at_rest)) return;
  }
  HybridContacts::Impacts impacts;
  for (const std::size_t k : relations) impacts.weak.push_back(static_cast<int>(k));
  end_at(t, Outcome::StepTooSmall, contacts_.why_not_at_rest(impacts), Code::EventUnresolved);
}

// On the floor h <= 0 is true and h > 0 is false, regardless of rounding errors.
void HybridRun::settle_on_surface(double t, ContinuousPoint& at_rest) {
  const std::vector<double> given = parameters_;
  if (!contacts_.take_values_on_surfaces(parameters_)) return;
  ContinuousPoint point = at_rest;
  relations_at_.t = std::numeric_limits<double>::quiet_NaN();
  if (iteration_(t, {}, parameters_, point).converged)
    at_rest = std::move(point);
  else
    parameters_ = given;
}

// An event that contradicts a contact ends it: a ball at rest that is kicked up, a floor that falls away.
EventIteration::Result HybridRun::iterate_with_contacts(double t) {
  if (contacts_.number() == 0) return iterate_with_delays(t);
  const std::vector<double> given = parameters_;
  EventIteration::Result result = iterate_with_delays(t);
  const std::vector<SurfaceContact> contacts = modes_.contacts();
  if (result.converged) {
    const std::vector<std::size_t> turned = contacts_.turned(t, point_, parameters_);
    return turned.empty() ? result : iterate_without(turned, t, given);
  }
  std::vector<std::vector<std::size_t>> attempts;
  for (std::size_t k = 0; k < contacts.size(); ++k) attempts.push_back({k});
  if (contacts.size() > 1) {
    attempts.emplace_back(contacts.size());
    std::iota(attempts.back().begin(), attempts.back().end(), std::size_t{0});
  }
  for (std::size_t k = 0; !result.converged && k < attempts.size(); ++k) {
    contacts_.stay_on(contacts);
    EventIteration::Result other = iterate_without(attempts[k], t, given);
    if (other.converged) return other;
  }
  contacts_.stay_on(contacts);
  return result;
}

// These contacts end before the event.
EventIteration::Result HybridRun::iterate_without(const std::vector<std::size_t>& contacts, double t,
                                                  const std::vector<double>& given) {
  parameters_ = given;
  for (const std::size_t k : contacts) causes_.on_bounds.push_back(static_cast<int>(modes_.contacts()[k].relation));
  contacts_.end(contacts, parameters_);
  point_ = from_;
  relations_at_.t = std::numeric_limits<double>::quiet_NaN();
  return iterate_with_delays(t);
}

// If the time of a delay jumps at the event, another piece of the past is valid after it, and everything is computed
// again with it.
EventIteration::Result HybridRun::iterate_with_delays(double t) {
  if (!delays_.change()) return iteration_(t, causes_, parameters_, point_);
  std::vector<double> given = parameters_;
  for (int round = 0;; ++round) {
    EventIteration::Result result = iteration_(t, causes_, parameters_, point_);
    if (!result.converged) return result;
    const auto followed =
        delays_.follow_jumps(t, modes_[point_.mode].reduced().quantities, point_.quantities, parameters_, given);
    if (!followed.any && followed.failure.empty()) return result;
    if (followed.failure.empty() && round < most_pieces_tried) {
      parameters_ = given;
      point_ = from_;
      relations_at_.t = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    result.converged = false;
    result.reason = followed.failure.empty() ? "the time of a delay depends on the value that it gives, and has none "
                                               "that agrees with it"
                                             : followed.failure;
    return result;
  }
}

}  // namespace driftless
