#include "driftless/scoreboard/scoreboard.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "driftless/clock/processor_time.hpp"
#include "driftless/diagnostics/refusal.hpp"
#include "driftless/language/read.hpp"
#include "driftless/reproduce/shipped_model.hpp"

namespace driftless::scoreboard {
namespace {

// A smaller value, relative to its largest size during the run, has no relative accuracy.
constexpr double smallest_relative_size = 1e-3;
constexpr double most_digits = 16.0;

Model read_shipped(const std::string& name) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text(name + ".mo", std::string(*reproduce::shipped_model(name)), {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

// "stopped at t = 4.6: Newton's iteration does not converge": the time is given elsewhere.
std::string without_time(const std::string& message) {
  const std::size_t colon = message.starts_with("stopped at t = ") ? message.find(": ") : std::string::npos;
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

// Whether a run may go on. The clock starts with the first step; clock and progress are checked every few steps only.
class Patience {
 public:
  Patience(double seconds, std::function<bool()> wanted) : seconds_(seconds), wanted_(std::move(wanted)) {}

  bool lasts() {
    if (steps_++ % steps_per_look == 0) {
      const double now = processor_seconds();
      if (steps_ == 1) begin_ = now;
      too_long_ = now - begin_ > seconds_;
      unwanted_ = !wanted_();
    }
    return !too_long_ && !unwanted_;
  }
  bool too_long() const { return too_long_; }
  bool unwanted() const { return unwanted_; }

 private:
  static constexpr long steps_per_look = 16;
  double seconds_;
  std::function<bool()> wanted_;
  long steps_ = 0;
  bool too_long_ = false, unwanted_ = false;
  double begin_ = 0.0;
};

// The message about the end of a run, with its details, as the reason alone does not show where to look.
std::string explained(const Solution& solution) {
  std::string text = without_time(solution.message);
  for (const std::string& detail : solution.details) text += "; " + detail;
  return text;
}

// The last remark gives the choice, others the methods that took over later.
std::string choice_of(const Solution& solution) {
  if (solution.remarks.empty()) return solution.method;
  std::string text = solution.remarks.back();
  for (const std::string& remark : solution.remarks)
    if (const auto end = remark.find(", where "); remark.find(" takes over ") != std::string::npos)
      text += "; " + remark.substr(0, end);
  return text;
}

class ModelRuns {
 public:
  ModelRuns(const std::string& name, const BoardOptions& options)
      : options_(options), model_(std::make_shared<const Model>(read_shipped(name))), end_(*reference_end(name)) {
    const Analysis analysis = analyze(model_);
    sheet_.model = name;
    sheet_.start = model_->experiment.start;
    sheet_.stop = end_.stop;
    sheet_.degrees_of_freedom = analysis.shape.degrees_of_freedom;
    sheet_.reference = end_.source;
    sheet_.measured = measured_variables(analysis, end_);
    sheet_.condition =
        options.measure_condition ? measured_condition(*model_, end_) : std::max(1.0, end_.amplification);
  }

  // False if the user interrupts.
  bool run(const Method& method) {
    for (const double tolerance : options_.tolerances) {
      Entry entry{.method = to_string(method), .tolerance = tolerance};
      const bool go_on = try_once(method, entry);
      const bool applies = entry.applies();
      sheet_.entries.push_back(std::move(entry));
      if (!go_on) return false;
      if (!applies) break;
    }
    return true;
  }

  Sheet take() { return std::move(sheet_); }

 private:
  // With the default formulation, which a method may replace by its own.
  bool try_once(const Method& method, Entry& entry) {
    try {
      return run_once(method, entry);
    } catch (const ModelError& error) {
      entry.not_applicable = reason_of(error);
    }
    return true;
  }

  bool run_once(const Method& method, Entry& entry) {
    const double allowed = seconds_allowed(entry.tolerance);
    Patience patience(allowed, [&] { return !options_.progress || options_.progress(sheet_.model, entry.method); });
    SimulateOptions simulation;
    simulation.method = method;
    simulation.tolerance = entry.tolerance;
    simulation.stop = sheet_.stop;
    simulation.intervals = 1;
    simulation.dense = false;
    simulation.repeat_seconds = options_.repeat_seconds;
    simulation.count_work = true;
    if (backend_available(Backend::Llvm))
      simulation.backend = Backend::Llvm;  // measures the time of steps without that of making kernels
    simulation.progress = [&](double) { return patience.lasts(); };
    const Solution solution = simulate(*model_, simulation);
    take_result(solution, entry);
    if (patience.too_long() && solution.outcome == Outcome::Interrupted)
      entry.failure = allowed < options_.most_seconds
                          ? fmt::format("given up: {:g} times the best", options_.most_times_the_best)
                          : fmt::format("given up after {:.3g} s", allowed);
    if (entry.succeeded()) {
      const auto [best, is_first] = best_seconds_.try_emplace(entry.tolerance, entry.seconds);
      if (!is_first) best->second = std::min(best->second, entry.seconds);
    }
    return !patience.unwanted();
  }

  void take_result(const Solution& solution, Entry& entry) const {
    entry.formulation = solution.formulation;
    entry.projection = solution.projection;
    entry.begun_with = solution.method;
    entry.outcome = solution.outcome;
    entry.failure = explained(solution);
    entry.reached = solution.reached;
    entry.statistics = solution.statistics;
    entry.seconds = solution.statistics.seconds.integrate;
    if (entry.method == "auto") entry.chosen = choice_of(solution);
    if (solution.outcome != Outcome::Success) return;
    entry.digits = digits(solution, end_, sheet_.measured);
    entry.error = end_error(*model_, solution, end_);
  }

  double seconds_allowed(double tolerance) const {
    const auto best = best_seconds_.find(tolerance);
    if (best == best_seconds_.end()) return options_.most_seconds;
    return std::clamp(options_.most_times_the_best * best->second, options_.patience, options_.most_seconds);
  }

  const BoardOptions& options_;
  std::shared_ptr<const Model> model_;
  ReferenceEnd end_;
  Sheet sheet_;
  std::map<double, double> best_seconds_;  // by tolerance
};

}  // namespace

const std::vector<Method>& all_methods() {
  static const std::vector<Method> all = [] {
    std::vector<Method> methods;
    for (const char* name : {"bdf", "ida", "radau", "radau3", "radau5", "radau7", "explicit", "dopri5", "dop853",
                             "half-explicit5", "taylor", "auto"})
      methods.push_back(*parse_method(name));
    return methods;
  }();
  return all;
}

std::vector<std::string> all_models() {
  std::vector<std::string> names;
  for (const std::string_view name : reproduce::shipped_model_names())
    if (reference_text(name)) names.emplace_back(name);
  return names;
}

std::vector<std::string> unseen_models() {
  std::vector<std::string> names;
  for (const std::string_view name : reference_names())
    if (name.starts_with("unseen/")) names.emplace_back(name);
  return names;
}

// A repair differentiates more than the user wrote: so the variables are those of the model as written.
std::vector<std::string> measured_variables(const Analysis& analysis, const ReferenceEnd& end) {
  const Model& model = analysis.repair ? *analysis.repair->as_written : *analysis.model;
  const structure::Structure& shape = analysis.repair ? analysis.repair->shape_as_written : analysis.shape;
  std::vector<std::string> differential, all;
  for (const ReferenceEnd::Value& value : end.values) {
    const auto variable = std::ranges::find(model.variables, value.variable, &Variable::name);
    if (variable == model.variables.end()) continue;  // a derivative
    all.push_back(value.variable);
    if (shape.offsets.d[static_cast<std::size_t>(variable - model.variables.begin())] > 0)
      differential.push_back(value.variable);
  }
  return differential.empty() ? all : differential;
}

double digits(const Solution& solution, const ReferenceEnd& end, const std::vector<std::string>& measured) {
  double largest = 0.0;
  for (const ReferenceEnd::Value& exact : end.values) {
    if (std::ranges::find(measured, exact.variable) == measured.end()) continue;
    const double size = std::max(std::abs(exact.value), smallest_relative_size * exact.scale);
    if (size == 0.0) continue;
    const double error = std::abs(solution.final(exact.variable) - exact.value) / size;
    if (std::isnan(error)) return error;
    largest = std::max(largest, error);
  }
  return std::min(-std::log10(largest), most_digits);
}

Board run(const BoardOptions& options) {
  const std::vector<Method>& methods = options.methods.empty() ? all_methods() : options.methods;
  Board board;
  board.tolerances = options.tolerances;
  for (const Method& method : methods) board.methods.push_back(to_string(method));
  for (const std::string& name : options.models.empty() ? all_models() : options.models) {
    ModelRuns runs(name, options);
    board.interrupted = !std::ranges::all_of(methods, [&](const Method& method) { return runs.run(method); });
    board.sheets.push_back(runs.take());
    if (board.interrupted) break;
  }
  return board;
}

}  // namespace driftless::scoreboard
