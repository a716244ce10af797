#include "driftless/solution/characters.hpp"

#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(Characters, AreCountedNotBytes) {
  EXPECT_EQ(character_count("aλ…"), 3u);
  EXPECT_EQ(character_count(""), 0u);
}

TEST(Characters, AreCutAtTheirBorders) {
  EXPECT_EQ(shortened("λλλ", 3), "λλλ");
  EXPECT_EQ(shortened("λλλλ", 3), "λλ…");
  EXPECT_EQ(shortened("ab", 1), "…");
}

TEST(Characters, MakeSuperscripts) {
  EXPECT_EQ(superscript(-120), "⁻¹²⁰");
  EXPECT_EQ(superscript(3), "³");
}

}  // namespace
}  // namespace driftless
