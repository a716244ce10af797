// Which equation of a boundary value problem is satisfied least, for the explanation of a failure.
#include <fmt/format.h>

#include <cmath>

#include "driftless/boundary/collocation.hpp"

namespace driftless::boundary {
namespace {

struct Worst {
  double ratio = -1.0, value = 0.0, t = 0.0;
  std::string name;
};

// The unit of a residual: its change if the unknowns change by their sizes.
double unit(const Eigen::RowVectorXd& gradient, const Eigen::VectorXd& u, const PointEquations& equations) {
  double sum = 0.0;
  for (Eigen::Index j = 0; j < gradient.size(); ++j)
    sum += std::abs(gradient[j]) * (std::abs(u[j]) + equations.nominal(j));
  return sum > 0.0 ? sum : 1.0;
}

}  // namespace

std::string Collocation::worst(const Approximation& at, const Residuals& residuals) {
  Worst worst;
  const auto look = [&](double value, double size, double t, auto&& name) {
    const double ratio = std::isfinite(value) ? std::abs(value) / size : HUGE_VAL;
    if (ratio > worst.ratio) worst = {ratio, value, t, name()};
  };
  Eigen::MatrixXd rows, rates;
  const auto look_at_rows = [&](double t, const Eigen::VectorXd& u, const Eigen::VectorXd& values) {
    equations_.differentiate(t, u, rows, rates);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      look(values[i], unit(rows.row(i), u, equations_), t, [&] { return equations_.name_of_row(static_cast<int>(i)); });
  };
  const auto s = static_cast<std::size_t>(tableau_.stages);
  for (std::size_t k = 0; k <= at.intervals(); ++k)
    look_at_rows(at.mesh[k], at.values.ends[k], residuals.rows_at_ends[k]);
  for (std::size_t k = 0; k < at.intervals(); ++k) {
    for (std::size_t i = 0; i < s; ++i)
      look_at_rows(time(at, k, static_cast<int>(i)), at.values.stages[k * s + i], residuals.rows_at_stages[k * s + i]);
    for (Eigen::Index j = 0; j < residuals.quadrature[k].size(); ++j) {
      const int slot = equations_.slot_of(at.charts[k][static_cast<std::size_t>(j)]);
      look(residuals.quadrature[k][j], std::abs(at.values.ends[k][slot]) + equations_.nominal(slot), at.mesh[k],
           [&] { return fmt::format("the derivative of {}, integrated over the interval,", equations_.name(slot)); });
    }
  }
  for (const End end : {End::Start, End::Stop}) {
    const Eigen::VectorXd& u = end == End::Start ? at.values.ends.front() : at.values.ends.back();
    const double t = end == End::Start ? at.mesh.front() : at.mesh.back();
    Eigen::VectorXd values;
    Eigen::MatrixXd gradient;
    conditions_.evaluate(equations_, end, t, u, values, &gradient);
    for (Eigen::Index i = 0; i < values.size(); ++i)
      look(values[i], unit(gradient.row(i), u, equations_), t,
           [&] { return conditions_.at(end)[static_cast<std::size_t>(i)].text; });
  }
  return fmt::format("{} has the largest residual, {:.2g} at t = {:.6g}", worst.name, worst.value, worst.t);
}

}  // namespace driftless::boundary
