#include "driftless/integrate/run/singular_watch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {
namespace {

// A check of the matrix costs as much as some steps of a multistep method, unless it is small.
constexpr int largest_looked_at = 60, largest_at_all = 1000;
constexpr double shortest_look = 1e-7;  // of the interval: the shortest step for checking how the motion continues

bool is_multistep(const Method& method) {
  return std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
}

}  // namespace

// A rewritten formulation has another matrix; its base, whose slots come first, shows the constraints.
SingularWatch::OwnStates::OwnStates(RunContext& run)
    : base(run.is_rewritten() ? run.system->base() : nullptr),
      system(base ? base.get() : run.system.get()),
      signs(*system),
      until(-HUGE_VAL) {}

bool SingularWatch::has_base() const {
  return run_.is_rewritten() && run_.reduced.base && !is_multistep(run_.method());
}

void SingularWatch::prepare() {
  const bool own = needs_own_states();
  if (std::exchange(prepared_, true) && (!own || own_)) return;
  if (own)
    own_ = std::make_unique<OwnStates>(run_);
  else
    singular_.exist();
}

void SingularWatch::archive(Archive& archive) {
  archive.section("singular points");
  bool has_own = own_ != nullptr;
  archive(prepared_, has_own, singular_);
  if (has_own && !own_) own_ = std::make_unique<OwnStates>(run_);
  if (own_) archive(own_->signs, own_->until, own_->regular);
  archive(has_remark_);
}

// Several blocks may lose rank at the same point, of positions and of velocities.
bool SingularWatch::may_pass(const Found& found) {
  if (!passage_) passage_ = std::make_unique<SmoothPassage>(*run_.system, run_.options.tolerance);
  const double a = run_.solution.reached, b = end_;
  const auto verdict = passage_->examine(found.equations, {a, run_.from_y, run_.from_yp}, {b, end_y(), end_yp()});
  wants_shorter_ =
      verdict == SmoothPassage::Verdict::Unclear && b - a > shortest_look * (run_.options.stop - run_.start.t);
  if (verdict != SmoothPassage::Verdict::Smooth) return false;
  passed_.push_back(found);
  return true;
}

// One remark, of the first passage.
void SingularWatch::remark_on_passage() {
  if (passed_.empty() || std::exchange(has_remark_, true)) return;
  std::vector<std::string> labels;
  for (const EqnId equation : passed_.front().equations)
    if (const std::string& label = (*run_.reduced.model)[equation].label;
        std::ranges::find(labels, label) == labels.end())
      labels.push_back(label);
  run_.solution.remarks.push_back(
      fmt::format("{} at t = {:.6g}: the motion goes on with the velocity that it has there ({})",
                  labels.size() == 1 ? "a constraint loses its rank" : "constraints depend on each other",
                  passed_.front().t, fmt::join(labels, ", ")));
}

StepReport SingularWatch::look_at_step(double end) {
  end_ = end;
  wants_shorter_ = found_leap_ = false;
  passed_.clear();
  StepReport report = look();
  if (report.outcome == Outcome::Success) remark_on_passage();
  return report;
}

