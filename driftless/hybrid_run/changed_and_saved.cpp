// Saving and changing a run with events.
#include <algorithm>

#include <fmt/format.h>

#include "driftless/hybrid_run/hybrid_run.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/run_start.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse_change(Code code, const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(code, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

}  // namespace

// The modes are made again in the order in which they were met, each from the values with which it was met. A mode that
// had a run gets a new one from the point where it began, which then reads its state.
void HybridRun::archive(Archive& archive) {
  if (!archive.is_reading() && !ended_ && modes_[mode_].run->event()) handle_event();  // it is not written
  archive.section("run with events");
  std::size_t count = modes_.size();
  archive(count);
  RowSink rows = results_.take_sink();
  if (archive.is_reading()) modes_.clear();
  for (std::size_t k = 0; k < count; ++k) archive_mode(archive, k);
  results_.use_sink(std::move(rows));
  archive(contacts_, results_, delays_);
  archive(parameters_, mode_, recent_, passed_in_a_row_, is_pulled_, ended_, finished_, solution_);
}

void HybridRun::archive_mode(Archive& archive, std::size_t k) {
  std::vector<double> met_with, present;
  std::vector<SurfaceContact> contacts;
  bool has_run = false;
  State begin;
  if (!archive.is_reading()) {
    const HybridMode& mode = modes_[k];
    met_with = mode.met_with, contacts = mode.contacts;
    has_run = mode.run != nullptr;
    begin = mode.begin;
    present = {mode.system->parameters().begin(), mode.system->parameters().end()};
  }
  archive(met_with, contacts, has_run, begin.t, begin.y, begin.yp, begin.parameters, present);
  if (archive.is_reading()) restore_mode(k, met_with, contacts);
  if (!has_run) return;
  HybridMode& mode = modes_[k];
  if (archive.is_reading()) {
    parameters_ = begin.parameters;
    mode_ = k;
    begin_run(begin);
    mode.run->set_parameters(present);
  }
  mode.run->archive(archive);
  std::vector<std::pair<std::vector<double>, double>> steps(mode.steps.begin(), mode.steps.end());
  archive(steps);
  mode.steps = {steps.begin(), steps.end()};
}

void HybridRun::restore_mode(std::size_t k, const std::vector<double>& met_with,
                             const std::vector<SurfaceContact>& contacts) {
  parameters_ = met_with;
  modes_.stay_on(contacts);
  Unsolved why;
  const auto made = modes_.at(met_with, why);
  if (made != k || k + 1 != modes_.size()) throw ArchiveError("the saved run has other modes");
}

// Uses separate modes, so that the present run is unchanged if there is no such point.
State HybridRun::changed(double t, const std::shared_ptr<const Model>& numbers, const NamedValues& variables) {
  if (!contacts_.relations().empty())
    refuse_change(Code::NotSupported,
                  fmt::format("not supported yet: changing a run while {} holds as an equation",
                              part_.held[contacts_.relations().front()].text),
                  *numbers);
  if (delays_.exist())
    refuse_change(Code::NotSupported, "not supported yet: changing a run of a model with delay()", *numbers);
  Solution nothing;
  HybridRun other(prepared_, options_, numbers, {}, nothing, NotStarted{});
  other.is_on_the_way_ = true;
  other.parameters_ = parameters_;
  for (std::size_t p = 0; p < numbers->parameters.size(); ++p)
    if (numbers->parameters[p].role == Parameter::Role::Given && numbers->parameters[p].fixed)
      other.parameters_[p] = numbers->parameters[p].value;
  set_inputs(*numbers, t, other.parameters_);

  std::vector<double> series;
  modes_[mode_].run->values_at(t, series);
  Unsolved why;
  const auto found = other.modes_.at(other.parameters_, why);
  if (!found) refuse_change(Code::WrongChange, why.reason, *numbers);
  other.mode_ = *found;
  HybridMode& mode = other.modes_[other.mode_];
  const State set = changed_state(*mode.prepared, other.modes_.numbers_of(mode, other.parameters_),
                                  mode.parameters_with_ends(other.parameters_),
                                  {modes_[mode_].reduced().quantities, series}, t, variables);
  State state = extended(set, *mode.prepared->analysis.reduced);
  ContinuousPoint point{other.mode_, state.y, state.yp, {}, {}};
  mode.set_parameters(other.parameters_);
  mode.observe(t, point);
  const EventIteration::Result result = other.iteration_(t, {}, other.parameters_, point);
  if (!result.converged) refuse_change(Code::WrongChange, result.reason, *numbers);
  state.t = t;
  state.y = point.y;
  state.yp = point.yp;
  state.parameters = other.parameters_;
  return state;
}

RunPoint HybridRun::point_at(double t) {
  HybridMode& mode = modes_[mode_];
  std::vector<double> series;
  mode.run->values_at(t, series);
  return {mode.prepared->analysis.base,
          changed_state(*mode.prepared, modes_.numbers_of(mode, parameters_), mode.parameters_with_ends(parameters_),
                        {mode.reduced().quantities, series}, t, {})};
}

}  // namespace driftless
