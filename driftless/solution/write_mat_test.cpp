#include "driftless/solution/write_mat.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/sample_solution.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::ElementsAre;

// One matrix of a level 4 file, column by column.
struct Matrix {
  std::int32_t type = -1, rows = 0, cols = 0;
  std::string bytes;

  template <typename T>
  std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  std::vector<std::string> texts() const {  // one per column, up to the first zero
    std::vector<std::string> result;
    for (std::int32_t c = 0; c < cols; ++c) result.emplace_back(bytes.substr(std::size_t(c * rows), rows).c_str());
    return result;
  }
};

std::map<std::string, Matrix> read_level4(const std::string& file, std::vector<std::string>& order) {
  std::map<std::string, Matrix> matrices;
  std::size_t at = 0;
  while (at + 20 <= file.size()) {
    std::array<std::int32_t, 5> header;
    std::memcpy(header.data(), file.data() + at, 20);
    at += 20;
    const std::string name = file.substr(at, header[4] - 1);
    EXPECT_EQ(file[at + header[4] - 1], '\0');
    at += header[4];
    EXPECT_EQ(header[3], 0) << "no imaginary part";
    const std::size_t width = header[0] == 0 ? 8 : header[0] == 20 ? 4 : 1;
    const std::size_t size = width * header[1] * header[2];
    matrices[name] = {header[0], header[1], header[2], file.substr(at, size)};
    order.push_back(name);
    at += size;
  }
  EXPECT_EQ(at, file.size());
  return matrices;
}

TEST(WriteMat, HasTheLayoutOfModelicaTools) {
  const ScratchFile scratch("Pendulum_res.mat");
  ASSERT_EQ(write_mat(sample_solution(), scratch.path()), std::nullopt);
  std::vector<std::string> order;
  auto m = read_level4(scratch.text(), order);
  EXPECT_THAT(order, ElementsAre("Aclass", "name", "description", "dataInfo", "data_1", "data_2"));

  EXPECT_EQ(m["Aclass"].type, 51);
  EXPECT_EQ(m["Aclass"].rows, 4);
  EXPECT_EQ(m["Aclass"].cols, 11);
  EXPECT_EQ(m["Aclass"].bytes.substr(0, 8), "A1 bt. i");
  std::string layout;
  for (std::size_t col = 0; col < 11; ++col) layout += m["Aclass"].bytes[4 * col + 3];
  EXPECT_EQ(layout, "binTrans   ");

  EXPECT_EQ(m["name"].type, 51);
  EXPECT_THAT(m["name"].texts(), ElementsAre("time", "x", "der(x)", "L", "g"));
  EXPECT_THAT(m["description"].texts(), ElementsAre("Time [s]", "horizontal [m]", "[m/s]", "length [m]", ""));

  EXPECT_EQ(m["dataInfo"].type, 20);
  EXPECT_EQ(m["dataInfo"].rows, 4);
  EXPECT_THAT(m["dataInfo"].as<std::int32_t>(), ElementsAre(0, 1, 0, -1,  //
                                                            2, 2, 0, -1,  //
                                                            2, 3, 0, -1,  //
                                                            1, 2, 0, 0,   //
                                                            1, 3, 0, 0));
  EXPECT_EQ(m["data_1"].type, 0);
  EXPECT_EQ(m["data_1"].rows, 3);
  EXPECT_THAT(m["data_1"].as<double>(), ElementsAre(0.0, 1.5, 9.81, 10.0, 1.5, 9.81));
  EXPECT_EQ(m["data_2"].type, 0);
  EXPECT_EQ(m["data_2"].rows, 3);
  EXPECT_EQ(m["data_2"].cols, 3);
  EXPECT_THAT(m["data_2"].as<double>(), ElementsAre(0.0, 1.0, 0.0, 5.0, 0.1, -2.5, 10.0, -1.0, 1e-20));
}

TEST(WriteMat, WithoutPointsOrParametersIsStillComplete) {
  Solution s;
  s.columns = {{.name = "x"}};
  s.stop = 1.0;
  const ScratchFile scratch("x_res.mat");
  ASSERT_EQ(write_mat(s, scratch.path()), std::nullopt);
  std::vector<std::string> order;
  auto m = read_level4(scratch.text(), order);
  EXPECT_THAT(m["data_1"].as<double>(), ElementsAre(0.0, 0.0));
  EXPECT_EQ(m["data_2"].rows, 2);
  EXPECT_EQ(m["data_2"].cols, 0);
}

