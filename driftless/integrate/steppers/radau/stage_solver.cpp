#include "driftless/integrate/steppers/radau/stage_solver.hpp"

#include <cassert>

#include "driftless/integrate/steppers/runge_kutta/stages.hpp"

namespace driftless {

StageSolver::StageSolver(Problem& problem, int stages) : problem_(problem), stages_(stages) { states_changed(); }

void StageSolver::states_changed() {
  const linear::Pattern& pattern = problem_.pattern();
  grading_ = grade(problem_);
  by_value_.assign(pattern.rows.size(), 0.0);
  by_rate_.assign(pattern.rows.size(), 0.0);
  real_.reset(pattern, linear::make_factorization(pattern));
  pairs_.clear();
  for (int p = 0; p < stages_ / 2; ++p)
    pairs_.push_back(
        {linear::make_complex_factorization(pattern), std::vector<std::complex<double>>(pattern.rows.size())});
  pairs_have_pivots_ = false;
  parts_.resize(static_cast<std::size_t>(stages_) * pattern.size);
  row_scale_.assign(pattern.size, 1.0);
  column_scale_.assign(pattern.size, 1.0);
  scaled_for_ = 0.0;
}

bool StageSolver::linearize(double t, std::span<const double> y, std::span<const double> yp) {
  return problem_.derivatives(t, y, yp, by_value_, by_rate_);
}

// The scales are powers of two, so they are kept for a range of step sizes.
void StageSolver::scale(double h) {
  if (scaled_for_ / 2.0 < h && h < scaled_for_ * 2.0) return;
  grading_.scales(h, row_scale_, column_scale_);
  real_.scale(row_scale_, column_scale_);
  scaled_for_ = h;
}

bool StageSolver::factorize(const StageTransformation& transformation, double h) {
  assert(transformation.stages() <= stages_);
  scale(h);
  transformation_ = &transformation;
  if (transformation.real) {
    const std::span<double> values = real_.values();
    const double alpha = *transformation.real / h;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = by_value_[k] + alpha * by_rate_[k];
    if (!real_.factorize()) return false;
    share_pivots(real_.pivots());
  }
  for (std::size_t p = 0; p < transformation.complex.size(); ++p) {
    if (!factorize(pairs_[p], transformation.complex[p] / h)) return false;
    share_pivots(pairs_[p].factorization->pivots());
  }
  return true;
}

// The pivot order of the first matrix is tried for all complex ones, including those of larger numbers of stages, so
// that they need not allocate later.
void StageSolver::share_pivots(const std::shared_ptr<const linear::PivotOrder>& order) {
  if (pairs_have_pivots_ || !order) return;
  for (Pair& pair : pairs_)
    if (!pair.factorization->pivots()) pair.factorization->try_pivots(order);
  pairs_have_pivots_ = true;
}

bool StageSolver::factorize(Pair& pair, std::complex<double> alpha) {
  const std::span<const double> scale = real_.scale_of_entries();
  for (std::size_t k = 0; k < scale.size(); ++k)
    pair.values[k] = {scale[k] * (by_value_[k] + alpha.real() * by_rate_[k]), scale[k] * (alpha.imag() * by_rate_[k])};
  return pair.factorization->factorize(pair.values);
}

void StageSolver::solve(std::span<double> stages) {
  const std::size_t n = row_scale_.size();
  assert(stages.size() == transformation_->stages() * n);
  const std::span<double> parts = std::span(parts_).first(stages.size());
  combine(transformation_->to_parts, stages, parts);
  double* part = parts_.data();
  if (transformation_->real) {
    real_.solve({part, n});
    part += n;
  }
  for (std::size_t p = 0; p < transformation_->complex.size(); ++p, part += 2 * n) {
    double *re = part, *im = part + n;
    for (std::size_t i = 0; i < n; ++i) re[i] *= row_scale_[i], im[i] *= row_scale_[i];
    pairs_[p].factorization->solve({re, n}, {im, n});
    for (std::size_t j = 0; j < n; ++j) re[j] *= column_scale_[j], im[j] *= column_scale_[j];
  }
  combine(transformation_->from_parts, parts, stages);
}

void StageSolver::archive(Archive& archive, const StageTransformation& transformation) {
  archive.section("stages");
  archive.expect(stages_, "number of stages");
  archive(by_value_, by_rate_, real_, row_scale_, column_scale_, scaled_for_);
  for (Pair& pair : pairs_) archive(*pair.factorization);
  if (archive.is_reading()) transformation_ = &transformation;
}

void StageSolver::solve_real(std::span<double> one) const { real_.solve(one); }

}  // namespace driftless
