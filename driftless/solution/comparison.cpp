#include "driftless/solution/comparison.hpp"

#include <fmt/format.h>

#include <cmath>

namespace driftless {

Varying varying(const Comparison& comparison) {
  Varying result;
  const ComparedRun* first = nullptr;
  for (const ComparedRun& run : comparison.runs) {
    if (!run.applies()) continue;
    if (!first) first = &run;
    result.formulation |= run.formulation != first->formulation;
    result.method |= run.method != first->method;
    result.projection |= run.projection != first->projection;
  }
  return result;
}

std::string name_of(const ComparedRun& run, const Varying& varying) {
  std::string name;
  const auto add = [&](bool varies, const std::string& part) {
    if (varies) name += (name.empty() ? "" : ", ") + part;
  };
  add(varying.formulation || (!varying.method && !varying.projection), run.formulation);
  add(varying.method, run.method);
  add(varying.projection, run.projection);
  return name;
}

std::string tolerance_text(double tolerance) {
  const double exponent = std::floor(std::log10(tolerance) + 1e-9);
  return fmt::format("{:.3g}e{}", tolerance / std::pow(10.0, exponent), exponent);
}

std::string setting_text(const ComparedRun& run) {
  return run.step ? fmt::format("step {:g}", *run.step) : "tolerance " + tolerance_text(run.tolerance);
}

}  // namespace driftless