StepReport SingularWatch::look() {
  if (run_.options.step || (run_.is_rewritten() && !has_base())) return {};
  if (run_.system->size() > (is_multistep(run_.method()) || has_base() ? largest_looked_at : largest_at_all)) return {};
  prepare();
  const bool own = needs_own_states();
  if (!own && !singular_.exist()) return {};
  const double a = run_.solution.reached, b = end_;
  if (is_part()) {
    end_y_ = run_.end_y, end_yp_ = run_.end_yp;
    run_.stepper->interpolate(b, end_y_, end_yp_);
    if (run_.completes_points() && !(*run_.on_constraints)(b, end_y_, end_yp_)) return {};
  }
  const auto path = [&](double t, std::span<double> y, std::span<double> yp) {
    if (t > a && t < b) run_.stepper->interpolate(t, run_.y, run_.yp);
    const bool at_end = t >= b, at_begin = t <= a;
    std::copy_n((at_end ? end_y() : at_begin ? run_.from_y : run_.y).begin(), y.size(), y.begin());
    std::copy_n((at_end ? end_yp() : at_begin ? run_.from_yp : run_.yp).begin(), yp.size(), yp.begin());
    return true;
  };
  const auto solved = [&](double t, std::span<double> y, std::span<double> yp) {
    if (!path(t, y, yp) || t <= a || t >= b || !run_.completes_points()) return true;
    return (*run_.on_constraints)(t, y, yp);
  };
  const std::size_t n = own ? own_->system->size() : end_y().size();
  const System::Point begin{a, std::span(run_.from_y).first(n), std::span(run_.from_yp).first(n)};
  const System::Point end{b, std::span(end_y()).first(n), std::span(end_yp()).first(n)};
  const auto found = own ? look_with_own_states(begin, end, std::cref(path))
                         : singular_.examine(begin, end, std::cref(path), std::cref(solved),
                                             [this](const Found& f) { return may_pass(f); });
  if (!found) return {};
  found_leap_ = found->is_leap;
  run_.solution.details.push_back(found->what);
  return {Outcome::SingularIteration,
          fmt::format("the model is singular at t = {:.9g}, and the solution may not be unique beyond it", found->t),
          Advice::GoOn, Code::SingularPoint};
}

// After a jump, or after steps of another method, the matrix may be a different one.
std::optional<SingularPoints::Found> SingularWatch::look_with_own_states(const System::Point& begin,
                                                                         const System::Point& end, const Path& path) {
  OwnStates& own = *own_;
  if (!own.signs.applies()) return look_closely(begin, end, path);
  if (!own.signs.has_work()) return {};
  if (begin.t != own.until) own.signs.begin(begin), own.regular.reset();
  own.until = end.t;
  const bool certain = own.signs.holds_to(end);
  std::optional<Found> found;
  if (!certain && own.regular) {
    found = look_closely({own.regular->t, own.regular->y, own.regular->yp}, end, path);
  } else if (!certain) {
    for (const auto& [from, to] : own.signs.doubtful_pieces(begin.t, end.t, path)) {
      State first, last;
      for (auto [state, t] : {std::pair{&first, from}, std::pair{&last, to}}) {
        state->y.resize(begin.y.size()), state->yp.resize(begin.yp.size());
        path(t, state->y, state->yp);
      }
      if ((found = look_closely({from, first.y, first.yp}, {to, last.y, last.yp}, path))) break;
    }
  }
  const bool has_series = !uses_states(run_.method());  // points inside the step cost almost nothing
  if (!found && certain && has_series && own.signs.may_touch_zero(begin.t, end.t, path))
    found = closely_at(end).singular.find_touched_by_fixed(begin, end, path,
                                                           [this](const Found& f) { return may_pass(f); });
  if (!own.signs.is_open())
    own.regular.reset();
  else if (!own.regular)
    own.regular = {begin.t, {begin.y.begin(), begin.y.end()}, {begin.yp.begin(), begin.yp.end()}};
  return found;
}

// Uses the states that are best where this part of the step begins. The method does not use them, so determinants often
// become small, and points inside the step of a rewritten formulation are not on the constraints: determinants that
// touch 0 are not searched.
std::optional<SingularPoints::Found> SingularWatch::look_closely(const System::Point& begin, const System::Point& end,
                                                                 const Path& path) {
  return closely_at(begin).singular.examine(begin, end, path, nullptr, [this](const Found& f) { return may_pass(f); });
}

SingularWatch::OwnStates::Closely& SingularWatch::closely_at(const System::Point& point) {
  auto& closely = own_->closely;
  if (!closely) closely = std::make_unique<OwnStates::Closely>(*own_->system, run_.options.hysteresis);
  closely->coordinates.choose(point);
  closely->problem.set_states(closely->coordinates.states());
  closely->singular.states_changed();
  return *closely;
}

}  // namespace driftless
