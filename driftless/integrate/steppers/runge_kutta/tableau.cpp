#include "driftless/integrate/steppers/runge_kutta/tableau.hpp"

#include <cassert>
#include <cmath>
#include <utility>

#include <Eigen/Core>

#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

// Nodes and matrices are computed in this precision, so that their rounding to double is the only error.
using Real = long double;

struct ValueAndSlope {
  Real value, slope;
};

// The Legendre polynomial of degree n on [0, 1], P_n(2x - 1).
ValueAndSlope legendre(int n, Real x) {
  const Real xi = 2 * x - 1;
  Real before = 0, value = 1, slope_before = 0, slope = 0;
  for (int k = 1; k <= n; ++k) {
    const Real next = ((2 * k - 1) * xi * value - (k - 1) * before) / k;
    const Real next_slope = ((2 * k - 1) * (2 * value + xi * slope) - (k - 1) * slope_before) / k;
    before = std::exchange(value, next);
    slope_before = std::exchange(slope, next_slope);
  }
  return {value, slope};
}

// The zeros of P_s - P_lower, ascending; for lower < 0 those of P_s. All are real and simple, so that from the left
// Newton's iteration ascends to the first zero, and with the zeros found divided out to the next one. Gaps shrink
// towards the end of the interval, but none is less than 0.4 of the one before.
std::vector<Real> nodes(int s, int lower) {
  const auto polynomial = [&](Real x) {
    ValueAndSlope p = legendre(s, x);
    if (lower >= 0) {
      const ValueAndSlope q = legendre(lower, x);
      p.value -= q.value, p.slope -= q.slope;
    }
    return p;
  };
  std::vector<Real> zeros;
  for (int k = 0; k < s; ++k) {
    Real x = k < 2 ? -0.125L : zeros[k - 1] + 0.25L * (zeros[k - 1] - zeros[k - 2]);
    while (true) {
      const ValueAndSlope p = polynomial(x);
      Real slope = p.slope;
      for (const Real zero : zeros) slope -= p.value / (x - zero);
      const Real next = x - p.value / slope;
      if (!(next > x)) break;
      x = next;
    }
    for (int polish = 0; polish < 3; ++polish) {
      const ValueAndSlope p = polynomial(x);
      x -= p.value / p.slope;
    }
    zeros.push_back(x);
  }
  return zeros;
}

// Exact for polynomials of degree 2n - 1 on [0, 1].
struct Quadrature {
  std::vector<Real> points, weights;
};

Quadrature gauss_quadrature(std::size_t points) {
  const int n = static_cast<int>(points);
  Quadrature result{nodes(n, -1), {}};
  for (const Real x : result.points) {
    const Real slope = legendre(n, x).slope;
    result.weights.push_back(1 / (x * (1 - x) * slope * slope));
  }
  return result;
}

// The polynomial that is 1 at node j of c[first ..] and 0 at the others.
Real lagrange(const std::vector<Real>& c, std::size_t first, std::size_t j, Real x) {
  Real product = 1;
  for (std::size_t k = first; k < c.size(); ++k)
    if (k != j) product *= (x - c[k]) / (c[j] - c[k]);
  return product;
}

Real integral_of_lagrange(const Quadrature& rule, const std::vector<Real>& c, std::size_t first, std::size_t j,
                          Real end) {
  Real sum = 0;
  for (std::size_t k = 0; k < rule.points.size(); ++k)
    sum += rule.weights[k] * lagrange(c, first, j, end * rule.points[k]);
  return end * sum;
}

std::vector<Real> quadrature_weights(const std::vector<Real>& c) {
  const Quadrature rule = gauss_quadrature(c.size());
  std::vector<Real> b;
  for (std::size_t j = 0; j < c.size(); ++j) b.push_back(integral_of_lagrange(rule, c, 0, j, 1));
  return b;
}

// a_ij is the integral of the Lagrange polynomial of node j from 0 to c_i.
std::vector<Real> collocation_matrix(const std::vector<Real>& c) {
  const Quadrature rule = gauss_quadrature(c.size());
  std::vector<Real> a;
  for (const Real end : c)
    for (std::size_t j = 0; j < c.size(); ++j) a.push_back(integral_of_lagrange(rule, c, 0, j, end));
  return a;
}

std::vector<double> rounded(const std::vector<Real>& values) { return {values.begin(), values.end()}; }

Tableau tableau_of(int order, const std::vector<Real>& a, const std::vector<Real>& c) {
  return {static_cast<int>(c.size()), order, rounded(a), rounded(quadrature_weights(c)), rounded(c)};
}

std::vector<Real> lobatto_nodes(int stages) {
  std::vector<Real> c = nodes(stages, stages - 2);
  c.front() = 0, c.back() = 1;
  return c;
}

// From the strictly lower rows of the matrix.
Tableau explicit_from_rows(int order, const std::vector<std::vector<double>>& rows, std::vector<double> b,
                           std::vector<double> c) {
  const int s = static_cast<int>(b.size());
  Tableau result{s, order, std::vector<double>(s * s, 0.0), std::move(b), std::move(c)};
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows[i].size(); ++j) result.a[(i + 1) * s + j] = rows[i][j];
  return result;
}

Tableau euler() { return explicit_from_rows(1, {}, {1.0}, {0.0}); }

Tableau heun3() {
  return explicit_from_rows(3, {{1.0 / 3}, {0.0, 2.0 / 3}}, {1.0 / 4, 0.0, 3.0 / 4}, {0.0, 1.0 / 3, 2.0 / 3});
}

