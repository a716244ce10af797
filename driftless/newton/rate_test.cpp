#include "driftless/newton/rate.hpp"

#include <gtest/gtest.h>

namespace driftless::newton {
namespace {

TEST(NewtonRate, WhatIsLeftIsTheRestOfTheGeometricSeries) {
  double rest = 0.0;
  for (int k = 1; k < 60; ++k) rest += std::pow(0.3, k);
  EXPECT_NEAR(left_behind(0.3), rest, 1e-15);
}

TEST(NewtonRate, MeansOfAGeometricSeriesAreItsQuotient) {
  Sizes sizes;
  for (const double size : {8.0, 2.0, 0.5, 0.125}) sizes.add(size);
  EXPECT_EQ(sizes.number(), 4);
  EXPECT_EQ(sizes.first(), 8.0);
  EXPECT_EQ(sizes.last(), 0.125);
  EXPECT_EQ(sizes.quotient(), 0.25);
  EXPECT_EQ(sizes.mean_of_two(), 0.25);
  EXPECT_NEAR(sizes.mean_of_all(), 0.25, 1e-15);
}

TEST(NewtonRate, MeansOfAlternatingQuotients) {
  Sizes sizes;
  for (const double size : {1.0, 0.5, 0.05}) sizes.add(size);
  EXPECT_DOUBLE_EQ(sizes.quotient(), 0.1);
  EXPECT_DOUBLE_EQ(sizes.mean_of_two(), std::sqrt(0.05));
  EXPECT_DOUBLE_EQ(sizes.mean_of_all(), std::sqrt(0.05));
}

TEST(NewtonRate, TheFirstQuotientIsTheMeanOfTwo) {
  Sizes sizes;
  sizes.add(4.0);
  sizes.add(1.0);
  EXPECT_EQ(sizes.mean_of_two(), 0.25);
}

TEST(NewtonRate, AFirstCorrectionOfZeroLeavesQuotientsFinite) {
  Sizes sizes;
  sizes.add(0.0);
  sizes.raise_last(1e-16);
  sizes.add(1e-17);
  EXPECT_DOUBLE_EQ(sizes.quotient(), 0.1);
}

}  // namespace
}  // namespace driftless::newton
