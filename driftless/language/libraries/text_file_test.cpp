#include "driftless/language/libraries/text_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "driftless/language/read.hpp"

namespace driftless::language {
namespace {

TEST(TextFile, Utf8IsLeftAsItIs) {
  for (const std::string text : {"", "abc", "µ€𝕏", "\xEF\xBB\xBFx", "\xF4\x8F\xBF\xBF", "twelve byte\xC3\xA9 and more"})
    EXPECT_EQ(to_utf8(text), text);
}

// Invalid UTF-8 is read byte by byte: overlong forms, surrogates, truncated sequences, codes beyond U+10FFFF.
TEST(TextFile, OtherBytesAreWindows1252) {
  EXPECT_EQ(to_utf8("\xE9"), "é");
  EXPECT_EQ(to_utf8("\x80\x99\xFF"), "€™ÿ");
  EXPECT_EQ(to_utf8("\xC0\x80"), "À€");
  EXPECT_EQ(to_utf8("\xE0\x80\xA9"), "à€©");
  EXPECT_EQ(to_utf8("\xF4\x93\x80\x80"), "ô“€€");
  EXPECT_EQ(to_utf8("12345678\xC3"), "12345678Ã");
  EXPECT_EQ(to_utf8("\x81"), "\xEF\xBF\xBD");  // no character
}

TEST(TextFile, Utf16IsToldByItsMark) {
  using namespace std::string_literals;
  EXPECT_EQ(to_utf8("\xFE\xFF\0a\x20\xAC"s), "a€");
  EXPECT_EQ(to_utf8("\xFF\xFE"
                    "a\0\xAC\x20"s),
            "a€");
  EXPECT_EQ(to_utf8("\xFE\xFF\xD8\x35\xDD\x4F"s), "𝕏");
  EXPECT_EQ(to_utf8("\xFE\xFF\xD8\x35\0x"s), "\xEF\xBF\xBDx");  // half of a pair
  EXPECT_EQ(to_utf8("\xFE\xFF\0a\0"s), "a");                    // an odd byte
}

TEST(TextFile, ModelsOfAllEncodingsAreRead) {
  const auto file = std::filesystem::path(::testing::TempDir()) / ("driftless_text_" + std::to_string(::getpid()));
  const std::string text = "model M \"\xB5\"\r\n  Real x = 1;\r\nend M;\r\n";  // Latin-1, lines of Windows
  std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(read_model_file(file.string()).name, "M");
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace driftless::language
