#include "driftless/hybrid_run.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/clock/processor_time.hpp"
#include "driftless/events/impulsive_relations.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/started_run.hpp"

namespace driftless {
namespace {

constexpr double never = -std::numeric_limits<double>::infinity();
constexpr std::size_t events_of_chatter = 50;
constexpr double interval_of_chatter = 1e-10;  // of the run, for so many events
constexpr int most_passed = 3;                 // events in a row that are no impacts
constexpr int most_pieces_tried = 20;          // of the past, at an event at which the time of a delay jumps

std::size_t place(ParamId id) { return static_cast<std::size_t>(index(id)); }

}  // namespace

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution, NotStarted)
    : prepared_(prepared),
      options_(options),
      numbers_(growable(numbers ? std::move(numbers) : prepared.analysis.model)),
      part_(numbers_->discrete),
      solution_(solution),
      integration_(integration),
      modes_(prepared, options_, numbers_),
      contacts_(modes_, options_, solution),
      results_(modes_, integration, solution),
      delays_(*numbers_, options.tolerance),
      iteration_(*numbers_, *this),
      in_relations_(event_numbers_in_relations(*numbers_)) {
  Diagnostics diagnostics;
  order_of(*numbers_, diagnostics);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *numbers_->sources);
  for (const Parameter& parameter : numbers_->parameters) parameters_.push_back(parameter.value);
}

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution)
    : HybridRun(prepared, options, std::move(numbers), integration, solution, NotStarted{}) {
  find_start();
}

HybridRun::HybridRun(const PreparedRun& prepared, const SimulateOptions& options, std::shared_ptr<const Model> numbers,
                     const IntegrateOptions& integration, Solution& solution, const State& start)
    : HybridRun(prepared, options, std::move(numbers), integration, solution, NotStarted{}) {
  parameters_ = start.parameters;
  Unsolved why;
  mode_ = modes_.at(parameters_, why).value();
  begin_at(start);
}

HybridRun::~HybridRun() = default;

// ---- start (hybrid_start.cpp)

void HybridRun::begin_at(const State& start) {
  describe_start(modes_[mode_].prepared->analysis, options_, *numbers_, start, solution_);
  begin_run(start);
  start_ = modes_[mode_].begin;
  if (!ended_) results_.begin_epoch(start.t, mode_, parameters_);
}

// Of the present mode.
void HybridRun::begin_run(const State& start) {
  HybridMode& mode = modes_[mode_];
  mode.begin = start;
  mode.begin.parameters = parameters_;
  IntegrateOptions integration = integration_;
  integration.projection = mode.prepared->projection;
  integration.first_output = integration_.first_output.value_or(solution_.start);
  integration.rows = results_.sink_of(mode);
  if (delays_.exist())
    integration.step_taken = [this, &mode](double from, double to, const HybridDelays::Observe& observe) {
      delays_.add_step(from, to, mode.reduced().quantities, observe);
    };
  mode.set_parameters(parameters_);
  mode.run = std::make_unique<Run>(mode.system, start, integration, mode.part);
  mode.run->go_to_unmeasured(never);
  ended_ = mode.run->has_ended();
}

// ---- the loop

void HybridRun::go_to(double t) {
  if (ended_) return;
  const double begin = processor_seconds(), compilation = seconds_of_preparation();
  go_through_events_to(t);
  const double preparation = seconds_of_preparation() - compilation;
  Statistics::Seconds& seconds = solution_.statistics.seconds;
  seconds.compile += preparation;
  seconds.integrate += processor_seconds() - begin - preparation;
}

double HybridRun::seconds_of_preparation() const {
  double seconds = seconds_of_compilation();
  for (std::size_t k = 0; k < modes_.size(); ++k)
    if (modes_[k].run) seconds += modes_[k].run->preparation();
  return seconds;
}

