#include "driftless/integrate/run/branch_watch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace driftless {
namespace {

// Places of a step at which the polynomial is checked: a leap to another solution of any size deviates from the first
// one at some of them.
constexpr std::array places = {0.03, 0.12, 0.36, 0.71};
// The allowed distance of an unknown from its polynomial, relative to its nominal value and to a part of its size.
constexpr double largest_miss = 0.15, part_of_size = 0.01;
// There is one solution nearby if Newton's iteration from the polynomial contracts (Deuflhard 2004, Section 5.1), or if
// the distance is negligible. If the line through two points is this close, nothing else is checked.
constexpr double contracts = 0.25, next_to_nothing = 0.01, miss_of_line = 0.05;
// Solutions closer than this many tolerances do not count as different.
constexpr double smallest_size = 30.0;
constexpr double shorter = 0.25, longer = 2.0;
constexpr double shortest_part = 1e-10;  // of the interval

bool is_multistep(const Method& method) {
  return std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method);
}

// Null if the rows cannot be split in this way.
struct BlocksOfEveryChoice {
  std::shared_ptr<const std::vector<NonlinearBlock>> blocks;
};

}  // namespace

void BranchWatch::find_blocks() {
  const Problem& problem = run_.problem;
  const System& system = problem.system();
  blocks_ = system.compiled()
                .part<BlocksOfEveryChoice>({},
                                           [&] {
                                             return std::make_shared<const BlocksOfEveryChoice>(
                                                 BlocksOfEveryChoice{fixed_nonlinear_blocks(system)});
                                           })
                ->blocks;
  of_every_choice_ = blocks_ != nullptr;
  if (of_every_choice_) return;
  of_states_.assign(problem.active().begin(), problem.active().end());
  blocks_ = std::make_shared<const std::vector<NonlinearBlock>>(nonlinear_blocks(problem));
}

bool BranchWatch::knows_blocks() const {
  return blocks_ && (of_every_choice_ || std::ranges::equal(of_states_, run_.problem.active()));
}

void BranchWatch::find_slots() {
  const System& system = *run_.system;
  if (!knows_blocks()) {
    find_blocks();
    one_solution_.clear();
    for (const NonlinearBlock& block : *blocks_) one_solution_.emplace_back(block.equations);
    slots_.reset();
  }
  if (slots_ && version_ == system.parameters_version()) return;
  version_ = system.parameters_version();
  slots_.emplace();
  for (std::size_t k = 0; k < blocks_->size(); ++k) {
    const std::vector<int>& slots = (*blocks_)[k].slots;
    if (!one_solution_[k](system)) slots_->insert(slots_->end(), slots.begin(), slots.end());
  }
}

// The error test of Radau's methods is on all unknowns, so a step that leaps fails it.
bool BranchWatch::trusts_step() {
  if (run_.options.step || std::holds_alternative<method::Radau>(run_.method()) || !run_.completes_points())
    return true;
  find_slots();
  if (slots_->empty() || !run_.on_constraints->determined()) return true;
  if (is_multistep(run_.method()) && has_before_ && line_leads_there()) return true;
  const double a = run_.solution.reached, b = run_.stepper->time();
  store_polynomial(a, b);
  leaps_ = -1;
  return std::ranges::all_of(places, [&](double place) {
    const double t = a + place * (b - a);
    evaluate(polynomial_, t, run_.y, run_.yp);
    return is_near(t);
  });
}

// Stores the polynomial of the step, or the chord if it has none.
void BranchWatch::store_polynomial(double a, double b) {
  if (run_.stepper->has_polynomial()) return run_.stepper->store(polynomial_);
  polynomial_.begin = a, polynomial_.end = b, polynomial_.order = 1;
  polynomial_.coefficients.assign(run_.end_y.begin(), run_.end_y.end());
  for (std::size_t s = 0; s < run_.end_y.size(); ++s)
    polynomial_.coefficients.push_back(run_.end_y[s] - run_.from_y[s]);
}

