// The BDF code IDA of SUNDIALS: variable order 1 to 5, fixed leading coefficient.
#pragma once

#include <memory>

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/stepper.hpp"

namespace driftless {

// When Newton's iteration is accepted. Two: the first correction is never accepted, as in the codes of 1990; it keeps
// the iteration error out of the error test, which index-reduced systems need at sharp tolerances. One: as codes do
// today.
enum class NewtonTest { One, Two };

struct IdaSettings {
  double tolerance = 1e-6;
  double stop = 1.0;
  NewtonTest newton = NewtonTest::Two;
  int max_order = 5;
  double first_step = 0.0;  // 0: automatic
};

std::unique_ptr<Stepper> make_ida(Problem& problem, const State& start, const IdaSettings& settings);

}  // namespace driftless
