#include "driftless/sensitivity/follow.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "driftless/linear/dense.hpp"
#include "driftless/sensitivity/crossing_time.hpp"

namespace driftless::sensitivity {
namespace {

constexpr int fewest_stages = 3, most_stages = 10;
constexpr double bad_growth = 2.0;       // other states may be better
constexpr double worse_growth = 3.0;     // than at the last choice
constexpr double outgrown = 2.0;         // growth within a step, in units of that at which others are chosen
constexpr double smallest_step = 1e-13;  // of the interval
constexpr double stagnation = 0.7;       // if half the step hardly reduces the error, it is noise of the trajectory,
constexpr double largest_noise = 100.0;  // if it is not larger than this, in units of the tolerance
constexpr int most_switches = 10000;
constexpr int most_fruitless = 5;
constexpr int longest_pause = 1000;
constexpr double shortest_retry = 0.25;  // of a step whose error is too large
constexpr double longest_retry = 0.8;
constexpr double switch_width = 1e-15;    // in which the instant of a switch lies, relative to the time
constexpr double same_time = 1e-6;        // derivatives of the same instant from several switches
constexpr double least_closeness = 1e-8;  // within which values on both sides of a switch are equal

// Rows of a matrix.
Eigen::MatrixXd rows_of(const Eigen::MatrixXd& all, const std::vector<int>& rows) {
  Eigen::MatrixXd part(static_cast<Eigen::Index>(rows.size()), all.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) part.row(static_cast<Eigen::Index>(k)) = all.row(rows[k]);
  return part;
}

void require_length(double h, double smallest, double t) {
  if (h < smallest)
    throw NotAvailable(fmt::format("at t = {:.9g} the equations of the sensitivities cannot be solved", t));
}

// Made when it is first asked for.
template <int stages>
const RadauBasis& known_basis() {
  static const RadauBasis basis(stages);
  return basis;
}

}  // namespace

const RadauBasis& basis_of(int stages) {
  static constexpr std::array<const RadauBasis& (*)(), most_stages - fewest_stages + 1> all{
      known_basis<3>, known_basis<4>, known_basis<5>, known_basis<6>,
      known_basis<7>, known_basis<8>, known_basis<9>, known_basis<10>};
  return all[static_cast<std::size_t>(stages - fewest_stages)]();
}

int cheapest_stages(double tolerance, Eigen::Index states, Eigen::Index directions, double point) {
  int best = fewest_stages;
  double least = HUGE_VAL;
  for (int s = fewest_stages; s <= most_stages; ++s) {
    const double step = std::pow(tolerance, 1.0 / (s + 1.0));
    const double cost = (s * point + 2000.0 + cost_of_stage_equations(s, states, directions)) / step;
    if (cost < least) least = cost, best = s;
  }
  return best;
}

void PathStep::at(double t, Eigen::MatrixXd& value) const {
  std::array<double, most_stages> integrals;
  RadauBasis::integrals((t - begin) / length, std::span(integrals).first(static_cast<std::size_t>(stages)));
  value = start;
  for (int j = 0; j < stages; ++j)
    value += length * integrals[static_cast<std::size_t>(j)] * coefficients.middleRows(j * start.rows(), start.rows());
}

Follower::Follower(Linearization& linearization, const Trajectory& trajectory, std::span<const double> parameters,
                   const Eigen::MatrixXd& of_parameters, const Settings& settings)
    : linearization_(linearization),
      trajectory_(trajectory),
      parameters_(parameters),
      of_parameters_(of_parameters),
      settings_(settings) {}

bool Follower::is_at(double t) {
  if (!exact_) {
    if (trajectory_.between_outputs(t, quantities_)) return linearization_.move_to(t, parameters_, quantities_);
    if (fruitless_ < most_fruitless && linearization_.has_states() &&
        trajectory_.states(t, linearization_.states(), quantities_)) {
      const bool succeeds = linearization_.move_from_states(t, parameters_, settings_.tolerance, quantities_);
      fruitless_ = succeeds ? std::max(fruitless_ - 1, -most_fruitless) : fruitless_ + 1;
      if (succeeds) return true;
      if (fruitless_ == most_fruitless) {  // tried again later, at increasing intervals
        fruitless_ += pause_;
        pause_ = std::min(2 * pause_, longest_pause);
      }
    } else if (fruitless_ > most_fruitless && --fruitless_ == most_fruitless) {
      fruitless_ = most_fruitless - 1;
    }
  }
  trajectory_.exact(t, quantities_);
  return linearization_.move_to(t, parameters_, quantities_);
}

bool Follower::switches_are_those_of_the_step() {
  const std::vector<double>& now = linearization_.switches();
  if (switches_.empty()) switches_ = now;
  return now == switches_;
}

bool Follower::evaluate_stages(double t, double h, double end) {
  for (int k = 0; k < basis_->stages(); ++k) {
    const double at = k + 1 == basis_->stages() ? end : t + basis_->c(k) * h;
    if (!is_at(at)) return false;
    if (!switches_are_those_of_the_step()) {
      switched_ = at;
      return false;
    }
    if (!linearization_.factorize()) return false;
    linearization_.dynamics(of_parameters_, dynamics_[static_cast<std::size_t>(k)]);
    // The errors of the step and of the run are amplified by this growth.
    if (linearization_.growth() > outgrown * largest_growth_) {
      outgrown_ = h * (k > 0 ? basis_->c(k - 1) : 0.5 * basis_->c(0));
      return false;
    }
  }
  return true;
}

// The last time at which the switches are those of the step that begins at `begin`; right after it they change.
double Follower::reach_switch(double begin, double behind) {
  double before = begin;
  while (behind - before > switch_width * (std::abs(behind) + std::abs(before))) {
    const double middle = std::midpoint(before, behind);
    if (!(middle > before && middle < behind)) break;
    if (!is_at(middle)) throw NotAvailable(fmt::format("at t = {:.9g} a partial derivative has no value", middle));
    (switches_are_those_of_the_step() ? before : behind) = middle;
  }
  behind_switch_ = behind;
  return before;
}

// The derivative of the instant of a switch; all switches that change at once must agree.
Eigen::RowVectorXd Follower::time_of_switch(double t, const std::vector<double>& left,
                                            const std::vector<double>& behind) {
  if (!is_at(t) || !linearization_.factorize())
    throw NotAvailable(fmt::format("at t = {:.9g} the equations are singular", t));
  VariationalArray& array = linearization_.array();
  Eigen::MatrixXd all;
  linearization_.complete(states_, of_parameters_, all);
  const Eigen::VectorXd rates = linearization_.rates(left);
  const LocalPoint point{array, t, parameters_, left};
  std::optional<Eigen::RowVectorXd> moves;
  for (std::size_t k = 0; k < behind.size(); ++k) {
    if (behind[k] == switches_[k]) continue;
    const std::string text = array.text_of_switch(k);
    const auto time = crossing_time(array.switch_at(k), text, {point, rates, all, of_parameters_});
    const auto* found = std::get_if<Eigen::RowVectorXd>(&time);
    const bool agrees = found && (!moves || (*found - *moves).cwiseAbs().maxCoeff() <=
                                                same_time * (found->cwiseAbs() + moves->cwiseAbs()).maxCoeff());
    if (!agrees)
      throw NotAvailable(fmt::format(
          "at t = {:.9g} the value of {} changes, which causes no event, and the equations jump: {}", t, text,
          found ? "several change at once, and what comes first depends on the direction" : std::get<1>(time)));
    moves = *found;
  }
  return *moves;
}

// States are continuous, their rates may jump: s_z after the switch is s_z + (z' before - z' after) dt*/dp.
void Follower::pass_switch(double before) {
  VariationalArray& array = linearization_.array();
  const std::vector<int>& states = linearization_.states();
  if (!is_at(before)) throw NotAvailable(fmt::format("at t = {:.9g} a partial derivative has no value", before));
  const std::vector<double> left = quantities_;
  if (!is_at(behind_switch_))
    throw NotAvailable(fmt::format("at t = {:.9g} a partial derivative has no value", behind_switch_));
  const std::vector<double> right = quantities_, switches = linearization_.switches();
  const double closeness = std::max(least_closeness, 10.0 * settings_.tolerance);
  const auto gap = [&](int col) {
    const auto k = static_cast<std::size_t>(col);
    const double size = std::abs(left[k]) + std::abs(right[k]) + array.nominal(col);
    return std::abs(left[k] - right[k]) / (closeness * size);
  };
  double jump = 0.0;
  for (const int col : states) {
    if (gap(col) > 1.0)
      throw NotAvailable(
          fmt::format("at t = {:.9g} {} jumps where an equation switches without an event: let it cause "
                      "an event (without noEvent)",
                      before, array.name(col)));
    jump = std::max(jump, gap(col + 1));  // the rate: quantities ascend by variable, then by order
  }
  if (jump > 1.0) {
    const Eigen::RowVectorXd time = time_of_switch(before, left, switches);
    for (std::size_t k = 0; k < states.size(); ++k) {
      const auto rate = static_cast<std::size_t>(states[k]) + 1;
      states_.row(static_cast<Eigen::Index>(k)) += (left[rate] - right[rate]) * time;
    }
  }
  switches_ = switches;
  if (is_at(behind_switch_) && linearization_.factorize()) change_states(behind_switch_);
}

bool Follower::solve_stages(double h) {
  const Eigen::Index n = states_.rows(), s = basis_->stages();
  Eigen::VectorXd scale(n);
  for (Eigen::Index i = 0; i < n; ++i)
    scale(i) = linearization_.array().nominal(linearization_.states()[static_cast<std::size_t>(i)]);
  Eigen::MatrixXd stages;
  if (!stage_equations_.solve(*basis_, h, dynamics_, states_, scale, stages)) return false;
  slopes_.resize(s * n, states_.cols());
  for (Eigen::Index l = 0; l < s; ++l) {
    const Linearization::Dynamics& at = dynamics_[static_cast<std::size_t>(l)];
    slopes_.middleRows(l * n, n) = at.matrix * stages.middleRows(l * n, n) + at.offset;
  }
  coefficients_.setZero(s * n, states_.cols());
  for (Eigen::Index j = 0; j < s; ++j)
    for (Eigen::Index l = 0; l < s; ++l)
      coefficients_.middleRows(j * n, n) += basis_->legendre(j, l) * slopes_.middleRows(l * n, n);
  end_ = stages.bottomRows(n);
  return end_.allFinite() && slopes_.allFinite();
}

// The effect of the first neglected coefficient, estimated from the last ones; fast modes, which the method damps, are
// damped in it as well (Hairer, Wanner 1996, Section IV.8). In units of the tolerance.
double Follower::error(double h) const {
  const Eigen::Index n = states_.rows(), s = basis_->stages();
  Eigen::MatrixXd last = coefficients_.middleRows((s - 1) * n, n);
  const auto before = coefficients_.middleRows((s - 3) * n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index p = 0; p < last.cols(); ++p) {
      const double decay = std::abs(before(i, p)) > 0.0 ? std::sqrt(std::abs(last(i, p) / before(i, p))) : 1.0;
      last(i, p) *= std::min(1.0, decay);
    }
  const double part = h / (2.0 * static_cast<double>(s) - 1.0);
  const Eigen::MatrixXd damping = Eigen::MatrixXd::Identity(n, n) - part * dynamics_.back().matrix;
  const Eigen::MatrixXd missed = linear::Lu(damping).solve(Eigen::MatrixXd(part * last));
  double largest = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double nominal = linearization_.array().nominal(linearization_.states()[static_cast<std::size_t>(i)]);
    for (Eigen::Index p = 0; p < last.cols(); ++p) {
      const double size = std::max(std::abs(states_(i, p)), std::abs(end_(i, p))) + nominal / settings_.sizes(p);
      largest = std::max(largest, std::abs(missed(i, p)) / (settings_.tolerance * size));
    }
  }
  return std::isfinite(largest) ? largest : HUGE_VAL;
}

