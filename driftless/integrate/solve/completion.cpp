#include "driftless/integrate/solve/completion.hpp"

#include <algorithm>

#include "driftless/formulate/formulation.hpp"

namespace driftless {
namespace {

Problem with_all_states(System& system) {
  Problem problem(system);
  problem.set_states(system.reduced().permanent);
  return problem;
}

}  // namespace

Completion::Base::Base(std::unique_ptr<System> of)
    : system(std::move(of)),
      problem(with_all_states(*system)),
      slopes(problem),
      y(system->size()),
      yp(system->size()) {}

Completion::Completion(Problem& problem) : problem_(problem) {
  const Reduced& reduced = problem.reduced();
  if (!leaves_more_than_states(problem)) {
    own_ = std::make_unique<Slopes>(problem);
  } else if (reduced.base) {
    base_ = std::make_unique<Base>(problem.system().related(System::Related::BaseOfIndex1, [&] {
      return std::make_shared<const Reduced>(reformulate(*reduced.base, formulation::Index1{}));
    }));
    if (leaves_more_than_states(base_->problem)) base_.reset();
  }
}

void Completion::states_changed() {
  if (own_) own_->states_changed();
}

bool Completion::operator()(double t, std::span<double> y, std::span<double> yp) {
  return own_ ? (*own_)(t, y, yp) : !base_ || from_base(t, y, yp);
}

bool Completion::from_base(double t, std::span<double> y, std::span<double> yp) {
  std::copy_n(y.begin(), base_->y.size(), base_->y.begin());
  std::copy_n(yp.begin(), base_->yp.size(), base_->yp.begin());
  if (!base_->slopes(t, base_->y, base_->yp)) return false;
  std::ranges::copy(base_->y, y.begin());
  std::ranges::copy(base_->yp, yp.begin());
  problem_.system().set_rates(t, y, yp);
  return true;
}

}  // namespace driftless
