#include "driftless/boundary/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/dense.hpp"

namespace driftless::boundary {
namespace {

// Additional places over the whole interval at which the defect is evaluated, so that long mesh intervals do not miss
// short events.
constexpr int even_probes = 400;

// Row i: the coefficients of the polynomial that is 1 at node i and 0 at the others, in powers of node - 1.
Eigen::MatrixXd lagrange(const std::vector<double>& nodes) {
  const auto n = static_cast<Eigen::Index>(nodes.size());
  Eigen::MatrixXd powers(n, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k)
      powers(i, k) = std::pow(nodes[static_cast<std::size_t>(i)] - 1.0, static_cast<double>(k));
  return linear::Lu(powers).inverse().transpose();
}

// The integrals from the beginning of the interval, where (t - end)/h = -1.
Eigen::MatrixXd integrated(const Eigen::MatrixXd& polynomials) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(polynomials.rows(), polynomials.cols() + 1);
  for (Eigen::Index i = 0; i < polynomials.rows(); ++i)
    for (Eigen::Index k = 0; k < polynomials.cols(); ++k) {
      const double c = polynomials(i, k) / static_cast<double>(k + 1);
      result(i, k + 1) = c;
      result(i, 0) -= k % 2 == 0 ? -c : c;
    }
  return result;
}

Eigen::VectorXd powers_of(double sigma, Eigen::Index count) {
  Eigen::VectorXd powers(count);
  double power = 1.0;
  for (Eigen::Index k = 0; k < count; ++k, power *= sigma) powers[k] = power;
  return powers;
}

// The chart as the candidates that have kinematic relations.
std::vector<int> kinematics_of(const Chart& chart, const System& system) {
  std::vector<int> active;
  std::ranges::copy_if(chart, std::back_inserter(active), [&](int c) { return c < system.candidates(); });
  return active;
}

Problem with_states(System& system, const Chart& chart) {
  Problem problem(system);
  problem.set_states(kinematics_of(chart, system));
  return problem;
}

}  // namespace

IntervalPolynomials::IntervalPolynomials(const Tableau& tableau) {
  nodes_.push_back(0.0);
  for (const double c : tableau.c)
    if (c < 1.0) nodes_.push_back(c);
  nodes_.push_back(1.0);
  interpolation_ = lagrange(nodes_);
  integrals_ = integrated(interpolation_);
}

Trajectory::Trajectory(Collocation& collocation, Approximation at)
    : collocation_(collocation),
      at_(std::move(at)),
      polynomials_(collocation.tableau()),
      problem_(with_states(collocation.equations().system(), at_.charts.front())),
      on_constraints_(problem_) {
  for (std::size_t k = 0; k < at_.intervals(); ++k) make_segment(k);
}

void Trajectory::make_segment(std::size_t k) {
  PointEquations& equations = collocation_.equations();
  const Tableau& tableau = collocation_.tableau();
  const auto s = static_cast<std::size_t>(tableau.stages);
  const std::size_t inner = polynomials_.nodes().size() - 2;
  std::vector<const Eigen::VectorXd*> points{&at_.values.ends[k]};
  std::vector<double> times{at_.mesh[k]};
  for (std::size_t i = 0; i < inner; ++i) {
    points.push_back(&at_.values.stages[k * s + i]);
    times.push_back(collocation_.time(at_, k, static_cast<int>(i)));
  }
  points.push_back(&at_.values.ends[k + 1]);
  times.push_back(at_.mesh[k + 1]);

  const Eigen::MatrixXd& integrals = polynomials_.integrals();
  const Eigen::Index slots = equations.system().size(), rows = integrals.cols();
  Eigen::MatrixXd coefficients = Eigen::MatrixXd::Zero(rows, slots);
  for (std::size_t i = 0; i < points.size(); ++i)
    coefficients.topRows(rows - 1) +=
        polynomials_.interpolation().row(static_cast<Eigen::Index>(i)).transpose() * points[i]->head(slots).transpose();
  const Chart& chart = at_.charts[k];
  const double h = at_.step(k);
  for (const int c : chart) {
    coefficients.col(equations.slot_of(c)).setZero();
    coefficients(0, equations.slot_of(c)) = at_.values.ends[k][equations.slot_of(c)];
  }
  Eigen::VectorXd values, rates;
  for (std::size_t i = 0; i < points.size(); ++i) {
    equations.evaluate(times[i], *points[i], values, rates);
    for (const int c : chart)
      coefficients.col(equations.slot_of(c)) += h * rates[c] * integrals.row(static_cast<Eigen::Index>(i)).transpose();
  }
  Segment segment{at_.mesh[k], at_.mesh[k + 1], static_cast<int>(rows) - 1, {}};
  for (Eigen::Index row = 0; row < rows; ++row)
    for (Eigen::Index j = 0; j < slots; ++j) segment.coefficients.push_back(coefficients(row, j));
  segments_.push_back(std::move(segment));
}

