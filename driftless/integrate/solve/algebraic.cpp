#include "driftless/integrate/solve/algebraic.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/solve/guarded_iteration.hpp"
#include "driftless/integrate/states/nonlinear_blocks.hpp"
#include "driftless/integrate/system/incidence.hpp"
#include "driftless/integrate/system/part_of_states.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {
namespace {
constexpr int most_iterations = 12, iterations_of_noise = 6;

// The matrix is kept while it is good enough: for rows that are linear in the unknowns one matrix suffices.
constexpr double close_enough = 0.1, contracts = 0.01;

constexpr int most_guarded_iterations = 100;
constexpr int most_damped_evaluations = 200;
constexpr double converges_fast = 0.1;      // ratio of the last two corrections of a damped iteration
constexpr int most_parts_of_the_way = 200;  // from the last point
constexpr double shortest_part = 1e-4;

bool has_kinks(const Reduced& reduced) {
  const Pool& pool = *reduced.model->pool;
  const auto is_kink = [&](NodeId id) {
    const Op op = pool[id].op;
    return op == Op::Max || op == Op::Min || op == Op::Abs || op == Op::IfElse;
  };
  return std::ranges::any_of(
      reduced.rows, [&](const DerivedEquation& row) { return any_node(pool, row.residual, std::cref(is_kink)); });
}

// What the pattern of the rows and the states say.
struct Analysed {
  std::vector<Unknown> unknowns;
  bool determined = false;
  std::vector<int> entries, determined_slots, of_states;
  std::vector<double> weights;
  linear::Assembly assembly;
};

Analysed analysed(const Problem& problem) {
  DependentUnknowns dependent = dependent_unknowns(problem);
  Analysed result;
  result.unknowns = dependent.unknowns.all();
  // Without the superfluous differentiations, rates of dependent slots occur that only the history knows.
  result.determined =
      dependent.unknowns.size() == dependent.equations &&
      structure::maximum_matching(incidence_of(dependent.equations, dependent.equations, dependent.coordinates))
          .is_perfect();
  if (!result.determined) return result;
  result.entries = std::move(dependent.entries);
  result.weights = std::move(dependent.weights);
  result.assembly = linear::assemble(dependent.equations, dependent.coordinates);
  for (const Unknown& unknown : result.unknowns)
    if (!unknown.rate) result.determined_slots.push_back(unknown.slot);
  const System& system = problem.system();
  const auto& all = system.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e)
    if (all[e].row < system.rows() && !all[e].rate && problem.is_whole_state(all[e].slot))
      result.of_states.push_back(static_cast<int>(e));
  return result;
}

}  // namespace

AlgebraicSolve::AlgebraicSolve(Problem& problem) : problem_(problem), known_states_(problem), part_(problem.system()) {
  analyse();
}

void AlgebraicSolve::analyse() {
  analysed_ = true;
  nonlinear_slots_.clear();
  known_states_.update();
  System& system = problem_.system();
  const auto known = part_of_states<Analysed>(problem_, [&] { return analysed(problem_); });
  unknowns_ = known->unknowns;
  determined_ = known->determined;
  if (!determined_) return;
  entries_ = known->entries;
  weights_ = known->weights;
  determined_slots_ = known->determined_slots;
  of_states_ = known->of_states;
  assembly_ = known->assembly;
  factorization_ = linear::make_factorization(assembly_.pattern);
  values_.resize(assembly_.pattern.rows.size());
  jacobian_.resize(system.jacobian_entries().size());
  rows_.resize(system.rows() + system.candidates());
  correction_.resize(unknowns_.size());
  terms_.resize(system.rows());
  guard_ = system.guard();
  choose_part();
}

void AlgebraicSolve::choose_part() {
  std::vector<int> needed = entries_;
  if (spreads_) needed.insert(needed.end(), of_states_.begin(), of_states_.end());
  part_.take(std::move(needed));
}

bool AlgebraicSolve::factorize() {
  ++counts_.jacobian_evaluations, ++counts_.factorizations;
  has_all_entries_ = part_({t_, y_, yp_}, jacobian_);
  if (!has_all_entries_) linearized_.t = t_, linearized_.y = y_, linearized_.yp = yp_;
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < entries_.size(); ++k) values_[assembly_.position[k]] += jacobian_[entries_[k]];
  for (std::size_t k = 0; k < weights_.size(); ++k) values_[assembly_.position[entries_.size() + k]] += weights_[k];
  return factorization_->factorize(values_);
}

// At the point that was linearized last.
void AlgebraicSolve::complete_jacobian() {
  if (has_all_entries_) return;
  problem_.system().jacobian({linearized_.t, linearized_.y, linearized_.yp}, jacobian_);
  has_all_entries_ = true;
}

