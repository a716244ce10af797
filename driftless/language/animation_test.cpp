#include <gmock/gmock.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::read;
using testing::read_clean;

std::string model_text(const std::string& shapes) {
  return "model M\n  parameter Real L = 2;\n  Real x, v, r[3];\nequation\n  der(x) = v;\n  der(v) = -x;\n"
         "  r = {x, v, 0};\n  annotation(__Driftless(animation(" +
         shapes + ")));\nend M;";
}

std::vector<std::string> shapes_of(const Model& model) {
  std::vector<std::string> texts;
  for (const AnimatedShape& shape : model.animation) {
    const char* kinds[] = {"point", "line", "circle"};
    std::string text =
        std::string(kinds[static_cast<int>(shape.kind)]) + std::to_string(shape.dimension) + " " + shape.name;
    for (const NodeId value : shape.values) text += " " + to_string(*model.pool, value, names_of(model));
    texts.push_back(std::move(text));
  }
  return texts;
}

TEST(Animation, IsReadInTheScopeOfTheModel) {
  const Model model =
      read_clean(model_text("points(mass = {x, L}), lines(rod = {{0, 0}, {x, 2*x}}), circles(wheel = {x, 0, L})"));
  EXPECT_THAT(shapes_of(model), ElementsAre("point2 mass x L", "line2 rod 0 0 x 2*x", "circle2 wheel x 0 L"));
  EXPECT_EQ(model.equations.size(), 5u) << "a shape is no equation";
}

TEST(Animation, ThreeCoordinatesAreSpace) {
  EXPECT_THAT(shapes_of(read_clean(model_text("points(p = r), circles(ball = {x, v, 0, 1})"))),
              ElementsAre("point3 p r[1] r[2] r[3]", "circle3 ball x v 0 1"));
}

TEST(Animation, WhatCannotBeDrawnIsRefused) {
  const auto messages = [](const std::string& shapes) { return read(model_text(shapes)).messages(); };
  EXPECT_THAT(messages("points(p = x)"), HasSubstr("a point is {x, y} or {x, y, z}, but 'p' is a scalar"));
  EXPECT_THAT(messages("lines(p = {x, v})"), HasSubstr("a line is a list of two or more points"));
  EXPECT_THAT(messages("points(p = {x, v}, q = r)"), HasSubstr("'q' has 3 coordinates, and 'p' has 2"));
  EXPECT_THAT(messages("point(p = {x, v})"), HasSubstr("no 'point': did you mean 'points'?"));
  EXPECT_THAT(messages("points(p = {x, unknown})"), HasSubstr("unknown"));
}

}  // namespace
}  // namespace driftless
