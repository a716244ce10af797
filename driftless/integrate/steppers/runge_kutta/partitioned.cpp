#include "driftless/integrate/steppers/runge_kutta/partitioned.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "driftless/integrate/solve/acceleration_solve.hpp"
#include "driftless/integrate/steppers/one_step_on_grid.hpp"
#include "driftless/integrate/steppers/runge_kutta/position_stages.hpp"
#include "driftless/integrate/steppers/step_polynomial.hpp"
#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

namespace driftless {
namespace {

// How the new velocity is computed. Whole: v + h sum_j b_j K_j over the stages. Closing: the last stage, at the new
// position, is not coupled to the others and comes after them. Staggered: velocities live between the steps.
enum class VelocityRule { Whole, Closing, Staggered };

struct Pair {
  StagePoints points;
  std::vector<double> weights;  // b of the coupled stages
  double closing_weight = 0.0;  // b_s
  VelocityRule rule = VelocityRule::Whole;
  int order = 1;
};

// Forces at the old position, the constraint at the new one q + h v + h² K.
Pair one_stage(VelocityRule rule, int order) { return {{1, {0.0}, {0.0}, {1.0}, {1.0}}, {1.0}, 0.0, rule, order}; }

// IIIA for positions and IIIB for velocities. The last column of IIIB is zero: K_s moves no position.
Pair lobatto_pair(int stages) {
  const Tableau positions = lobatto_iiia(stages), velocities = lobatto_iiib(stages);
  const auto product = [&](int i, int j) {
    double sum = 0.0;
    for (int k = 0; k < stages; ++k) sum += positions.at(i, k) * velocities.at(k, j);
    return sum;
  };
  Pair pair;
  pair.points.stages = stages - 1;
  for (int i = 0; i + 1 < stages; ++i) {
    pair.points.force_node.push_back(positions.c[i]);
    pair.points.constraint_node.push_back(positions.c[i + 1]);
    for (int j = 0; j + 1 < stages; ++j) {
      pair.points.force_matrix.push_back(product(i, j));
      pair.points.constraint_matrix.push_back(product(i + 1, j));
    }
  }
  pair.weights.assign(positions.b.begin(), positions.b.end() - 1);
  pair.closing_weight = positions.b.back();
  pair.rule = VelocityRule::Closing;
  pair.order = positions.order;
  return pair;
}

Pair pair_of(const method::Symplectic& method) {
  switch (method.kind) {
    case method::SymplecticKind::Euler: return one_stage(VelocityRule::Whole, 1);
    case method::SymplecticKind::Shake: return one_stage(VelocityRule::Staggered, 2);
    case method::SymplecticKind::StoermerVerlet:
    case method::SymplecticKind::Rattle: return lobatto_pair(2);
    case method::SymplecticKind::LobattoPair: return lobatto_pair(method.stages);
  }
  return {};
}

class Partitioned final : public OneStepOnGrid {
 public:
  Partitioned(const Pair& pair, const MechanicalSystem& mechanics, Problem& problem, const State& start,
              const StepSettings& settings)
      : OneStepOnGrid(start, settings),
        pair_(pair),
        mechanics_(mechanics),
        problem_(problem),
        equations_(problem.system(), mechanics, pair.points),
        newton_(equations_),
        highest_(problem.system()),
        old_y_(start.y),
        old_yp_(start.yp),
        v_(mechanics.coordinates.size()),
        x_(equations_.size()),
        weights_(equations_.size()) {
    for (const Kinematic& k : problem.reduced().kinematics) sloped_.push_back(k.slot);
    start_velocities();
  }

  StepReport step() override {
    const double h = next_size();
    if (h != last_step_) start_velocities();
    equations_.begin(time(), h, y_, v_);
    guess();
    if (h != last_step_) newton_.scale(equations_.row_scale(), equations_.column_scale());
    newton_.refresh();
    const newton::Report solved = newton_.solve_exactly(x_, weights_);
    if (!solved.converged()) return explain(solved);
    std::swap(y_, old_y_);
    std::swap(yp_, old_yp_);
    if (!finish_step(h)) {
      std::swap(y_, old_y_);
      std::swap(yp_, old_yp_);
      return {Outcome::SingularIteration, "accelerations and multipliers are not determined"};
    }
    const double begin = time();
    arrive(h);
    polynomial_.set({begin, old_y_, old_yp_}, {time(), y_, yp_}, sloped_, {});
    return {};
  }

  int last_order() const override { return pair_.order; }
  void interpolate(double t, std::span<double> y, std::span<double> yp) override { polynomial_.evaluate(t, y, yp); }
  void store(Segment& segment) override { polynomial_.store(segment); }