void HybridRun::go_through_events_to(double t) {
  while (!ended_) {
    HybridMode& mode = modes_[mode_];
    Run& run = *mode.run;
    if (!run.event()) run.go_to_unmeasured(t);
    solution_.reached = mode.part.reached;
    results_.keep_segments(mode);
    if (run.has_ended()) {
      ended_ = true;
      pass_terminal_event();
    }
    if (ended_ || !run.event() || run.reached() > t) return;  // an event behind t waits until the run goes there
    handle_event();
  }
}

void HybridRun::values_at(double t, std::vector<double>& series) {
  results_.values_at(t, modes_[mode_], parameters_, series);
}

void HybridRun::finish() {
  if (std::exchange(finished_, true) || modes_.size() == 0 || !modes_[mode_].run) return;
  for (std::size_t k = 0; k < modes_.size(); ++k)
    if (modes_[k].run) modes_[k].run->finish();
  results_.collect(mode_);
}

void HybridRun::end_at(double t, Outcome outcome, std::string reason, std::optional<Code> code) {
  solution_.reached = t;
  modes_[mode_].run->end_at_event({outcome, std::move(reason), Advice::GoOn, code});
  ended_ = true;
}

// ---- events

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
  if (causes_.held.size() == found.held.size() && causes_.samplings.empty() && contacts_.are_fading(t, causes_.held) &&
      rests_without_impact(t))
    return;
  const bool leaves_contact = contacts_.ends_at(found, mode_, parameters_);
  if (leaves_contact) recent_.clear();
  iterate_at(t, leaves_contact);
}

// An impact may bring together what another one has just led apart, and is apart by rounding errors only.
void HybridRun::note_relations_on_bounds() {
  modes_[mode_].run->events().for_each_waiting([&](int k) {
    const bool is_cause = std::ranges::find(causes_.held, k) != causes_.held.end();
    if (k < static_cast<int>(part_.held.size()) && !is_cause && contacts_.leads_back(k)) causes_.on_bounds.push_back(k);
  });
}

// A motion that reinit has led back leaves the surface: rounding errors of what the relation is computed from may
// lead it to the other side again, by no impact.
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

// If it happens again and again, the motion is smaller than rounding errors.
void HybridRun::pass_no_impact(double t) {
  from_ = point_;
  before_ = parameters_;
  modes_.begin_event(t, from_, before_);
  if (++passed_in_a_row_ <= most_passed) {
    if (!is_endless(t)) go_on(t, point_);
    return;
  }
  passed_in_a_row_ = 0;
  if (rests_without_impact(t)) return;
  end_at(t, Outcome::StepTooSmall, contacts_.why_not_at_rest({causes_.held, causes_.held}), Code::EventUnresolved);
}

