#include "driftless/report/listing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless::reporting {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Listing, EveryLineHasAPlaceToLinkTo) {
  const std::string html = listing("model M\n  Real x;\nend M;\n", "L");
  EXPECT_THAT(html, HasSubstr("<span class=\"l\" id=\"L1\"><i class=\"k\">model</i> M\n</span>"));
  EXPECT_THAT(html, HasSubstr("<span class=\"l\" id=\"L2\">  <i class=\"t\">Real</i> x;\n</span>"));
  EXPECT_THAT(html, HasSubstr("id=\"L3\""));
  EXPECT_THAT(html, Not(HasSubstr("id=\"L4\"")));
}

TEST(Listing, AMarkThatSpansLinesEndsOnEach) {
  const std::string html = listing("/* a\nb */ model", "L");
  EXPECT_THAT(html, HasSubstr("<i class=\"c\">/* a</i>\n</span>"));
  EXPECT_THAT(html, HasSubstr("<i class=\"c\">b */ </i><i class=\"k\">model</i>"));
}

TEST(Listing, IsInertWhateverTheTextSays) {
  const std::string html = listing("model M \"</script><img src=x onerror=alert(1)>\" // <b>\n\x01\xff", "L");
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("</script")));
  EXPECT_THAT(html, Not(HasSubstr("<b>")));
  EXPECT_THAT(html, HasSubstr("&lt;/script&gt;"));
}

TEST(Listing, LongTextsAreCutAndSaySo) {
  std::string text;
  for (int k = 0; k < 100; ++k) text += "// line\n";
  const std::string html = listing(text, "L", 10);
  EXPECT_THAT(html, HasSubstr("id=\"L10\""));
  EXPECT_THAT(html, Not(HasSubstr("id=\"L11\"")));
  EXPECT_THAT(html, HasSubstr("the text goes on"));
  EXPECT_THAT(listing(text, "L", 100), Not(HasSubstr("the text goes on")));
}

TEST(Links, LinesThatExistAreLinked) {
  EXPECT_EQ(with_links("see line 7, not line 90", "L", 20), "see <a href=\"#L7\">line 7</a>, not line 90");
  EXPECT_EQ(with_links("line 7 of parts.mo", "L", 20), "line 7 of parts.mo");
  EXPECT_EQ(with_links("baseline 7 <i>", "L", 20), "baseline 7 &lt;i&gt;");
  EXPECT_EQ(with_links("line ", "L", 20), "line ");
}

}  // namespace
}  // namespace driftless::reporting
