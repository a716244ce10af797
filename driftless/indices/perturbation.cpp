#include "driftless/indices/perturbation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include <fmt/format.h>

#include "driftless/compiled.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/indices/perturbed_model.hpp"
#include "driftless/indices/power_law.hpp"
#include "driftless/reduce/generic_point.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_equations = 100;
constexpr std::array<double, 4> parts_of_experiment = {3e-2, 1e-3, 3e-5, 1e-6};  // lengths of the runs
constexpr std::array<double, 6> oscillations = {4, 8, 16, 32, 64, 128};          // in that time
constexpr std::size_t fitted = 4;                                                // of the highest frequencies
constexpr std::array<double, 7> amplitudes = {0.3, 0.03, 3e-3, 3e-4, 3e-5, 3e-6, 3e-7};
// The amplitude with p > 1, relative to the constant part: then its square is small compared to their product.
constexpr double small_wave = 0.1;
constexpr int output_intervals = 1999;  // prime, so that no two oscillations are aliased
constexpr double error_of_run = 30.0;   // deviations must be this many times larger
constexpr long most_steps = 40'000;     // of a run
constexpr double most_work = 6e7;       // of all runs: evaluations times equations

struct Unknown {
  std::string name;
  double size;
};

// The unknowns of the first order form: x, and der(x) if der(der(x)) occurs.
std::vector<Unknown> unknowns_of(const Model& model, double time_scale) {
  std::vector<int> orders(model.variables.size(), 1);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual)) {
      const Node& node = (*model.pool)[leaf];
      orders[node.a] = std::max(orders[node.a], static_cast<int>(node.b));
    }
  std::vector<Unknown> result;
  for (std::size_t j = 0; j < orders.size(); ++j)
    for (int k = 0; k < orders[j]; ++k)
      result.push_back({derivative_name(model.variables[j].name, k),
                        size_of(model.variables[j]) / std::pow(time_scale, static_cast<double>(k))});
  return result;
}

bool all_are_differentiated(const Model& model) {
  std::vector<bool> differentiated(model.variables.size(), false);
  for (const Equation& equation : model.equations)
    for (const NodeId leaf : variables_of(*model.pool, equation.residual))
      if ((*model.pool)[leaf].b > 0) differentiated[(*model.pool)[leaf].a] = true;
  return std::ranges::all_of(differentiated, std::identity{});
}

double largest_difference(const Solution& a, const Solution& b, const std::string& name) {
  const auto in_a = a.find(name), in_b = b.find(name);
  double largest = 0.0;
  if (in_a && in_b)
    for (std::size_t row = 0; row < std::min(a.times.size(), b.times.size()); ++row)
      largest = std::max(largest, std::abs(a.value(row, *in_a) - b.value(row, *in_b)));
  return largest;
}

// The joint result of the deviations of all unknowns.
enum class Finding { Falls, Bounded, Grows, Undecided };

struct Sweep {
  FrequencySweep shown;  // of the unknown that decides
  Finding finding = Finding::Undecided;
};

// The decisive unknown among those that behave alike.
struct Decisive {
  std::size_t unknown;
  double weight;  // its deviation at the highest frequency, in units of its size
  PowerLaw law;
};

class Probe {
 public:
  Probe(const std::shared_ptr<const Model>& model, double duration, bool free_starts, double& work)
      : start_(model->experiment.start),
        duration_(duration),
        work_(work),
        all_differentiated_(all_are_differentiated(*model)),
        unknowns_(unknowns_of(*model, duration)),
        perturbed_(perturbed_model(model, duration, free_starts)),
        compiled_(compile(perturbed_.model, {.start = start_,
                                             .stop = start_ + duration_,
                                             .intervals = output_intervals,
                                             .max_steps = most_steps,
                                             .dense = false})) {}

