// The stages k <= 0 of an expansion (expansion.hpp): a predicted point is put onto all levels of all constraints, by
// the smallest corrections in units of the nominal values, one level after the other.
//
// Invariant: when a stage is closed, the records contain its data for later stages.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "driftless/taylor/smallest_correction.hpp"
#include "driftless/taylor/stage_numbers.hpp"

namespace driftless::taylor {

template <class Scalar>
class StagesUpToZero {
 public:
  explicit StagesUpToZero(StageNumbers<Scalar>& numbers) : s_(numbers) {
    jacobian_.resize(s_.r->jacobian_entries.size());
    for (const Class& c : s_.r->classes) values_.resize(std::max<std::size_t>(values_.size(), c.factors));
    for (const FunctionValues& f : s_.r->functions) values_.resize(std::max<std::size_t>(values_.size(), f.number));
    corrections_.resize(static_cast<std::size_t>(s_.d_max + 1) * s_.width);
    make_levels();
    make_stages();
  }

  ExpansionFailure project(Series<Scalar>& series, std::span<const double> weights, double precision) {
    ++s_.counts.projections;
    s_.set_unit(series.unit);
    load_values(series);
    is_expanded_ = true;
    if (!factorize_all()) return failure_of_matrix();
    if (const ExpansionFailure failure = solve_stages(series, weights, point_precision * precision);
        failure != ExpansionFailure::None)
      return failure;
    const bool is_far = moved_ > std::max(Scalar(precision), Scalar(16) * epsilon<Scalar>());
    if (is_far && !factorize()) return failure_of_matrix();
    if (!is_far) remaining_ = std::max(remaining_, moved_);  // the matrix of the series is that of the prediction
    return ExpansionFailure::None;
  }

  ExpansionFailure project_to_rounding(Series<Scalar>& series, std::span<const double> weights) {
    ++s_.counts.projections;
    s_.set_unit(series.unit);
    load_values(series);
    is_expanded_ = false;
    return factorize_all() ? solve_stages(series, weights, 0.0) : failure_of_matrix();
  }

  // By stage -d_max, ..., 0 and unknown.
  std::span<const Scalar> corrections() const { return corrections_; }
  // The estimated remaining correction, relative to the unknowns.
  Scalar remaining() const { return remaining_; }

  void archive_pivots(Archive& archive) {
    for (auto& level : levels_) level.archive_pivots(archive);
  }

 private:
  static constexpr int most_iterations = 12;
  static constexpr double long_way = 1e-3;         // relative to the size of the unknowns
  static constexpr double slow_progress = 0.25;    // from one correction to the next
  static constexpr double point_precision = 1e-5;  // in units of the requested precision
  static constexpr double stagnation =
      1e-3;  // of the first correction: smaller ones that no longer shrink are rounding errors

  // The coefficients that a stage up to 0 changes.
  struct EarlyStage {
    struct Coefficient {
      int unknown, order;
    };
    struct Value {
      int input, place;  // in the series
      int order;
    };
    std::vector<Coefficient> unknowns;
    std::vector<Value> values;
  };

  // Stages with the same equations share a matrix.
  void make_levels() {
    int rows = -1;
    for (int k = -s_.d_max; k < 0; ++k) {
      const auto taking_part =
          static_cast<int>(std::ranges::count_if(s_.r->system.rows, [&](const Row& row) { return row.c + k >= 0; }));
      if (std::exchange(rows, taking_part) != taking_part) levels_.push_back(corrector_of_stage(k));
      level_of_stage_.push_back(static_cast<int>(levels_.size()) - 1);
    }
  }

  void make_stages() {
    for (int k = -s_.d_max; k <= 0; ++k) {
      EarlyStage& stage = stages_.emplace_back();
      for (int j = 0; j < s_.n; ++j)
        if (k + s_.d_of[j] >= 0) stage.unknowns.push_back({j, k + s_.d_of[j]});
      for (std::size_t v = 0; v < s_.r->leaves.size(); ++v)
        if (const auto [unknown, m] = s_.r->leaves[v]; m == k + s_.d_of[unknown])
          stage.values.push_back({s_.r->first_value + static_cast<int>(v), m * s_.width + unknown, m});
    }
  }