// On the surfaces of the relations that caused the event, beside those on which the motion stays already.
bool HybridRun::rests_without_impact(double t) {
  from_ = point_;
  before_ = parameters_;
  modes_.begin_event(t, from_, before_);
  auto at_rest = contacts_.rest(t, {causes_.held, causes_.held}, from_, point_, parameters_);
  if (!at_rest) return false;
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
    // A relation of the equations of a contact that the contact does not end with: the motion goes on.
    if (!ended_ && modes_[mode_].run && modes_[mode_].run->event() && !is_endless(t)) go_on(t, point_);
    return;
  }
  if (!result.reinits.empty()) {
    const auto slopes = [&](int relation) {
      const auto k = static_cast<std::size_t>(relation);
      const EventSearch::Doubt before = doubts(t, before_, from_)[k], behind = doubts(t, parameters_, point_)[k];
      return HybridContacts::Slopes{before.slope, behind.slope, behind.size != EventSearch::Doubt::None};
    };
    auto impacts = contacts_.count_impacts(t, causes_, never_left_, from_, parameters_, slopes);
    contacts_.add_lost(before_, parameters_, slopes, impacts);
    const auto fail = [&] {
      end_at(t, Outcome::StepTooSmall, contacts_.why_not_at_rest(impacts), Code::EventUnresolved);
    };
    if (!impacts.lost.empty()) return fail();
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

// On the floor h <= 0 is true, and h > 0 is not, whatever rounding errors have made of them.
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

// Where the time of a delay jumps at the event, another piece of the past holds behind it: all is found again with it.
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

// Have neither the values of continuous variables changed nor any number in their equations?
bool HybridRun::goes_on_unchanged(double t, const ContinuousPoint& point) {
  HybridMode& mode = modes_[mode_];
  if (point.mode != mode_ || point.mode != from_.mode || !mode.run->event() || t >= solution_.stop) return false;
  if (!modes_.same_equations(before_, parameters_) || point.y != from_.y || point.yp != from_.yp) return false;
  mode.set_parameters_of_run(parameters_);
  if (!mode.run->go_on_unchanged()) return false;
  ended_ = mode.run->has_ended();
  results_.begin_epoch(t, mode_, parameters_);
  return true;
}

void HybridRun::go_on(double t, const ContinuousPoint& point) {
  if (modes_[from_.mode].run) modes_.keep_step(from_.mode, before_);
  mode_ = point.mode;
  HybridMode& mode = modes_[mode_];
  if (mode.run) {
    mode.set_parameters_of_run(parameters_);
    mode.run->go_on(t, point.y, point.yp, modes_.step_for(mode_, parameters_));
    ended_ = mode.run->has_ended();
  } else {
    State start;
    start.t = t;
    start.y = point.y;
    start.yp = point.yp;
    begin_run(start);
  }
  solution_.reached = t;
  results_.begin_epoch(t, mode_, parameters_);
}

// False if there is no contact, or if the method cannot integrate its equations.
bool HybridRun::enters(double t, const std::optional<ContinuousPoint>& contact) {
  if (!contact) return false;
  try {
    go_on(t, *contact);
    return true;
  } catch (const ModelError& error) {
    contacts_.give_up(error);
    return false;
  }
}

bool HybridRun::is_endless(double t) {
  recent_.push_back(t);
  if (recent_.size() < events_of_chatter) return false;
  const double advance = t - recent_.front();
  recent_.erase(recent_.begin());
  if (advance > interval_of_chatter * (solution_.stop - solution_.start)) return false;
  const std::vector<std::string> causes =
      solution_.events.empty() ? std::vector<std::string>{} : solution_.events.back().causes;
  end_at(t, Outcome::StepTooSmall,
         fmt::format("{} events follow each other within {:.2g} ({})", events_of_chatter, advance,
                     fmt::join(causes, ", ")),
         Code::EndlessJumps);
  return true;
}

// ---- what the iteration at an event asks for

DiscreteSystem& HybridRun::discrete(std::size_t mode) { return *modes_[mode].discrete; }

void HybridRun::held(double t, std::span<const double> parameters, const ContinuousPoint& point,
                     std::span<const int> found, EventSearch::Side side, std::span<double> values) {
  if (!relations_are_known(t, parameters, point, found, side)) evaluate_relations(t, parameters, point, found, side);
  std::copy_n(held_.begin(), values.size(), values.begin());
  if (point.is_struck) take_impulses(t, parameters, point, values);
  for (const std::size_t relation : contacts_.relations())  // on their surfaces they have no values of their own
    values[relation] = parameters[place(part_.held[relation].held)];
}

void HybridRun::evaluate_relations(double t, std::span<const double> parameters, const ContinuousPoint& point,
                                   std::span<const int> found, EventSearch::Side side) {
  HybridMode& mode = modes_[point.mode];
  EventSearch& relations = mode.run ? mode.run->events() : *mode.relations;
  // A relation that the mode makes an equation keeps its value.
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

// Is this the point at which they were evaluated last, with the same numbers in them? It then becomes that point.
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

void HybridRun::take_impulses(double t, std::span<const double> parameters, const ContinuousPoint& point,
                              std::span<double> values) const {
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
  for (const auto& [held, truth] : values_by_impulses(*numbers_, point.impulses, value)) values[held] = truth;
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
  return all;
}

bool HybridRun::solve(double t, std::span<const double> parameters, const ContinuousPoint& from,
                      std::span<const SetQuantity> set, ContinuousPoint& to, Unsolved& why) {
  return modes_.solve(t, parameters, from, set, to, why);
}

}  // namespace driftless