std::size_t Trajectory::interval_at(double t) const {
  const auto after = std::ranges::upper_bound(at_.mesh, t);
  const auto k =
      std::clamp<std::ptrdiff_t>(after - at_.mesh.begin() - 1, 0, static_cast<std::ptrdiff_t>(at_.intervals()) - 1);
  return static_cast<std::size_t>(k);
}

Eigen::VectorXd Trajectory::interpolated(double t) const {
  const std::size_t k = interval_at(t);
  const auto s = static_cast<std::size_t>(collocation_.tableau().stages);
  const Eigen::MatrixXd& interpolation = polynomials_.interpolation();
  const Eigen::VectorXd weights = interpolation * powers_of((t - at_.mesh[k + 1]) / at_.step(k), interpolation.cols());
  Eigen::VectorXd u = weights[0] * at_.values.ends[k] + weights[weights.size() - 1] * at_.values.ends[k + 1];
  for (Eigen::Index i = 1; i + 1 < weights.size(); ++i)
    u += weights[i] * at_.values.stages[k * s + static_cast<std::size_t>(i) - 1];
  return u;
}

bool Trajectory::point(double t, std::vector<double>& y, std::vector<double>& yp) {
  const std::size_t k = interval_at(t);
  if (const auto states = each_alone(kinematics_of(at_.charts[k], problem_.system())); states != problem_.states()) {
    problem_.set_states(states);
    on_constraints_.states_changed();
  }
  evaluate(segments_[k], t, y, yp);
  return on_constraints_(t, y, yp);
}

std::vector<double> Trajectory::defects() {
  std::vector<double> all;
  for (std::size_t k = 0; k < at_.intervals(); ++k) all.push_back(defect(k));
  return all;
}

std::vector<double> Trajectory::probes(std::size_t k) const {
  std::vector<double> times;
  const std::vector<double>& nodes = polynomials_.nodes();
  for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    times.push_back(at_.mesh[k] + at_.step(k) * 0.5 * (nodes[i] + nodes[i + 1]));
  const double spacing = (at_.mesh.back() - at_.mesh.front()) / even_probes;
  const double first = std::ceil((at_.mesh[k] - at_.mesh.front()) / spacing);
  for (double j = first; at_.mesh.front() + j * spacing < at_.mesh[k + 1]; ++j)
    times.push_back(at_.mesh.front() + j * spacing);
  return times;
}

double Trajectory::defect(std::size_t k) {
  PointEquations& equations = collocation_.equations();
  double largest = 0.0;
  std::vector<double> y, yp, slopes;
  Eigen::VectorXd rows, rates;
  for (const double t : probes(k)) {
    evaluate(segments_[k], t, y, slopes);
    if (!point(t, y, yp) || !equations.evaluate(t, equations.join(y, yp), rows, rates)) return std::max(1.0, largest);
    for (const int c : at_.charts[k]) {
      const auto slot = static_cast<std::size_t>(equations.slot_of(c));
      largest = std::max(largest, at_.step(k) * std::abs(slopes[slot] - rates[c]) /
                                      (std::abs(y[slot]) + equations.nominal(static_cast<Eigen::Index>(slot))));
    }
  }
  return largest;
}

double Trajectory::distance_to_mesh_points_of(const Trajectory& other) {
  const PointEquations& equations = collocation_.equations();
  double largest = 0.0;
  std::vector<double> y, yp;
  for (std::size_t k = 0; k < other.at_.mesh.size(); ++k) {
    if (!point(other.at_.mesh[k], y, yp)) return HUGE_VAL;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const auto slot = static_cast<Eigen::Index>(j);
      const double value = other.at_.values.ends[k][slot];
      largest = std::max(largest, std::abs(y[j] - value) / (std::abs(value) + equations.nominal(slot)));
    }
  }
  return largest;
}

}  // namespace driftless::boundary
