#include "driftless/integrate/states/array_choice.hpp"

#include <gmock/gmock.h>

#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Three rows, x1 + a x2 = 0, top + c w2 = 0, w1 + b w2 = 0: one state, one derivative that is held.
class ArrayChoiceTest : public testing::Test {
 protected:
  ArrayChoiceTest() {
    ModelBuilder m("Array");
    for (const char* name : {"x1", "x2", "top", "w1", "w2"}) m.variable(name);
    reduced_.model = std::make_shared<const Model>(m.build());
    for (int j = 0; j < 5; ++j) {
      reduced_.slots.push_back({.quantity = {VarId{j}, 0}});
      reduced_.kinematics.push_back({j, reduced_.model->pool->zero()});
      choice_.kinematics.push_back(j);
      choice_.preference.push_back(1.0);
    }
    choice_.rows = {0, 1, 2};
    choice_.roles = {Role::State, Role::State, Role::Determined, Role::Open, Role::Open};
    choice_.states = 1;
    array_.emplace(reduced_, choice_, entries_, 0, 2.0);
  }

  std::vector<double> values(double a, double b, double c = 0.0) const { return {1.0, a, 1.0, c, 1.0, b}; }
  static std::vector<int> states_of(const ArrayChoice& choice) {
    std::vector<int> active;
    choice.add_states(active);
    return active;
  }

  Reduced reduced_;
  Choice choice_;
  std::vector<System::ChoiceEntry> entries_{{0, 0}, {0, 1}, {1, 2}, {1, 4}, {2, 3}, {2, 4}};
  std::optional<ArrayChoice> array_;
  std::vector<Exchange> exchanges_;
};

TEST_F(ArrayChoiceTest, HoldsAsManyDerivativesAsTheRowsLeaveOpen) {
  ASSERT_TRUE(array_->choose(values(0.5, 0.5)));
  const std::vector<int> states = states_of(*array_);
  ASSERT_EQ(states.size(), 2u);
  EXPECT_LE(states[0], 1);
  EXPECT_GE(states[1], 3);
}

TEST_F(ArrayChoiceTest, ExchangesWithinARoleOnly) {
  ASSERT_TRUE(array_->choose(values(0.9, 0.9)));
  const std::vector<int> before = states_of(*array_);
  for (const double a : {0.01, 100.0}) {  // the one or the other state is far better
    array_->examine(values(a, 0.9), exchanges_);
    const std::vector<int> states = states_of(*array_);
    EXPECT_EQ(states[0], a > 1.0 ? 0 : 1);
    EXPECT_EQ(states[1], before[1]);
  }
  for (const double b : {0.01, 100.0}) {
    array_->examine(values(100.0, b), exchanges_);
    EXPECT_THAT(states_of(*array_), ElementsAre(0, b > 1.0 ? 3 : 4));
  }
}

TEST_F(ArrayChoiceTest, SmallChangesAreNoReasonToExchange) {
  ASSERT_TRUE(array_->choose(values(0.5, 0.5)));
  array_->examine(values(0.6, 0.4), exchanges_);
  EXPECT_THAT(exchanges_, IsEmpty());
}

TEST_F(ArrayChoiceTest, TellsWhenWhatIsDeliveredDependsOnWhatIsHeld) {
  ASSERT_TRUE(array_->choose(values(0.5, 0.5)));
  EXPECT_EQ(array_->lost_at(values(0.9, 0.9)), std::nullopt);
  const auto lost = array_->lost_at(values(0.5, 0.5, 0.1));
  ASSERT_TRUE(lost);
  EXPECT_THAT(*lost, HasSubstr("top depends on w"));
}

TEST_F(ArrayChoiceTest, IsNotMadeWhereTheRowsLoseRank) {
  EXPECT_FALSE(array_->choose(std::vector{0.0, 0.0, 1.0, 0.0, 1.0, 0.5}));
  EXPECT_FALSE(array_->choose(std::vector{1.0, 0.5, 0.0, 0.0, 1.0, 0.5}));
}

}  // namespace
}  // namespace driftless
