#include "driftless/solution/picture/lettering.hpp"

#include <set>

#include "driftless/solution/picture/stroke_font.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

double width_at_100(char32_t code) {
  std::string text;
  if (code < 0x80) {
    text = {static_cast<char>(code)};
  } else if (code < 0x800) {
    text = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    text = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
            static_cast<char>(0x80 | (code & 0x3F))};
  }
  return lettering_of(text, 100.0, false).width;
}

TEST(Lettering, HasTheWidthsOfHelvetica) {
  EXPECT_NEAR(lettering_of("Hello", 12, false).width, 12e-3 * (722 + 556 + 222 + 222 + 556), 1e-12);
  EXPECT_NEAR(lettering_of("Hello", 12, true).width, 12e-3 * (722 + 556 + 278 + 278 + 611), 1e-12);
  EXPECT_NEAR(lettering_of("ä…", 10, false).width, 1e-2 * (556 + 1000), 1e-12);
}

TEST(Lettering, RaisesSuperscripts) {
  const Lettering power = lettering_of("10⁻⁹", 12, false);
  ASSERT_EQ(power.letters.size(), 4u);
  EXPECT_EQ(power.letters[2].code, U'−');
  EXPECT_EQ(power.letters[3].code, U'9');
  EXPECT_EQ(power.letters[1].rise, 0.0);
  EXPECT_GT(power.letters[3].rise, 2.0);
  EXPECT_LT(power.letters[3].size, 12.0);
  EXPECT_LT(lettering_of("x₁", 12, false).letters[1].rise, 0.0);
}

TEST(Lettering, ReadsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(characters_in("aλ−🙂"), U"aλ−🙂");
  EXPECT_EQ(characters_in("\x80x\xE2"), U"\uFFFDx\uFFFD");
}

TEST(Lettering, KnowsTheBytesOfWindows) {
  EXPECT_EQ(windows_byte(U'A'), 'A');
  EXPECT_EQ(windows_byte(U'é'), 0xE9);
  EXPECT_EQ(windows_byte(U'…'), 0x85);
  EXPECT_FALSE(windows_byte(U'λ'));
  EXPECT_FALSE(windows_byte(U'\n'));
  EXPECT_EQ(windows_byte(U'−'), 0x96) << "a dash of its width";
}

std::vector<PathPoint> points_of(char32_t code) {
  std::vector<PathPoint> points;
  for (const Outline& stroke : letter_strokes(code))
    points.insert(points.end(), stroke.points.begin(), stroke.points.end());
  return points;
}

bool is_box(char32_t code) {
  const auto points = points_of(code), box = points_of(U'\uFFFD');
  return points.size() == box.size() && points[0].x == box[0].x && points[2].y == box[2].y;
}

TEST(StrokeFont, KnowsAsciiAccentsAndGreek) {
  for (char32_t code = 32; code < 127; ++code) EXPECT_FALSE(is_box(code)) << static_cast<unsigned>(code);
  for (const char32_t code : std::u32string(U"αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩÄÖÜäöüßéèñ−×·…°±µ▲→≤≥∂"))
    EXPECT_FALSE(is_box(code)) << static_cast<unsigned>(code);
  EXPECT_TRUE(is_box(U'漢'));
}

// Letters neither touch their neighbours nor stand on each other, and no two look the same.
TEST(StrokeFont, LettersKeepToTheirWidths) {
  std::set<std::vector<std::pair<double, double>>> seen;
  for (char32_t code = 33; code < 127; ++code) {
    std::vector<std::pair<double, double>> shape;
    for (const PathPoint& point : points_of(code)) {
      EXPECT_GE(point.x, code == U'_' ? 0.0 : 2.9) << static_cast<char>(code);
      EXPECT_LE(point.x, width_at_100(code) + (code == U'_' ? 0.1 : -1.0)) << static_cast<char>(code);
      EXPECT_GE(point.y, -19.0) << static_cast<char>(code);
      EXPECT_LE(point.y, 75.0) << static_cast<char>(code);
      shape.emplace_back(point.x, point.y);
    }
    EXPECT_TRUE(seen.insert(shape).second) << static_cast<char>(code);
  }
  EXPECT_GT(points_of(U'Ä').back().y, 75.0) << "an accent stands above its capital";
}

}  // namespace
}  // namespace driftless
