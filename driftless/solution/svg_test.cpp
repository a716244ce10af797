#include "driftless/solution/svg.hpp"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Svg, EscapesTextAndReplacesWhatXmlForbids) {
  EXPECT_EQ(xml_escaped("a < b && \"c\" > d\x01 λ"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d\uFFFD λ");
}

TEST(Svg, WritesShortCoordinates) {
  EXPECT_EQ(coordinate(12.0), "12");
  EXPECT_EQ(coordinate(12.5), "12.5");
  EXPECT_EQ(coordinate(-0.051), "-0.05");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(3.999), "4");
}

TEST(Svg, MeasuresCharactersNotBytes) { EXPECT_EQ(text_width("λλ"), text_width("ab")); }

TEST(Svg, DrawsElements) {
  Svg svg;
  svg.line("dl-grid", 0, 1, 2, 3);
  svg.rect("dl-page", 1, 2, 3, 4, "why & how");
  svg.upward_text("dl-text", 5, 6, Anchor::End, "a<b");
  const std::string text = svg.finish(100, 50, "T", Theme::Light, {});
  EXPECT_THAT(text, HasSubstr("<line class=\"dl-grid\" x1=\"0\" y1=\"1\" x2=\"2\" y2=\"3\"/>\n"));
  EXPECT_THAT(text, HasSubstr("width=\"3\" height=\"4\"><title>why &amp; how</title></rect>\n"));
  EXPECT_THAT(text, HasSubstr("text-anchor=\"end\" transform=\"rotate(-90 5 6)\">a&lt;b</text>\n"));
}

TEST(Svg, ThemesDifferInColoursOnly) {
  const Tint tints[] = {{"dl-x", "fill", "#111111", "#eeeeee"}};
  const Svg svg;
  const std::string light = svg.finish(1, 1, "", Theme::Light, tints), dark = svg.finish(1, 1, "", Theme::Dark, tints);
  EXPECT_THAT(light, HasSubstr(".dl-x{fill:#111111}"));
  EXPECT_THAT(light, Not(HasSubstr("#eeeeee")));
  EXPECT_THAT(dark, HasSubstr(".dl-x{fill:#eeeeee}"));
  EXPECT_THAT(svg.finish(1, 1, "", Theme::Auto, tints), HasSubstr("@media (prefers-color-scheme:dark){"));
}

}  // namespace
}  // namespace driftless
