// A jump of a mode by the names of its quantities, for tests.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driftless/hybrid/jump.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/reduce/sample_models.hpp"

namespace driftless::samples {

// A mass of 2 on a rope of length 5: index 3.
inline Model rope_of_second_order() {
  ModelBuilder m("Rope");
  const Expr x = m.variable("x"), y = m.variable("y"), force = m.variable("force", {.unit = "N"});
  m.equation(2.0 * der(der(x)) == -force * x / 5.0);
  m.equation(2.0 * der(der(y)) == -force * y / 5.0 - 19.62);
  m.equation(x * x + y * y == 25.0, "rope");
  return m.build();
}

using Named = std::vector<std::pair<std::string, double>>;

class SampleJump {
 public:
  explicit SampleJump(Model model) : reduced_(reduced(std::move(model))), jump_(reduced_) {}

  const std::shared_ptr<const Reduced>& mode() const { return reduced_; }

  // "der(x)" is {x, 1}.
  Quantity quantity(std::string name) const {
    Quantity q;
    while (name.starts_with("der(")) {
      name = name.substr(4, name.size() - 5);
      ++q.order;
    }
    const auto& variables = reduced_->model->variables;
    const auto found = std::ranges::find(variables, name, &Variable::name);
    if (found == variables.end()) throw std::runtime_error("no variable " + name);
    q.variable = VarId{static_cast<int>(found - variables.begin())};
    return q;
  }

  Values values(const Named& named) const {
    Values values(reduced_->model->variables.size());
    for (const auto& [name, value] : named) {
      const Quantity q = quantity(name);
      auto& orders = values[index(q.variable)];
      orders.resize(std::max<std::size_t>(orders.size(), q.order + 1), std::nan(""));
      orders[q.order] = value;
    }
    return values;
  }

  // True if there is a jump; otherwise `why`.
  bool from(const Named& before, const Named& prescribed = {}, double t = 0.0) {
    std::vector<double> parameters;
    for (const Parameter& parameter : reduced_->model->parameters) parameters.push_back(parameter.value);
    std::vector<PrescribedValue> set;
    for (const auto& [name, value] : prescribed) set.push_back({quantity(name), value});
    auto outcome = jump_(t, values(before), parameters, set);
    if (auto* found = std::get_if<Jumped>(&outcome)) {
      jumped = std::move(*found);
      why.clear();
      return true;
    }
    why = std::get<std::string>(outcome);
    return false;
  }

  double operator()(const std::string& name) const {
    const Quantity q = quantity(name);
    return jumped.values[index(q.variable)][q.order];
  }
  double impulse(const std::string& name) const {
    for (const Impulse& impulse : jumped.impulses)
      if (impulse.name == name) return impulse.size;
    return 0.0;
  }
  bool jumps(const std::string& name) const {
    return std::ranges::any_of(jumped.jumps, [&](const ChangeOfValue& change) { return change.name == name; });
  }

  Jumped jumped;
  std::string why;

 private:
  std::shared_ptr<const Reduced> reduced_;
  JumpIntoMode jump_;
};

}  // namespace driftless::samples
