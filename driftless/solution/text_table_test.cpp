#include "driftless/solution/text_table.hpp"

#include "gtest/gtest.h"

namespace driftless {
namespace {

TEST(TextTable, HasWordsAtTheLeftAndNumbersAtTheRight) {
  EXPECT_EQ(aligned({{"name", "steps"}, {"λ", "12"}, {}, {"rod", "7"}}, 1),
            "name  steps\n"
            "λ        12\n"
            "\n"
            "rod       7\n");
}

TEST(TextTable, LeavesNoBlanksBehind) { EXPECT_EQ(aligned({{"a", "long"}, {"b", ""}}, 2), "a  long\nb\n"); }

TEST(TextTable, MayBeIndented) {
  EXPECT_EQ(aligned({{"a", "1"}, {"bc"}}, 1, {.before = "  ", .between = "   "}), "  a    1\n  bc\n");
}

}  // namespace
}  // namespace driftless
