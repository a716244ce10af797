// Newton's iteration with steep functions replaced by tangents (guard.hpp). After each correction the points of
// tangency move towards the iterate. A correction is tested only if all of them then reach it, as only then the rows of
// the model were linearized; after any other correction the test starts from scratch.
#pragma once

#include "driftless/integrate/system/guard.hpp"
#include "driftless/integrate/system/system.hpp"
#include "driftless/newton/iterate.hpp"

namespace driftless {

// `at` refers to the iterate. alpha as in Guard::begin. Precondition: the system has a guard.
template <class Correct, class Test>
newton::Report iterate_guarded(System& system, const System::Point& at, double alpha, int most, Correct&& correct,
                               Test&& test) {
  Guard& guard = *system.guard();
  guard.begin(at, alpha);
  system.use_guard(true);
  const newton::Report report = newton::iterate(most, correct, [&](double size) {
    if (guard.follow(at)) return test(size);
    test.forget();
    return newton::Verdict::GoOn;
  });
  system.use_guard(false);
  return report;
}

}  // namespace driftless