  // The sweep with the largest amplitude for which all runs succeed and the deviations decide. With a larger p the
  // disturbances are smaller: runs that succeeded with the amplitude `at_least` succeed again, and a smaller amplitude
  // could miss a response to disturbances of that amplitude. For the same reason, deviations that seemed to grow with a
  // larger amplitude are not called bounded with a smaller one. Nothing if no runs succeed.
  std::optional<Sweep> sweep(int p, double at_least) {
    std::optional<Sweep> last;
    bool seemed_to_grow = false;
    for (const double amplitude : amplitudes) {
      if (amplitude < at_least) break;
      auto found = run_all(p, amplitude);
      if (!found) continue;
      last = std::move(found);
      if (seemed_to_grow && last->finding != Finding::Grows) last->finding = Finding::Undecided;
      if (last->finding != Finding::Undecided) break;
      seemed_to_grow |= !is_bounded({last->shown.exponent, 0.0});
    }
    return last;
  }

  const std::string& failure() const { return failure_; }

 private:
  std::optional<Sweep> run_all(int p, double amplitude) {
    const double tolerance = std::clamp(1e-6 * amplitude, 1e-11, 1e-8);
    const auto reference = run(amplitude, 0.0, frequency(0), tolerance);
    if (!reference) return {};
    Sweep result;
    result.shown.p = p;
    result.shown.amplitude = amplitude;
    std::vector<std::vector<double>> deviations(unknowns_.size());
    std::vector<double> errors;
    for (std::size_t k = oscillations.size(); k-- > 0;) {  // runs fail first at the highest frequency
      const double wave = (p == 1 ? 1.0 : small_wave) * amplitude * std::pow(oscillations[0] / oscillations[k], p - 1);
      const auto solution = run(amplitude, wave, frequency(k), tolerance);
      if (!solution) return {};
      for (std::size_t j = 0; j < unknowns_.size(); ++j)
        deviations[j].insert(deviations[j].begin(), largest_difference(*solution, *reference, unknowns_[j].name));
      result.shown.frequencies.insert(result.shown.frequencies.begin(), frequency(k));
      if (!errors.empty()) continue;
      const auto rougher = run(amplitude, wave, frequency(k), 10.0 * tolerance);
      if (!rougher) return {};
      for (const Unknown& unknown : unknowns_) errors.push_back(largest_difference(*solution, *rougher, unknown.name));
    }
    decide(result, deviations, errors);
    return result;
  }

  // An unknown that grows decides, of several the one that deviates most. Otherwise one that follows no power, or has
  // an exponent in between, leaves the question undecided.
  void decide(Sweep& sweep, const std::vector<std::vector<double>>& deviations,
              const std::vector<double>& errors) const {
    std::array<std::optional<Decisive>, 4> strongest;
    for (std::size_t j = 0; j < deviations.size(); ++j) {
      if (std::ranges::min(deviations[j]) <= error_of_run * errors[j]) continue;
      const PowerLaw law = fit_power_law(sweep.shown.frequencies, deviations[j], fitted);
      Growth growth = growth_of(law);
      if (growth == Growth::Undecided && sweep.shown.p > 1 && is_bounded(law)) growth = Growth::Falls;
      auto& known = strongest[static_cast<std::size_t>(growth)];
      const double weight = deviations[j].back() / unknowns_[j].size;
      if (!known || weight > known->weight) known = Decisive{j, weight, law};
    }
    for (const auto& [growth, finding] :
         {std::pair(Growth::Grows, Finding::Grows), std::pair(Growth::Undecided, Finding::Undecided),
          std::pair(Growth::Constant, Finding::Bounded), std::pair(Growth::Falls, Finding::Falls)})
      if (const auto& one = strongest[static_cast<std::size_t>(growth)]) {
        sweep.finding = finding;
        if (finding == Finding::Falls && sweep.shown.p > 1) sweep.finding = Finding::Bounded;
        if (sweep.finding == Finding::Falls && !all_differentiated_) sweep.finding = Finding::Undecided;
        sweep.shown.variable = unknowns_[one->unknown].name;
        sweep.shown.deviations = deviations[one->unknown];
        sweep.shown.exponent = one->law.exponent;
        sweep.shown.misfit = one->law.misfit;
        return;
      }
  }

