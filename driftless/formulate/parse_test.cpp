#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "driftless/formulate/formulation.hpp"

namespace driftless {
namespace {

using namespace formulation;

TEST(FormulationNames, AreReadAndWrittenAlike) {
  for (const std::string& name : formulation_names()) {
    const auto parsed = parse_formulation(name);
    ASSERT_TRUE(parsed) << name;
    EXPECT_EQ(formulation_names()[parsed->index()], name);
    const std::string written = to_string(*parsed);
    EXPECT_TRUE(written == name || written.starts_with(name + ":")) << written;
    ASSERT_TRUE(parse_formulation(written)) << written;
    EXPECT_EQ(to_string(*parse_formulation(written)), written);
  }
  EXPECT_EQ(formulation_names().size(), std::variant_size_v<Formulation>);
  EXPECT_EQ(std::set(formulation_names().begin(), formulation_names().end()).size(), formulation_names().size());
}

TEST(FormulationNames, SayTheParametersThatMatter) {
  for (const auto& [text, written] : std::vector<std::pair<std::string, std::string>>{
           {"baumgarte", "baumgarte:gamma=1"},
           {"baumgarte:coefficients=2/3/1", "baumgarte:coefficients=2/3/1"},
           {"damped-index2", "damped-index2:gamma=1"},
           {"damped-index2:gamma=5", "damped-index2:gamma=5"},
           {"ggl", "ggl"},
           {"ggl:D=transpose", "ggl"},
           {"ggl:D=unit", "ggl:D=unit"},
           {"ggl:D=mass", "ggl:D=mass"},
           {"stabilized-index1:D=mass", "stabilized-index1:D=mass"},
           {"pb:D=mass", "projected-invariants:levels=2,D=mass"},
           {"ggl:D=given,columns=0/1", "ggl:D=given,constraints=1,columns=0/1"},
           {"ggl:columns=1/0/0/1,constraints=2,D=given", "ggl:D=given,constraints=2,columns=1/0/0/1"},
           {"projected-invariants", "projected-invariants:levels=1"},
           {"projected-invariants:levels=2,coupled", "projected-invariants:levels=2,coupled"},
           {"pa", "projected-invariants:levels=1"},
           {"pa:D=unit", "projected-invariants:levels=1,D=unit"},
           {"pb", "projected-invariants:levels=2"},
           {"pc", "projected-invariants:levels=2,coupled"},
           {"stabilized-ode:gamma=3", "stabilized-ode:gamma=3"},
           {"stabilized-ode:D=unit", "stabilized-ode:gamma=1,D=unit"},
           {"overdetermined", "overdetermined"},
           {"overdetermined:inverse=ssf,index=1", "overdetermined"},
           {"overdetermined:inverse=ssf-basis", "overdetermined:inverse=ssf-basis"},
           {"overdetermined:index=2,inverse=least-squares", "overdetermined:inverse=least-squares,index=2"},
           {"overdetermined:inverse=moore-penrose", "overdetermined:inverse=moore-penrose"},
           {"state-space", "state-space"},
           {"state-space:chart=tangent", "state-space:chart=tangent"},
           {"state-space:chart=tangent-mass", "state-space:chart=tangent-mass"}}) {
    const auto parsed = parse_formulation(text);
    ASSERT_TRUE(parsed) << text;
    EXPECT_EQ(to_string(*parsed), written);
    ASSERT_TRUE(parse_formulation(written)) << written;
    EXPECT_EQ(to_string(*parse_formulation(written)), written);
  }
}

TEST(FormulationNames, CarryParametersToTheLastBit) {
  for (const double gamma : {0.0, 1.0 / 3.0, 10.0, 1e-300, 6.02214076e23}) {
    const auto parsed = parse_formulation(to_string(Baumgarte{.gamma = gamma}));
    ASSERT_TRUE(parsed) << gamma;
    EXPECT_EQ(std::get<Baumgarte>(*parsed).gamma, gamma);
  }
  const auto both = parse_formulation(to_string(Baumgarte{.alpha = 0.1, .beta = 2.0 / 3.0}));
  ASSERT_TRUE(both);
  EXPECT_EQ(std::get<Baumgarte>(*both).alpha, 0.1);
  EXPECT_EQ(std::get<Baumgarte>(*both).beta, 2.0 / 3.0);
  EXPECT_EQ(to_string(*parse_formulation("baumgarte:beta=7,alpha=5")), "baumgarte:alpha=5,beta=7");
}

TEST(FormulationNames, RefuseEverythingElse) {
  for (const char* text : {"",
                           "Dummy",
                           "index3",
                           "ggl ",
                           "dummy:",
                           "ggl:gamma=1",
                           "index1:alpha=1,beta=1",
                           ":gamma=1",
                           "baumgarte:",
                           "baumgarte:gamma",
                           "baumgarte:gamma=",
                           "baumgarte:=1",
                           "baumgarte:gamma=one",
                           "baumgarte:gamma=1x",
                           "baumgarte:gamma=-1",
                           "baumgarte:gamma=nan",
                           "baumgarte:gamma=inf",
                           "baumgarte:gamma=1,gamma=1",
                           "baumgarte:gamma=1,",
                           "baumgarte:,gamma=1",
                           "baumgarte:alpha=1",
                           "baumgarte:beta=1",
                           "baumgarte:alpha=-1,beta=1",
                           "baumgarte:alpha=1,beta=-1",
                           "baumgarte:gamma=1,alpha=1,beta=1",
                           "baumgarte:delta=1",
                           "baumgarte:gamma=1;",
                           "baumgarte:coefficients=1/",
                           "baumgarte:coefficients=1/2/0",
                           "baumgarte:coefficients=1/2/1,gamma=1",
                           "damped-index2:gamma=-1",
                           "ggl:D",
                           "ggl:D=both",
                           "ggl:columns=1/0",
                           "projected-invariants:levels=0",
                           "projected-invariants:levels=1.5",
                           "projected-invariants:levels=2,coupled,D=unit",
                           "pc:D=unit",
                           "pa:levels=2",
                           "pd",
                           "stabilized-ode:gamma=-1",
                           "overdetermined:inverse=qr",
                           "overdetermined:index=3",
                           "state-space:chart=slots",
                           "euode:chart=tangent",
                           "auto:gamma=1"})
    EXPECT_FALSE(parse_formulation(text)) << text;
}

}  // namespace
}  // namespace driftless
