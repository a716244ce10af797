#include "driftless/solution/read_csv.hpp"

#include <fstream>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "driftless/solution/write_csv.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::variant<Solution, std::string> read_text(const std::string& text) {
  const std::string file = testing::TempDir() + "driftless_read_csv.csv";
  std::ofstream(file) << text;
  auto result = read_csv(file);
  std::filesystem::remove(file);
  return result;
}

std::string complaint(const std::string& text) { return std::get<std::string>(read_text(text)); }

TEST(ReadCsv, ReadsWhatWasWritten) {
  const Solution written = sample_solution();
  const std::string file = testing::TempDir() + "driftless_round_trip.csv";
  ASSERT_FALSE(write_csv(written, file));
  const Solution read = std::get<Solution>(read_csv(file));
  std::filesystem::remove(file);
  EXPECT_EQ(read.times, written.times);
  EXPECT_EQ(read.values, written.values);
  for (std::size_t k = 0; k < written.series(); ++k) EXPECT_EQ(read.columns[k].name, written.columns[k].name);
}

TEST(ReadCsv, TakesWhatOtherProgramsWrite) {
  const Solution read = std::get<Solution>(read_text("time,\"r[1,2]\",b\r\n0, 1.5,-2e-3\r\n\r\n1,+2,nan\r\n"));
  EXPECT_EQ(read.columns[0].name, "r[1,2]");
  EXPECT_THAT(read.times, ElementsAre(0.0, 1.0));
  EXPECT_THAT(read.column("r[1,2]"), ElementsAre(1.5, 2.0));
  EXPECT_EQ(read.stop, 1.0);
}

TEST(ReadCsv, ReadsBothSidesOfAJump) {
  const Solution read = std::get<Solution>(read_text("time,x\n0,1\n1,2\n1,7\n2,8\n"));
  EXPECT_THAT(read.times, ElementsAre(0.0, 1.0, 1.0, 2.0));
  EXPECT_THAT(read.column("x"), ElementsAre(1.0, 2.0, 7.0, 8.0));
}

TEST(ReadCsv, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(complaint(""), HasSubstr("is empty"));
  EXPECT_THAT(complaint("t,x\n0,1\n"), HasSubstr(":1: the first column must be called time, not 't'"));
  EXPECT_THAT(complaint("time,x\n0,1\n1\n"), HasSubstr(":3: 1 values for 2 columns"));
  EXPECT_THAT(complaint("time,x\n0,one\n"), HasSubstr(":2: 'one' is not a number"));
  EXPECT_THAT(complaint("time,x\n0,\n"), HasSubstr(":2: '' is not a number"));
  EXPECT_THAT(complaint("time,x\n1,1\n0.5,2\n"), HasSubstr(":3: the times decrease"));
  EXPECT_THAT(complaint("time,x\n"), HasSubstr("has no line of values"));
  EXPECT_THAT(std::get<std::string>(read_csv("/nowhere/x.csv")), HasSubstr("cannot read /nowhere/x.csv"));
}

}  // namespace
}  // namespace driftless
