#include "driftless/formulate/coordinates.hpp"

#include "driftless/reduce/sample_models.hpp"

namespace driftless {
namespace {

using testing::IsEmpty;

struct Read : Coordinates {
  std::shared_ptr<const Reduced> reduced;

  explicit Read(const ModelBuilder& model) : Read(samples::reduced(model.build(), {.keep_constraints = true})) {}
  explicit Read(std::shared_ptr<const Reduced> of) : Coordinates(coordinates_of(*of)), reduced(std::move(of)) {}

  std::string name(int slot) const { return reduced->name(reduced->slots[slot].quantity); }
  Motion of(const std::string& wanted) const {
    for (std::size_t s = 0; s < motion.size(); ++s)
      if (name(static_cast<int>(s)) == wanted) return motion[s];
    throw std::out_of_range(wanted);
  }
};

TEST(Coordinates, PairPositionsWithTheirVelocities) {
  const Read pendulum(samples::reduced(samples::pendulum(), {.keep_constraints = true}));
  EXPECT_THAT(pendulum.why_not, IsEmpty());
  ASSERT_EQ(pendulum.pairs.size(), 2u);
  for (const auto& [position, velocity] : pendulum.pairs)
    EXPECT_EQ(pendulum.name(velocity), "der(" + pendulum.name(position) + ")");
  EXPECT_EQ(pendulum.of("x"), Motion::Position);
  EXPECT_EQ(pendulum.of("der(y)"), Motion::Velocity);
  EXPECT_EQ(pendulum.of("lambda"), Motion::Algebraic);
}

TEST(Coordinates, AreNotThoseOfEquationsOfFirstOrder) {
  ModelBuilder m("Mixed");
  const Expr x = m.variable("x"), temperature = m.variable("T");
  m.equation(der(der(x)) == -x);
  m.equation(der(temperature) == -temperature);
  const Read mixed(m);
  EXPECT_EQ(mixed.of("T"), Motion::FirstOrder);
  EXPECT_EQ(mixed.why_not, "T is neither a position nor the velocity of one");
}

TEST(Coordinates, AreNotDifferentiatedThreeTimes) {
  ModelBuilder m("Jerk");
  const Expr x = m.variable("x");
  m.equation(der(der(der(x))) == -x);
  EXPECT_EQ(Read(m).why_not, "x is differentiated more than twice");
}

TEST(Coordinates, NeedSecondDerivatives) {
  ModelBuilder m("Algebraic");
  const Expr x = m.variable("x");
  m.equation(x + exp(x) == 2.0);
  EXPECT_EQ(Read(m).why_not, "no variable is differentiated twice");
}

}  // namespace
}  // namespace driftless