  bool replace(std::span<const double> y, std::span<const double> yp) override {
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const int slot = mechanics_.coordinates[k].velocity;
      v_[k] += y[slot] - y_[slot];
    }
    OneStep::replace(y, yp);
    polynomial_.set({time() - last_step_, old_y_, old_yp_}, {time(), y_, yp_}, sloped_, {});
    return true;
  }

  void continue_with_new_states() override {}  // positions and velocities are what they are
  void restart(std::span<const double> y, std::span<const double> yp) override {
    OneStep::replace(y, yp);
    start_velocities();
  }

  void add_to(Statistics& statistics) const override {
    statistics.steps += n_;
    newton_.add_to(statistics);
  }

  void archive(Archive& archive) override {
    archive.section("partitioned");
    archive(problem_);
    archive.expect(pair_.points.stages, "number of stages");
    archive_point(archive);
    archive(newton_, highest_, polynomial_, grid_, old_y_, old_yp_, v_, n_);
  }

 private:
  // The velocities with which the recurrence continues: those of y, or those half of the next step earlier.
  void start_velocities() {
    const double back = pair_.rule == VelocityRule::Staggered ? 0.5 * next_size() : 0.0;
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const int slot = mechanics_.coordinates[k].velocity;
      v_[k] = y_[slot] - back * yp_[slot];
    }
  }

  void guess() {
    const std::vector<Slot>& slots = problem_.reduced().slots;
    std::size_t u = 0;
    for (int i = 0; i < pair_.points.stages; ++i) {
      for (const auto& c : mechanics_.coordinates) {
        x_[u] = yp_[c.velocity];
        weights_[u++] = std::abs(yp_[c.velocity]) + slots[c.velocity].nominal;
      }
      for (const int slot : mechanics_.others) {
        x_[u] = y_[slot];
        weights_[u++] = std::abs(y_[slot]) + slots[slot].nominal;
      }
    }
  }

  // From the accelerations of the stages; the old point is in old_y_.
  bool finish_step(double h) {
    const double t = grid_.time(n_) + h;
    equations_.load_constraint_point(x_, pair_.points.stages - 1, y_);
    yp_ = old_yp_;
    for (int i = 0; i < pair_.points.stages; ++i) add_accelerations(h * pair_.weights[i], i);
    set_velocities(0.0);
    switch (pair_.rule) {
      case VelocityRule::Whole: break;
      case VelocityRule::Closing:
        if (!highest_.solve(t, y_, yp_)) return false;
        set_velocities(h * pair_.closing_weight);
        break;
      case VelocityRule::Staggered:
        if (!highest_.solve(t, y_, yp_)) return false;
        set_velocities(0.5 * h);
        return highest_.solve(t, y_, yp_);
    }
    if (!highest_.project(t, y_, yp_)) return false;
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] = y_[mechanics_.coordinates[k].velocity];
    return true;
  }

  void add_accelerations(double factor, int stage) {
    for (std::size_t k = 0; k < v_.size(); ++k) v_[k] += factor * x_[stage * equations_.unknowns_per_stage() + k];
  }

  // The velocities of the recurrence and a part of the present accelerations.
  void set_velocities(double factor) {
    for (std::size_t k = 0; k < v_.size(); ++k) {
      const int slot = mechanics_.coordinates[k].velocity;
      y_[slot] = v_[k] + factor * yp_[slot];
    }
  }

  Pair pair_;
  MechanicalSystem mechanics_;
  Problem& problem_;
  PositionStages equations_;
  Newton newton_;
  AccelerationSolve highest_;
  StepPolynomial polynomial_;
  std::vector<int> sloped_;
  std::vector<double> old_y_, old_yp_, v_, x_, weights_;
};

}  // namespace

std::unique_ptr<Stepper> make_partitioned(const method::Symplectic& method, Problem& problem, const State& start,
                                          const StepSettings& settings) {
  return std::make_unique<Partitioned>(
      pair_of(method), std::get<MechanicalSystem>(mechanical_system(problem.reduced())), problem, start, settings);
}

std::optional<std::string> not_applicable(const method::Symplectic& method, const Problem& problem) {
  const auto refuse = [&](const std::string& reason) {
    return fmt::format("{} does not apply: {}", to_string(Method(method)), reason);
  };
  const auto read = mechanical_system(problem.reduced());
  if (const auto* reason = std::get_if<std::string>(&read)) return refuse(*reason);
  const auto& constraints = std::get<MechanicalSystem>(read).constraints;
  if (method.kind == method::SymplecticKind::StoermerVerlet && !constraints.empty())
    return refuse("the model has constraints; with them the method is called rattle");
  return {};
}

}  // namespace driftless
