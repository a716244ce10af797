#include "driftless/reproduce/table.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace driftless::reproduce {
namespace {

Verdict judged(Rule rule, double target, double ours) { return verdict({"", target, ours, rule, ""}); }

TEST(Rules, DecideAtTheirBounds) {
  EXPECT_EQ(judged(Within{0.2}, 100, 119), Verdict::Agrees);
  EXPECT_EQ(judged(Within{0.2}, 100, 121), Verdict::Differs);
  EXPECT_EQ(judged(Within{0.2}, 100, 79), Verdict::Differs);
  EXPECT_EQ(judged(Within{0.2}, -100, 100), Verdict::Differs);
  EXPECT_EQ(judged(Factor{3}, 1e-5, 2.9e-5), Verdict::Agrees);
  EXPECT_EQ(judged(Factor{3}, 1e-5, 3.1e-5), Verdict::Differs);
  EXPECT_EQ(judged(Factor{3}, 1e-5, 3.2e-6), Verdict::Differs);
  EXPECT_EQ(judged(Below{1e-8}, 0, -9e-9), Verdict::Agrees);
  EXPECT_EQ(judged(Below{1e-8}, 0, 2e-8), Verdict::Differs);
  EXPECT_EQ(judged(Breaks{1e10}, 0, 1e11), Verdict::Agrees);
  EXPECT_EQ(judged(Breaks{1e10}, 0, 1e9), Verdict::Differs);
  EXPECT_EQ(judged(Shown{}, 1, 2), Verdict::Shown);
}

TEST(Rules, ARunThatStoppedAgreesOnlyWhereItMust) {
  const double nothing = std::nan("");
  EXPECT_EQ(judged(Within{0.2}, 100, nothing), Verdict::Differs);
  EXPECT_EQ(judged(Factor{3}, 100, nothing), Verdict::Differs);
  EXPECT_EQ(judged(Below{1}, 0, nothing), Verdict::Differs);
  EXPECT_EQ(judged(Breaks{1e10}, 0, nothing), Verdict::Agrees);
}

TEST(Rules, TakeThePrintedNumberWhereNothingWasRecomputed) {
  EXPECT_EQ(verdict({".26e+79", {}, 2.6e78, Within{0.01}, ""}), Verdict::Agrees);
  EXPECT_EQ(verdict({".26e+79", {}, 2.7e78, Within{0.01}, ""}), Verdict::Differs);
  EXPECT_EQ(verdict({"~1e-11", {}, 2e-11, Factor{3}, ""}), Verdict::Agrees);
  EXPECT_EQ(verdict({"NA", {}, 1.0, Within{0.5}, ""}), Verdict::Differs);
  EXPECT_EQ(verdict({"5", 7.0, 5.0, Within{0.1}, ""}), Verdict::Differs);  // the recomputed number comes first
}

TEST(Score, CountsWhatWasMeasured) {
  Table table;
  table.rows = {{{"a"}, {{"1", 1.0, 1.0, Within{0.1}, ""}, {"1", 1.0, 2.0, Within{0.1}, ""}, {}}, ""},
                {{"b"}, {{"1", 1.0, 5.0, Shown{}, ""}}, ""}};
  const Score counted = score(table);
  EXPECT_EQ(counted.agree, 1);
  EXPECT_EQ(counted.differ, 1);
  EXPECT_EQ(counted.shown, 1);
}

TEST(Numbers, AreShortAndKeepFourDigits) {
  EXPECT_EQ(number_text(26322), "26322");
  EXPECT_EQ(number_text(2.5822e78), "2.582e+78");
  EXPECT_EQ(number_text(-1.2346e-7), "-1.235e-07");
  EXPECT_EQ(number_text(std::nan("")), "none");
}

}  // namespace
}  // namespace driftless::reproduce
