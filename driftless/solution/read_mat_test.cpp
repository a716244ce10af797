#include "driftless/solution/read_mat.hpp"

#include <cstdint>
#include <fstream>
#include <iterator>

#include "driftless/solution/sample_ball.hpp"
#include "driftless/solution/write_mat.hpp"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace driftless {
namespace {

using testing::HasSubstr;

std::filesystem::path scratch(const std::string& name) { return std::filesystem::path(testing::TempDir()) / name; }

std::filesystem::path file_of(const std::string& name, const std::string& bytes) {
  const std::filesystem::path path = scratch(name);
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

std::string problem_of(const std::filesystem::path& path) {
  const auto read = read_mat(path);
  return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
}

template <class T>
void append_matrix(std::string& bytes, std::int32_t type, std::int32_t rows, std::int32_t cols, const std::string& name,
                   const std::vector<T>& values) {
  const std::int32_t head[5] = {type, rows, cols, 0, static_cast<std::int32_t>(name.size() + 1)};
  bytes.append(reinterpret_cast<const char*>(head), sizeof head);
  bytes.append(name.c_str(), name.size() + 1);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Texts of the same length, one per row, stored by columns.
std::vector<char> texts(const std::vector<std::string>& rows) {
  std::vector<char> bytes;
  for (std::size_t col = 0; col < rows[0].size(); ++col)
    for (const std::string& row : rows) bytes.push_back(row[col]);
  return bytes;
}

// A variable per column and single precision, with y = -x and a parameter: as other tools may write it.
TEST(ReadMat, ReadsTheLayoutOfOtherTools) {
  std::string bytes;
  append_matrix(bytes, 51, 4, 11, "Aclass", texts({"Atrajectory", "1.1        ", "           ", "binNormal  "}));
  append_matrix(bytes, 51, 4, 4, "name", texts({"Time", "x   ", "y   ", "k   "}));
  append_matrix(bytes, 51, 4, 5, "description", texts({"[s]  ", "a [m]", "     ", "     "}));
  append_matrix<std::int32_t>(bytes, 20, 4, 4, "dataInfo", {0, 2, 2, 1, 1, 2, -2, 2, 0, 0, 0, 0, -1, -1, -1, 0});
  append_matrix<double>(bytes, 0, 2, 2, "data_1", {0, 3, 7, 7});
  append_matrix<float>(bytes, 10, 3, 2, "data_2", {0, 1, 3, 0.5, 1.5, 2.5});
  const auto read = read_mat(file_of("driftless_by_rows.mat", bytes));
  ASSERT_TRUE(std::holds_alternative<Solution>(read)) << std::get<std::string>(read);
  const Solution& solution = std::get<Solution>(read);
  EXPECT_EQ(solution.times, (std::vector<double>{0, 1, 3}));
  EXPECT_EQ(solution.column("x"), (std::vector<double>{0.5, 1.5, 2.5}));
  EXPECT_EQ(solution.column("y"), (std::vector<double>{-0.5, -1.5, -2.5}));
  EXPECT_EQ(solution.final("k"), 7.0);
  EXPECT_EQ(solution.columns[0].unit, "m");
}

TEST(ReadMat, ReadsWhatWriteMatWrites) {
  Solution ball = bouncing_ball();
  ball.columns.push_back({.name = "e", .unit = "1", .is_parameter = true, .parameter_value = 0.8});
  ball.columns[0].unit = "m";
  ball.columns[0].description = "height";
  const std::filesystem::path path = scratch("driftless_read_mat_test.mat");
  ASSERT_FALSE(write_mat(ball, path));
  const auto read = read_mat(path);
  ASSERT_TRUE(std::holds_alternative<Solution>(read)) << std::get<std::string>(read);
  const Solution& back = std::get<Solution>(read);
  EXPECT_EQ(back.times, ball.times) << "events have two points of the same time";
  EXPECT_EQ(back.values, ball.values);
  ASSERT_EQ(back.columns.size(), ball.columns.size());
  for (std::size_t k = 0; k < ball.columns.size(); ++k) {
    EXPECT_EQ(back.columns[k].name, ball.columns[k].name);
    EXPECT_EQ(back.columns[k].is_parameter, ball.columns[k].is_parameter);
  }
  EXPECT_EQ(back.columns[0].unit, "m");
  EXPECT_EQ(back.final("e"), 0.8);
}

TEST(ReadMat, SaysWhatIsWrong) {
  EXPECT_THAT(problem_of(scratch("driftless_no_such_file.mat")), HasSubstr("cannot read"));
  EXPECT_THAT(problem_of(testing::TempDir()), HasSubstr("cannot read"));
  EXPECT_THAT(problem_of(file_of("driftless_text.mat", "time,x\n0,1\n1,2\n3,4\n5,6\n")), HasSubstr("no MATLAB file"));
  EXPECT_THAT(problem_of(file_of("driftless_empty.mat", "")), HasSubstr("it has no matrix Aclass"));
}

// Any truncated or changed file gives an error or a trajectory, never a crash.
TEST(ReadMat, SurvivesDamage) {
  const std::filesystem::path path = scratch("driftless_read_mat_whole.mat");
  ASSERT_FALSE(write_mat(bouncing_ball(), path));
  std::ifstream stream(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 97)
    EXPECT_NE(problem_of(file_of("driftless_damaged.mat", whole.substr(0, length))), "") << length;
  for (std::size_t at = 0; at < 600; at += 7) {
    std::string changed = whole;
    changed[at] = static_cast<char>(changed[at] ^ 0x55);
    static_cast<void>(read_mat(file_of("driftless_damaged.mat", changed)));
  }
}

}  // namespace
}  // namespace driftless
