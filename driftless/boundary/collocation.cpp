#include "driftless/boundary/collocation.hpp"

namespace driftless::boundary {

Eigen::VectorXd Collocation::states_of(const Chart& chart, const Eigen::VectorXd& u) const {
  Eigen::VectorXd x(static_cast<Eigen::Index>(chart.size()));
  for (std::size_t j = 0; j < chart.size(); ++j) x[static_cast<Eigen::Index>(j)] = u[equations_.slot_of(chart[j])];
  return x;
}

bool Collocation::residuals(const Approximation& at, Residuals& result) {
  const std::size_t n = at.intervals();
  const auto s = static_cast<std::size_t>(tableau_.stages);
  result.rows_at_ends.resize(n + 1);
  result.rows_at_stages.resize(n * s);
  result.stages.resize(n);
  result.quadrature.resize(n);
  Eigen::VectorXd all_rates;
  for (std::size_t k = 0; k <= n; ++k) {
    failed_at_ = at.mesh[k];
    if (!equations_.evaluate(at.mesh[k], at.values.ends[k], result.rows_at_ends[k], all_rates)) return false;
  }
  std::vector<Eigen::VectorXd> rates(s);
  for (std::size_t k = 0; k < n; ++k) {
    const Chart& chart = at.charts[k];
    const auto states = static_cast<Eigen::Index>(chart.size());
    const double h = at.step(k);
    for (std::size_t i = 0; i < s; ++i) {
      failed_at_ = time(at, k, static_cast<int>(i));
      if (!equations_.evaluate(failed_at_, at.values.stages[k * s + i], result.rows_at_stages[k * s + i], all_rates))
        return false;
      rates[i].resize(states);
      for (Eigen::Index j = 0; j < states; ++j) rates[i][j] = all_rates[chart[static_cast<std::size_t>(j)]];
    }
    const Eigen::VectorXd begin = states_of(chart, at.values.ends[k]);
    result.stages[k].resize(states * tableau_.stages);
    for (std::size_t i = 0; i < s; ++i) {
      Eigen::VectorXd x = states_of(chart, at.values.stages[k * s + i]) - begin;
      for (std::size_t j = 0; j < s; ++j) x -= h * tableau_.at(static_cast<int>(i), static_cast<int>(j)) * rates[j];
      result.stages[k].segment(states * static_cast<Eigen::Index>(i), states) = x;
    }
    result.quadrature[k] = states_of(chart, at.values.ends[k + 1]) - begin;
    for (std::size_t j = 0; j < s; ++j) result.quadrature[k] -= h * tableau_.b[j] * rates[j];
  }
  failed_at_ = at.mesh.front();
  if (!conditions_.evaluate(equations_, End::Start, failed_at_, at.values.ends.front(), result.at_start)) return false;
  failed_at_ = at.mesh.back();
  return conditions_.evaluate(equations_, End::Stop, failed_at_, at.values.ends.back(), result.at_stop);
}

// (I - h A x J) X = 1 x x_k + ..., and its effect on the states at the end.
bool Collocation::linearize(const Approximation& at, std::size_t k, Interval& interval) {
  const auto s = static_cast<std::size_t>(tableau_.stages);
  interval.h = at.step(k);
  interval.chart = at.charts[k];
  interval.stages.resize(s);
  for (std::size_t i = 0; i < s; ++i) {
    failed_at_ = time(at, k, static_cast<int>(i));
    if (!interval.stages[i].make(equations_, interval.chart, failed_at_, at.values.stages[k * s + i])) return false;
  }
  const auto states = static_cast<Eigen::Index>(interval.chart.size());
  Eigen::MatrixXd m = Eigen::MatrixXd::Identity(states * tableau_.stages, states * tableau_.stages);
  Eigen::MatrixXd ones(states * tableau_.stages, states);
  for (int i = 0; i < tableau_.stages; ++i) {
    ones.middleRows(i * states, states).setIdentity();
    for (int j = 0; j < tableau_.stages; ++j)
      m.block(i * states, j * states, states, states) -=
          interval.h * tableau_.at(i, j) * interval.stages[static_cast<std::size_t>(j)].rates_by_states;
  }
  interval.lu = linear::Lu(m);
  interval.by_start = interval.lu.solve(ones);
  interval.transition = Eigen::MatrixXd::Identity(states, states);
  for (std::size_t j = 0; j < s; ++j)
    interval.transition += interval.h * tableau_.b[j] * interval.stages[j].rates_by_states *
                           interval.by_start.middleRows(static_cast<Eigen::Index>(j) * states, states);
  return interval.transition.allFinite();
}

Collocation::Linearized Collocation::linearize(const Approximation& at, const Eigen::VectorXd& sizes) {
  const std::size_t n = at.intervals();
  const Eigen::Index states = equations_.states();
  ends_.resize(n + 1);
  intervals_.resize(n);
  coordinate_sizes_.resize(n + 1);
  for (std::size_t k = 0; k <= n; ++k) {
    failed_at_ = at.mesh[k];
    coordinate_sizes_[k] = states_of(chart_at(at, k), sizes);
    if (!ends_[k].make(equations_, chart_at(at, k), at.mesh[k], at.values.ends[k])) return Linearized::NoStates;
  }
  AlmostBlockDiagonalMatrix matrix;
  for (std::size_t k = 0; k < n; ++k) {
    if (!linearize(at, k, intervals_[k])) return Linearized::NoStates;
    Interval& interval = intervals_[k];
    interval.begin_by_chart.resize(states, states);
    for (Eigen::Index j = 0; j < states; ++j)
      interval.begin_by_chart.row(j) =
          ends_[k].by_states.row(equations_.slot_of(interval.chart[static_cast<std::size_t>(j)]));
    const Eigen::VectorXd& unit = coordinate_sizes_[k + 1];  // the chart of the interval is that of its end
    matrix.left.push_back(-(unit.cwiseInverse().asDiagonal() * interval.transition * interval.begin_by_chart *
                            coordinate_sizes_[k].asDiagonal()));
    matrix.right.push_back(Eigen::MatrixXd::Identity(states, states));
  }
  Eigen::VectorXd values;
  if (!conditions_.evaluate(equations_, End::Start, at.mesh.front(), at.values.ends.front(), values,
                            &start_gradient_) ||
      !conditions_.evaluate(equations_, End::Stop, at.mesh.back(), at.values.ends.back(), values, &stop_gradient_))
    return Linearized::Undefined;
  matrix.first = start_gradient_ * ends_.front().by_states * coordinate_sizes_.front().asDiagonal();
  matrix.last = stop_gradient_ * ends_.back().by_states * coordinate_sizes_.back().asDiagonal();
  return blocks_.factorize(matrix) ? Linearized::Regular : Linearized::Singular;
}

Values Collocation::correction(const Residuals& residuals) const {
  const std::size_t n = intervals_.size();
  const auto s = static_cast<std::size_t>(tableau_.stages);
  const Eigen::Index states = equations_.states();
  std::vector<Eigen::VectorXd> of_ends(n + 1), of_stages(n * s), particular(n);
  for (std::size_t k = 0; k <= n; ++k) of_ends[k] = ends_[k].change(residuals.rows_at_ends[k]);

  AlmostBlockDiagonalVector right_side;
  for (std::size_t k = 0; k < n; ++k) {
    const Interval& interval = intervals_[k];
    std::vector<Eigen::VectorXd> rates(s);
    for (std::size_t j = 0; j < s; ++j) {
      of_stages[k * s + j] = interval.stages[j].change(residuals.rows_at_stages[k * s + j]);
      rates[j] = interval.stages[j].rates * of_stages[k * s + j];
    }
    Eigen::VectorXd x = -residuals.stages[k];
    for (std::size_t i = 0; i < s; ++i)
      for (std::size_t j = 0; j < s; ++j)
        x.segment(static_cast<Eigen::Index>(i) * states, states) +=
            interval.h * tableau_.at(static_cast<int>(i), static_cast<int>(j)) * rates[j];
    particular[k] = interval.lu.solve(x);
    const Eigen::VectorXd begin = states_of(interval.chart, of_ends[k]);
    Eigen::VectorXd end = interval.transition * begin - residuals.quadrature[k];
    for (std::size_t j = 0; j < s; ++j)
      end +=
          interval.h * tableau_.b[j] *
          (interval.stages[j].rates_by_states * particular[k].segment(static_cast<Eigen::Index>(j) * states, states) +
           rates[j]);
    right_side.inner.push_back(
        (end - states_of(interval.chart, of_ends[k + 1])).cwiseQuotient(coordinate_sizes_[k + 1]));
  }
  right_side.first = -(residuals.at_start + start_gradient_ * of_ends.front());
  right_side.last = -(residuals.at_stop + stop_gradient_ * of_ends.back());
  const std::vector<Eigen::VectorXd> x = blocks_.solve(right_side);

  Values result;
  for (std::size_t k = 0; k <= n; ++k)
    result.ends.push_back(of_ends[k] + ends_[k].by_states * x[k].cwiseProduct(coordinate_sizes_[k]));
  for (std::size_t k = 0; k < n; ++k) {
    const Interval& interval = intervals_[k];
    const Eigen::VectorXd begin = states_of(interval.chart, result.ends[k]);
    const Eigen::VectorXd all = particular[k] + interval.by_start * begin;
    for (std::size_t j = 0; j < s; ++j)
      result.stages.push_back(of_stages[k * s + j] + interval.stages[j].by_states *
                                                         all.segment(static_cast<Eigen::Index>(j) * states, states));
  }
  return result;
}

}  // namespace driftless::boundary