Tableau rk4() {
  return explicit_from_rows(4, {{0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6},
                            {0.0, 0.5, 0.5, 1.0});
}

// Dormand, Prince 1980; dense output of Hairer, Nørsett, Wanner 1993, Section II.6.
Tableau dopri5() {
  const std::vector<double> b{35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84};
  std::vector<double> all = b;
  all.push_back(0.0);
  Tableau result = explicit_from_rows(5,
                                      {{1.0 / 5},
                                       {3.0 / 40, 9.0 / 40},
                                       {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                       {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                       {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                       b},
                                      all, {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0});
  result.error = {71.0 / 57600, 0.0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
  result.dense = {-12715105075.0 / 11282082432,  0.0,
                  87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                  701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                  69997945.0 / 29380423};
  result.real_stability = 3.3;
  return result;
}

Tableau midpoint() { return explicit_from_rows(2, {{0.5}}, {0.0, 1.0}, {0.0, 0.5}); }

Tableau hem3() { return explicit_from_rows(3, {{1.0 / 3}, {-1.0, 2.0}}, {0.0, 3.0 / 4, 1.0 / 4}, {0.0, 1.0 / 3, 1.0}); }

// Brasey, Hairer 1993.
Tableau hem4() {
  const double r = std::sqrt(6.0);
  return explicit_from_rows(4,
                            {{0.3},
                             {(1 + r) / 30, (11 - 4 * r) / 30},
                             {(-79 - 31 * r) / 150, (-1 - 4 * r) / 30, (24 + 11 * r) / 25},
                             {(14 + 5 * r) / 6, (-8 + 7 * r) / 6, (-9 - 7 * r) / 4, (9 - r) / 4}},
                            {0.0, 0.0, (16 - r) / 36, (16 + r) / 36, 1.0 / 9},
                            {0.0, 0.3, (4 - r) / 10, (4 + r) / 10, 1.0});
}

// Arnold 1998 (HEDOP5), with the multipliers of the first stage from the hidden constraint as Murua 1997.
Tableau hem5() {
  Tableau result = dopri5();
  result.explicit_stages = 1;
  return result;
}

}  // namespace

bool Tableau::stiffly_accurate() const {
  for (int j = 0; j < stages; ++j)
    if (at(stages - 1, j) != b[j]) return false;
  return c[stages - 1] == 1.0;
}

bool Tableau::explicit_first_stage() const {
  for (int j = 0; j < stages; ++j)
    if (at(0, j) != 0.0) return false;
  return true;
}

Tableau radau_iia(int stages) {
  assert(1 <= stages && stages <= most_stages);
  std::vector<Real> c = nodes(stages, stages - 1);
  c.back() = 1;
  return tableau_of(2 * stages - 1, collocation_matrix(c), c);
}

Tableau gauss(int stages) {
  assert(1 <= stages && stages <= most_stages);
  const std::vector<Real> c = nodes(stages, -1);
  return tableau_of(2 * stages, collocation_matrix(c), c);
}

Tableau lobatto_iiia(int stages) {
  assert(2 <= stages && stages <= most_stages);
  const std::vector<Real> c = lobatto_nodes(stages);
  return tableau_of(2 * stages - 2, collocation_matrix(c), c);
}

// b_i a^_ij + b_j a_ji = b_i b_j with the matrix a of IIIA.
Tableau lobatto_iiib(int stages) {
  assert(2 <= stages && stages <= most_stages);
  const std::vector<Real> c = lobatto_nodes(stages), b = quadrature_weights(c), conjugate = collocation_matrix(c);
  std::vector<Real> a;
  for (int i = 0; i < stages; ++i)
    for (int j = 0; j < stages; ++j) a.push_back(b[j] * (1 - conjugate[j * stages + i] / b[i]));
  for (int i = 0; i < stages; ++i) a[i * stages + stages - 1] = 0;  // exactly, without rounding error
  return tableau_of(2 * stages - 2, a, c);
}

// The first column is b_1; the rest integrates polynomials of degree s - 2.
Tableau lobatto_iiic(int stages) {
  assert(2 <= stages && stages <= most_stages);
  const std::vector<Real> c = lobatto_nodes(stages), b = quadrature_weights(c);
  const Quadrature rule = gauss_quadrature(c.size());
  std::vector<Real> a;
  for (int i = 0; i < stages - 1; ++i) {
    a.push_back(b[0]);
    for (int j = 1; j < stages; ++j)
      a.push_back(integral_of_lagrange(rule, c, 1, j, c[i]) - b[0] * lagrange(c, 1, j, c[0]));
  }
  a.insert(a.end(), b.begin(), b.end());
  return tableau_of(2 * stages - 2, a, c);
}

Tableau explicit_tableau(method::Explicit name) {
  switch (name) {
    case method::Explicit::Euler: return euler();
    case method::Explicit::Heun3: return heun3();
    case method::Explicit::Rk4: return rk4();
    case method::Explicit::Dopri5: return dopri5();
    case method::Explicit::Dop853: return dop853();
    case method::Explicit::Adaptive: break;  // the tolerance decides between the two
  }
  return {};
}

Tableau half_explicit_tableau(method::HalfExplicitTableau name) {
  switch (name) {
    case method::HalfExplicitTableau::Euler: return euler();
    case method::HalfExplicitTableau::Midpoint: return midpoint();
    case method::HalfExplicitTableau::Hem3: return hem3();
    case method::HalfExplicitTableau::Hem4: return hem4();
    case method::HalfExplicitTableau::Hem5: return hem5();
    case method::HalfExplicitTableau::Heun3: return heun3();
    case method::HalfExplicitTableau::Extrapolation: break;  // has no tableau
  }
  return {};
}

std::vector<double> inverse_matrix(const Tableau& tableau) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int s = tableau.stages;
  const Matrix inverse = linear::Lu(Eigen::Map<const Matrix>(tableau.a.data(), s, s)).inverse();
  return {inverse.data(), inverse.data() + s * s};
}

}  // namespace driftless
