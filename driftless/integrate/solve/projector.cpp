#include "driftless/integrate/solve/projector.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {

using namespace projection;

constexpr int most_iterations = 30;
constexpr newton::Rounding on_constraints{.nothing = 4e-16, .small = 1e-9, .part = 0.5};
constexpr double slow = 0.2;  // F is updated if it contracts less than this
constexpr double frozen_contracts = 0.1;

bool is_chosen(Levels levels, int stage) {
  return levels == Levels::Both || (levels == Levels::Velocity) == (stage == -1);
}

// The levels of constraints among the invariants that lie below the highest, by stage: lower stages do not contain
// higher ones.
std::vector<int> levels_of(const Reduced& reduced, Levels levels) {
  std::vector<int> found;
  for (std::size_t i = 0; i < reduced.invariants.size(); ++i) {
    const Invariant& invariant = reduced.invariants[i];
    if (!invariant.of_model() && invariant.stage < 0 && is_chosen(levels, invariant.stage))
      found.push_back(static_cast<int>(i));
  }
  return found;
}

std::vector<int> invariants_of_model(const Reduced& reduced) {
  std::vector<int> found;
  for (std::size_t i = 0; i < reduced.invariants.size(); ++i)
    if (reduced.invariants[i].of_model()) found.push_back(static_cast<int>(i));
  return found;
}

}  // namespace

Projector::Projector(Problem& problem, const Projection& projection, const State& start)
    : problem_(problem),
      system_(problem.system()),
      complete_(problem),
      target_(system_.invariants(), 0.0),
      all_(system_.invariants()),
      unprojected_(problem.size()) {
  if (const auto* coordinates = std::get_if<Coordinates>(&projection)) add_levels(*coordinates);
  if (const auto* post = std::get_if<PostStabilization>(&projection)) add_levels(*post);
  if (std::holds_alternative<Invariants>(projection)) {
    system_.invariants({start.t, start.y, start.yp}, all_);
    for (const int i : invariants_of_model(problem.reduced())) target_[i] = all_[i];
    add_invariants_of_model();
  }
  if (predicted_)
    for (Part& part : parts_) part.found = part.inverse->find({start.t, start.y, start.yp});
}

void Projector::states_changed() { complete_.states_changed(); }

void Projector::add_part(std::vector<int> invariants, std::unique_ptr<RightInverse> inverse) {
  parts_.push_back({std::move(invariants), std::move(inverse), false});
}

void Projector::add_levels(const Coordinates& coordinates) {
  predicted_ = coordinates.predicted;
  const Reduced& r = problem_.reduced();
  std::set<int> stages;
  for (const int i : levels_of(r, coordinates.levels)) stages.insert(r.invariants[i].stage);
  for (const int stage : stages) {
    std::vector<int> levels;
    for (const int i : levels_of(r, coordinates.levels))
      if (r.invariants[i].stage == stage) levels.push_back(i);
    auto inverse =
        coordinates.weight == Weight::Mass
            ? make_force_inverse(system_, levels)
            : make_normal_inverse(system_, levels, [&](int, int slot) { return r.slots[slot].stage == stage; });
    add_part(std::move(levels), std::move(inverse));
  }
}

void Projector::add_levels(const PostStabilization& post) {
  const Reduced& r = problem_.reduced();
  post_ = post;
  const std::vector<int> levels = levels_of(r, Levels::Both);
  const auto any_state = [&](int, int slot) { return r.slots[slot].stage < 0; };
  const auto own_stage = [&](int i, int slot) { return r.slots[slot].stage == r.invariants[i].stage; };
  switch (post.stabilizer) {
    case Stabilizer::Newton: return add_part(levels, make_normal_inverse(system_, levels, any_state));
    case Stabilizer::Normal: return add_part(levels, make_normal_inverse(system_, levels, own_stage));
    case Stabilizer::Force: return add_part(levels, make_force_inverse(system_, levels));
  }
}

void Projector::add_invariants_of_model() {
  const std::vector<int> invariants = invariants_of_model(problem_.reduced());
  const auto state = [&](int, int slot) { return problem_.is_state(slot); };
  add_part(invariants, make_normal_inverse(system_, invariants, state));
}

ProjectionReport Projector::operator()(double t, std::span<double> y, std::span<double> yp) {
  ProjectionReport report;
  std::ranges::copy(y, unprojected_.begin());
  for (Part& part : parts_) {
    report.converged = post_ ? a_few_times(part, t, y, yp) : to_rounding(part, t, y, yp);
    if (!report.converged) return report;
  }
  double sum = 0.0;
  int states = 0;
  for (int s = 0; s < problem_.size(); ++s) {
    if (!problem_.is_state(s)) continue;
    const double part = (y[s] - unprojected_[s]) / (std::abs(y[s]) + problem_.reduced().slots[s].nominal);
    sum += part * part;
    ++states;
  }
  report.moved = std::sqrt(sum / std::max(states, 1));
  report.converged = std::isfinite(report.moved) && complete_(t, y, yp);
  if (predicted_)
    for (Part& part : parts_) part.found = part.inverse->find({t, y, yp});
  return report;
}

