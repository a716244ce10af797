// Derivatives of a run with respect to parameters and starts of variables: of all variables at all output points, and
// of the times of events (docs/sensitivities.md).
//
//   const Compiled compiled = compile(model);
//   const SensitiveSolution solution = simulate(compiled, {.stop = 2.0}, {"L", "x"});
//   solution.column("d(lambda)/d(L)"), solution.event_times[0].slopes[0]
//
// They are computed after the run: its trajectory is given, and the linear equations that its derivatives satisfy along
// it, including hidden constraints, are solved with the tolerance of the run. If a derivative does not exist or cannot
// be computed, ModelError says why.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driftless/compiled.hpp"

namespace driftless {

// "d(x)/d(L)": the name of the column.
std::string sensitivity_name(const std::string& variable, const std::string& parameter);

// The derivatives of the time of an event by the requested names.
struct EventTimeSensitivity {
  double time = 0.0;
  std::vector<std::string> causes;
  std::vector<double> slopes;
};

struct SensitiveSolution : Solution {  // with a column d(x)/d(p) for every variable and derivative x and every name p
  std::vector<std::string> sensitivities;         // the names
  std::vector<EventTimeSensitivity> event_times;  // of `events`, in their order
};

// For many runs of one compiled model, with respect to the same names: expressions and kernels are made once. One
// object serves one thread.
class Sensitivities {
 public:
  // Throws ModelError for a name that is neither a parameter nor a variable of the model.
  Sensitivities(const Compiled& compiled, std::vector<std::string> names);
  ~Sensitivities();
  Sensitivities(Sensitivities&&) noexcept;
  Sensitivities& operator=(Sensitivities&&) noexcept;

  const std::vector<std::string>& names() const;

  // As simulate(compiled, inputs). A run without a start has no sensitivities. Throws ModelError if there are none for
  // another reason.
  SensitiveSolution run(const RunInputs& inputs = {});

  struct Parts;

 private:
  std::unique_ptr<Parts> parts_;
};

SensitiveSolution simulate(const Compiled& compiled, const RunInputs& inputs, const std::vector<std::string>& names);

// The summary of a run (solution/write_json.hpp) with the sensitivities of the times of its events.
std::string to_json(const SensitiveSolution& solution);
// A table of the first of them, for people; empty if there are no events.
std::string event_times_text(const SensitiveSolution& solution);

}  // namespace driftless
