#include "driftless/integrate/steppers/runge_kutta/half_explicit_stages.hpp"

#include <algorithm>

namespace driftless {

HalfExplicitStages::HalfExplicitStages(const method::HalfExplicit& method, MultiplierSolve& solve, std::size_t size)
    : tableau_(half_explicit_tableau(method.tableau)),
      solve_(solve),
      known_(size),
      present_(size),
      extra_(tableau_.dense.empty() ? 0 : size, 0.0),
      slope_(tableau_.stages, std::vector<double>(size)) {}

newton::Report HalfExplicitStages::advance(const StepEnds& ends) {
  const double h = ends.h();
  const int last = last_solved();
  std::ranges::copy(ends.y, ends.y_new.begin());
  for (int i = 0; i < last; ++i) {
    combine(ends, i);
    if (i < tableau_.explicit_stages) {
      std::ranges::copy(ends.yp, slope_[i].begin());
      for (const int s : solve_.states()) ends.y_new[s] = known_[s] + h * next_weight(i, i) * ends.yp[s];
      continue;
    }
    std::ranges::copy(ends.y_new, present_.begin());
    if (i == 0)
      std::ranges::copy(ends.yp, slope_[i].begin());
    else
      slope_[i] = slope_[i - 1];
    const newton::Report report =
        solve_.ahead({ends.t + tableau_.c[i] * h, i + 1 < last ? ends.t + next_node(i) * h : ends.end, known_,
                      h * next_weight(i, i)},
                     present_, slope_[i], ends.y_new);
    if (!report.converged()) return report;
  }
  std::ranges::copy(slope_[last - 1], ends.yp_new.begin());
  return {};
}

void HalfExplicitStages::arrive(std::span<const double> slopes) {
  if (last_solved() < tableau_.stages) std::ranges::copy(slopes, slope_.back().begin());
}

void HalfExplicitStages::error(double h, std::span<double> error) const {
  for (const int s : solve_.states()) {
    double sum = 0.0;
    for (int i = 0; i < tableau_.stages; ++i) sum += tableau_.error[i] * slope_[i][s];
    error[s] = h * sum;
  }
}

// a_{i+1,j}, where the row after the last is b.
double HalfExplicitStages::next_weight(int i, int j) const {
  return i + 1 < tableau_.stages ? tableau_.at(i + 1, j) : tableau_.b[j];
}
double HalfExplicitStages::next_node(int i) const { return i + 1 < tableau_.stages ? tableau_.c[i + 1] : 1.0; }

// known = y + h sum_{j<i} a_{i+1,j} K_j
void HalfExplicitStages::combine(const StepEnds& ends, int i) {
  for (const int s : solve_.states()) {
    double sum = 0.0;
    for (int j = 0; j < i; ++j) sum += next_weight(i, j) * slope_[j][s];
    known_[s] = ends.y[s] + ends.h() * sum;
  }
}

void HalfExplicitStages::combine_dense(double h) {
  if (extra_.empty()) return;
  for (const int s : solve_.states()) {
    extra_[s] = 0.0;
    for (int i = 0; i < tableau_.stages; ++i) extra_[s] += h * tableau_.dense[i] * slope_[i][s];
  }
}

}  // namespace driftless
