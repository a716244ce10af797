#include "driftless/integrate/run/end_projection.hpp"

#include <fmt/format.h>

namespace driftless {
namespace {

// In units of the tolerance: a larger move by a projection is an error that the error test has missed.
constexpr double longest_move = 10.0;

}  // namespace

bool EndProjection::acts_on_recurrence() const {
  const auto* invariants = std::get_if<projection::Invariants>(&run_.options.projection);
  return run_.projects() && !(invariants && invariants->output_only);
}

void EndProjection::check() const {
  if (!run_.projects()) return;
  if (const auto reason = not_applicable(run_.options.projection, run_.problem))
    refuse_run(Code::ProjectionNotApplicable, run_, *reason);
  if (acts_on_recurrence() && !can_replace(run_.options.method))
    refuse_run(Code::ProjectionNotApplicable, run_,
               fmt::format("the projection {} does not apply to {}, which owns its history; all other methods can go "
                           "on from a projected point",
                           to_string(run_.options.projection), to_string(run_.options.method)));
}

void EndProjection::prepare() {
  projector_.reset(), output_projector_.reset();
  if (!run_.projects() || run_.stepper->projects()) return;
  projector_ = std::make_unique<Projector>(run_.problem, run_.options.projection, run_.start);
  output_projector_ = std::make_unique<Projector>(run_.problem, run_.options.projection, run_.start);
}

void EndProjection::states_changed() {
  if (projector_) projector_->states_changed(), output_projector_->states_changed();
}

StepReport EndProjection::project_end(double t) {
  if (!projector_) return {};
  const ProjectionReport report = (*projector_)(t, run_.end_y, run_.end_yp);
  ++run_.solution.statistics.projections;
  if (!report.converged)
    return {
        Outcome::StepTooSmall,
        fmt::format("the projection {} does not converge from the end of the step", to_string(run_.options.projection)),
        Advice::GoOn, Code::ProjectionFails};
  if (report.moved > largest_move_) largest_move_ = report.moved, moved_at_ = t;
  return {};
}

void EndProjection::project_output(double t) {
  if (output_projector_) (*output_projector_)(t, run_.y, run_.yp);
}

void EndProjection::archive(Archive& archive) {
  archive.section("projection");
  archive.expect(projector_ != nullptr, "projection");
  if (projector_) archive(*projector_, *output_projector_);
  archive(largest_move_, moved_at_);
}

void EndProjection::add_remark() const {
  const double tolerance = run_.options.tolerance;
  if (run_.options.step || largest_move_ <= longest_move * tolerance) return;
  run_.solution.remarks.push_back(
      fmt::format("the projection moved the solution by {:.2g} tolerances at t = {:.6g}, an error that the step size "
                  "control has not seen; a smaller tolerance makes it smaller",
                  largest_move_ / tolerance, moved_at_));
}

}  // namespace driftless
