// For tests: a stepper driven as by the driver, on the model of a setting, whose results are recorded and which can be
// saved.
#pragma once

#include <cstring>
#include <set>
#include <vector>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/states/forced_states.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"

namespace driftless::samples {

struct Setting {
  std::string model, formulation = "dummy", projection = "none";
  double stop = 1.0;
  double tolerance = 1e-6;
  bool resumes = false;  // now and then, as after jumps
  NewtonTest newton = NewtonTest::Two;
  int longest = 60;  // steps after which it is saved, at most
};

inline std::ostream& operator<<(std::ostream& out, const Setting& s) {
  return out << s.model << ", " << s.formulation << ", " << s.projection << (s.resumes ? ", resumes" : "");
}

// Index 0 to 3, implicit, stiff, steep, with kinks; states that change; dense and sparse matrices.
inline const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = {
      {.model = "pendulum", .stop = 10.0, .tolerance = 1e-3},
      {.model = "pendulum", .stop = 10.0, .resumes = true},
      {.model = "pendulum", .formulation = "index1", .projection = "both:weight=mass", .stop = 10.0},
      {.model = "pendulum", .formulation = "index1", .projection = "both:predicted", .stop = 10.0, .resumes = true},
      {.model = "pendulum", .formulation = "index2", .stop = 10.0, .newton = NewtonTest::One},
      {.model = "pendulum", .formulation = "ggl", .stop = 10.0, .resumes = true},
      {.model = "pendulum", .formulation = "original", .stop = 10.0},
      {.model = "pendulum", .formulation = "overdetermined", .stop = 10.0},
      {.model = "pendulum", .formulation = "overdetermined:inverse=least-squares", .stop = 10.0},
      {.model = "pendulum", .formulation = "state-space:chart=tangent", .stop = 10.0, .tolerance = 1e-3},
      {.model = "double_pendulum", .formulation = "state-space", .stop = 10.0, .tolerance = 1e-3},
      {.model = "squeezer", .formulation = "index1", .projection = "both:weight=mass", .stop = 0.03},
      {.model = "squeezer", .formulation = "index2", .projection = "position:weight=mass", .stop = 0.03},
      {.model = "squeezer", .formulation = "index1", .projection = "post:F=force,frozen", .stop = 0.03},
      {.model = "slider_crank", .formulation = "overdetermined", .stop = 1.0},
      {.model = "kepler", .stop = 10.0},
      {.model = "kepler_energy", .projection = "invariants", .stop = 10.0},
      {.model = "index1_quadratic", .stop = 1.0},
      {.model = "akzo", .stop = 180.0, .resumes = true},
      {.model = "stiff_spring_pendulum", .stop = 10.0},
      {.model = "braked_pendulum", .stop = 10.0},
      {.model = "transistor_amplifier", .stop = 0.2, .resumes = true},
      {.model = "circuits/half_wave", .stop = 0.1},
      {.model = "circuits/diode_chain", .stop = 0.1, .resumes = true},
      {.model = "circuits/gummel_poon_amplifier", .stop = 0.01},
      {.model = "fekete", .stop = 1000.0, .longest = 17},
      {.model = "chain", .stop = 5.0},
      {.model = "chain", .formulation = "index1", .stop = 5.0},
      {.model = "unseen/transmission_line", .stop = 20.0},
      {.model = "ascher_petzold_1", .formulation = "index2", .stop = 1.0},
  };
  return all;
}

// The numbers that a run gives at one step.
using Sight = std::vector<double>;

