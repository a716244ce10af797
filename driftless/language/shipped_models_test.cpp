// The models that ship with the program, read as a user would read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/reading.hpp"

namespace driftless {
namespace {

std::string path_of(const std::string& file) { return std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + file; }

Model read_file(const std::string& file, ReadOptions options = {}) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_file(path_of(file), options, sources, diagnostics);
  EXPECT_EQ(render(diagnostics, *sources), "") << file;
  return model ? std::move(*model) : Model();
}

double residual_at(const Model& model, std::size_t equation, double time, const std::map<std::string, double>& values) {
  const Pool& pool = *model.pool;
  return evaluate(pool, model.equations[equation].residual, [&](NodeId leaf) {
    const Node& node = pool[leaf];
    switch (node.op) {
      case Op::Time: return time;
      case Op::Parameter: return model.parameters[node.a].value;
      case Op::Variable: return values.at(derivative_name(model.variables[node.a].name, static_cast<int>(node.b)));
      default: return std::numeric_limits<double>::quiet_NaN();
    }
  });
}

TEST(ShippedModels, AllAreReadWithoutAWord) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(path_of("")))
    if (entry.path().extension() == ".mo") files.push_back(entry.path().filename().string());
  std::ranges::sort(files);
  ASSERT_GE(files.size(), 20U);
  for (const std::string& file : files) {
    const Model model = read_file(file);
    EXPECT_EQ(model.equations.size(), model.variables.size()) << file;
  }
}

TEST(ShippedModels, TheTestSetHasItsSizes) {
  const std::pair<const char*, std::size_t> sizes[] = {
      {"akzo.mo", 12}, {"transistor_amplifier.mo", 11}, {"car_axis.mo", 14},     {"fekete.mo", 540},
      {"jay.mo", 5},   {"two_pendula.mo", 10},          {"three_pendula.mo", 15}};
  for (const auto& [file, size] : sizes) EXPECT_EQ(read_file(file).equations.size(), size) << file;
}

TEST(ShippedModels, TheExactSolutionOfJaySatisfiesIt) {
  const Model model = read_file("jay.mo");
  for (const double t : {0.0, 0.3, 1.0}) {
    const double a = std::exp(2 * t), b = std::exp(-t);
    const std::map<std::string, double> values{{"y1", a},       {"y2", b},          {"z1", a},
                                               {"z2", b},       {"u", std::exp(t)}, {"der(y1)", 2 * a},
                                               {"der(y2)", -b}, {"der(z1)", 2 * a}, {"der(z2)", -b}};
    for (std::size_t k = 0; k < model.equations.size(); ++k)
      EXPECT_NEAR(residual_at(model, k, t, values), 0, 1e-14 * a * a) << model.equations[k].text;
  }
}

TEST(ShippedModels, FeketeStartsOnTheSphereAndItsMultipliersBalance) {
  const Model model = read_file("fekete.mo");
  std::map<std::string, double> values;
  for (const Variable& variable : model.variables) values[variable.name] = variable.start.value_or(0);
  const auto at = [](const std::string& name, int i) { return name + "[" + std::to_string(i) + "]"; };
  for (int i = 1; i <= 20; ++i)
    for (int j = 1; j <= 20; ++j) {
      double r = i == j ? 1 : 0;
      for (const char* c : {"x", "y", "z"}) r += std::pow(values[at(c, i)] - values[at(c, j)], 2);
      values["r[" + std::to_string(i) + "," + std::to_string(j) + "]"] = r;
    }
  for (int i = 1; i <= 20; ++i) {
    const std::pair<const char*, const char*> rates[] = {{"x", "u"}, {"y", "v"}, {"z", "w"}};
    for (const auto& [place, velocity] : rates) {
      values["der(" + at(place, i) + ")"] = values[at(velocity, i)];
      double force = 0;
      for (int j = 1; j <= 20; ++j)
        force += (values[at(place, i)] - values[at(place, j)]) /
                 values["r[" + std::to_string(i) + "," + std::to_string(j) + "]"];
      values["der(" + at(velocity, i) + ")"] = force + 2 * -4.75 * values[at(place, i)];
    }
  }
  for (std::size_t k = 0; k < model.equations.size(); ++k)
    EXPECT_NEAR(residual_at(model, k, 0, values), 0, 1e-12) << model.equations[k].label;
}

TEST(ShippedModels, ChainsOfAnyLength) {
  const Model ten = read_file("chain.mo");
  const Model twenty = read_file("chain.mo", {"", {{"N", "20"}}});
  EXPECT_EQ(2 * ten.equations.size(), twenty.equations.size());
}

}  // namespace
}  // namespace driftless
