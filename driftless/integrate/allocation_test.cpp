// Stepping does not allocate: every call of malloc in this program is counted.
#include <cstdlib>

#include "driftless/integrate/solve/algebraic.hpp"
#include "driftless/integrate/crossings/crossings.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/fastest_mode.hpp"
#include "driftless/integrate/checks/sign_check.hpp"
#include "driftless/integrate/checks/singular_points.hpp"
#include "driftless/integrate/system/problem.hpp"
#include "driftless/integrate/solve/projector.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/integrate/states/state_coordinates.hpp"
#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/sample_problem.hpp"
#include "driftless/reduce/sample_models.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);

// operator new, Eigen and KLU all end here.
void* malloc(std::size_t size) { return ++allocations, __libc_malloc(size); }
void* calloc(std::size_t count, std::size_t size) { return ++allocations, __libc_calloc(count, size); }
void* realloc(void* pointer, std::size_t size) { return ++allocations, __libc_realloc(pointer, size); }
}

namespace driftless {
namespace {

template <class F>
long allocations_of(F&& work) {
  work();  // the first time may
  const long before = allocations;
  for (int k = 0; k < 10; ++k) work();
  return allocations - before;
}

TEST(Allocations, AreCounted) {
  EXPECT_EQ(allocations_of([] {
              std::vector<double> v(100, 1.0);
              ASSERT_EQ(v[99], 1.0);
            }),
            10);
}

// Steps without events, with searches inside for a function that gets close to its bound, and steps with events.
TEST(Allocations, AreNoneInTheSearchForEvents) {
  const auto values = [](double t, std::span<double> out) {
    out[0] = std::sin(t) - 0.99, out[1] = std::sin(t) + 1.0001, out[2] = std::cos(t), out[3] = std::cos(t);
    return true;
  };
  const auto sizes = [](double, std::span<double> out) { std::ranges::fill(out, 1.0); };
  for (const Crossings::Steps steps : {Crossings::Steps::Short, Crossings::Steps::Medium, Crossings::Steps::Long}) {
    Crossings search({{Crossings::Kind::Less, true}, {Crossings::Kind::Less, true}}, 1e-8);
    double held[] = {1.0, 0.0};
    int events = 0;
    EXPECT_EQ(
        allocations_of([&] {
          search.hold(held);
          for (double t = 0.0, step = 0.7; t < 20.0;) {
            const auto found = search.find(t, std::min(t + step, 20.0), {std::cref(values), std::cref(sizes)}, steps);
            t = found ? found->at : t + step;
            if (!found) continue;
            ++events;
            for (const auto& crossed : search.crossed()) held[crossed.function] = crossed.value;
            search.hold(held);
          }
          held[0] = 1.0, held[1] = 0.0;
        }),
        0);
    EXPECT_EQ(events, 11 * 6);
  }
}

// A small model with dense and a larger one with sparse matrices.
class Stepping : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Allocations, Stepping,
                         testing::Values("pendulum", "squeezer", "fekete", "transistor_amplifier"));

TEST_P(Stepping, DoesNotAllocate) {
  const auto reduced = samples::reduced(samples::read(samples::path_of(GetParam())));
  Diagnostics diagnostics;
  const auto start = initialize(*reduced, 0.0, diagnostics);
  std::vector<double> y = std::get<State>(start).y, yp = std::get<State>(start).yp;
  System system(reduced, Backend::Interpreter);
  std::vector<double> choices(system.choice_values());
  system.choices({0.0, y, yp}, choices);
  StateSelection selection(*reduced, system.choice_entries(), 2.0);
  selection.choose(choices);
  selection.examine(choices);
  Problem problem(system);
  problem.set_states(selection.active());
  const auto factorization = linear::make_factorization(problem.pattern());
  AlgebraicSolve on_constraints(problem);
  std::vector<double> residual(y.size()), matrix(problem.pattern().rows.size()), quantities(reduced->quantities.size());

  EXPECT_EQ(allocations_of([&] { problem.residual(0.0, y, yp, residual); }), 0);
  EXPECT_EQ(allocations_of([&] { problem.matrix(0.0, y, yp, 100.0, matrix); }), 0);
  EXPECT_EQ(allocations_of([&] { factorization->factorize(matrix); }), 0);
  EXPECT_EQ(allocations_of([&] { factorization->solve(residual); }), 0);
  EXPECT_EQ(allocations_of([&] { system.observe({0.0, y, yp}, quantities); }), 0);
  EXPECT_EQ(allocations_of([&] { system.choices({0.0, y, yp}, choices); }), 0);
  EXPECT_EQ(allocations_of([&] { ASSERT_TRUE(selection.examine(choices).empty()); }), 0);
  EXPECT_EQ(allocations_of([&] { reduced->implicit || on_constraints(0.0, y, yp); }), 0);
}

// A further run of a compiled model: what follows from the equations alone is not made again.
TEST(FurtherRuns, FindTheirStartsWithFewAllocations) {
  const StartEquations equations(samples::reduced(samples::read(samples::path_of("pendulum"))));
  Model other = samples::read(samples::path_of("pendulum"));
  other.parameters.front().value *= 1.3;  // the length: starts have to move, and three plans are looked at
  EXPECT_LE(allocations_of([&] { ASSERT_TRUE(equations.find(other, 0.0)); }) / 10, 160);
}

TEST(FurtherRuns, MakeTheirMethodWithFewAllocations) {
  samples::SampleProblem sample(samples::read(samples::path_of("pendulum")), formulation::Dummy{});
  const auto allocations_of_method = [&](const char* method) {
    const StepSettings settings{.tolerance = 1e-6, .stop = 10.0};
    return allocations_of([&] { make_stepper(*parse_method(method), sample.problem, sample.start, settings); }) / 10;
  };
  EXPECT_LE(allocations_of_method("radau"), 150);
  EXPECT_LE(allocations_of_method("bdf"), 70);
  EXPECT_LE(allocations_of_method("taylor"), 125);
}

class OneStepMethod : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Allocations, OneStepMethod,
                         testing::Values("radau3", "gauss2-projected", "lobatto-iiia3", "lobatto-iiic3",
                                         "symplectic-euler", "shake", "rattle", "lobatto-pair3"));