  // The equations that take part in a stage below 0, with the unknowns in them.
  SmallestCorrection<Scalar> corrector_of_stage(int stage) const {
    const Recurrences& r = *s_.r;
    const int rows =
        static_cast<int>(std::ranges::count_if(r.system.rows, [&](const Row& row) { return row.c + stage >= 0; }));
    std::vector<typename SmallestCorrection<Scalar>::Entry> entries;
    for (const auto& [row, unknown] : r.jacobian_entries) {
      if (row >= rows) break;  // rows descend by c, and have no other entries: d_j >= c_i
      entries.push_back({row, unknown, Scalar(r.system.unknowns[unknown].nominal)});
    }
    return {rows, static_cast<int>(r.system.unknowns.size()), std::move(entries)};
  }

  void load_values(const Series<Scalar>& series) {
    s_.inputs[0] = Scalar(series.begin);
    for (const EarlyStage& stage : stages_) load_values(stage, series);
    for (const FunctionValues& f : s_.r->functions) evaluate(f);
  }

  void load_values(const EarlyStage& stage, const Series<Scalar>& series) {
    for (const auto& [input, place, order] : stage.values)
      s_.inputs[input] = series.coefficients[place] * s_.factors.to_derivative(0)[order];
  }

  void evaluate(const FunctionValues& f) {
    s_.lines[f.source](s_.inputs.data(), values_.data());
    std::copy_n(values_.begin(), f.number, s_.inputs.begin() + f.first);
  }
  void evaluate_functions_of(int k) {
    for (const FunctionValues& f : s_.r->functions)
      if (f.stage == k) evaluate(f);
  }

  bool factorize() {
    s_.lines[s_.r->jacobian](s_.inputs.data(), jacobian_.data());
    ++s_.counts.jacobians;
    ++s_.counts.factorizations;
    return s_.matrix->factorize(jacobian_);
  }
  bool factorize_all() {
    return factorize() &&
           std::ranges::all_of(levels_, [&](auto& level) { return level.empty() || level.factorize(jacobian_); });
  }

  ExpansionFailure solve_stages(Series<Scalar>& series, std::span<const double> weights, double precision) {
    moved_ = remaining_ = Scalar(0);
    enough_ = std::max(Scalar(precision), epsilon<Scalar>());
    for (int k = -s_.d_max; k <= 0; ++k)
      if (const ExpansionFailure failure = solve_stage(k, series, weights); failure != ExpansionFailure::None)
        return failure;
    return ExpansionFailure::None;
  }

  ExpansionFailure failure_of_matrix() const {
    return std::ranges::all_of(jacobian_, is_finite<Scalar>) ? ExpansionFailure::Singular : ExpansionFailure::NoValue;
  }

