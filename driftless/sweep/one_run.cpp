#include "driftless/sweep/one_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"

namespace driftless::sweep {
namespace {

[[noreturn]] void refuse(const Model& model, std::string message) {
  Diagnostics diagnostics;
  diagnostics.error(Code::UnknownName, {}, std::move(message));
  throw ModelError(diagnostics, *model.sources);
}

// The message of a diagnostic or a failure as one line.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

}  // namespace

OneRun::OneRun(const Compiled& compiled, const Plan& plan, const Options& options, std::function<bool()> goes_on)
    : compiled_(compiled),
      plan_(plan),
      options_(options),
      goes_on_(std::move(goes_on)),
      kept_(kept(compiled.model(), options.keep)),
      followed_(followed(compiled, options)) {
  const std::vector<Parameter>& parameters = compiled.model().parameters;
  for (const Variation& variation : plan.variations()) {
    is_parameter_.push_back(std::ranges::any_of(parameters, [&](const Parameter& parameter) {
      return parameter.role == Parameter::Role::Given && parameter.name == variation.name;
    }));
    if (!is_parameter_.back()) check_variable(variation.name);
  }
}

void OneRun::check_variable(const std::string& name) const {
  const std::vector<Variable>& variables = compiled_.model().variables;
  if (std::ranges::find(variables, name, &Variable::name) != variables.end()) return;
  const auto& discrete = compiled_.model().discrete.variables;
  if (std::ranges::find(discrete, name, &DiscreteVariable::name) != discrete.end()) return;
  std::vector<std::string_view> known;
  for (const Parameter& parameter : compiled_.model().parameters)
    if (parameter.role == Parameter::Role::Given) known.push_back(parameter.name);
  for (const Variable& variable : variables) known.push_back(variable.name);
  refuse(compiled_.model(), fmt::format("{} has neither a parameter nor a variable '{}' that could vary{}",
                                        compiled_.model().name, name, did_you_mean(name, known)));
}

Row OneRun::operator()(std::size_t run) const {
  Row row;
  row.run = run;
  row.values = plan_.values(run);
  row.results.assign(kept_.size(), std::numeric_limits<double>::quiet_NaN());
  row.trajectory.assign(followed_.times.size() * followed_.names.size(), std::numeric_limits<double>::quiet_NaN());
  RunInputs inputs = options_.inputs;
  for (std::size_t k = 0; k < row.values.size(); ++k)
    (is_parameter_[k] ? inputs.parameters : inputs.starts).emplace_back(plan_.variations()[k].name, row.values[k]);
  inputs.dense = false;
  inputs.rows = {};
  inputs.progress = [this](double) { return goes_on_(); };
  try {
    const Solution solution = simulate(compiled_, inputs);
    row.outcome = to_code(solution.outcome);
    row.code = solution.code ? to_string(*solution.code) : "";
    row.reached = solution.reached;
    row.message = one_line(solution.message);
    if (row.succeeded()) keep(solution, row);
    follow(solution, row);
  } catch (const ModelError& error) {
    row.outcome = "refused";
    const auto& all = error.diagnostics().all();
    if (!all.empty()) {
      row.code = to_string(all.front().code);
      row.message = one_line(all.front().message);
    }
  }
  return row;
}

void OneRun::keep(const Solution& solution, Row& row) const {
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    if (!solution.find(kept_[k].name))
      refuse(compiled_.model(), fmt::format("{} has no result '{}'", solution.model, kept_[k].name));
    if (kept_[k].what == Kept::What::Final) {
      row.results[k] = solution.final(kept_[k].name);
      continue;
    }
    const std::vector<double> column = solution.column(kept_[k].name);
    if (column.empty()) continue;
    row.results[k] =
        kept_[k].what == Kept::What::Smallest ? *std::ranges::min_element(column) : *std::ranges::max_element(column);
  }
}

// Stores the trajectory as far as the run got. An event has several output points of one time, the last of which is
// used.
void OneRun::follow(const Solution& solution, Row& row) const {
  if (followed_.names.empty() || solution.times.empty()) return;
  const double tiny = 1e-9 * (followed_.times.back() - followed_.times.front());
  for (std::size_t j = 0; j < followed_.names.size(); ++j) {
    if (!solution.find(followed_.names[j]))
      refuse(compiled_.model(), fmt::format("{} has no result '{}'", solution.model, followed_.names[j]));
    const std::vector<double> column = solution.column(followed_.names[j]);
    std::size_t i = 0;
    for (std::size_t k = 0; k < followed_.times.size(); ++k) {
      const double t = followed_.times[k];
      while (i + 1 < column.size() && solution.times[i + 1] <= t + tiny) ++i;
      if (std::abs(solution.times[i] - t) <= tiny) row.trajectory[k * followed_.names.size() + j] = column[i];
    }
  }
}

}  // namespace driftless::sweep
