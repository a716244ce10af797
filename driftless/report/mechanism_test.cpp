#include "driftless/report/mechanism.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/expr/print.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reduce/signature.hpp"
#include "driftless/structure/analysis.hpp"

namespace driftless::reporting {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

std::string coordinate_name(const Model& model, NodeId id) {
  return id == at_zero ? "0" : to_string(*model.pool, id, names_of(model));
}

// "line 0, 0, x, y", "point x, y", in no particular order.
std::vector<std::string> shapes_of(const Model& model) {
  const auto result = structure::analyze(signature_of(model));
  const auto* shape = std::get_if<structure::Structure>(&result);
  const std::size_t nodes = model.pool->size();
  const Mechanism mechanism = mechanism_of(model, shape ? shape->offsets.d : std::vector<int>{});
  EXPECT_EQ(model.pool->size(), nodes) << "a report must not change a run";
  std::vector<std::string> texts;
  for (const AnimatedShape& one : mechanism.shapes) {
    const char* kinds[] = {"point ", "line ", "circle "};
    std::string text = kinds[static_cast<int>(one.kind)];
    for (std::size_t k = 0; k < one.values.size(); ++k)
      text += (k == 0 ? "" : ", ") + coordinate_name(model, one.values[k]);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> shapes_of_text(const std::string& text) { return shapes_of(read_model_text("m.mo", text)); }

std::vector<std::string> shapes_of_file(const std::string& name) {
  return shapes_of(read_model_file(std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + name + ".mo",
                                   {.libraries = {std::string(DRIFTLESS_SOURCE_DIR) + "/libraries"}}));
}

std::string pendulum_with(const std::string& x, const std::string& y, const std::string& unit = "m") {
  return "model M Real " + x + "(unit = \"" + unit + "\", start = 1), " + y + "(unit = \"" + unit +
         "\"), F; equation der(der(" + x + ")) = -F*" + x + "; der(der(" + y + ")) = -F*" + y + " - 9.81; " + x +
         "^2 + " + y + "^2 = 1; end M;";
}

TEST(Mechanism, APendulumIsAPointOnARod) {
  EXPECT_THAT(shapes_of_file("pendulum"), UnorderedElementsAre("line 0, 0, x, y", "point 0, 0", "point x, y"));
}

TEST(Mechanism, DifferencesAreLookedThrough) {
  const std::vector<std::string> shapes = shapes_of_file("chain");
  EXPECT_THAT(shapes, ::testing::Contains("line x[1], y[1], x[2], y[2]"));
  EXPECT_THAT(shapes, ::testing::Contains("line 0, 0, x[1], y[1]"));
  EXPECT_EQ(shapes.size(), 10u + 11u);
}

TEST(Mechanism, InSpaceThereAreThreeCoordinates) {
  EXPECT_THAT(shapes_of_file("spherical_pendulum"),
              UnorderedElementsAre("line 0, 0, 0, x, y, z", "point 0, 0, 0", "point x, y, z"));
}

TEST(Mechanism, PartsBetweenFramesAreLines) {
  const std::vector<std::string> shapes = shapes_of_file("library/four_bar");
  EXPECT_THAT(shapes, ::testing::Contains("line crank.first.frame_a.x, crank.first.frame_a.y, crank.first.frame_b.x, "
                                          "crank.first.frame_b.y"));
  EXPECT_THAT(shapes, ::testing::Contains("point crank.body.frame.x, crank.body.frame.y"));
  EXPECT_THAT(shapes, ::testing::Not(::testing::Contains("line crank.frame_a.x, crank.frame_a.y, crank.frame_b.x, "
                                                         "crank.frame_b.y")))
      << "what is made of parts is shown by its parts";
}

TEST(Mechanism, DoubtMeansNothingIsShown) {
  EXPECT_THAT(shapes_of_text(pendulum_with("a", "b")), IsEmpty()) << "names do not belong together";
  EXPECT_THAT(shapes_of_text(pendulum_with("x", "y", "V")), IsEmpty()) << "no lengths";
  EXPECT_THAT(shapes_of_text("model M Real x(start = 1), y; equation der(x) = y; der(y) = -x*(x^2 + y^2); end M;"),
              IsEmpty())
      << "no second derivatives: these need not be positions";
  EXPECT_THAT(shapes_of_file("lecture_10_1_decoupled"), IsEmpty());
  EXPECT_THAT(shapes_of_file("transistor_amplifier"), IsEmpty());
}

TEST(Mechanism, AxesAreLettersOrSubscripts) {
  const auto axes = [](const std::string& name) {
    std::vector<std::string> texts;
    for (const AxisOfName& axis : axes_of(name)) texts.push_back(std::to_string(axis.axis) + axis.stem);
    return texts;
  };
  EXPECT_THAT(axes("x1"), ElementsAre("0#1"));
  EXPECT_THAT(axes("body.y"), ElementsAre("1body.#"));
  EXPECT_THAT(axes("axle.z"), ElementsAre("2axle.#")) << "a letter of the path is no axis";
  EXPECT_THAT(axes("r[2]"), ElementsAre("1r[#]"));
  EXPECT_THAT(axes("r[2,13]"), ElementsAre("1r[#,13]"));
  EXPECT_THAT(axes("q"), IsEmpty());
}

}  // namespace
}  // namespace driftless::reporting
