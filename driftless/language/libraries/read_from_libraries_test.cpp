// Models whose classes lie in libraries, read by name, by file and from a text.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "driftless/language/reading.hpp"

namespace driftless::language {
namespace {

using ::testing::HasSubstr;
using testing::Reading;

const std::string shelf = DRIFTLESS_SOURCE_DIR "/tests/libraries/good";

ReadOptions with_shelf(std::string model = {}) {
  ReadOptions options;
  options.model = std::move(model);
  options.libraries = {shelf};
  return options;
}

Reading read_file(const std::string& path, const ReadOptions& options = with_shelf()) {
  Reading result;
  result.model = read_model_file(path, options, result.sources, result.diagnostics);
  return result;
}

TEST(ReadFromLibraries, AModelByItsFullName) {
  const Reading read = read_file("Oscillators.Examples.Damped");
  ASSERT_TRUE(read.model) << read.report();
  EXPECT_EQ(read.model->name, "Oscillators.Examples.Damped");
  EXPECT_EQ(read.model->experiment.stop, 10.0);
}

// Its base class and the package around it are found by its folders, without any option.
TEST(ReadFromLibraries, AFileThatIsAPartOfALibrary) {
  const Reading read = read_file(shelf + "/Oscillators/Examples/Slow.mo", {});
  ASSERT_TRUE(read.model) << read.report();
  EXPECT_EQ(read.model->name, "Oscillators.Examples.Slow");
  EXPECT_EQ(read.model->equations.size(), 2u);
  EXPECT_EQ(read.model->experiment.stop, 120.0);
}

constexpr const char* text = R"(model Chain
  Oscillators.Mass mass(m = 3*Oscillators.standard_mass);
  Oscillators.Spring spring(c = 2);
equation
  connect(mass.b, spring.a);
end Chain;)";

TEST(ReadFromLibraries, ATextThatUsesALibrary) {
  const Reading read = testing::read(text, with_shelf());
  ASSERT_TRUE(read.model) << read.report();
  const testing::Point at(*read.model, 7);
  const double newton =
      at.parameter("mass.m") * at.variable("mass.a.s", 2) - at.variable("mass.a.f") - at.variable("mass.b.f");
  const auto is_newton = [&](const Equation& equation) { return std::abs(at(equation.residual) - newton) < 1e-12; };
  EXPECT_EQ(std::ranges::count_if(read.model->equations, is_newton), 1);
  EXPECT_EQ(read.model->equations.size(), read.model->variables.size());
}

TEST(ReadFromLibraries, WithoutItsFolderALibraryIsNotFound) {
  const Reading read = testing::read(text);
  EXPECT_FALSE(read.model);
  EXPECT_THAT(read.messages(), HasSubstr("2:3: error: unknown"));
}

TEST(ReadFromLibraries, AModelOfALibraryByTheOptionModel) {
  const Reading read = testing::read(text, with_shelf("Oscillators.Examples.Damped"));
  ASSERT_TRUE(read.model) << read.report();
  EXPECT_EQ(read.model->name, "Oscillators.Examples.Damped");
}

TEST(ReadFromLibraries, WhatCannotBeRunIsTold) {
  EXPECT_THAT(read_file("Oscillators.Examples").messages(),
              HasSubstr("Oscillators.Examples is a package, which cannot be run"));
  EXPECT_THAT(read_file("Oscillators.Compliant").messages(),
              HasSubstr("Oscillators.Compliant is a partial model, which cannot be run"));
  EXPECT_THAT(read_file("Oscillators.Examples.Dampd").messages(),
              HasSubstr("Oscillators.Examples has no class 'Dampd': did you mean 'Damped'?"));
  EXPECT_THAT(read_file("Oscilators.Mass").messages(),
              HasSubstr("there is no library 'Oscilators': did you mean 'Oscillators'?"));
}

}  // namespace
}  // namespace driftless::language
