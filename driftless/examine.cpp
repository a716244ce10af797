#include "driftless/examine.hpp"

#include "driftless/initialize/initialize.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/run_start.hpp"

namespace driftless {

StartReport examine_start(const Analysis& known, std::optional<double> t) {
  const Analysis analysis = growable(known);
  const double begin = t.value_or(analysis.model->experiment.start);
  Diagnostics diagnostics;
  StartReport report = report_start(*analysis.base, begin, diagnostics, guarded_guess);
  if (report.found && analysis.hidden)
    if (const auto start = initialize(*analysis.base, begin, diagnostics, guarded_guess);
        const auto* state = std::get_if<State>(&start))
      refuse_unless_index_one(analysis, *state);
  if (diagnostics.has_errors()) throw ModelError(diagnostics, *analysis.model->sources);
  if (analysis.repair) report.notes = analysis.repair->steps;
  return report;
}

}  // namespace driftless