  double frequency(std::size_t k) const { return 2.0 * std::numbers::pi * oscillations[k] / duration_; }

  std::optional<Solution> run(double offset, double amplitude, double frequency, double tolerance) {
    if (work_ > most_work) {
      failure_ = "disturbed runs take too many steps";
      return {};
    }
    RunInputs inputs;
    inputs.parameters = {
        {perturbed_.offset, offset}, {perturbed_.amplitude, amplitude}, {perturbed_.frequency, frequency}};
    inputs.tolerance = tolerance;
    inputs.max_step = std::numbers::pi / (4.0 * frequency);
    Solution solution = simulate(compiled_, inputs);
    work_ += static_cast<double>(solution.statistics.residual_evaluations + solution.statistics.steps) *
             static_cast<double>(perturbed_.model->equations.size());
    if (solution.outcome == Outcome::Success) return solution;
    failure_ = fmt::format("no disturbed run succeeds: {}", solution.message);
    return {};
  }

  double start_, duration_;
  double& work_;  // done so far
  // Otherwise some deviation is as large as its disturbance: if all observed ones fall, another one is still too small.
  bool all_differentiated_;
  std::vector<Unknown> unknowns_;
  PerturbedModel perturbed_;
  Compiled compiled_;
  std::string failure_;
};

PerturbationProbe probed(Probe& probe, int at_most) {
  PerturbationProbe result;
  for (int p = 1; p <= at_most; ++p) {
    auto sweep = probe.sweep(p, result.sweeps.empty() ? 0.0 : result.sweeps.back().amplitude);
    if (!sweep || sweep->shown.variable.empty()) {
      result.reason = sweep ? "no deviation is larger than the errors of the runs" : probe.failure();
      return result;
    }
    result.sweeps.push_back(std::move(sweep->shown));
    if (sweep->finding == Finding::Undecided) {
      result.reason = "the deviations do not follow a power of the frequency";
      return result;
    }
    if (sweep->finding != Finding::Grows) {
      result.index = sweep->finding == Finding::Falls ? 0 : p;
      return result;
    }
  }
  result.reason = fmt::format("the deviation still grows when derivatives up to order {} are bounded", at_most - 1);
  return result;
}

// Values fixed on a constraint do not satisfy a disturbed one: then they are freed to follow it.
PerturbationProbe probed(const std::shared_ptr<const Model>& model, double duration, int at_most, double& work) {
  Probe as_given(model, duration, false, work);
  PerturbationProbe result = probed(as_given, at_most);
  if (!result.sweeps.empty() || std::ranges::none_of(model->variables, &Variable::fixed)) return result;
  Probe with_free_starts(model, duration, true, work);
  return probed(with_free_starts, at_most);
}

// Equations that follow from others contradict them when they are disturbed.
PerturbationProbe probed_or_refused(const std::shared_ptr<const Model>& model, double duration, int at_most,
                                    double& work) {
  try {
    return probed(model, duration, at_most, work);
  } catch (const ModelError& refused) {
    const auto& all = refused.diagnostics().all();
    return {{}, fmt::format("the disturbed model is refused: {}", all.empty() ? "" : all.front().message), {}};
  }
}

}  // namespace

PerturbationProbe probe_perturbation_index(const std::shared_ptr<const Model>& model, int at_most) {
  if (model->equations.size() > most_equations)
    return {{}, fmt::format("only models of up to {} equations are disturbed", most_equations), {}};
  PerturbationProbe last;
  double work = 0.0;
  for (const double part : parts_of_experiment) {
    PerturbationProbe next =
        probed_or_refused(model, part * (model->experiment.stop - model->experiment.start), at_most, work);
    if (next.index && next.index == last.index) return next;
    if (!next.sweeps.empty() || last.reason.empty()) last = std::move(next);
  }
  if (last.index) last.reason = "at other frequencies the deviations grow otherwise";
  last.index.reset();
  return last;
}

}  // namespace driftless
