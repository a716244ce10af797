#include "driftless/integrate/run/dense_output.hpp"

#include <algorithm>

namespace driftless {
namespace {

Problem with_states(System& system, const std::vector<Combination>& states) {
  Problem problem(system);
  problem.set_states(states);
  return problem;
}

}  // namespace

DenseOutput::DenseOutput(std::shared_ptr<System> system, std::vector<StateEpoch> epochs, double tolerance,
                         bool constant_steps)
    : system_(std::move(system)),
      epochs_(std::move(epochs)),
      problem_(with_states(*system_, epochs_.front().states)),
      on_constraints_(problem_),
      may_be_delivered_(*system_, tolerance, constant_steps) {}

void DenseOutput::project(const Projection& projection, const State& start) {
  projector_ = std::make_unique<Projector>(problem_, projection, start);
}

void DenseOutput::complete() { completion_ = std::make_unique<Completion>(problem_); }

void DenseOutput::operator()(double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
  const auto epoch =
      std::prev(std::ranges::upper_bound(epochs_, std::max(t, epochs_.front().from), {}, &StateEpoch::from));
  if (epoch->states != problem_.states()) {
    problem_.set_states(epoch->states);
    on_constraints_.states_changed();
  }
  if (epoch->completes_points) on_constraints_(t, y, yp);
  if (epoch->point_solver) (*epoch->point_solver)(t, y, yp);
  if (projector_) (*projector_)(t, y, yp);
  if (completion_) (*completion_)(t, y, yp);
  const std::size_t quantities = system_->reduced().quantities.size();
  // The minimal formulation reads highest derivatives off the polynomial.
  const Reduced& reduced = system_->reduced();
  const bool solved =
      reduced.completes_points && reduced.standard && (!epoch->completes_points || on_constraints_.determined());
  const Origin origin = solved ? Origin::Solved : Origin::Interpolated;
  const auto check = [&] {
    return may_be_delivered_(System::Point{t, y, yp}, origin, std::span(series).first(quantities));
  };
  auto violation = check();
  if (violation && origin == Origin::Solved && !epoch->completes_points && on_constraints_(t, y, yp))
    violation = check();
  if (violation) throw PointNotSatisfied(may_be_delivered_.describe(*violation));
  system_->invariants_of_model({t, y, yp}, std::span(series).subspan(quantities));
}

}  // namespace driftless
