// A model of models/hybrid, run by one method.
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "driftless/language/read.hpp"
#include "driftless/model/builder.hpp"
#include "driftless/simulation.hpp"

namespace driftless {

inline Solution run_shipped(const std::string& name, const std::string& method, double tolerance = 1e-12) {
  SimulateOptions options;
  options.method = *parse_method(method);
  options.tolerance = tolerance;
  return simulate(read_model_file(std::string(DRIFTLESS_SOURCE_DIR "/models/hybrid/") + name + ".mo"), options);
}

inline double value(const Solution& s, std::size_t row, const char* name) { return s.value(row, *s.find(name)); }

// Times of events at which a discrete variable changes.
inline std::vector<double> changes(const Solution& s, const std::string& variable) {
  std::vector<double> times;
  for (const Event& event : s.events)
    for (const ChangeOfValue& change : event.discrete)
      if (change.name == variable) times.push_back(event.time);
  return times;
}

// Of a continuous function with one change of sign in between.
template <class Function>
long double root_between(long double low, long double high, Function f) {
  const bool rises = f(low) < 0.0L;
  for (int k = 0; k < 200; ++k) {
    const long double middle = (low + high) / 2.0L;
    ((f(middle) < 0.0L) == rises ? low : high) = middle;
  }
  return low;
}

// Methods that choose their steps.
class ByMethod : public testing::TestWithParam<const char*> {};

}  // namespace driftless