TEST_P(OneStepMethod, DoesNotAllocate) {
  samples::SampleProblem sample(samples::pendulum({.x = 1.0, .vy = -1.0}), formulation::Index2{});
  const auto stepper =
      make_stepper(*parse_method(GetParam()), sample.problem, sample.start, {.stop = 10.0, .step = 0.01});
  EXPECT_EQ(allocations_of([&] { ASSERT_EQ(stepper->step().outcome, Outcome::Success); }), 0);
}

// With dense and with sparse matrices.
TEST(OneStepMethods, WithAnErrorTestDoNotAllocate) {
  for (const int stages : {3, 5, 7})
    for (const char* model : {"pendulum", "squeezer"}) {
      samples::SampleProblem sample(samples::read(samples::path_of(model)), formulation::Index2{});
      const auto stepper = make_stepper(method::Radau{stages}, sample.problem, sample.start,
                                        {.tolerance = 1e-8, .stop = *model == 'p' ? 10.0 : 0.03});
      EXPECT_EQ(allocations_of([&] { ASSERT_EQ(stepper->step().outcome, Outcome::Success); }), 0) << model << stages;
    }
}

// From the second step on, with more stages and with fewer.
TEST(OneStepMethods, ThatChangeTheirOrderDoNotAllocate) {
  for (const char* model : {"pendulum", "squeezer"}) {
    samples::SampleProblem sample(samples::read(samples::path_of(model)), formulation::Index2{});
    const auto stepper = make_stepper(*parse_method("radau"), sample.problem, sample.start,
                                      {.tolerance = 1e-10, .stop = *model == 'p' ? 10.0 : 0.03});
    ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    const long before = allocations;
    int highest = 0;
    for (int k = 0; k < 300 && highest < 13; ++k) {
      ASSERT_EQ(stepper->step().outcome, Outcome::Success);
      highest = std::max(highest, stepper->last_order());
    }
    EXPECT_EQ(allocations - before, 0) << model;
    EXPECT_GE(highest, 9) << model;
  }
}

// The steps of a variable order and step size, matrices renewed among them, with dense and with sparse factors.
TEST(Bdf, DoesNotAllocate) {
  for (const char* name : {"pendulum", "chain"}) {
    samples::SampleProblem sample(samples::read(samples::path_of(name)), formulation::Ggl{});
    const auto stepper = make_stepper(method::Bdf{}, sample.problem, sample.start, {.tolerance = 1e-5, .stop = 100.0});
    for (int k = 0; k < 80; ++k) ASSERT_EQ(stepper->step().outcome, Outcome::Success);
    EXPECT_EQ(allocations_of([&] {
                for (int k = 0; k < 20; ++k) ASSERT_EQ(stepper->step().outcome, Outcome::Success);
              }),
              0)
        << name;
  }
}

