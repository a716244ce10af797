#include "driftless/taylor/natural_system.hpp"

#include "driftless/reduce/sample_models.hpp"

namespace driftless::taylor {
namespace {

std::variant<NaturalSystem, std::string> of_text(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return natural_system(*samples::reduced(std::move(*model)));
}

std::vector<std::string> unknowns_of(const NaturalSystem& system) {
  std::vector<std::string> names;
  for (const Unknown& u : system.unknowns) names.push_back(std::string(u.d, '\'') + (*system.model)[u.variable].name);
  return names;
}

TEST(NaturalSystem, NamesVelocitiesAsDerivatives) {
  const auto system = std::get<NaturalSystem>(
      of_text("model M Real x(start=1), v, a; equation der(x) = v; der(v) = a; a = -x; end M;"));
  EXPECT_THAT(unknowns_of(system), testing::ElementsAre("''x"));
  EXPECT_EQ(system.meanings[1].unknown, 0);
  EXPECT_EQ(system.meanings[1].order, 1);
}

TEST(NaturalSystem, KeepsTheSignOfAnAlias) {
  const auto system =
      std::get<NaturalSystem>(of_text("model M Real x(start=1), w; equation w = -der(x); w = x; end M;"));
  ASSERT_EQ(system.unknowns.size(), 1u);
  const Meaning x = system.meanings[0], w = system.meanings[1];
  // one of them names the other: w = -x' or x = w, and so der(x) = der(w) = -w
  EXPECT_EQ(x.unknown, w.unknown);
  EXPECT_EQ(system.unknowns[0].d, 1);
}

TEST(NaturalSystem, SubstitutesWhatIsNeverDifferentiated) {
  const auto system = std::get<NaturalSystem>(
      of_text("model M Real x(start=1), f, e; equation der(x) = f; f = -e*x; e = exp(-x*x); end M;"));
  EXPECT_THAT(unknowns_of(system), testing::ElementsAre("'x"));
  EXPECT_EQ(system.rows.size(), 1u);
}

TEST(NaturalSystem, RefusesFunctionsWithLoops) {
  const auto reason = of_text(R"(
model M
  function f
    input Real a;
    output Real b;
  algorithm
    b := a;
    while b > 1 loop
      b := b/2;
    end while;
  end f;
  Real x(start=1);
equation
  der(x) = f(x);
end M;)");
  ASSERT_TRUE(std::holds_alternative<std::string>(reason));
  EXPECT_THAT(std::get<std::string>(reason), testing::HasSubstr("calls the function"));
}

// Index 3: the length is differentiated twice, positions have second derivatives, the force none.
TEST(NaturalSystem, HasTheOffsetsOfTheSigmaMethod) {
  const auto system = std::get<NaturalSystem>(natural_system(*samples::reduced(samples::pendulum())));
  EXPECT_THAT(unknowns_of(system), testing::ElementsAre("''x", "''y", "lambda"));
  std::vector<int> c;
  for (const Row& row : system.rows) c.push_back(row.c);
  EXPECT_THAT(c, testing::ElementsAre(2, 0, 0));
}

}  // namespace
}  // namespace driftless::taylor
