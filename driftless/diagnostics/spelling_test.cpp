#include "driftless/diagnostics/spelling.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(NearestName, ForgivesALetterAnExchangeAndTheCase) {
  const std::vector<std::string_view> names{"speed", "mass", "R"};
  EXPECT_EQ(nearest_name("sped", names), "speed");
  EXPECT_EQ(nearest_name("spede", names), "speed");
  EXPECT_EQ(nearest_name("Mass", names), "mass");
  EXPECT_EQ(nearest_name("r", names), "R");
}

TEST(NearestName, IsNoneWhereNothingIsAlike) {
  EXPECT_EQ(nearest_name("temperature", {"speed", "x"}), std::nullopt);
  EXPECT_EQ(nearest_name("z", {"x"}), std::nullopt) << "another letter is another name";
  EXPECT_EQ(nearest_name("speed", {"speed"}), std::nullopt) << "it is no misspelling of itself";
  EXPECT_EQ(nearest_name(std::string(100, 'a'), {"a"}), std::nullopt);
}

TEST(NearestName, TakesTheFirstOfEqualDistance) { EXPECT_EQ(nearest_name("radau9", {"radau3", "radau5"}), "radau3"); }

TEST(DidYouMean, IsTheEndOfASentence) {
  EXPECT_EQ(did_you_mean("sped", {"speed"}), ": did you mean 'speed'?");
  EXPECT_EQ(did_you_mean("temperature", {"speed"}), "");
}

}  // namespace
}  // namespace driftless
