#include "driftless/examine.hpp"

#include "driftless/integrate/solve/guarded_guess.hpp"

namespace driftless {

StartReport examine_start(const Analysis& known, std::optional<double> t) {
  const Analysis analysis = growable(known);
  Diagnostics diagnostics;
  StartReport report =
      report_start(*analysis.base, t.value_or(analysis.model->experiment.start), diagnostics, guarded_guess);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *analysis.model->sources);
  return report;
}

}  // namespace driftless
