// Models for tests of the reduction and of later stages: built in C++, and those of models/.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/reduce/reduced.hpp"
#include "driftless/reduce/signature.hpp"

namespace driftless::samples {

struct PendulumStart {
  double x = 1.0, y = 0.0;
  std::optional<double> vx = {}, vy = {};
  bool fixed = false;  // of x, and of the given velocities
};

// A point mass on a rod of length 1 with gravity 1 (Mattsson & Söderlind, Example 3): index 3.
inline Model pendulum(const PendulumStart& start = {}, StateSelect select_x = StateSelect::Default) {
  ModelBuilder m("Pendulum");
  const Expr x = m.variable("x", {.start = start.x, .fixed = start.fixed, .state_select = select_x});
  const Expr y = m.variable("y", {.start = start.y}), lambda = m.variable("lambda");
  m.equation(der(der(x)) == -lambda * x);
  m.equation(der(der(y)) == -lambda * y - 1.0);
  m.equation(x * x + y * y == 1.0, "rod");
  if (start.vx) m.initial_equation(der(x) == *start.vx);
  if (start.vy) m.initial_equation(der(y) == *start.vy);
  return m.build();
}

inline Model read(const std::string& path) {
  Diagnostics diagnostics;
  auto sources = std::make_shared<Sources>();
  std::optional<Model> model = read_model_file(path, {}, sources, diagnostics);
  if (!model) throw std::runtime_error(render(diagnostics, *sources));
  return std::move(*model);
}

inline std::string path_of(const std::string& name) {
  return std::string(DRIFTLESS_SOURCE_DIR) + "/models/" + name + ".mo";
}

// The names of all models of models/, ascending.
inline std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(DRIFTLESS_SOURCE_DIR) + "/models"))
    if (entry.path().extension() == ".mo") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

inline structure::Structure structure_of(const Model& model) {
  return std::get<structure::Structure>(structure::analyze(signature_of(model)));
}

// Reduces as a run does, but without messages: systems whose structure is misleading stay implicit.
inline std::shared_ptr<const Reduced> reduced(Model given, const ReduceOptions& options = {}) {
  const auto model = std::make_shared<const Model>(std::move(given));
  const structure::Structure shape = structure_of(*model);
  if (find_hidden_singularity(*model, shape)) return std::make_shared<const Reduced>(reduce_implicit(model, shape));
  return std::make_shared<const Reduced>(reduce(model, shape, options));
}

// Values of the leaves of a reduced system: slots and rates at random, definitions from these.
class RandomPoint {
 public:
  RandomPoint(const Reduced& reduced, unsigned seed) : reduced_(reduced), random_(seed) {
    time_ = draw();
    for (const auto& places : reduced.addresses) values_.emplace_back(places.size());
    for (const Quantity q : reduced.quantities)
      if (reduced.place(q) != Place::Defined) value(q) = draw();
    for (const Definition& definition : reduced.definitions) value(definition.quantity) = (*this)(definition.value);
  }

  double& value(Quantity q) { return values_[index(q.variable)][q.order]; }

  double operator()(NodeId expression) const {
    const Model& model = *reduced_.model;
    return evaluate(*model.pool, expression, [&](NodeId leaf) {
      const Node& node = (*model.pool)[leaf];
      if (node.op == Op::Time) return time_;
      return node.op == Op::Parameter ? model.parameters[node.a].value : values_[node.a][node.b];
    });
  }

 private:
  double draw() { return std::uniform_real_distribution<double>(0.2, 1.2)(random_); }

  const Reduced& reduced_;
  std::mt19937_64 random_;
  double time_ = 0.0;
  std::vector<std::vector<double>> values_;
};

}  // namespace driftless::samples
