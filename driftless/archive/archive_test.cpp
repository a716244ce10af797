#include "driftless/archive/archive.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace driftless {
namespace {

enum class Color : std::uint8_t { Red, Green };

struct Part {
  double size = 0.0;
  std::vector<int> places;
  void archive(Archive& archive) { archive(size, places); }
  bool operator==(const Part&) const = default;
};

struct Whole {
  int number = 0;
  bool flag = false;
  Color color = Color::Red;
  std::string text;
  std::vector<bool> bits;
  std::vector<Part> parts;
  std::deque<double> line;
  std::array<double, 2> ends{};
  std::optional<double> goal, none;
  std::pair<int, double> pair;
  std::complex<double> root;
  double field[2] = {};
  void archive(Archive& archive) {
    archive.section("whole");
    archive(number, flag, color, text, bits, parts, line, ends, goal, none, pair, root, field);
  }
};

Whole sample() {
  return {.number = -3,
          .flag = true,
          .color = Color::Green,
          .text = "pendulum",
          .bits = {true, false, true},
          .parts = {{0.1, {1, 2}}, {-0.0, {}}},
          .line = {1.0, std::numeric_limits<double>::denorm_min()},
          .ends = {HUGE_VAL, 2.0},
          .goal = 1e-300,
          .none = {},
          .pair = {7, 0.3},
          .root = {1.0, -2.0},
          .field = {5.0, 6.0}};
}

TEST(Archive, GivesBackWhatWasWritten) {
  Whole before = sample(), after;
  after.none = 3.0;  // must go away
  Archive writer;
  before.archive(writer);
  Archive reader(writer.bytes());
  after.archive(reader);
  EXPECT_EQ(reader.bytes_left(), 0u);
  EXPECT_EQ(after.number, -3);
  EXPECT_TRUE(after.flag);
  EXPECT_EQ(after.color, Color::Green);
  EXPECT_EQ(after.text, "pendulum");
  EXPECT_EQ(after.bits, before.bits);
  EXPECT_EQ(after.parts, before.parts);
  EXPECT_TRUE(std::signbit(after.parts[1].size));
  EXPECT_EQ(after.line, before.line);
  EXPECT_EQ(after.ends, before.ends);
  EXPECT_EQ(after.goal, before.goal);
  EXPECT_FALSE(after.none);
  EXPECT_EQ(after.pair, before.pair);
  EXPECT_EQ(after.root, before.root);
  EXPECT_EQ(after.field[1], 6.0);
  Archive again;
  after.archive(again);
  EXPECT_EQ(again.bytes(), writer.bytes());
}

// The padding bytes of an 80-bit number are not part of its value.
TEST(Archive, WritesTheSameBytesForTheSameNumbers) {
  const auto bytes_of = [](unsigned char before) {
    long double number[2];
    std::memset(number, before, sizeof number);
    number[0] = 0.1L, number[1] = -3.0L;
    std::vector<long double> two(2);
    std::memcpy(two.data(), number, sizeof number);
    Archive writer;
    writer(number, two);
    Archive reader(writer.bytes());
    long double after[2] = {};
    std::vector<long double> both;
    reader(after, both);
    EXPECT_EQ(after[0], 0.1L);
    EXPECT_EQ(both, two);
    return writer.bytes();
  };
  EXPECT_EQ(bytes_of(0), bytes_of(255));
}

TEST(Archive, RefusesBytesThatAreCutOffAnywhere) {
  Whole before = sample();
  Archive writer;
  before.archive(writer);
  for (std::size_t size = 0; size < writer.bytes().size(); ++size) {
    Whole after;
    Archive reader(std::span(writer.bytes()).first(size));
    EXPECT_THROW(after.archive(reader), ArchiveError) << size;
  }
}

TEST(Archive, RefusesAnotherSectionAndAnotherSize) {
  Archive writer;
  writer.section("bdf");
  writer.expect(5, "number of unknowns");
  Archive wrong(writer.bytes());
  EXPECT_THROW(wrong.section("radau"), ArchiveError);
  Archive reader(writer.bytes());
  reader.section("bdf");
  EXPECT_THROW(reader.expect(6, "number of unknowns"), ArchiveError);
}

}  // namespace
}  // namespace driftless
