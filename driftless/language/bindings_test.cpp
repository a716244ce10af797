#include <gtest/gtest.h>

#include <cmath>

#include "driftless/language/read.hpp"
#include "driftless/model/inputs.hpp"

namespace driftless {
namespace {

std::shared_ptr<const Model> model_of(const std::string& text) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return std::make_shared<const Model>(std::move(*model));
}

double parameter(const Model& model, const std::string& name) {
  for (const Parameter& p : model.parameters)
    if (p.name == name) return p.value;
  throw std::out_of_range(name);
}

const Variable& variable(const Model& model, const std::string& name) {
  for (const Variable& v : model.variables)
    if (v.name == name) return v;
  throw std::out_of_range(name);
}

const char* const chain_of_parameters = R"(
  model M
    parameter Real c = b + a^2, b = 2*a, a = 3, free = 5;
    parameter Real list[3] = {a, free, b - a};
    Real x(start = c, min = -a, max = 10*b), y[2](start = {a, 7}), z(start = 1);
  equation
    der(x) = -a*x; der(y) = -y; der(z) = list[2]*list[3];
  end M;)";

TEST(Bindings, AreComputedAnewInAnyOrder) {
  const auto model = model_of(chain_of_parameters);
  const auto other = with_inputs(model, {{"a", 2.0}}, {});
  EXPECT_EQ(parameter(*other, "b"), 4.0);
  EXPECT_EQ(parameter(*other, "c"), 8.0);
  EXPECT_EQ(parameter(*other, "free"), 5.0);
  EXPECT_EQ(parameter(*other, "list[1]"), 2.0);
  EXPECT_EQ(parameter(*other, "list[3]"), 2.0);
  EXPECT_EQ(variable(*other, "x").start, 8.0);
  EXPECT_EQ(variable(*other, "x").min, -2.0);
  EXPECT_EQ(variable(*other, "x").max, 40.0);
  EXPECT_EQ(variable(*other, "y[1]").start, 2.0);
  EXPECT_EQ(variable(*other, "y[2]").start, 7.0);
  EXPECT_EQ(variable(*other, "z").start, 1.0);
  EXPECT_EQ(parameter(*model, "b"), 6.0) << "the model itself stays";
}

TEST(Bindings, GiveWayToWhatIsGiven) {
  const auto model = model_of(chain_of_parameters);
  const auto other = with_inputs(model, {{"a", 2.0}, {"b", 1.0}}, {{"x", 0.25}});
  EXPECT_EQ(parameter(*other, "b"), 1.0);
  EXPECT_EQ(parameter(*other, "c"), 5.0);
  EXPECT_EQ(variable(*other, "x").start, 0.25);
  EXPECT_EQ(with_inputs(model, {}, {}), model);
}

std::string refusal(const std::shared_ptr<const Model>& model, const NamedValues& parameters,
                    const NamedValues& starts) {
  try {
    with_inputs(model, parameters, starts);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Bindings, RefuseWhatTheModelDoesNotHave) {
  const auto model = model_of(chain_of_parameters);
  EXPECT_NE(refusal(model, {{"fre", 1.0}}, {}).find("M has no parameter 'fre': did you mean 'free'?"),
            std::string::npos)
      << refusal(model, {{"fre", 1.0}}, {});
  EXPECT_NE(refusal(model, {}, {{"w", 1.0}}).find("M has no variable 'w'"), std::string::npos);
  EXPECT_NE(refusal(model, {{"a", std::nan("")}}, {}).find("'a' is not a finite number"), std::string::npos);
}

TEST(Bindings, RefuseParametersThatWereUsedUp) {
  const auto model = model_of(R"(
    model M
      parameter Real L = 4, T = 2, s = 1, g = 9;
      parameter Integer n = integer(L/2);
      parameter Boolean fix = s > 0;
      Real x[n](each start = g, each fixed = fix);
    equation
      der(x) = -x;
    annotation(experiment(StopTime = T));
    end M;)");
  EXPECT_EQ(with_inputs(model, {{"T", 3.0}}, {})->experiment.stop, 3.0);
  for (const char* name : {"L", "s"})
    EXPECT_NE(refusal(model, {{name, 0.5}}, {}).find(std::string("'") + name + "' cannot change from run to run"),
              std::string::npos)
        << name << refusal(model, {{name, 0.5}}, {});
  EXPECT_EQ(refusal(model, {{"g", 0.5}, {"L", 4.0}}, {}), "") << "the same value is no change";
  EXPECT_NE(refusal(model_of("model M parameter Real a = 1, b = 1/a; Real x = b; end M;"), {{"a", 0.0}}, {})
                .find("'b' has no value with these parameters"),
            std::string::npos);
}

}  // namespace
}  // namespace driftless
