// A stepper that is written in the middle of a run and read into another one continues identically: every method on
// models of every kind, driven as by the driver.
#include <set>

#include "driftless/integrate/steppers/sample_walk.hpp"

namespace driftless {
namespace {

using samples::Equations;
using samples::further;
using samples::same_bits;
using samples::saved_after;
using samples::Setting;
using samples::settings;
using samples::Sight;
using samples::Sights;
using samples::Walk;
using samples::watch;

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

// All methods with names, and some with parameters.
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

// The one that reads may have been made at another time and point, with other states: all that matters is read.
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

// While another method steps, the states change without notice to the paused one.
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
    rests.problem.set_states(std::vector<int>{1, 3});  // the stepper is not informed
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