// Simplified Newton: the directions stay those of the unprojected point, or of the beginning of the step.
bool Projector::to_rounding(Part& part, double t, std::span<double> y, std::span<double> yp) {
  const bool known = predicted_ && part.found;
  if (known ? !part.inverse->improve({t, y, yp}) : !part.inverse->find({t, y, yp})) return false;
  newton::ToRounding test(on_constraints);
  const auto correct = [&]() -> newton::Correction {
    if (test.last() > slow * test.before() && !part.inverse->improve({t, y, yp})) return newton::End::Singular;
    return step(part, {t, y, yp}, y);
  };
  return newton::iterate(most_iterations, correct, test).converged();
}

bool Projector::a_few_times(Part& part, double t, std::span<double> y, std::span<double> yp) {
  if (post_->frozen && part.found) {
    residual(part, {t, y, yp});
    const double before = largest_residual();
    if (!times(part, post_->times, t, y, yp)) return false;
    residual(part, {t, y, yp});
    if (largest_residual() <= frozen_contracts * before) return true;
    std::ranges::copy(unprojected_, y.begin());
  }
  part.found = part.inverse->find({t, y, yp});
  return part.found && times(part, post_->times, t, y, yp);
}

bool Projector::times(Part& part, int n, double t, std::span<double> y, std::span<double> yp) {
  for (int k = 0; k < n; ++k)
    if (!std::isfinite(step(part, {t, y, yp}, y))) return false;
  return true;
}

// Applies y - F h(y); returns how far that moves y, relative to its size.
double Projector::step(Part& part, const System::Point& at, std::span<double> y) {
  before_.assign(y.begin(), y.end());
  residual(part, at);
  part.inverse->apply(residual_, y);
  double size = 0.0;
  for (std::size_t s = 0; s < y.size(); ++s) {
    const double change = std::abs(y[s] - before_[s]) / (std::abs(y[s]) + problem_.reduced().slots[s].nominal);
    if (!(change <= size)) size = change;
  }
  return size;
}

void Projector::residual(const Part& part, const System::Point& at) {
  system_.invariants(at, all_);
  residual_.clear();
  for (const int i : part.invariants) residual_.push_back(all_[i] - target_[i]);
}

void Projector::archive(Archive& archive) {
  archive.section("projection");
  archive.expect(parts_.size(), "number of projected levels");
  for (Part& part : parts_) archive(*part.inverse, part.found);
  archive(target_, complete_);
}

double Projector::largest_residual() const {
  double largest = 0.0;
  for (const double r : residual_) largest = std::max(largest, std::abs(r));
  return largest;
}

namespace {

std::optional<std::string> no_levels(Levels levels, bool force, Problem& problem) {
  const std::vector<int> chosen = levels_of(problem.reduced(), levels);
  if (chosen.empty())
    return fmt::format("the equations that are solved leave out no {} of a constraint",
                       levels == Levels::Position   ? "position level"
                       : levels == Levels::Velocity ? "velocity level"
                                                    : "level");
  struct ForceInverseExists {
    bool value;
  };
  const auto exists = [&] {
    return std::make_shared<const ForceInverseExists>(make_force_inverse(problem.system(), chosen) != nullptr);
  };
  if (force && !problem.system().compiled().part<ForceInverseExists>(chosen, exists)->value)
    return "the directions of the constraint forces are not determined by the equations";
  return {};
}

std::optional<std::string> no_invariants(Problem& problem) {
  const Reduced& r = problem.reduced();
  const std::vector<int> invariants = invariants_of_model(r);
  if (invariants.empty()) return "the model declares no invariant";
  if (!r.choices.empty() || r.chart != Chart::Slots)
    return "the invariants move all that is differentiated, and here constraints would follow; use a formulation "
           "without "
           "a choice of states, as index1";
  for (const int i : invariants)
    if (std::ranges::none_of(problem.system().invariant_entries(), [&](const System::Entry& entry) {
          return entry.row == i && !entry.rate && problem.is_state(entry.slot);
        }))
      return fmt::format("{} depends on no state", r.invariants[i].name);
  return {};
}

}  // namespace

std::optional<std::string> not_applicable(const Projection& projection, Problem& problem) {
  std::optional<std::string> reason;
  if (const auto* c = std::get_if<Coordinates>(&projection))
    reason = no_levels(c->levels, c->weight == Weight::Mass, problem);
  if (const auto* p = std::get_if<PostStabilization>(&projection))
    reason = no_levels(Levels::Both, p->stabilizer == Stabilizer::Force, problem);
  if (std::holds_alternative<Invariants>(projection)) reason = no_invariants(problem);
  if (reason) *reason = fmt::format("the projection {} does not apply: {}", to_string(projection), *reason);
  return reason;
}

}  // namespace driftless
