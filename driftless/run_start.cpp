#include "driftless/run_start.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "driftless/array/find_index.hpp"
#include "driftless/integrate/run/changed_point.hpp"
#include "driftless/integrate/solve/guarded_guess.hpp"
#include "driftless/integrate/steppers/grid.hpp"
#include "driftless/model/drive.hpp"
#include "driftless/reduce/explain.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse_to_set(const std::string& reason, const Model& model) {
  Diagnostics diagnostics;
  diagnostics.error(Code::WrongChange, {}, reason);
  throw ModelError(diagnostics, *model.sources);
}

[[noreturn]] void refuse_hidden_singularity(const Analysis& analysis) {
  Diagnostics diagnostics;
  const std::shared_ptr<const Model> model = growable(analysis.model);
  explain_hidden_singularity(*model, analysis.shape, *analysis.hidden, diagnostics, advice_to_use_array(model));
  throw ModelError(diagnostics, *analysis.model->sources);
}

bool is_original(const Formulation& formulation) { return std::holds_alternative<formulation::Original>(formulation); }

bool is_of_index_one(const State& start) { return start.degrees_of_freedom >= 0 && start.index_one; }

}  // namespace

void refuse_unless_index_one(const Analysis& analysis, const State& start) {
  if (!is_of_index_one(start) && !is_original(analysis.formulation)) refuse_hidden_singularity(analysis);
}

std::variant<State, NoConsistentStart> start_of(const PreparedRun& prepared,
                                                const std::shared_ptr<const Model>& numbers, double t,
                                                Diagnostics& diagnostics) {
  const Analysis& analysis = prepared.analysis;
  const choose::Findings& findings = analysis.findings;
  if (!numbers && findings.start && findings.start->t == t && findings.started == analysis.base) return *findings.start;
  const std::shared_ptr<const Model>& model = numbers ? numbers : analysis.model;
  if (analysis.array) return start_on(*analysis.array, *model, t);
  if (auto state = prepared.start_equations().find(*model, t)) return std::move(*state);
  Reduced base = *analysis.base;
  base.model = growable(model);
  return initialize(base, t, diagnostics, guarded_guess);
}

void explain_missing_start(const Analysis& analysis, const NoConsistentStart& why, Solution& solution) {
  if (analysis.hidden && find_dependence(*growable(analysis.model), analysis.shape, *analysis.hidden).kind ==
                             HiddenDependence::Kind::Contradictory)  // no start value is the cause
    refuse_hidden_singularity(analysis);
  solution.outcome = Outcome::InitializationFailed;
  solution.code = why.code;
  solution.message = why.message;
  solution.details = why.details;
}

void describe_start(const Analysis& analysis, const SimulateOptions& options, const Model& numbers, const State& start,
                    Solution& solution) {
  solution.remarks = start.remarks;
  if (!analysis.model->final_equations.empty())
    solution.remarks.push_back(
        "a run integrates from the start and does not impose the final equations of the model: driftless solve-bvp "
        "does, in C++ and Python solve_boundary");
  for (std::string& remark : remarks_on_inputs(numbers, solution.start, solution.stop))
    solution.remarks.push_back(std::move(remark));
  if (analysis.repair)
    for (const std::string& step : analysis.repair->steps) solution.remarks.push_back(step);
  if (options.step)
    if (const Grid grid(solution.start, solution.stop, *options.step); !grid.divides())
      solution.remarks.push_back(
          fmt::format("the step size {} does not divide the interval: the last of {} steps is shorter", *options.step,
                      grid.steps()));
  if (analysis.hidden) {
    refuse_unless_index_one(analysis, start);
    const bool index_one = is_of_index_one(start);
    solution.remarks.push_back(fmt::format(
        "the structure promises {} states, but the equations leave only {}; integrated as F(t, y, y') = 0 of index {}",
        analysis.shape.degrees_of_freedom, std::max(start.degrees_of_freedom, 0),
        index_one ? "1" : "above 1, where no method is safe"));
    solution.structure.degrees_of_freedom = start.degrees_of_freedom;
    solution.structure.structural_index = std::max(1, solution.structure.structural_index);
  }
  if (analysis.misleading)
    solution.remarks.push_back(fmt::format(
        "the structure promises {} states, the ranks of the equations leave {}, and no combination of equations "
        "repairs it: integrated as --formulation derivative-array (docs/derivative-array.md)",
        analysis.promised_states, analysis.array_index->degrees_of_freedom));
  if (analysis.array) solution.remarks.push_back(to_string(*analysis.array_index));
}

State changed_state(const PreparedRun& prepared, const std::shared_ptr<const Model>& numbers,
                    std::vector<double> parameters, const KnownQuantities& known, double t,
                    const NamedValues& variables) {
  const Analysis& analysis = prepared.analysis;
  const bool is_base = &prepared.system->reduced() == analysis.base.get();
  System base(
      is_base ? prepared.system : std::make_shared<const CompiledSystem>(growable(analysis.base), Backend::Interpreter),
      is_base ? numbers : nullptr, parameters);
  const auto value_of = [&](Quantity q) {
    const auto place = std::ranges::lower_bound(known.quantities, q);
    return place != known.quantities.end() && *place == q
               ? known.values[static_cast<std::size_t>(place - known.quantities.begin())]
               : 0.0;
  };
  const std::vector<Slot>& slots = base.reduced().slots;
  std::vector<double> y(slots.size()), yp(slots.size());
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const Quantity q = slots[s].quantity;
    y[s] = value_of(q), yp[s] = value_of({q.variable, q.order + 1});
  }
  std::vector<int> set;
  for (const auto& [name, value] : variables) {
    const auto slot = slot_to_set(base.reduced(), name);
    if (const auto* reason = std::get_if<std::string>(&slot)) refuse_to_set(*reason, *numbers);
    set.push_back(std::get<int>(slot));
    y[static_cast<std::size_t>(set.back())] = value;
  }
  auto point = changed_point(base, t, std::move(y), std::move(yp), set);
  if (const auto* reason = std::get_if<std::string>(&point)) refuse_to_set(*reason, *numbers);
  State state = std::get<State>(std::move(point));
  state.parameters = std::move(parameters);
  return state;
}

}  // namespace driftless
