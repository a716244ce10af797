#include "driftless/reduce/observers.hpp"

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;

TEST(Observers, NothingNeedsThemNotEvenThroughOthers) {
  ModelBuilder m("M");
  const Expr x = m.variable("x"), a = m.variable("a"), b = m.variable("b"), c = m.variable("c"), d = m.variable("d");
  m.equation(der(x) == -x * a);  // needs a
  m.equation(a == cos(x));
  m.equation(b == sin(x));  // only c needs it
  m.equation(c == 2 * b + a);
  m.equation(d == x + 1);  // an assertion needs it
  m.assertion(d < 10.0, "too far");
  const auto reduced = samples::reduced(m.build());
  EXPECT_THAT(observing_equations(*reduced), ElementsAre(false, false, true, true, false));
}

TEST(Observers, AnEventNeedsWhatItsRelationContains) {
  ModelBuilder m("M");
  const Expr x = m.variable("x"), y = m.variable("y"), z = m.variable("z");
  m.equation(der(x) == if_else(y > 1.0, 1.0, 2.0));
  m.equation(y == x * x);
  m.equation(z == x * x * x);
  const auto reduced = samples::reduced(m.build());
  EXPECT_THAT(observing_equations(*reduced), ElementsAre(false, false, true));
}

}  // namespace
}  // namespace driftless