// The factor for the step size that meets the tolerance.
double Follower::step_factor(double missed) const {
  return std::pow(std::max(missed, 1e-10), -1.0 / (basis_->stages() + 1));
}

void Follower::choose_states(double t) {
  if (!linearization_.choose_states())
    throw NotAvailable(
        fmt::format("at t = {:.9g} the equations are singular: no choice of states determines the "
                    "sensitivities",
                    t));
  largest_growth_ = bad_growth;
  if (!linearization_.factorize()) return;
  Linearization::Dynamics here;
  linearization_.dynamics(of_parameters_, here);
  largest_growth_ = std::max(bad_growth, worse_growth * linearization_.growth());
}

// Chooses other states, where all are known and their equations are factorized.
void Follower::change_states(double t) {
  Eigen::MatrixXd all;
  linearization_.complete(states_, of_parameters_, all);
  choose_states(t);
  take_states(all);
}

void Follower::take_states(const Eigen::MatrixXd& all) { states_ = rows_of(all, linearization_.states()); }

void Follower::begin(double from, const Eigen::MatrixXd& start) {
  if (!is_at(from)) throw NotAvailable(fmt::format("at t = {:.9g} a partial derivative has no value", from));
  choose_states(from);
  take_states(start);
  // A point of the trajectory, the partial derivatives there, an elimination, and as many solutions as there are
  // columns.
  VariationalArray& array = linearization_.array();
  const double point = 3e4 + 30.0 * static_cast<double>(array.entries().size()) +
                       20.0 * array.rows() * static_cast<double>(states_.rows() + states_.cols());
  basis_ = &basis_of(cheapest_stages(settings_.tolerance, states_.rows(), states_.cols(), point));
  dynamics_.resize(static_cast<std::size_t>(basis_->stages()));
}

