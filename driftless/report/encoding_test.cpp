#include "driftless/report/encoding.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

namespace driftless::reporting {
namespace {

std::string encoded(std::string_view text) {
  return base64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::vector<std::uint8_t> decoded(std::string_view text) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6u | static_cast<std::uint32_t>(alphabet.find(c));
    if ((count += 6) >= 8) bytes.push_back(static_cast<std::uint8_t>(bits >> (count -= 8)));
  }
  return bytes;
}

// The examples of RFC 4648.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Packed, DoublesAndFloatsAreLittleEndian) {
  const std::array<double, 1> one{1.0};
  EXPECT_EQ(decoded(packed_doubles(one)), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  EXPECT_EQ(decoded(packed_floats(one)), (std::vector<std::uint8_t>{0, 0, 0x80, 0x3f}));
}

TEST(Packed, ShortsKeepTheRangeAndWhatHasNoValue) {
  const std::array<double, 4> values{-1.0, NAN, 3.0, 1.0};
  const Scaled scaled = packed_shorts(values);
  EXPECT_EQ(scaled.low, -1.0);
  EXPECT_EQ(scaled.high, 3.0);
  EXPECT_EQ(decoded(scaled.text), (std::vector<std::uint8_t>{0, 0, 0xff, 0xff, 0xfe, 0xff, 0xff, 0x7f}));
  const std::array<double, 2> constant{5.0, 5.0};
  EXPECT_EQ(decoded(packed_shorts(constant).text), (std::vector<std::uint8_t>{0, 0, 0, 0}));
}

}  // namespace
}  // namespace driftless::reporting
