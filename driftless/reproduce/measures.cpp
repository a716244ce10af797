#include "driftless/reproduce/measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace driftless::reproduce {

double last(const Solution& solution, const char* name) {
  return solution.find(name) ? solution.final(name) : std::numeric_limits<double>::quiet_NaN();
}

double steps(const Solution& s) { return static_cast<double>(s.statistics.steps); }
double evaluations(const Solution& s) { return static_cast<double>(s.statistics.residual_evaluations); }
double jacobians(const Solution& s) { return static_cast<double>(s.statistics.jacobian_evaluations); }
double error_test_failures(const Solution& s) { return static_cast<double>(s.statistics.rejected_steps); }

double Swing::length(std::size_t row) const { return std::hypot(x[row], y[row]); }

Swing cartesian(const Solution& s) {
  const bool named = s.find("u").has_value();  // velocities are named variables
  return {s.times, s.column("x"), s.column("y"), s.column(named ? "u" : "der(x)"), s.column(named ? "v" : "der(y)")};
}

Swing from_angle(const Solution& s) {
  const std::vector<double> phi = s.column("phi"), omega = s.column("omega");
  Swing swing{s.times, {}, {}, {}, {}};
  for (std::size_t k = 0; k < phi.size(); ++k) {
    swing.x.push_back(std::sin(phi[k]));
    swing.y.push_back(-std::cos(phi[k]));
    swing.u.push_back(omega[k] * std::cos(phi[k]));
    swing.v.push_back(omega[k] * std::sin(phi[k]));
  }
  return swing;
}

double growth(const std::vector<double>& t, const std::vector<double>& values, double begin) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, running = 0;
  for (std::size_t k = 0; k < t.size(); ++k) {
    running = std::max(running, std::abs(values[k]));
    if (t[k] < begin) continue;
    const double a = std::log(t[k]), b = std::log(running);
    n += 1, sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace driftless::reproduce
