#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/read.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string model_text(const std::string& shapes) {
  return "model M\n  parameter Real L = 2;\n  Real x, v, r[3];\nequation\n  der(x) = v;\n  der(v) = -x;\n"
         "  r = {x, v, 0};\n  annotation(__Driftless(animation(" +
         shapes + ")));\nend M;";
}

// What is declared, as texts.
std::vector<std::string> declared(const std::string& shapes) {
  std::vector<AnimatedShape> animation;
  const Model model = read_model_text("m.mo", model_text(shapes), {.animation = &animation});
  EXPECT_EQ(model.equations.size(), 5u) << "a shape is no equation";
  std::vector<std::string> texts;
  for (const AnimatedShape& shape : animation) {
    const char* kinds[] = {"point", "line", "circle"};
    std::string text =
        std::string(kinds[static_cast<int>(shape.kind)]) + std::to_string(shape.dimension) + " " + shape.name;
    for (const NodeId value : shape.values) text += " " + to_string(*model.pool, value, names_of(model));
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string messages(const std::string& shapes) {
  try {
    read_model_text("m.mo", model_text(shapes));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

TEST(Animation, IsReadInTheScopeOfTheModel) {
  EXPECT_THAT(declared("points(mass = {x, L}), lines(rod = {{0, 0}, {x, 2*x}}), circles(wheel = {x, 0, L})"),
              ElementsAre("point2 mass x L", "line2 rod 0 0 x 2*x", "circle2 wheel x 0 L"));
}

TEST(Animation, ThreeCoordinatesAreSpace) {
  EXPECT_THAT(declared("points(p = r), circles(ball = {x, v, 0, 1})"),
              ElementsAre("point3 p r[1] r[2] r[3]", "circle3 ball x v 0 1"));
}

TEST(Animation, WhatCannotBeDrawnIsRefused) {
  EXPECT_THAT(messages("points(p = x)"), HasSubstr("a point is {x, y} or {x, y, z}, but 'p' is a scalar"));
  EXPECT_THAT(messages("lines(p = {x, v})"), HasSubstr("a line is a list of two or more points"));
  EXPECT_THAT(messages("points(p = {x, v}, q = r)"), HasSubstr("'q' has 3 coordinates, and 'p' has 2"));
  EXPECT_THAT(messages("point(p = {x, v})"), HasSubstr("no 'point': did you mean 'points'?"));
  EXPECT_THAT(messages("points(p = {x, unknown})"), HasSubstr("unknown"));
}

}  // namespace
}  // namespace driftless
