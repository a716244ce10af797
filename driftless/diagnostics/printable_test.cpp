#include "driftless/diagnostics/printable.hpp"

#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(Printable, LeavesTextAlone) {
  EXPECT_EQ(printable("a + b\n\tλ = 1 … 2 😀"), "a + b\n\tλ = 1 … 2 😀");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, ReplacesWhatATerminalMightActUpon) {
  EXPECT_EQ(printable("a\033[31mb"), "a\uFFFD[31mb");
  EXPECT_EQ(printable("a\rb\x7F\b"), "a\uFFFDb\uFFFD\uFFFD");
  EXPECT_EQ(printable("\u009B31m"), "\uFFFD31m");
  EXPECT_EQ(printable("x\u202Ey\u2066z"), "x\uFFFDy\uFFFDz");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\uFFFDb");
}

TEST(Printable, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xFFz"), "\uFFFDz");
  EXPECT_EQ(printable("\xC0\xAF"), "\uFFFD\uFFFD");            // longer than necessary
  EXPECT_EQ(printable("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a pair
  EXPECT_EQ(printable("\xE2\x82"), "\uFFFD\uFFFD");            // cut off
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
}

}  // namespace
}  // namespace driftless
