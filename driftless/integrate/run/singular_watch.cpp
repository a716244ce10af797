#include "driftless/integrate/run/singular_watch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

// A look at the matrix costs as much as some steps of a multistep method, unless it is small; and so does a choice of
// states for a formulation that has none.
constexpr int largest_looked_at = 60, largest_at_all = 1000;

bool is_multistep(const Method& method) {
  return std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
}

}  // namespace

SingularWatch::OwnStates::OwnStates(std::shared_ptr<System> watched, const StateCoordinates& chosen)
    : system(std::move(watched)), problem(*system), coordinates(chosen), singular(problem), until(-HUGE_VAL) {
  problem.set_states(coordinates.states());
}

void SingularWatch::OwnStates::begin(double t) {
  if (t != until) singular.forget();
}

// A choice of states need not be the best, only regular: it is looked at where a determinant has become smaller.
void SingularWatch::OwnStates::renew(double t, std::span<const double> y, std::span<const double> yp) {
  until = t;
  if (!singular.has_shrunk()) return;
  const std::size_t n = system->size();
  if (coordinates.examine({t, y.first(n), yp.first(n)}, 0.0).empty()) return singular.keep_states();
  problem.set_states(coordinates.states());
  singular.states_changed();
}

// A rewritten formulation has another matrix; its base, whose slots come first, shows the constraints.
std::unique_ptr<SingularWatch::OwnStates> SingularWatch::choose_own_states() const {
  if (!run_.is_rewritten()) return std::make_unique<OwnStates>(run_.system, coordinates_);
  std::shared_ptr<System> system = run_.system->base();
  const std::size_t n = system->size();
  StateCoordinates coordinates(*system, run_.options.hysteresis);
  coordinates.choose({run_.start.t, std::span(run_.start.y).first(n), std::span(run_.start.yp).first(n)});
  return std::make_unique<OwnStates>(std::move(system), coordinates);
}

bool SingularWatch::has_base() const {
  return run_.is_rewritten() && run_.reduced.base && !is_multistep(run_.method());
}

void SingularWatch::prepare() {
  const bool own = needs_own_states();
  if (!std::exchange(prepared_, true)) {
    const double begin = run_.clock();
    if (own) own_ = choose_own_states();
    (own ? own_->singular : singular_).exist();
    run_.preparation += run_.clock() - begin;
  }
  if (own && !own_) own_ = choose_own_states();
}

void SingularWatch::archive(Archive& archive) {
  archive.section("singular points");
  bool has_own = own_ != nullptr;
  archive(prepared_, has_own, singular_);
  if (has_own && !own_) own_ = choose_own_states();
  if (own_) archive(own_->coordinates, own_->problem, own_->singular, own_->until);
}

StepReport SingularWatch::look_at_step() {
  if (run_.options.step || (run_.is_rewritten() && !has_base())) return {};
  if (run_.system->size() > (is_multistep(run_.method()) || has_base() ? largest_looked_at : largest_at_all)) return {};
  prepare();
  const bool own = needs_own_states();
  SingularPoints& singular = own ? own_->singular : singular_;
  if (!singular.exist()) return {};
  const double a = run_.solution.reached, b = run_.stepper->time();
  if (own) own_->begin(a);
  const auto path = [&](double t, std::span<double> y, std::span<double> yp) {
    if (t > a && t < b) run_.stepper->interpolate(t, run_.y, run_.yp);
    const bool at_end = t >= b, at_begin = t <= a;
    std::copy_n((at_end ? run_.end_y : at_begin ? run_.from_y : run_.y).begin(), y.size(), y.begin());
    std::copy_n((at_end ? run_.end_yp : at_begin ? run_.from_yp : run_.yp).begin(), yp.size(), yp.begin());
    return true;
  };
  const auto solved = [&](double t, std::span<double> y, std::span<double> yp) {
    if (!path(t, y, yp) || t <= a || t >= b || !run_.completes_points()) return true;
    return (*run_.on_constraints)(t, y, yp);
  };
  // The points of a rewritten formulation between the ends are on no constraint; and with states that the method does
  // not use determinants become small all the time.
  const auto found = own ? singular.examine(a, b, std::cref(path), nullptr)
                         : singular.examine(a, b, std::cref(path), std::cref(solved));
  if (own) own_->renew(b, run_.end_y, run_.end_yp);
  if (!found) return {};
  run_.solution.details.push_back(found->what);
  return {Outcome::SingularIteration,
          fmt::format("the model is singular at t = {:.9g}, and the solution may not be unique beyond it", found->t),
          Advice::GoOn, Code::SingularPoint};
}

}  // namespace driftless
