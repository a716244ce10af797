// Models of models/library, read with the library and run.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "driftless/language/read.hpp"
#include "driftless/simulation.hpp"

namespace driftless::assembled {

inline Model read(const std::string& name) {
  ReadOptions options;
  options.libraries = {DRIFTLESS_SOURCE_DIR "/libraries"};
  return read_model_file(DRIFTLESS_SOURCE_DIR "/models/library/" + name + ".mo", options);
}

inline Solution run(const std::string& name, double tolerance = 1e-9) {
  SimulateOptions options;
  options.tolerance = tolerance;
  options.intervals = 200;
  const Solution solution = simulate(read(name), options);
  EXPECT_EQ(solution.outcome, Outcome::Success) << solution.message;
  return solution;
}

// Compares a variable at all times with a function of the time.
template <class Function>
void expect_course(const Solution& s, const std::string& variable, Function function, double tolerance) {
  const auto values = s.column(variable);
  for (std::size_t k = 0; k < s.times.size(); ++k)
    ASSERT_NEAR(values[k], function(s.times[k]), tolerance) << variable << " at " << s.times[k];
}

}  // namespace driftless::assembled