TEST(TaylorSeries, DoNotAllocate) {
  for (const char* name : {"pendulum", "squeezer", "chain"}) {
    const auto reduced = samples::reduced(samples::read(samples::path_of(name)));
    const State start = samples::consistent_start(*reduced);
    System system(reduced, Backend::Interpreter);
    Problem problem(system);
    const auto stepper = make_stepper(method::Taylor{}, problem, start, {.tolerance = 1e-8, .stop = 10.0});
    std::vector<double> y(problem.size()), yp(problem.size());
    EXPECT_EQ(allocations_of([&] { ASSERT_EQ(stepper->step().outcome, Outcome::Success); }), 0) << name;
    EXPECT_EQ(allocations_of([&] { stepper->interpolate(stepper->time(), y, yp); }), 0) << name;
  }
}

// With sparse rows, a saddle-point system and a single row; with the projection inside the step and with the driver's.
class ExplicitStepping : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Allocations, ExplicitStepping, testing::Values("pendulum", "squeezer", "chain"));

TEST_P(ExplicitStepping, DoesNotAllocate) {
  samples::SampleProblem sample(samples::read(samples::path_of(GetParam())), formulation::Index1{});
  const projection::Coordinates both{projection::Levels::Both, projection::Weight::Mass};
  for (const auto tableau : {method::Explicit::Dopri5, method::Explicit::Dop853}) {
    const auto stepper = make_stepper(method::ExplicitRungeKutta{tableau}, sample.problem, sample.start,
                                      {.tolerance = 1e-8, .stop = 0.03, .projection = both});
    ASSERT_TRUE(stepper->projects());
    EXPECT_EQ(allocations_of([&] { ASSERT_EQ(stepper->step().outcome, Outcome::Success); }), 0);
    Projector projector(sample.problem, both, sample.start);
    std::vector<double> y(stepper->y().begin(), stepper->y().end()), yp(stepper->yp().begin(), stepper->yp().end());
    EXPECT_EQ(allocations_of([&] { ASSERT_TRUE(projector(stepper->time(), y, yp).converged); }), 0);
  }
}

TEST(FastestModes, DoNotAllocate) {
  for (const char* name : {"pendulum", "squeezer", "chain"}) {
    samples::SampleProblem sample(samples::read(samples::path_of(name)), formulation::Index1{});
    FastestMode fastest(sample.problem);
    EXPECT_EQ(allocations_of([&] { ASSERT_TRUE(fastest(0.0, sample.start.y, sample.start.yp)); }), 0) << name;
  }
}

// The other work of every step.
TEST(LooksAtAStep, DoNotAllocate) {
  for (const char* name : {"pendulum", "squeezer", "chain"}) {
    const auto reduced = samples::reduced(samples::read(samples::path_of(name)));
    const State start = samples::consistent_start(*reduced);
    System system(reduced, Backend::Interpreter);
    StateCoordinates coordinates(system, 2.0);
    coordinates.choose({0.0, start.y, start.yp});
    Problem problem(system);
    problem.set_states(coordinates.states());
    SingularPoints singular(problem);
    SignCheck signs(system);
    DeliveredPoint gate(system, 1e-6, false);
    const System::Point begin{0.0, start.y, start.yp}, end{1e-3, start.y, start.yp};
    const auto path = [](double, std::span<double>, std::span<double>) { return false; };
    signs.begin(begin);
    EXPECT_EQ(allocations_of([&] { ASSERT_FALSE(singular.examine(begin, end, path, path)); }), 0) << name;
    EXPECT_EQ(allocations_of([&] { ASSERT_TRUE(signs.holds_to(end)); }), 0) << name;
    EXPECT_EQ(allocations_of([&] { signs.begin(begin); }), 0) << name;
    EXPECT_EQ(allocations_of([&] { ASSERT_FALSE(gate.look_at_end(end).violation); }), 0) << name;
  }
}

TEST(HalfExplicitSteps, DoNotAllocate) {
  for (const char* name : {"pendulum", "squeezer", "fekete"}) {
    samples::SampleProblem sample(samples::read(samples::path_of(name)), formulation::Index2{});
    const auto stepper =
        make_stepper(method::HalfExplicit{method::HalfExplicitTableau::Hem5}, sample.problem, sample.start,
                     {.tolerance = 1e-8,
                      .stop = 1.0,
                      .projection = projection::Coordinates{projection::Levels::Position, projection::Weight::Mass}});
    EXPECT_EQ(allocations_of([&] { ASSERT_EQ(stepper->step().outcome, Outcome::Success); }), 0) << name;
  }
}

}  // namespace
}  // namespace driftless

#endif
