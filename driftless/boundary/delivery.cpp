#include "driftless/boundary/delivery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "driftless/integrate/run/columns.hpp"
#include "driftless/integrate/checks/delivered_point.hpp"
#include "driftless/integrate/run/dense_output.hpp"
#include "driftless/integrate/checks/run_checks.hpp"

namespace driftless::boundary {
namespace {

class Delivery {
 public:
  Delivery(const std::shared_ptr<System>& system, Trajectory& trajectory, const DeliverySettings& settings,
           Solution& solution)
      : system_(*system),
        trajectory_(trajectory),
        settings_(settings),
        solution_(solution),
        gate_(system_, settings.tolerance, false),
        checks_(system_, settings.tolerance),
        quantities_(system_.reduced().quantities.size()),
        invariants_(static_cast<std::size_t>(system_.invariants_of_model())) {}

  void run() {
    describe_columns(system_, gate_, solution_.start, solution_);
    if (settings_.rows.begin) settings_.rows.begin(solution_);
    for (int k = 0; k <= settings_.intervals; ++k) {
      const double t = k == settings_.intervals
                           ? solution_.stop
                           : solution_.start + (solution_.stop - solution_.start) * k / settings_.intervals;
      if (!point(t)) return;
      solution_.reached = t;
      if (settings_.rows.row &&
          !settings_.rows.row(t,
                              std::span<const double>(solution_.values).last(quantities_.size() + invariants_.size())))
        return;
    }
    checks_.add_remarks(solution_.remarks);
    if (solution_.verdict() == Verdict::NotKept) {
      solution_.outcome = Outcome::NotKept;
      solution_.message = why_not_kept(solution_.certificate, solution_.bound);
    }
  }

 private:
  bool fail(Outcome outcome, std::string message, std::vector<std::string> details = {}) {
    solution_.outcome = outcome;
    solution_.message = std::move(message);
    solution_.details = std::move(details);
    return false;
  }

  bool point(double t) {
    if (!trajectory_.point(t, y_, yp_))
      return fail(Outcome::NotSatisfied,
                  fmt::format("the equations cannot be solved at t = {:.6g}, between two collocation points", t));
    const auto violation = gate_({t, y_, yp_}, Origin::Solved, quantities_);
    if (!std::ranges::all_of(quantities_, [](double q) { return std::isfinite(q); }))
      return fail(Outcome::EvaluationFailed, fmt::format("some quantity has no value at t = {:.6g}", t));
    if (violation) return fail(Outcome::NotSatisfied, gate_.describe(*violation));
    if (!checks_.hold(t, quantities_)) return fail(Outcome::AssertionViolated, checks_.reason(), checks_.details());
    if (!settings_.rows.keep_all) solution_.times.clear(), solution_.values.clear(), solution_.constraint_drift.clear();
    const std::size_t row = solution_.constraint_drift.size();
    solution_.constraint_drift.resize(row + solution_.drift_levels, 0.0);
    record(solution_.certificate, t, gate_.residuals(), gate_.relative(),
           std::span(solution_.constraint_drift).subspan(row));
    ++solution_.points;
    solution_.times.push_back(t);
    solution_.values.insert(solution_.values.end(), quantities_.begin(), quantities_.end());
    record_invariants(system_, {t, y_, yp_}, invariants_, solution_);
    return true;
  }

  System& system_;
  Trajectory& trajectory_;
  const DeliverySettings& settings_;
  Solution& solution_;
  DeliveredPoint gate_;
  RunChecks checks_;
  std::vector<double> y_, yp_, quantities_, invariants_;
};

// The states of every interval, for the dense output of a run, which has states by their first time.
std::vector<StateEpoch> epochs_of(const System& system, const Approximation& at) {
  std::vector<StateEpoch> epochs;
  for (std::size_t k = 0; k < at.intervals(); ++k) {
    std::vector<int> active;
    std::ranges::copy_if(at.charts[k], std::back_inserter(active), [&](int c) { return c < system.candidates(); });
    epochs.push_back({at.mesh[k], each_alone(active), true, nullptr, method::Radau{}});
  }
  return epochs;
}

}  // namespace

void deliver(const std::shared_ptr<System>& system, Trajectory& trajectory, const DeliverySettings& settings,
             Solution& solution) {
  Delivery(system, trajectory, settings, solution).run();
  if (!settings.dense || !reached_end(solution.outcome)) return;
  solution.segments = trajectory.segments();
  auto dense =
      std::make_shared<DenseOutput>(system, epochs_of(*system, trajectory.approximation()), settings.tolerance, false);
  solution.observer = [dense](double t, std::vector<double>& y, std::vector<double>& yp, std::vector<double>& series) {
    (*dense)(t, y, yp, series);
  };
}

}  // namespace driftless::boundary
