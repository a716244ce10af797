// A stepper that is written in the middle of a run and read into another one goes on with the same bits: every method
// on models of every kind, driven as the driver does it.
#include <cstring>
#include <set>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/states/forced_states.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"
#include "driftless/integrate/steppers/ida/ida.hpp"

namespace driftless {
namespace {

struct Setting {
  std::string model, formulation = "dummy", projection = "none";
  double stop = 1.0;
  double tolerance = 1e-6;
  bool resumes = false;  // now and then, as behind jumps
  NewtonTest newton = NewtonTest::Two;
  int longest = 60;  // steps after which it is saved, at most
};

std::ostream& operator<<(std::ostream& out, const Setting& s) {
  return out << s.model << ", " << s.formulation << ", " << s.projection << (s.resumes ? ", resumes" : "");
}

// Index 0 to 3, implicit, stiff, steep, with kinks; states that change; dense and sparse matrices.
const std::vector<Setting>& settings() {
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

// What a run was seen to do at one step, number by number.
using Sight = std::vector<double>;

bool same_bits(const Sight& a, const Sight& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::shared_ptr<const Reduced> base_of(const Setting& setting) {
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

// A stepper with what the driver has beside it, from a system of its own.
class Walk {
 public:
  Walk(const Equations& equations, const Method& method) : Walk(equations, method, equations.start) {}
  // From another point, as a method that takes over is made.
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

  // A step, its projection and the states behind it.
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

  // All that can be asked about the last step. Not every time: asking changes what is warm.
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

  // Behind a restart there is no last step to be asked about.
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

// What a walk shows from a step on: after each one what it has done, and what it answers.
struct Sights {
  std::vector<Sight> steps, looks;
};

// Goes on for so many steps; before each look what `before_look` does.
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

class SavedSteppers : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(Archives, SavedSteppers, testing::ValuesIn(settings()));

void expect_same_bits(const Equations& equations, const Method& method) {
  Walk undisturbed(equations, method);
  if (undisturbed.not_applicable_because()) return;
  const int last = equations.setting.longest + further;
  const Sights expected = watch(undisturbed, last, [](int) {});
  const std::set<int> saves(std::begin(saved_after), std::end(saved_after));
  std::vector<std::vector<std::byte>> saved(last + 1);
  Walk walk(equations, method);
  const Sights sights = watch(walk, last, [&](int k) {
    if (saves.contains(k) || saves.contains(k - further)) saved[k] = walk.bytes();
    if (saves.contains(k)) {
      ASSERT_TRUE(walk.bytes() == saved[k]) << "writing changes it after " << k << " steps";
    }
  });
  ASSERT_EQ(sights.steps.size(), expected.steps.size());
  for (std::size_t k = 0; k < sights.steps.size(); ++k) {
    ASSERT_TRUE(same_bits(sights.steps[k], expected.steps[k])) << "writing has changed step " << k;
    ASSERT_TRUE(same_bits(sights.looks[k], expected.looks[k])) << "writing has changed a look at step " << k;
  }
  for (const int n : saved_after) {
    if (n > equations.setting.longest || n >= std::ssize(sights.steps)) break;
    Walk other(equations, method);
    Archive reader(saved[n]);
    other.archive(reader);
    ASSERT_EQ(reader.bytes_left(), 0u);
    ASSERT_TRUE(other.bytes() == saved[n]) << "after " << n << " steps";
    const Sights again = watch(other, further, [&](int k) {
      if (k == further) {
        ASSERT_TRUE(other.bytes() == saved[n + k]) << "saved after " << n << " steps";
      }
    });
    for (std::size_t k = 0; k < again.steps.size(); ++k) {
      if (k > 0) {
        ASSERT_TRUE(same_bits(again.steps[k], sights.steps[n + k])) << "saved " << n << ", step " << n + k;
      }
      ASSERT_TRUE(same_bits(again.looks[k], sights.looks[n + k])) << "saved " << n << ", look at " << n + k;
    }
  }
}

// All that the program knows by name, and some with parameters.
std::vector<std::string> names() {
  std::vector<std::string> all = method_names();
  std::erase(all, "auto");
  all.insert(all.end(), {"taylor:precision=extended", "taylor:precision=quadruple",
                         "multistep:alpha=1/-1.3333333333333333/0.3333333333333333,beta=0.6666666666666666/0/0"});
  return all;
}

TEST_P(SavedSteppers, GoOnWithTheSameBits) {
  const Equations equations(GetParam());
  for (const std::string& name : names()) {
    if (equations.start.y.size() > 20 && name.find("precision") != std::string::npos) continue;  // it takes its time
    SCOPED_TRACE(name);
    expect_same_bits(equations, *parse_method(name));
    if (HasFatalFailure()) return;
  }
}

TEST(SavedStepper, IsOfEveryMethodInSomeSetting) {
  std::vector<std::string> left = names();
  if (!ida_available()) std::erase(left, "ida");
  for (const Setting& setting : settings()) {
    const Equations equations(setting);
    std::erase_if(
        left, [&](const std::string& name) { return !Walk(equations, *parse_method(name)).not_applicable_because(); });
    if (left.empty()) break;
  }
  EXPECT_TRUE(left.empty()) << left.front();
}

// Settings in which states change, for what depends on them.
TEST(SavedStepper, IsAskedAboutStatesThatChange) {
  int pivots = 0;
  for (const int k : {0, 9, 26})
    for (const char* name : {"bdf", "radau", "dopri5", "bdf3"}) {
      const Equations equations(settings()[k]);
      Walk walk(equations, *parse_method(name));
      watch(walk, 74, [](int) {});
      pivots += walk.pivots();
    }
  EXPECT_GE(pivots, 30);
}

// The one that reads may have been made at another time and point, with other states: all that counts is read.
TEST(SavedStepper, MayBeReadByOneThatWasMadeElsewhere) {
  for (const int k : {0, 3, 5, 9, 12, 16, 21, 23}) {
    const Equations equations(settings()[k]);
    for (const std::string& name : names()) {
      const Method method = *parse_method(name);
      Walk walk(equations, method);
      if (walk.not_applicable_because()) continue;
      SCOPED_TRACE(settings()[k].model + ", " + name);
      State elsewhere = equations.start;
      std::vector<std::byte> saved;
      const Sights sights = watch(walk, 40 + further, [&](int n) {
        if (n == 33) {
          elsewhere.t = walk.stepper().time();
          elsewhere.y.assign(walk.stepper().y().begin(), walk.stepper().y().end());
          elsewhere.yp.assign(walk.stepper().yp().begin(), walk.stepper().yp().end());
        }
        if (n == 40) saved = walk.bytes();
      });
      if (saved.empty()) continue;  // it ended before
      Walk other(equations, method, elsewhere);
      Archive reader(saved);
      other.archive(reader);
      const Sights again = watch(other, further, [](int) {});
      for (std::size_t n = 0; n < again.steps.size(); ++n) {
        if (n > 0) {
          ASSERT_TRUE(same_bits(again.steps[n], sights.steps[40 + n])) << "step " << 40 + n;
        }
        ASSERT_TRUE(same_bits(again.looks[n], sights.looks[40 + n])) << "look at " << 40 + n;
      }
    }
  }
}

// While another method steps, the states change and the one that rests is not told.
TEST(SavedStepper, MayRestWithOldStates) {
  const Equations equations(settings()[0]);
  for (const char* name : {"bdf", "radau", "dopri5", "taylor", "ida"}) {
    SCOPED_TRACE(name);
    const Method method = *parse_method(name);
    if (name == std::string("ida") && !ida_available()) continue;
    const auto go_on = [&](Problem& problem, Stepper& stepper) {
      Sight sight;
      std::vector<double> y(stepper.y().begin(), stepper.y().end()), yp(stepper.yp().begin(), stepper.yp().end());
      EXPECT_TRUE(stepper.resume(stepper.time(), y, yp, 9.0));
      for (int k = 0; k < 10; ++k) {
        EXPECT_EQ(stepper.step().outcome, Outcome::Success);
        sight.push_back(stepper.time());
        sight.insert(sight.end(), stepper.y().begin(), stepper.y().end());
        EXPECT_TRUE(problem.states().size() == 2);
      }
      return sight;
    };
    struct Made {
      Made(const Equations& e, const Method& m) : system(e.reduced, Backend::Interpreter), problem(system) {
        problem.set_states(std::vector<int>{1, 3});  // y and its derivative
        stepper = make_stepper(m, problem, e.start, e.settings_for(m));
      }
      System system;
      Problem problem;
      std::unique_ptr<Stepper> stepper;
    };
    const auto choices = [&] {
      System system(equations.reduced, Backend::Interpreter);
      StateCoordinates coordinates(system, 2.0);
      coordinates.choose({equations.start.t, equations.start.y, equations.start.yp});
      return coordinates.states();
    }();
    Made rests(equations, method), reads(equations, method);
    rests.problem.set_states(choices);
    rests.stepper->restart(equations.start.y, equations.start.yp);
    for (int k = 0; k < 6; ++k) ASSERT_EQ(rests.stepper->step().outcome, Outcome::Success);
    rests.problem.set_states(std::vector<int>{1, 3});  // it is not told
    ASSERT_NE(rests.problem.states(), choices);
    Archive writer;
    rests.stepper->archive(writer);
    Archive reader(writer.bytes());
    reads.stepper->archive(reader);
    Archive again;
    reads.stepper->archive(again);
    EXPECT_TRUE(again.bytes() == writer.bytes());
    EXPECT_EQ(reads.problem.states(), rests.problem.states());
    EXPECT_TRUE(same_bits(go_on(rests.problem, *rests.stepper), go_on(reads.problem, *reads.stepper)));
  }
}

TEST(SavedStepper, ThatIsCutOffIsRefused) {
  for (const int k : {0, 5, 12, 23}) {
    const Equations equations(settings()[k]);
    for (const std::string& name : names()) {
      const Method method = *parse_method(name);
      Walk walk(equations, method);
      if (walk.not_applicable_because()) continue;
      for (int n = 0; n < 4; ++n) walk.step();
      const std::vector<std::byte> bytes = walk.bytes();
      for (std::size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 40) {
        Walk other(equations, method);
        Archive reader(std::span<const std::byte>(bytes).first(size));
        EXPECT_THROW(other.archive(reader), ArchiveError) << name << ", " << size << " of " << bytes.size();
      }
    }
  }
}

TEST(SavedStepper, OfAnotherMethodOrModelIsRefused) {
  const Equations pendulum(settings()[0]), amplifier(settings()[21]);
  Walk bdf(pendulum, method::Bdf{}), radau(pendulum, method::Radau{}), other(amplifier, method::Bdf{});
  const std::vector<std::byte> bytes = bdf.bytes();
  Archive by_radau(bytes), by_another_model(bytes);
  EXPECT_THROW(radau.archive(by_radau), ArchiveError);
  EXPECT_THROW(other.archive(by_another_model), ArchiveError);
}

}  // namespace
}  // namespace driftless
