#include "driftless/interpolate/table_file.hpp"

#include <gtest/gtest.h>

namespace driftless {
namespace {

TEST(TableFile, NamedTablesAreFoundByTheirNames) {
  const std::string text =
      "#1\n# two tables\ndouble a(2,2)  # first\n 1, 2\n3 4\n\nfloat b(1, 3)\n-1e-3\t+5 6 # last\n";
  const TableText a = read_named_table(text, "a"), b = read_named_table(text, "b");
  EXPECT_EQ(a.mistake, "");
  EXPECT_EQ(a.values, (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(b.mistake, "");
  EXPECT_EQ(b.rows, 1U);
  EXPECT_EQ(b.values, (std::vector<double>{-1e-3, 5, 6}));
}

TEST(TableFile, MistakesAreNamedWithTheirLines) {
  EXPECT_EQ(read_named_table("double a(1,1)\n1\n", "a").mistake, "a file of tables begins with the line #1");
  EXPECT_EQ(read_named_table("#1\ndouble a(1,1)\n1\n", "b").mistake, "there is no table 'b' in it; there are a");
  const TableText word = read_named_table("#1\ndouble a(1,2)\n1 x\n", "a");
  EXPECT_EQ(word.mistake, "'x' is not a number");
  EXPECT_EQ(word.line, 3);
  EXPECT_EQ(read_named_table("#1\ndouble a(2,2)\n1 2\n3\n", "a").mistake, "the file ends after 3 of 4 numbers");
}

TEST(TableFile, SeparatedNumbers) {
  const TableText table = read_separated_table("t;y\n0; 1\n1;2.5\n", ';', 1);
  EXPECT_EQ(table.mistake, "");
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns, 2U);
  EXPECT_EQ(table.values, (std::vector<double>{0, 1, 1, 2.5}));
  EXPECT_EQ(read_separated_table("1,2\n3\n", ',', 0).mistake, "1 numbers in this line, but 2 in those before");
  EXPECT_EQ(read_separated_table("t,y\n0,1\n", ',', 0).mistake, "'t' is not a number");
}

}  // namespace
}  // namespace driftless
