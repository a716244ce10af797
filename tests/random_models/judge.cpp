#include "tests/random_models/judge.hpp"

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include <fmt/format.h>

#include "driftless/language/read.hpp"

namespace driftless::random_models {
namespace {

// A delivered point solves an equation if moving every variable by ten tolerances would reach it.
constexpr double residual_bound = 10.0;
// Of the global error, besides the condition of the model.
constexpr double error_bound = 1000.0;
constexpr double start_bound = 1e-12;
constexpr long double rounding = 1e-13L;

Model read(const RandomModel& random) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  std::optional<Model> model = read_model_text("random.mo", random.text(), {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

std::string column_name(const RandomModel& model, int index, int order) {
  std::string name = model.variables[static_cast<std::size_t>(index)].name;
  for (int k = 0; k < order; ++k) name = fmt::format("der({})", name);
  return name;
}

class Judge {
 public:
  Judge(const RandomModel& model, const Solution& solution, double tolerance)
      : model_(model), solution_(solution), tolerance_(tolerance) {}

  void see_rows(Verdict& verdict) {
    for (row_ = 0; row_ < solution_.times.size(); ++row_) {
      see_equations(verdict);
      see_solution(verdict);
    }
    row_ = 0;
    if (!solution_.times.empty()) see_start(verdict);
  }

 private:
  long double value(int index, int order) const {
    const auto column = solution_.find(column_name(model_, index, order));
    // A derivative that is not delivered cannot be judged: the equation that contains it is left out.
    return column ? static_cast<long double>(solution_.value(row_, *column)) : std::nanl("");
  }

  // An event has two rows, one for each side. They are compared with the equations of their side: relations of time are
  // evaluated that little before or behind the instant that rounding cannot confuse them.
  long double time() const {
    const long double t = solution_.times[row_], shift = 1e-14L * std::max(1.0L, std::abs(t));
    if (row_ > 0 && t - solution_.times[row_ - 1] < shift) return t + shift;
    if (row_ + 1 < solution_.times.size() && solution_.times[row_ + 1] - t < shift) return t - shift;
    return t;
  }

  bool delivered(const Expression& e) const {
    if (e.kind() == Kind::Variable) return solution_.find(column_name(model_, e.index(), e.order())).has_value();
    return std::ranges::all_of(e.children(), [&](const Expression& child) { return delivered(child); });
  }

  void see_equations(Verdict& verdict) const {
    const auto lookup = [&](int index, int order) { return value(index, order); };
    for (std::size_t k = 0; k < model_.equations.size(); ++k) {
      const auto& [left, right] = model_.equations[k];
      if (!delivered(left) || !delivered(right)) continue;
      const Value l = evaluate(left, time(), lookup), r = evaluate(right, time(), lookup);
      const long double allowed = tolerance_ * (l.size + r.size) + rounding * (l.magnitude + r.magnitude);
      see(verdict, verdict.residual, static_cast<double>(std::abs(l.value - r.value) / allowed),
          fmt::format("line {}", model_.line_of(static_cast<int>(k))));
    }
  }

  void see_solution(Verdict& verdict) const {
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      const RandomVariable& v = model_.variables[i];
      if (!v.solution) continue;
      const long double exact = evaluate_at(*v.solution, time());
      see(verdict, verdict.error,
          static_cast<double>(std::abs(value(static_cast<int>(i), 0) - exact) /
                              ((std::abs(exact) + 1.0L) * tolerance_)),
          v.name);
    }
  }

  void see_start(Verdict& verdict) const {
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      const RandomVariable& v = model_.variables[i];
      if (!v.expected_start) continue;
      const double found = static_cast<double>(value(static_cast<int>(i), 0));
      see(verdict, verdict.start, std::abs(found - *v.expected_start) / (std::abs(*v.expected_start) + 1.0), v.name);
    }
  }

  void see(Verdict& verdict, double& largest, double candidate, const std::string& what) const {
    if (!(candidate <= largest)) {  // NaN is the largest of all
      if (std::isnan(largest)) return;
      largest = candidate;
      verdict.worst += fmt::format("{}{} {:.3g} at t = {:g}", verdict.worst.empty() ? "" : "; ", what, candidate,
                                   solution_.times[row_]);
      if (verdict.worst.size() > 300) verdict.worst = verdict.worst.substr(verdict.worst.rfind("; ") + 2);
    }
  }

  const RandomModel& model_;
  const Solution& solution_;
  double tolerance_;
  std::size_t row_ = 0;
};

std::set<int> lines_named_in(const std::string& text) {
  static const std::regex line("(?:line |random\\.mo:)([0-9]+)");
  std::set<int> lines;
  for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) lines.insert(std::stoi((*at)[1]));
  return lines;
}

// A refusal speaks of the equations that are to blame, and of no others.
std::string wrong_blame(const RandomModel& model, const std::string& refusal) {
  if (model.culprits.empty()) return {};
  std::set<int> guilty;
  for (const int equation : model.culprits) guilty.insert(model.line_of(equation));
  const std::set<int> named = lines_named_in(refusal);
  if (named.empty()) return "no equation is named: " + refusal;
  for (const int line : named)
    if (!guilty.contains(line)) return fmt::format("line {} is blamed wrongly: {}", line, refusal);
  return {};
}

}  // namespace

Verdict judge(const RandomModel& model, const SimulateOptions& options) {
  Verdict verdict;
  try {
    const Solution solution = simulate(read(model), options);
    verdict.success = solution.outcome == Outcome::Success;
    if (!verdict.success) {
      verdict.refusal = solution.message;
      for (const std::string& detail : solution.details) verdict.refusal += "; " + detail;
      return verdict;
    }
    Judge(model, solution, options.tolerance).see_rows(verdict);
  } catch (const ModelError& error) {
    verdict.refusal = error.what();
  }
  return verdict;
}

std::string falsehood(const RandomModel& model, const Verdict& verdict) {
  if (!verdict.success)
    return model.expected == Expected::Success ? "a right model is refused: " + verdict.refusal
                                               : wrong_blame(model, verdict.refusal);
  if (model.expected == Expected::NoSuccess) return "success without a (unique) solution";
  if (!(verdict.start <= start_bound)) return fmt::format("start moved by {:.3g} ({})", verdict.start, verdict.worst);
  if (!(verdict.residual <= residual_bound))
    return fmt::format("residual of {:.3g} tolerances ({})", verdict.residual, verdict.worst);
  if (!(verdict.error <= error_bound * model.condition))
    return fmt::format("error of {:.3g} tolerances ({})", verdict.error, verdict.worst);
  return {};
}

}  // namespace driftless::random_models
