#include "driftless/solution/picture/png.hpp"

#include <zlib.h>

#include <map>

#include "driftless/solution/picture/format.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

std::size_t number_at(std::string_view bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t k = 0; k < 4; ++k) value = value << 8 | static_cast<unsigned char>(bytes[at + k]);
  return value;
}

struct Pixel {
  int red, green, blue;
  bool operator==(const Pixel&) const = default;
};

// The chunks with their checksums tested, and the pixels.
struct Decoded {
  std::map<std::string, std::string> chunks;
  std::size_t width = 0, height = 0;
  std::string rows;
  Pixel at(std::size_t x, std::size_t y) const {
    const auto part = [&](std::size_t k) {
      return static_cast<unsigned char>(rows[y * (3 * width + 1) + 1 + 3 * x + k]);
    };
    return {part(0), part(1), part(2)};
  }
};

Decoded decoded(const std::string& png) {
  Decoded result;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::size_t at = 8;
  while (at + 12 <= png.size()) {
    const std::size_t length = number_at(png, at);
    const std::string kind = png.substr(at + 4, 4), data = png.substr(at + 8, length);
    EXPECT_EQ(crc32(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), static_cast<uInt>(length + 4)),
              number_at(png, at + 8 + length));
    result.chunks[kind] = data;
    at += 12 + length;
  }
  EXPECT_EQ(at, png.size());
  result.width = number_at(result.chunks["IHDR"], 0);
  result.height = number_at(result.chunks["IHDR"], 4);
  uLongf size = result.height * (3 * result.width + 1);
  result.rows.resize(size);
  const std::string& data = result.chunks["IDAT"];
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(result.rows.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                       static_cast<uLong>(data.size())),
            Z_OK);
  EXPECT_EQ(size, result.rows.size());
  return result;
}

Picture sample() {
  Picture picture{.width = 40, .height = 30, .title = "T"};
  picture.tints = {{"dl-red", "fill", "#ff0000", "#00ff00"},
                   {"dl-pen", "fill", "none", "none"},
                   {"dl-pen", "stroke", "#0000ff", "#0000ff"}};
  picture.drawing.rect("dl-red", 4, 4, 8, 8);
  picture.drawing.path("dl-pen", "M20,20h10");
  return picture;
}

TEST(Png, HoldsThePixels) {
  const Decoded image = decoded(to_png(sample()));
  EXPECT_EQ(image.width, 80u);  // two for one
  EXPECT_EQ(image.height, 60u);
  EXPECT_EQ(image.at(0, 0), (Pixel{255, 255, 255}));
  EXPECT_EQ(image.at(16, 16), (Pixel{255, 0, 0}));
  EXPECT_EQ(image.at(50, 39), (Pixel{0, 0, 255}));
  EXPECT_EQ(image.at(50, 43), (Pixel{255, 255, 255}));
  EXPECT_EQ(image.chunks.count("IEND"), 1u);
  EXPECT_EQ(to_png(sample()), to_png(sample()));
}

TEST(Png, FollowsTheTheme) {
  Picture picture = sample();
  picture.theme = Theme::Dark;
  const Decoded image = decoded(to_png(picture));
  EXPECT_EQ(image.at(0, 0), (Pixel{0x15, 0x18, 0x1d}));
  EXPECT_EQ(image.at(16, 16), (Pixel{0, 255, 0}));
}

// Dark pixels in the columns where the text ought to be.
TEST(Png, AnchorsText) {
  const auto extent = [](Anchor anchor, bool upward) {
    Picture picture{.width = 100, .height = 100};
    if (upward)
      picture.drawing.upward_text("dl-text", 50, 50, anchor, "HHHH");
    else
      picture.drawing.text("dl-text", 50, 50, anchor, "HHHH");
    const Decoded image = decoded(to_png(picture));
    std::size_t first = 1000, last = 0;
    for (std::size_t x = 0; x < 200; ++x)
      for (std::size_t y = 0; y < 200; ++y)
        if (image.at(x, y).red < 128) first = std::min(first, upward ? y : x), last = std::max(last, upward ? y : x);
    return std::pair(static_cast<double>(first) / 2, static_cast<double>(last) / 2);
  };
  const double width = 4 * 0.722 * 12;
  EXPECT_NEAR(extent(Anchor::Start, false).first, 51, 1.0);
  EXPECT_NEAR(extent(Anchor::Start, false).second, 50 + width, 2.0);
  EXPECT_NEAR(extent(Anchor::End, false).second, 49, 1.0);
  EXPECT_NEAR(extent(Anchor::Middle, false).first, 50 - width / 2, 2.0);
  EXPECT_NEAR(extent(Anchor::Start, true).second, 49, 1.0) << "reads upwards";
  EXPECT_NEAR(extent(Anchor::Start, true).first, 50 - width, 2.0);
}

TEST(PictureFormat, IsToldByTheName) {
  EXPECT_EQ(picture_format("a/b.svg"), PictureFormat::Svg);
  EXPECT_EQ(picture_format("b.PNG"), PictureFormat::Png);
  EXPECT_EQ(picture_format("b.pdf"), PictureFormat::Pdf);
  EXPECT_FALSE(picture_format("svg"));
  EXPECT_FALSE(picture_format("b.jpg"));
  EXPECT_EQ(rendered(sample(), PictureFormat::Png), to_png(sample()));
  EXPECT_TRUE(rendered(sample(), PictureFormat::Svg).starts_with("<svg"));
  EXPECT_TRUE(rendered(sample(), PictureFormat::Pdf).starts_with("%PDF-1.4"));
}

}  // namespace
}  // namespace driftless