bool AlgebraicSolve::operator()(double t, std::span<double> y, std::span<double> yp) {
  first_correction_ = contraction_ = 0.0;
  rates_are_current_ = false;
  if (!analysed_) analyse();
  if (!determined_) return false;
  const bool found =
      iterate(t, y, yp) || iterate_guarded(t, y, yp) || iterate_damped(t, y, yp) || follow_from_last(t, y);
  if (!found) return false;
  std::ranges::copy(y_, y.begin());
  std::ranges::copy(yp_, yp.begin());
  if (guard_) last_.t = t, last_.y = y_, last_.yp = yp_;
  return true;
}

// Newton's correction at the iterate, by the matrix that is factorized. Its size relative to the unknowns; infinite if
// it has no value.
double AlgebraicSolve::correct() {
  System& system = problem_.system();
  std::ranges::fill(correction_, 0.0);  // combinations are already held
  std::copy_n(rows_.begin(), system.rows(), correction_.begin());
  factorization_->solve(correction_);
  double size = 0.0;
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    double& value = (unknowns_[k].rate ? yp_ : y_)[unknowns_[k].slot];
    if (!std::isfinite(correction_[k])) return HUGE_VAL;
    value -= correction_[k];
    const double nominal = problem_.reduced().slots[unknowns_[k].slot].nominal;
    size = std::max(size, std::abs(correction_[k]) / (std::abs(value) + nominal));
  }
  return size;
}

// Was the residual of every row before the last correction within the effect of rounding the unknowns and states by
// some units, |J| (|y| + nominal)? If a rate is the difference of large currents divided by a tiny capacitance, its
// corrections stop decreasing, while those of the slots decrease: near a multiple solution these would not. With noise,
// the same is true of slots that have one value as soon as others are known, as forces of a mechanism whose bars are
// nearly in line; and where corrections stay as they are for several iterations, more than a few units are rounding,
// since |J| does not contain the constants in the rows.
bool AlgebraicSolve::is_rounding(int iterations) {
  const bool is_noise = takes_noise_ && iterations >= iterations_of_noise;
  const double rounding = (is_noise ? 64e3 : 64.0) * std::numeric_limits<double>::epsilon();
  const System& system = problem_.system();
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    const double nominal = problem_.reduced().slots[unknowns_[k].slot].nominal;
    if (!unknowns_[k].rate && (!takes_noise_ || nonlinear_slots()[unknowns_[k].slot]) &&
        std::abs(correction_[k]) > newton::at_a_point.small * (std::abs(y_[unknowns_[k].slot]) + nominal))
      return false;
  }
  complete_jacobian();
  std::ranges::fill(terms_, 0.0);
  const auto& all = system.jacobian_entries();
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (all[e].row >= system.rows()) continue;
    const double value = (all[e].rate ? yp_ : y_)[all[e].slot];
    terms_[all[e].row] += std::abs(jacobian_[e]) * (std::abs(value) + problem_.reduced().slots[all[e].slot].nominal);
  }
  for (std::size_t r = 0; r < terms_.size(); ++r)
    if (!(std::abs(rows_[r]) <= rounding * terms_[r])) return false;
  return true;
}

// Those on which a partial derivative within their block of the block triangular form depends, and all that may be
// states.
const std::vector<bool>& AlgebraicSolve::nonlinear_slots() {
  if (!nonlinear_slots_.empty()) return nonlinear_slots_;
  nonlinear_slots_.assign(problem_.reduced().slots.size(), false);
  for (const Kinematic& k : problem_.reduced().kinematics) nonlinear_slots_[k.slot] = true;
  for (const NonlinearBlock& block : nonlinear_blocks(problem_))
    for (const int slot : block.slots) nonlinear_slots_[slot] = true;
  return nonlinear_slots_;
}

void AlgebraicSolve::begin(double t, std::span<const double> y, std::span<const double> yp) {
  t_ = t;
  y_.assign(y.begin(), y.end());
  yp_.assign(yp.begin(), yp.end());
}

void AlgebraicSolve::evaluate_rows() {
  ++counts_.residual_evaluations;
  problem_.system().rows_and_rates({t_, y_, yp_}, rows_);
}

bool AlgebraicSolve::iterate(double t, std::span<const double> y, std::span<const double> yp) {
  begin(t, y, yp);
  if (problem_.system().rows() == 0) return true;
  int made = 0;
  double rate = 0.0;
  newton::ToRounding at_rounding(newton::at_a_point);
  const auto correct_with_matrix = [&]() -> newton::Correction {
    evaluate_rows();
    if ((at_rounding.last() > close_enough || rate > contracts) && !factorize()) return newton::End::Singular;
    return correct();
  };
  const auto test = [&](double size) {
    const double before = at_rounding.last();
    if (++made == 1) first_correction_ = size;
    if (made == 2) contraction_ = size / before;
    if (at_rounding(size) == newton::Verdict::Converged) {
      rates_are_current_ = at_rounding.is_nothing();
      return newton::Verdict::Converged;
    }
    if (made > 2 && at_rounding.shrinks_slowly(0.25) && is_rounding(made)) return newton::Verdict::Converged;
    if (made > 1) rate = size / before;
    return newton::Verdict::GoOn;
  };
  return newton::iterate(most_iterations, correct_with_matrix, test).converged();
}