// Linear interpolation between the two columns of an event is a vertical step.
TEST(WriteMat, HasBothSidesOfAnEvent) {
  const Solution s = bouncing_ball();
  const ScratchFile scratch("Ball_res.mat");
  ASSERT_EQ(write_mat(s, scratch.path()), std::nullopt);
  std::vector<std::string> order;
  auto m = read_level4(scratch.text(), order);
  const std::vector<double> data = m["data_2"].as<double>();
  const std::size_t rows = 1 + s.series();
  ASSERT_EQ(data.size(), rows * s.times.size());
  std::size_t events = 0;
  for (std::size_t k = 0; k + 1 < s.times.size(); ++k) {
    if (data[k * rows] != data[(k + 1) * rows]) continue;
    EXPECT_EQ(data[k * rows], s.events[events].time);
    EXPECT_EQ(data[k * rows + 3] + 1.0, data[(k + 1) * rows + 3]) << "bounces";
    ++events;
  }
  EXPECT_EQ(events, s.events.size());
  EXPECT_THAT(m["name"].texts(), ElementsAre("time", "h", "v", "bounces", "loud", "kind", "energy", "e"));
  for (std::size_t column = 1; column < 7; ++column)
    EXPECT_EQ(m["dataInfo"].as<std::int32_t>()[4 * column + 2], 0) << "linear";
}

// An independent reader.
TEST(WriteMat, IsReadByScipy) {
  if (std::system("/usr/bin/python3 -c 'import scipy.io' 2>/dev/null") != 0) GTEST_SKIP() << "python3-scipy is absent";
  const ScratchFile scratch("Pendulum_res.mat");
  ASSERT_EQ(write_mat(sample_solution(), scratch.path()), std::nullopt);
  const ScratchFile script("read.py");
  std::ofstream(script.path()) << R"(
import sys
from scipy.io import loadmat
m = loadmat(sys.argv[1], chars_as_strings=False)
row = lambda a: [''.join(r).rstrip() for r in a]
assert row(m['Aclass']) == ['Atrajectory', '1.1', '', 'binTrans'], row(m['Aclass'])
assert row(m['name'].T) == ['time', 'x', 'der(x)', 'L', 'g'], row(m['name'].T)
assert row(m['description'].T)[1] == 'horizontal [m]'
assert m['dataInfo'].dtype.kind == 'i'
def series(name):
    table, line = m['dataInfo'][:2, row(m['name'].T).index(name)]
    return m['data_%d' % (table or 2)][line - 1].tolist()
assert series('time') == [0, 5, 10]
assert series('x') == [1, 0.1, -1]
assert series('der(x)') == [0, -2.5, 1e-20]
assert series('g') == [9.81, 9.81]
)";
  const std::string command = "/usr/bin/python3 " + script.path().string() + " " + scratch.path().string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST(WriteMat, ReportsErrors) {
  EXPECT_EQ(write_mat(sample_solution(), "/no/such/x.mat"), "cannot write '/no/such/x.mat': No such file or directory");
}

// Point by point the file is the same in the end, and can be read before that.
TEST(WriteMat, PointByPointIsTheSameFile) {
  const Solution s = sample_solution();
  const ScratchFile at_once("a.mat"), by_points("b.mat");
  ASSERT_EQ(write_mat(s, at_once.path()), std::nullopt);
  MatWriter writer(by_points.path());
  writer.begin(s);
  writer.row(17.0, std::vector{1.0, 2.0});
  writer.begin(s);  // another method starts over
  for (std::size_t k = 0; k < s.times.size(); ++k)
    EXPECT_TRUE(writer.row(s.times[k], std::span(s.values).subspan(k * s.series(), s.series())));
  EXPECT_EQ(writer.commit(s), std::nullopt);
  EXPECT_EQ(by_points.text(), at_once.text());
}

}  // namespace
}  // namespace driftless
