#include "driftless/integrate/run/integrate.hpp"

#include <limits>

#include "driftless/integrate/run/run.hpp"

namespace driftless {

void integrate(std::shared_ptr<System> system, const State& start, const IntegrateOptions& options,
               Solution& solution) {
  Run run(std::move(system), start, options, solution);
  run.go_to(std::numeric_limits<double>::infinity());
  run.finish();
}

}  // namespace driftless
