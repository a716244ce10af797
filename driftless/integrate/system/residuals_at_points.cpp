#include "driftless/integrate/system/residuals_at_points.hpp"

#include <algorithm>
#include <array>

#include "driftless/linear/number.hpp"

namespace driftless {

void load_inputs(const System& system, const System::Point& at, std::vector<double>& inputs) {
  const std::vector<double>& of_system = system.inputs();
  inputs.resize(of_system.size());
  std::copy_n(of_system.begin(), system.y_offset(), inputs.begin());
  inputs[0] = at.t;
  std::ranges::copy(at.y, inputs.begin() + static_cast<std::ptrdiff_t>(system.y_offset()));
  std::ranges::copy(at.yp, inputs.begin() + static_cast<std::ptrdiff_t>(system.yp_offset()));
}

bool residual_by_rows(const Problem& problem, std::span<const double> yp, std::span<const double> rows_and_rates,
                      std::span<double> out) {
  const int rows = problem.system().rows();
  const std::vector<Kinematic>& kinematics = problem.reduced().kinematics;
  std::copy_n(rows_and_rates.begin(), rows, out.begin());
  for (std::size_t k = 0; k < problem.states().size(); ++k) {
    double sum = 0.0;
    for (const Term& term : problem.states()[k])
      sum += term.weight * (yp[kinematics[term.candidate].slot] - rows_and_rates[rows + term.candidate]);
    out[rows + k] = sum;
  }
  return linear::all_finite(out);
}

bool ResidualsAtPoints::gain(std::size_t points) {
  if (points > KernelAtPoints::most_points) return false;
  if (!rows_) rows_.emplace(problem_.system().compiled().kernel(CompiledSystem::Rows));
  return rows_->gains();
}

void ResidualsAtPoints::evaluate(std::span<const System::Point> points) {
  const System& system = problem_.system();
  const auto values = static_cast<std::size_t>(system.rows() + system.candidates());
  inputs_.resize(KernelAtPoints::most_points);
  rows_and_rates_.resize(KernelAtPoints::most_points * values);
  work_.resize(std::max(work_.size(), rows_->work_size()));
  std::array<const double*, KernelAtPoints::most_points> from;
  std::array<double*, KernelAtPoints::most_points> to;
  for (std::size_t p = 0; p < points.size(); ++p) {
    load_inputs(system, points[p], inputs_[p]);
    from[p] = inputs_[p].data();
    to[p] = rows_and_rates_.data() + p * values;
  }
  (*rows_)(std::span(from).first(points.size()), std::span(to).first(points.size()), work_.data());
}

bool ResidualsAtPoints::operator()(std::span<const System::Point> points, std::span<double> out) {
  const auto n = static_cast<std::size_t>(problem_.size());
  const auto alone = [&](std::size_t p) {
    return problem_.residual(points[p].t, points[p].y, points[p].yp, out.subspan(p * n, n));
  };
  const bool together = gain(points.size());
  if (together) evaluate(points);
  const std::size_t each = rows_and_rates_.size() / KernelAtPoints::most_points;
  for (std::size_t p = 0; p < points.size(); ++p) {
    const bool exists =
        together && residual_by_rows(problem_, points[p].yp, std::span(rows_and_rates_).subspan(p * each, each),
                                     out.subspan(p * n, n));
    if (!exists && !alone(p)) return false;
  }
  return true;
}

}  // namespace driftless
