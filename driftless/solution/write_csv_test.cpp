#include "driftless/solution/write_csv.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <random>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gtest/gtest.h"

namespace driftless {
namespace {

std::string csv_of(const Solution& solution) {
  const ScratchFile scratch("x.csv");
  EXPECT_EQ(write_csv(solution, scratch.path()), std::nullopt);
  return scratch.text();
}

TEST(WriteCsv, WritesTimeAndSeries) {
  EXPECT_EQ(csv_of(sample_solution()),
            "time,x,der(x)\n"
            "0,1,0\n"
            "5,0.1,-2.5\n"
            "10,-1,1e-20\n");
}

TEST(WriteCsv, QuotesNamesThatNeedIt) {
  Solution s = sample_solution();
  s.columns[0].name = "A[1,2]";
  s.columns[1].name = "'say \"x\"'";
  s.times = {0.0};
  s.values = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::quiet_NaN()};
  EXPECT_EQ(csv_of(s), "time,\"A[1,2]\",\"'say \"\"x\"\"'\"\n0,inf,nan\n");
}

TEST(WriteCsv, HasBothSidesOfAnEventAndIntegersAsIntegers) {
  Solution s = bouncing_ball();
  s.columns = {{.name = "v"},
               {.name = "n", .discrete = Column::Discrete::Integer},
               {.name = "b", .discrete = Column::Discrete::Boolean},
               {.name = "held", .discrete = Column::Discrete::Real}};
  s.times = {0.5, 0.5, 1.0, 2.0};
  const double inf = std::numeric_limits<double>::infinity();
  s.values = {-4.0, 99999.0,  0.0, 100000.0, 3.2, 100000.0, 1.0, 1e5,  //
              1.0,  -3000000, 1.0, 0.1,      2.0, inf,      0.5, -1e300};
  EXPECT_EQ(csv_of(s),
            "time,v,n,b,held\n"
            "0.5,-4,99999,0,1e+05\n"
            "0.5,3.2,100000,1,1e+05\n"
            "1,1,-3000000,1,0.1\n"
            "2,2,inf,0.5,-1e+300\n")
      << "what is not an integer is not rounded to one";
}

TEST(WriteCsv, WithoutPointsIsAHeader) {
  Solution s = sample_solution();
  s.times.clear();
  s.values.clear();
  EXPECT_EQ(csv_of(s), "time,x,der(x)\n");
}

TEST(WriteCsv, EveryNumberReadsBackAsTheSameBits) {
  Solution s;
  s.columns = {{.name = "x"}};
  std::mt19937_64 random(7);
  while (s.times.size() < 20'000) {
    const double value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    s.times.push_back(static_cast<double>(s.times.size()));
    s.values.push_back(value);
  }
  const std::string text = csv_of(s);
  const char* at = text.data() + text.find('\n') + 1;
  const char* const end = text.data() + text.size();
  for (std::size_t k = 0; k < s.values.size(); ++k) {
    double time = 0.0, value = 0.0;
    at = std::from_chars(at, end, time).ptr + 1;
    at = std::from_chars(at, end, value).ptr + 1;
    ASSERT_EQ(time, s.times[k]);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(s.values[k]));
  }
  EXPECT_EQ(at, end);
}

TEST(WriteCsv, ReportsErrors) {
  EXPECT_EQ(write_csv(sample_solution(), "/no/such/x.csv"), "cannot write '/no/such/x.csv': No such file or directory");
}

}  // namespace
}  // namespace driftless
