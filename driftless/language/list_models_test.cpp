#include "driftless/language/list_models.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace driftless {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string shelf = DRIFTLESS_SOURCE_DIR "/tests/libraries/good";

struct Listed {
  std::vector<std::string> names, experiments;
  std::string report;
};

Listed list(const std::string& what) {
  Sources sources;
  Diagnostics diagnostics;
  Listed result;
  for (const ListedModel& model : list_models(what, {shelf}, sources, diagnostics)) {
    result.names.push_back(model.name);
    if (model.has_experiment)
      result.experiments.push_back(model.start + "|" + model.stop + "|" + model.tolerance + "|" + model.interval + "|" +
                                   model.description);
  }
  result.report = render(diagnostics, sources);
  return result;
}

// tests/libraries/good/Oscillators has partial, protected and short classes, and package.order.
TEST(ListModels, OfALibraryInItsOrderWithExperiments) {
  const Listed by_name = list("Oscillators");
  EXPECT_EQ(by_name.report, "");
  EXPECT_THAT(by_name.names, ElementsAre("Oscillators.Examples.Damped", "Oscillators.Examples.Slow",
                                         "Oscillators.Spring", "Oscillators.Mass", "Oscillators.Free"));
  EXPECT_THAT(by_name.experiments, ElementsAre("|10|||A mass on a spring with friction", "-1|2 * 60|1e-08|0.01|"));
  EXPECT_EQ(list(shelf + "/Oscillators").names, by_name.names);
  EXPECT_EQ(list(shelf + "/Oscillators/package.mo").names, by_name.names);
}

TEST(ListModels, OfAPartOfALibrary) {
  EXPECT_THAT(list("Oscillators.Examples").names,
              ElementsAre("Oscillators.Examples.Damped", "Oscillators.Examples.Slow"));
  EXPECT_THAT(list(shelf + "/Oscillators/Examples/Damped.mo").names, ElementsAre("Oscillators.Examples.Damped"));
  EXPECT_THAT(list("Oscillators.Spring").names, ElementsAre("Oscillators.Spring"));
}

TEST(ListModels, OfAFileWithoutALibrary) {
  EXPECT_THAT(list(DRIFTLESS_SOURCE_DIR "/models/pendulum.mo").names, ElementsAre("Pendulum"));
}

TEST(ListModels, WhatIsNotThereIsTold) {
  EXPECT_THAT(list("Oscillators.Exmples").report, HasSubstr("D0810: Oscillators has no class 'Exmples': did you mean "
                                                            "'Examples'?"));
  EXPECT_THAT(list(shelf).report, HasSubstr("is no library: it has no file package.mo"));
  EXPECT_THAT(list(shelf).report, HasSubstr("in it: Oscillators"));
  EXPECT_THAT(list("nowhere/x.mo").report, HasSubstr("D0801: cannot read 'nowhere/x.mo'"));
  EXPECT_THAT(list("nowhere/x.mo").names, IsEmpty());
}

}  // namespace
}  // namespace driftless