inline bool same_bits(const Sight& a, const Sight& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

inline std::shared_ptr<const Reduced> base_of(const Setting& setting) {
  return samples::reduced(samples::read(samples::path_of(setting.model)),
                          {.keep_constraints = !chooses_states(*parse_formulation(setting.formulation))});
}

// The equations of a setting: what all its runs share.
struct Equations {
  explicit Equations(const Setting& of) : setting(of) {
    const auto base = base_of(of);
    const Formulation formulation = *parse_formulation(of.formulation);
    reduced = chooses_states(formulation) ? base : std::make_shared<const Reduced>(reformulate(*base, formulation));
    start = extended(samples::consistent_start(*base), *reduced);
  }

  StepSettings settings_for(const Method& method) const {
    StepSettings result{.tolerance = setting.tolerance, .stop = setting.stop};
    result.newton = setting.newton;
    result.projection = *parse_projection(setting.projection);
    if (!controls_step(method)) result.step = setting.stop / 300.0;
    return result;
  }

  Setting setting;
  std::shared_ptr<const Reduced> reduced;
  State start;
};

// A stepper with the other parts of a driver, on a system of its own.
class Walk {
 public:
  Walk(const Equations& equations, const Method& method) : Walk(equations, method, equations.start) {}
  // Made at another point, like a method that takes over.
  Walk(const Equations& equations, const Method& method, const State& start)
      : equations_(equations),
        settings_(equations.settings_for(method)),
        system_(equations.reduced, Backend::Interpreter),
        problem_(system_),
        coordinates_(system_, 2.0),
        forced_(*equations.reduced, system_.choice_entries(), true),
        choices_(system_.choice_values()),
        uses_states_(uses_states(method)),
        y_(start.y.size()),
        yp_(start.y.size()) {
    coordinates_.choose({start.t, start.y, start.yp});
    problem_.set_states(coordinates_.states());
    if ((reason_ = not_applicable(method, problem_))) return;
    if (settings_.projection.index() != 0 && (reason_ = not_applicable(settings_.projection, problem_))) return;
    on_constraints_ = std::make_unique<AlgebraicSolve>(problem_);
    stepper_ = make_stepper(method, problem_, start, settings_);
    if (settings_.projection.index() != 0 && !stepper_->projects() && can_replace(method))
      projector_ = std::make_unique<Projector>(problem_, settings_.projection, start);
  }

  const std::optional<std::string>& not_applicable_because() const { return reason_; }
  bool is_over() const { return failed_ || stepper_->time() >= settings_.stop; }

  // A step, its projection, and the choice of states after it.
  Sight step() {
    Sight sight;
    ++steps_;
    const StepReport report = stepper_->step();
    failed_ = report.outcome != Outcome::Success;
    sight.push_back(static_cast<double>(report.outcome));
    sight.push_back(static_cast<double>(report.advice));
    for (const char c : report.reason) sight.push_back(c);
    if (failed_) {
      sight.push_back(problem_.undefined_at().t);
      add(problem_.undefined_at().y, sight);
      return sight;
    }
    if (projector_) project(sight);
    pivot(sight);
    sight.insert(sight.end(), {stepper_->time(), stepper_->last_step(), static_cast<double>(stepper_->last_order())});
    add(stepper_->y(), sight);
    add(stepper_->yp(), sight);
    begin_again();
    return sight;
  }

  // Everything that can be asked about the last step. Not called after every step, as it may change cached values.
  Sight look() {
    Sight sight;
    if (steps_ == 0 || failed_) return sight;
    add_statistics(sight);
    if (has_begun_again_) return sight;
    if (steps_ % 2 == 0) sight.push_back(stepper_->has_polynomial());
    if (steps_ % 5 == 0) sight.push_back(stepper_->defect(stepper_->time() - 0.4 * stepper_->last_step()));
    if (steps_ % 3 != 1) look_between(sight);
    if (steps_ % 4 == 1) {
      Segment segment;
      stepper_->store(segment);
      sight.insert(sight.end(), {segment.begin, segment.end, static_cast<double>(segment.order)});
      add(segment.coefficients, sight);
    }
    if (steps_ % 6 == 5) sight.insert(sight.end(), {stepper_->condition().matrix, stepper_->condition().scaled});
    return sight;
  }

  void archive(Archive& archive) {
    stepper_->archive(archive);
    archive(coordinates_, forced_, *on_constraints_, steps_, failed_, has_begun_again_);
    if (projector_) archive(*projector_);
  }

  const Stepper& stepper() const { return *stepper_; }
  int pivots() const { return pivots_; }
  std::vector<std::byte> bytes() {
    Archive writer;
    archive(writer);
    return writer.bytes();
  }

 private:
  static std::vector<double> copy(std::span<const double> v) { return {v.begin(), v.end()}; }
  static void add(std::span<const double> values, Sight& sight) {
    sight.insert(sight.end(), values.begin(), values.end());
  }

  void project(Sight& sight) {
    std::ranges::copy(stepper_->y(), y_.begin());
    std::ranges::copy(stepper_->yp(), yp_.begin());
    const ProjectionReport report = (*projector_)(stepper_->time(), y_, yp_);
    sight.push_back(report.moved);
    if (report.converged) stepper_->replace(y_, yp_);
  }

  // After a restart there is no last step to be asked about.
  void begin_again() {
    const std::vector<double> y = copy(stepper_->y()), yp = copy(stepper_->yp());
    has_begun_again_ =
        equations_.setting.resumes && steps_ % 8 == 5 && stepper_->resume(stepper_->time(), y, yp, settings_.stop);
    if (!equations_.setting.resumes || steps_ != 19) return;
    stepper_->restart(y, yp);
    has_begun_again_ = true;
  }

  void pivot(Sight& sight) {
    const double h = std::min(stepper_->last_step(), settings_.stop - stepper_->time());
    const System::Point at{stepper_->time(), stepper_->y(), stepper_->yp()};
    if (uses_states_ && equations_.reduced->chart == Chart::Slots) {
      system_.choices(at, choices_);
      sight.push_back(forced_.passed(choices_, coordinates_.selection().active()).has_value());
    }
    if (!uses_states_) {  // the driver chooses them for its own purposes
      if (steps_ % 10 != 0) return;
      coordinates_.choose(at);
      if (coordinates_.states() == problem_.states()) return;
    } else if (coordinates_.examine(at, h).empty()) {
      return;
    }
    ++pivots_;
    problem_.set_states(coordinates_.states());
    on_constraints_->states_changed();
    if (projector_) projector_->states_changed();
    if (uses_states_) stepper_->continue_with_new_states();
  }

  void look_between(Sight& sight) {
    const double t = stepper_->time() - 0.3 * stepper_->last_step();
    stepper_->interpolate(t, y_, yp_);
    add(y_, sight);
    add(yp_, sight);
    const auto point_solver = stepper_->point_solver();
    sight.push_back(point_solver ? (*point_solver)(t, y_, yp_) : (*on_constraints_)(t, y_, yp_));
    add(y_, sight);
    add(yp_, sight);
  }

  void add_statistics(Sight& sight) {
    Statistics s;
    stepper_->add_to(s);
    for (const long count : {s.steps, s.rejected_steps, s.convergence_failures, s.residual_evaluations,
                             s.newton_iterations, s.jacobian_evaluations, s.factorizations, s.projections})
      sight.push_back(static_cast<double>(count));
    sight.insert(sight.end(), {s.largest_condition.matrix, s.largest_condition.scaled});
  }

  const Equations& equations_;
  StepSettings settings_;
  System system_;
  Problem problem_;
  StateCoordinates coordinates_;
  ForcedStates forced_;
  std::vector<double> choices_;
  bool uses_states_;
  std::optional<std::string> reason_;
  std::unique_ptr<AlgebraicSolve> on_constraints_;
  std::unique_ptr<Stepper> stepper_;
  std::unique_ptr<Projector> projector_;
  std::vector<double> y_, yp_;
  int steps_ = 0, pivots_ = 0;
  bool failed_ = false, has_begun_again_ = false;
};

constexpr int saved_after[] = {0, 1, 2, 5, 17, 60};
constexpr int further = 14;

// Results of a walk from a step on: for each step its numbers, and its answers to questions.
struct Sights {
  std::vector<Sight> steps, looks;
};

// Takes this many steps; calls `before_look` before each look.
template <class F>
Sights watch(Walk& walk, int steps, F before_look) {
  Sights sights;
  for (int k = 0; k <= steps; ++k) {
    sights.steps.push_back(k == 0 ? Sight{} : walk.step());
    before_look(k);
    sights.looks.push_back(walk.look());
    if (walk.is_over()) break;
  }
  return sights;
}

}  // namespace driftless::samples