// The allowed distance for an unknown, from its values at the ends of the step and a third one.
double BranchWatch::allowance(int slot, double third) const {
  const double begin = run_.from_y[slot], end = run_.end_y[slot], nominal = run_.reduced.slots[slot].nominal;
  const double size = std::max({std::abs(begin), std::abs(end), std::abs(third)});
  return std::min(std::max(size, smallest_size * run_.options.tolerance * nominal),
                  std::max(nominal, part_of_size * size));
}

bool BranchWatch::line_leads_there() const {
  const double a = run_.solution.reached, b = run_.stepper->time(), ahead = (b - a) / (a - before_);
  return std::ranges::all_of(*slots_, [&](int s) {
    const double begin = run_.from_y[s], end = run_.end_y[s];
    return std::abs(end - begin - ahead * (begin - y_before_[s])) <= miss_of_line * allowance(s, end);
  });
}

// Precondition: the present point is that of the polynomial at t. If the iteration finds no solution, the ends of the
// step decide; those of the shortest possible step prove nothing.
bool BranchWatch::is_near(double t) {
  of_polynomial_.assign(run_.y.begin(), run_.y.end());
  const bool is_found = (*run_.on_constraints)(t, run_.y, run_.yp);
  if (!is_found && !may_be_shorter()) return true;
  if (!is_found) run_.y = run_.end_y;
  const bool is_sure = run_.on_constraints->contraction() <= contracts;
  const auto far = std::ranges::find_if(*slots_, [&](int s) {
    const double miss = std::abs(run_.y[s] - (is_found ? of_polynomial_ : run_.from_y)[s]);
    const double allowed = allowance(s, run_.y[s]);
    return !(miss <= (is_sure ? largest_miss : next_to_nothing) * allowed);
  });
  if (far == slots_->end()) return true;
  leaps_ = *far;
  return false;
}

bool BranchWatch::may_be_shorter() const {
  return run_.stepper->time() - run_.solution.reached > shortest_part * (run_.options.stop - run_.start.t);
}

bool BranchWatch::shorten() {
  if (!slots_ || slots_->empty() || !may_be_shorter()) return false;
  const double a = run_.solution.reached;
  longest_ = shorter * (run_.stepper->time() - a);
  limit_steps();
  const Method& method = run_.method();
  const bool knows_limits =
      !std::holds_alternative<method::Ida>(method) && !std::holds_alternative<method::Taylor>(method);
  return run_.step_again_to(knows_limits ? run_.goal : std::min(run_.goal, a + longest_));
}

StepReport BranchWatch::leap() const {
  const Reduced& reduced = run_.reduced;
  const double t = run_.stepper->time();
  run_.solution.details.push_back(fmt::format(
      "{} is {:.6g} before and {:.6g} behind it: its equations have several solutions, and no short step leads on",
      reduced.name(reduced.slots[leaps_].quantity), run_.from_y[leaps_], run_.end_y[leaps_]));
  return {Outcome::SingularIteration,
          fmt::format("the model is singular at t = {:.9g}, and the solution may not be unique beyond it", t),
          Advice::GoOn, Code::SingularPoint};
}

void BranchWatch::forget() {
  has_before_ = false;
  if (std::exchange(longest_, HUGE_VAL) < HUGE_VAL && run_.stepper)
    run_.stepper->limit_steps(run_.options.longest_step);
}

void BranchWatch::take_step() {
  if (!slots_ || slots_->empty()) return;
  const double a = run_.stepper->time() - run_.stepper->last_step();
  y_before_.assign(run_.from_y.begin(), run_.from_y.end());
  before_ = a;
  has_before_ = true;
  if (longest_ < HUGE_VAL) longest_ = std::max(longest_, longer * run_.stepper->last_step());
}

void BranchWatch::limit_steps() const {
  if (run_.stepper && longest_ < HUGE_VAL) run_.stepper->limit_steps(std::min(longest_, run_.options.longest_step));
}

void BranchWatch::archive(Archive& archive) {
  archive.section("branches");
  archive(has_before_, before_, y_before_, longest_);
  if (archive.is_reading()) slots_.reset(), limit_steps();
}

}  // namespace driftless