bool AlgebraicSolve::iterate_guarded(double t, std::span<const double> y, std::span<const double> yp) {
  if (!guard_) return false;
  begin(t, y, yp);
  const auto correct_with_new_matrix = [&]() -> newton::Correction {
    evaluate_rows();
    if (!factorize()) return newton::End::Singular;
    return correct();
  };
  newton::ToRounding test(newton::at_a_point);
  return driftless::iterate_guarded(problem_.system(), {t, y_, yp_}, 0.0, most_guarded_iterations,
                                    correct_with_new_matrix, test)
      .converged();
}

// At a kink Newton's iteration may oscillate, as in y + sqrt(max(y, 0)) = r with a small r. So corrections are
// shortened. If they decrease only by a constant factor up to the end, the solution is a multiple one: the equations
// are singular there. Without kinks only a singular point makes the plain iteration fail so close to a solution.
bool AlgebraicSolve::iterate_damped(double t, std::span<const double> y, std::span<const double> yp) {
  if (!has_kinks_) has_kinks_ = has_kinks(problem_.reduced());
  if (!*has_kinks_) return false;
  begin(t, y, yp);
  problem_.system().rows_and_rates({t, y_, yp_}, rows_);
  int evaluations = 1;
  double last = std::numeric_limits<double>::infinity();
  const auto correct_with_new_matrix = [&]() -> newton::Correction {
    if (!factorize()) return newton::End::Singular;
    base_.y = y_, base_.yp = yp_;
    const double size = correct();
    full_.y = y_, full_.yp = yp_;
    return size;
  };
  const auto test = [&](double size) {
    const double before = std::exchange(last, size);
    if (size > newton::at_a_point.nothing) return newton::Verdict::GoOn;
    rates_are_current_ = false;
    return size <= converges_fast * before ? newton::Verdict::Converged : newton::Verdict::Diverged;
  };
  const auto next = [&](double part) -> newton::Correction {
    if (++evaluations >= most_damped_evaluations) return newton::End::Diverged;
    for (std::size_t s = 0; s < y_.size(); ++s) {
      y_[s] = base_.y[s] + part * (full_.y[s] - base_.y[s]);
      yp_[s] = base_.yp[s] + part * (full_.yp[s] - base_.yp[s]);
    }
    evaluate_rows();
    here_.y = y_, here_.yp = yp_;
    const double size = correct();
    y_ = here_.y, yp_ = here_.yp;
    return size;
  };
  return newton::iterate_damped(most_damped_evaluations, 0.0, correct_with_new_matrix, test, next).converged();
}

// Follows the solution along the straight line from the last point in states and time, starting with the other unknowns
// of that point.
bool AlgebraicSolve::follow_from_last(double t, std::span<const double> y) {
  if (!guard_ || last_.y.size() != y.size()) return false;
  here_ = last_;
  double done = 0.0, part = 0.5;
  for (int k = 0; k < most_parts_of_the_way && done < 1.0; ++k) {
    const double to = std::min(1.0, done + part), share = (to - done) / (1.0 - done);
    next_ = here_;
    next_.t = here_.t + share * (t - here_.t);
    for (int s = 0; s < problem_.size(); ++s)
      if (problem_.is_state(s)) next_.y[s] += share * (y[s] - here_.y[s]);
    if (to == 1.0) {
      next_.t = t;
      for (int s = 0; s < problem_.size(); ++s)
        if (problem_.is_state(s)) next_.y[s] = y[s];
    }
    if (iterate(next_.t, next_.y, next_.yp) || iterate_guarded(next_.t, next_.y, next_.yp)) {
      here_.t = next_.t, here_.y = y_, here_.yp = yp_;
      done = to;
      part *= 2.0;
    } else if ((part *= 0.5) < shortest_part) {
      return false;
    }
  }
  return done >= 1.0;
}

void AlgebraicSolve::spread(std::span<double> change) {
  if (!spreads_) {
    spreads_ = true;
    complete_jacobian();
    choose_part();
  }
  std::ranges::fill(correction_, 0.0);
  const auto& all = problem_.system().jacobian_entries();
  for (const int e : of_states_) correction_[all[e].row] += jacobian_[e] * change[all[e].slot];
  factorization_->solve(correction_);
  for (std::size_t k = 0; k < unknowns_.size(); ++k)
    if (!unknowns_[k].rate) change[unknowns_[k].slot] = -correction_[k];
}

void AlgebraicSolve::archive(Archive& archive) {
  archive.section("rows");
  known_states_.archive(archive, [this] { analyse(); });
  archive(analysed_);
  complete_jacobian();  // whether all of it was evaluated depends on how often it was
  if (determined_) archive(*factorization_, jacobian_, rows_);
  archive(t_, y_, yp_, last_.t, last_.y, last_.yp, first_correction_, contraction_, rates_are_current_);
  archive(counts_);
}

std::span<const double> AlgebraicSolve::rates() {
  if (!rates_are_current_) evaluate_rows();
  rates_are_current_ = true;
  return std::span(rows_).subspan(problem_.system().rows());
}

}  // namespace driftless
