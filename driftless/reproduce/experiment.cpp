#include "driftless/reproduce/experiment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "driftless/integrate/steppers/ida/ida.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reproduce/shipped_model.hpp"

namespace driftless::reproduce {
namespace {

Model read(const Setup& setup) {
  const auto text = shipped_model(setup.model);
  if (!text) throw std::invalid_argument("no model " + setup.model);
  ReadOptions options;
  for (const auto& [name, value] : setup.parameters) options.overrides.emplace_back(name, fmt::format("{}", value));
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text(setup.model + ".mo", std::string(*text), options, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

template <class T>
T parsed(std::optional<T> (*parse)(const std::string& text), const std::string& text) {
  if (auto value = parse(text)) return std::move(*value);
  throw std::invalid_argument("'" + text + "' is not known");
}

// In a build without IDA our own BDF is used instead.
std::string method_of(const Setup& setup) { return setup.method == "ida" && !ida_available() ? "bdf" : setup.method; }

Solution failed(const std::string& reason) {
  Solution solution;
  solution.outcome = Outcome::InitializationFailed;
  solution.message = reason;
  return solution;
}

std::string first_error(const ModelError& error) {
  const auto& all = error.diagnostics().all();
  const auto first = std::ranges::find(all, Severity::Error, &Diagnostic::severity);
  return first == all.end() ? error.what() : first->message;
}

}  // namespace

std::string command(const Setup& setup) {
  std::string text = fmt::format("driftless run models/{}.mo", setup.model);
  for (std::size_t k = 0; k < setup.parameters.size(); ++k)
    text +=
        fmt::format("{}{}={}", k == 0 ? " --override " : ",", setup.parameters[k].first, setup.parameters[k].second);
  if (setup.formulation != "dummy") text += " --formulation " + setup.formulation;
  if (const std::string method = method_of(setup); method != "bdf") text += " --method " + method;
  if (setup.projection != "none") text += " --projection " + setup.projection;
  if (setup.step) text += fmt::format(" --step {}", *setup.step);
  if (setup.tolerance) text += fmt::format(" --tol {:.6g}", *setup.tolerance);
  for (std::size_t k = 0; k < setup.tolerances.size(); ++k)
    text +=
        fmt::format("{}{}={:.6g}", k == 0 ? " --tol-of " : ",", setup.tolerances[k].first, setup.tolerances[k].second);
  if (setup.stop) text += fmt::format(" --stop {}", *setup.stop);
  if (setup.pivot == PivotMode::Restart) text += " --pivot restart";
  if (setup.pivot == PivotMode::Never) text += " --pivot never";
  if (setup.newton == NewtonTest::One) text += " --newton one";
  if (setup.newton == NewtonTest::Dassl && method_of(setup) == "ida") text += " --newton dassl";
  if (setup.jacobian == Derivatives::Differences) text += " --jacobian differences";
  return text;
}

const Solution& Runner::run(const Setup& setup) {
  const std::string name = fmt::format("{} --intervals {}", command(setup), setup.intervals);
  const auto known = known_.find(name);
  if (known != known_.end()) return known->second;

  Solution solution;
  try {
    SimulateOptions options;
    options.formulation = parsed(parse_formulation, setup.formulation);
    options.method = parsed(parse_method, method_of(setup));
    options.projection = parsed(parse_projection, setup.projection);
    options.step = setup.step;
    if (setup.tolerance) options.tolerance = *setup.tolerance;
    options.stop = setup.stop;
    options.intervals = setup.intervals;
    options.pivot = setup.pivot;
    options.newton = setup.newton;
    options.tolerances = setup.tolerances;
    options.jacobian = setup.jacobian;
    options.dense = false;
    Model model = read(setup);
    const double start = model.experiment.start, stop = setup.stop.value_or(model.experiment.stop);
    if (progress_) options.progress = [&](double t) { return progress_(setup.model, (t - start) / (stop - start)); };
    solution = simulate(std::move(model), options);
    if (solution.outcome == Outcome::Interrupted) throw Interrupted{};
  } catch (const ModelError& error) {
    solution = failed(first_error(error));
  } catch (const std::invalid_argument& error) {
    solution = failed(error.what());
  }
  return known_.emplace(name, std::move(solution)).first->second;
}

Table measure(const TablePlan& plan, Runner& runner) {
  Table table{plan.title, plan.label_heads, {}, {}, plan.notes};
  for (const ColumnPlan& column : plan.columns) table.heads.push_back(column.head);
  for (const RowPlan& row : plan.rows) {
    const Solution& solution = runner.run(row.setup);
    Row& measured = table.rows.emplace_back(Row{row.labels, {}, {}});
    const bool succeeded = reached_end(solution.outcome);
    if (!succeeded) measured.failure = solution.message;
    for (std::size_t k = 0; k < plan.columns.size(); ++k) {
      const Expected expected = k < row.cells.size() ? row.cells[k] : Expected{};
      Cell cell{expected.printed, expected.recomputed, {}, expected.rule.value_or(plan.columns[k].rule), expected.note};
      if (!cell.printed.empty() || cell.recomputed)
        cell.ours = succeeded ? plan.columns[k].measure(solution) : std::numeric_limits<double>::quiet_NaN();
      measured.cells.push_back(std::move(cell));
    }
  }
  return table;
}

Score Report::score() const {
  Score sum;
  for (const Table& table : tables) sum += reproduce::score(table);
  for (const Statement& statement : statements) ++(statement.holds ? sum.agree : sum.differ);
  return sum;
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = [] {
    std::vector<Experiment> list;
    for (auto document : {ascher_petzold, fuehrer_leimkuhler, hairer_wanner, mattsson_soederlind, lecture_notes})
      for (Experiment& experiment : document()) list.push_back(std::move(experiment));
    return list;
  }();
  return all;
}

Selected select(const std::vector<std::string>& words) {
  Selected selected;
  std::vector<bool> chosen(experiments().size(), words.empty());
  for (const std::string& word : words) {
    bool any = false;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (experiments()[k].name.starts_with(word)) chosen[k] = any = true;
    if (!any && selected.unknown.empty()) selected.unknown = word;
  }
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) selected.experiments.push_back(&experiments()[k]);
  return selected;
}

}  // namespace driftless::reproduce