// All sensitivities from those of the states.
Eigen::MatrixXd Follower::all_at(double t) {
  if (!is_at(t) || !linearization_.factorize())
    throw NotAvailable(fmt::format("at t = {:.9g} the equations are singular", t));
  Eigen::MatrixXd all;
  linearization_.complete(states_, of_parameters_, all);
  return all;
}

Eigen::MatrixXd Follower::operator()(double from, double to, double first_step, const Eigen::MatrixXd& start,
                                     std::vector<PathStep>& steps) {
  begin(from, start);
  if (states_.rows() == 0) steps.push_back({from, to - from, {}, states_, states_, basis_->stages()});
  double t = states_.rows() == 0 ? to : from, h = std::min(first_step, to - from), before = HUGE_VAL;
  bool is_cut = false;  // to end before its states grow too much
  double next = to;     // or a switch before
  int switches = 0;
  const double smallest = smallest_step * (to - from);
  while (t < to) {
    const bool is_last = t + 1.01 * h >= next;
    if (is_last) h = next - t;
    const double end = is_last ? next : t + h;
    const bool solved = evaluate_stages(t, h, end) && solve_stages(h);
    if (switched_) {
      if (++switches > most_switches)
        throw NotAvailable(
            fmt::format("until t = {:.9g} equations switch {} times without events: they cannot be "
                        "followed",
                        t, most_switches));
      exact_ = true;
      next = reach_switch(t, *std::exchange(switched_, std::nullopt));
      if (next > t) continue;
      pass_switch(t);
      t = behind_switch_;
      next = to;
      exact_ = false;
      continue;
    }
    if (outgrown_) {
      h = *std::exchange(outgrown_, std::nullopt);
      is_cut = true;
      require_length(h, smallest, t);
      continue;
    }
    const double missed = solved ? error(h) : HUGE_VAL;
    if (missed > 1.0 && !(exact_ && missed < largest_noise && missed > stagnation * before)) {
      // If a shorter step fails as well, inaccurate points of the trajectory may be the reason.
      if (before < HUGE_VAL || !solved) exact_ = true;
      before = missed;
      h *= solved ? std::clamp(0.9 * step_factor(missed), shortest_retry, longest_retry) : 0.5;
      require_length(h, smallest, t);
      continue;
    }
    before = HUGE_VAL;
    exact_ = next < to;
    steps.push_back({t, h, linearization_.states(), states_, coefficients_, basis_->stages()});
    t = end;
    states_ = end_;
    if (t == next && next < to) {
      pass_switch(t);
      t = behind_switch_;
      next = to;
      exact_ = false;
    } else if (std::exchange(is_cut, false) || linearization_.growth() > largest_growth_) {
      change_states(t);
    }
    h *= std::clamp(0.8 * step_factor(missed), 0.3, 2.0);
  }
  return all_at(to);
}

void sensitivities_at(double t, std::span<const double> quantities, std::span<const double> parameters,
                      const Eigen::MatrixXd& of_parameters, const std::vector<PathStep>& steps,
                      Linearization& linearization, Eigen::MatrixXd& all) {
  const auto next = std::ranges::upper_bound(steps, t, {}, &PathStep::begin);
  const PathStep& step = next == steps.begin() ? *next : *std::prev(next);
  if (step.states != linearization.states()) linearization.use_states(step.states);
  if (!linearization.move_to(t, parameters, quantities) || !linearization.factorize())
    throw NotAvailable(fmt::format("at t = {:.9g} the equations are singular", t));
  Eigen::MatrixXd of_states;
  step.at(t, of_states);
  linearization.complete(of_states, of_parameters, all);
}

}  // namespace driftless::sensitivity
