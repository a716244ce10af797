#include "tests/random_models/random_model.hpp"

#include <cmath>

#include <fmt/format.h>

namespace driftless::random_models {

std::string RandomModel::text() const {
  std::vector<std::string> names;
  std::string text = "model " + name + "\n";
  for (const RandomVariable& v : variables) {
    names.push_back(v.name);
    std::string attributes;
    if (v.start) attributes = fmt::format("(start = {}{})", *v.start, v.fixed ? ", fixed = true" : "");
    text += "  Real " + v.name + attributes + ";\n";
  }
  text += "equation\n";
  for (const RandomEquation& e : equations)
    text += "  " + to_text(e.left, names) + " = " + to_text(e.right, names) + ";\n";
  return text + fmt::format("  annotation(experiment(StopTime = {}));\nend {};\n", stop, name);
}

int RandomModel::line_of(int equation) const { return static_cast<int>(variables.size()) + 3 + equation; }

int Chance::integer(int first, int last) {
  return first + static_cast<int>(unit() * static_cast<double>(last - first + 1));
}

double Chance::decimal(double first, double last) {
  return std::round(100.0 * (first + unit() * (last - first))) / 100.0;
}

Expression random_solution(Chance& chance) {
  const Expression t = Expression::time();
  Expression sum = chance.decimal(-1.0, 1.0);
  if (chance.yes(0.8))
    sum = sum + chance.decimal(0.2, 1.0) * call("sin", chance.decimal(0.5, 4.0) * t + chance.decimal(0.0, 3.0));
  if (chance.yes(0.4)) sum = sum + chance.decimal(-1.0, 1.0) * call("exp", -chance.decimal(0.2, 3.0) * t);
  if (chance.yes(0.3)) sum = sum + chance.decimal(-1.0, 1.0) * t;
  return sum;
}

RandomEquation around_solution(const Expression& left, const std::vector<RandomVariable>& variables) {
  std::vector<Expression> solution;
  for (const RandomVariable& v : variables) solution.push_back(v.solution.value_or(0.0));
  return {left, with_solution(left, solution)};
}

}  // namespace driftless::random_models
