#include "driftless/solution/picture/ink.hpp"

#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(Ink, IsThatOfSvgWithoutClasses) {
  const Ink ink = ink_of(Picture{}, "");
  EXPECT_EQ(ink.fill, Colour{});
  EXPECT_FALSE(ink.stroke);
  EXPECT_EQ(ink.width, 1.0);
  EXPECT_EQ(ink.font_size, 12.0);
}

TEST(Ink, LaterRulesWinWhateverTheOrderOfTheClasses) {
  const Picture picture{.tints = {{"a", "stroke", "#ff0000", "#00ff00"},
                                  {"a", "stroke-width", "2", "2"},
                                  {"b", "stroke-width", "3.5", "3.5"},
                                  {"b", "fill", "none", "none"},
                                  {"b", "stroke-dasharray", "9 3 2 3", "9 3 2 3"},
                                  {"b", "stroke-linecap", "round", "round"}}};
  for (const char* classes : {"a b", "b a"}) {
    const Ink ink = ink_of(picture, classes);
    EXPECT_EQ(ink.stroke, (Colour{1, 0, 0}));
    EXPECT_EQ(ink.width, 3.5);
    EXPECT_FALSE(ink.fill);
    EXPECT_EQ(ink.dashes, (std::vector<double>{9, 3, 2, 3}));
    EXPECT_TRUE(ink.round_caps);
  }
  EXPECT_FALSE(ink_of(picture, "ab").stroke) << "another class that only begins alike";
}

TEST(Ink, TitlesAreLargeAndFollowTheTheme) {
  const Ink light = ink_of(Picture{}, "dl-title"), dark = ink_of(Picture{.theme = Theme::Dark}, "dl-title");
  EXPECT_TRUE(light.bold);
  EXPECT_EQ(light.font_size, 15.0);
  EXPECT_NE(light.fill, dark.fill);
}

}  // namespace
}  // namespace driftless