  ExpansionFailure solve_stage(int k, Series<Scalar>& series, std::span<const double> weights) {
    const EarlyStage& stage = stages_[k + s_.d_max];
    Scalar* correction = corrections_.data() + (k + s_.d_max) * s_.width;
    std::fill(correction, correction + s_.width, Scalar(0));
    if (k < 0 && levels_[level_of_stage_[k + s_.d_max]].empty()) return ExpansionFailure::None;
    if (moved_ > Scalar(0)) evaluate_functions_of(k);  // earlier stages have changed their arguments
    for (const Class& c : s_.r->classes)
      if (k + c.c > 0) s_.load_class(c, k, series);
    const Scalar rounding = Scalar(1e4) * epsilon<Scalar>();
    Scalar last(std::numeric_limits<double>::max()), first(0);
    for (int iteration = 0;; ++iteration) {
      stage_residuals(k, series);
      ++s_.counts.iterations;
      solve(k);
      Scalar size(0);
      for (const auto& [j, order] : stage.unknowns) {
        Scalar& x = series.at(order)[j];
        const Scalar change = s_.solution[j] * s_.factors.from_derivative(0)[order];
        x += change;
        correction[j] += change;
        const Scalar relative = absolute(change) / (absolute(x) + Scalar(weights[j]));
        if (!(relative <= size)) size = relative;
      }
      load_values(stage, series);
      evaluate_functions_of(k);
      if (!is_finite(size)) return ExpansionFailure::NoValue;
      moved_ = std::max(moved_, size);
      // The next correction would be smaller by about `moved`, the distance from where the matrix was evaluated, if the
      // nonlinearity of the equations has the scale of the unknowns. If its scale is much smaller, as for sin(a) with a
      // = 10⁶, the last two corrections show it.
      const Scalar rate = iteration == 0 ? moved_ : std::max(moved_, size / last);
      if (const Scalar left = size * std::min(rate, Scalar(1)); left <= enough_) {
        remaining_ = std::max(remaining_, left);
        break;
      }
      if (iteration >= most_iterations || (iteration > 1 && size > last)) {
        remaining_ = Scalar(1);
        if (size < rounding) break;
        if (enough_ == epsilon<Scalar>() && size <= Scalar(stagnation) * first) break;
        return ExpansionFailure::NoConvergence;
      }
      if (iteration == 0) first = size;
      const bool is_slow = iteration > 0 && size > Scalar(slow_progress) * last && size > rounding;
      last = size;
      // A matrix evaluated this far away converges slowly. The part for this stage does not depend on later stages.
      if (size > Scalar(long_way) || is_slow) {
        moved_ = Scalar(0);
        for (const FunctionValues& f : s_.r->functions) evaluate(f);
        if (!factorize_all()) return failure_of_matrix();
      }
    }
    if (k < 0 || is_expanded_) close_stage(k, series);  // later stages build on it
    return ExpansionFailure::None;
  }

  // The residuals of all equations of the stage, each at its order.
  void stage_residuals(int k, const Series<Scalar>& series) {
    for (std::size_t s = 0; s < s_.r->classes.size(); ++s) {
      const Class& c = s_.r->classes[s];
      const int order = k + c.c;
      if (order < 0) break;
      if (order == 0) {
        s_.lines[s_.r->value_residuals(s)](s_.inputs.data(), s_.residuals.data() + c.first_row);
      } else {
        s_.load_coefficients(c.unknown, order, series);
        s_.lines[s_.r->residuals(s)](s_.inputs.data(), s_.residuals.data() + c.first_row);
      }
      const Scalar factor = -s_.factors.to_derivative(0)[order];
      for (int i = 0; i < c.rows; ++i) s_.residuals[c.first_row + i] *= factor;
    }
  }

  // The correction of the derivatives of order k + d_j, in natural units.
  void solve(int k) {
    if (k < 0)
      levels_[level_of_stage_[k + s_.d_max]].solve(s_.residuals.data(),
                                                   {s_.solution.data(), static_cast<std::size_t>(s_.n)});
    else
      s_.matrix->solve(s_.residuals.data(), s_.solution.data());
  }

  void close_stage(int k, const Series<Scalar>& series) {
    for (std::size_t s = 0; s < s_.r->classes.size(); ++s) {
      const Class& c = s_.r->classes[s];
      const int order = k + c.c;
      if (order < 0) break;
      if (order == 0) {
        s_.lines[s_.r->factors(s)](s_.inputs.data(), values_.data());
        std::copy_n(values_.begin(), c.factors, s_.inputs.begin() + c.first_factor);
      } else {
        s_.load_coefficients(c.unknown, order, series);
        s_.lines[s_.r->records(s)](s_.inputs.data(), s_.record(k) + c.left);
      }
    }
  }

  StageNumbers<Scalar>& s_;
  std::vector<Scalar> values_, jacobian_;
  std::vector<SmallestCorrection<Scalar>> levels_;
  std::vector<int> level_of_stage_;  // from stage -d_max on
  std::vector<EarlyStage> stages_;   // likewise
  Numbers<Scalar> corrections_;
  Scalar moved_{}, enough_{};  // of the iterations
  Scalar remaining_{};
  bool is_expanded_ = true;  // stages above 0 follow
};

}  // namespace driftless::taylor
