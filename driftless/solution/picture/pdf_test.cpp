#include "driftless/solution/picture/pdf.hpp"

#include <zlib.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;
using testing::Not;

// The operators that draw the page.
std::string content_of(const std::string& pdf) {
  const std::size_t begin = pdf.find("stream\n") + 7, end = pdf.find("\nendstream");
  std::string text(1'000'000, '\0');
  uLongf size = text.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(text.data()), &size, reinterpret_cast<const Bytef*>(pdf.data() + begin),
                       static_cast<uLong>(end - begin)),
            Z_OK);
  EXPECT_THAT(pdf, HasSubstr("/Length " + std::to_string(end - begin) + " "));
  text.resize(size);
  return text;
}

Picture sample() {
  Picture picture{.width = 200, .height = 100, .title = "λ(t)"};
  picture.tints = {{"dl-pen", "fill", "none", "none"},
                   {"dl-pen", "stroke", "#0000ff", "#0000ff"},
                   {"dl-pen", "stroke-width", "1.6", "1.6"},
                   {"dl-pen", "stroke-dasharray", "7 3", "7 3"},
                   {"dl-pen", "stroke-opacity", "0.75", "0.75"}};
  return picture;
}

TEST(Pdf, HasATableThatLeadsToEveryObject) {
  Picture picture = sample();
  picture.drawing.text("dl-text", 10, 20, Anchor::Start, "x");
  const std::string pdf = to_pdf(picture);
  EXPECT_TRUE(pdf.starts_with("%PDF-1.4\n"));
  EXPECT_TRUE(pdf.ends_with("%%EOF\n"));
  const std::size_t table = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
  ASSERT_EQ(pdf.substr(table, 7), "xref\n0 ");
  const int objects = std::stoi(pdf.substr(table + 7)) - 1;
  EXPECT_EQ(objects, 7);
  const std::size_t lines = pdf.find('\n', table + 7) + 1;
  for (int k = 1; k <= objects; ++k) {
    const std::size_t at = std::stoul(pdf.substr(lines + 20 * static_cast<std::size_t>(k), 10));
    EXPECT_EQ(pdf.substr(at, 7), std::to_string(k) + " 0 obj");
  }
  EXPECT_THAT(pdf, HasSubstr("/MediaBox [0 0 150 75]"));
  EXPECT_THAT(pdf, HasSubstr("/Title <FEFF03BB002800740029>"));
  EXPECT_EQ(pdf, to_pdf(picture)) << "the same picture, the same file";
}

TEST(Pdf, TextStaysText) {
  Picture picture = sample();
  picture.drawing.text("dl-title", 10, 20, Anchor::Start, "A (b)");
  picture.drawing.text("dl-text", 50, 60, Anchor::End, "Hello ×10⁻⁶");
  const std::string content = content_of(to_pdf(picture));
  EXPECT_THAT(content, HasSubstr("/B 15 Tf 0.000 0.000 Td (A \\(b\\)) Tj"));
  EXPECT_THAT(content, HasSubstr("(Hello \\32710) Tj"));
  EXPECT_THAT(content, HasSubstr("/R 7.92 Tf -9.029 4.200 Td (\\2266) Tj")) << "the exponent, smaller";
  EXPECT_THAT(content, HasSubstr("1 0 0 -1 10 20 cm"));
}

TEST(Pdf, GreekLettersAreDrawn) {
  Picture picture = sample();
  picture.drawing.text("dl-text", 10, 20, Anchor::Start, "xλ");
  const std::string content = content_of(to_pdf(picture));
  EXPECT_THAT(content, HasSubstr("(x) Tj"));
  EXPECT_THAT(content, HasSubstr(" l\nS\n"));
}

TEST(Pdf, LinesKeepTheirInk) {
  Picture picture = sample();
  picture.drawing.path("dl-pen", "M1,2L3,4");
  picture.drawing.upward_text("dl-faint", 5, 6, Anchor::Middle, "up");
  const std::string pdf = to_pdf(picture), content = content_of(pdf);
  EXPECT_THAT(content, HasSubstr("0 0 1 RG 1.6 w 0 J 0 j\n[7 3 ] 0 d\n1 2 m\n3 4 l\nS\n"));
  EXPECT_THAT(content, HasSubstr("/G0 gs"));
  EXPECT_THAT(pdf, HasSubstr("/G0 << /ca 1 /CA 0.75 >>"));
  EXPECT_THAT(content, HasSubstr("0 -1 -1 0 5 6 cm"));
  EXPECT_THAT(content, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace driftless
