// Compares jumps with the limit that defines them: one step of the implicit Euler method on the equations as written.
#include <cmath>
#include <random>
#include <string>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "driftless/hybrid/sample_jump.hpp"
#include "driftless/model/builder.hpp"

namespace driftless {
namespace {

using Number = long double;
using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;
using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;

std::string numbered(const char* name, int k) {
  std::string text = name;
  text += '[';
  text += std::to_string(k + 1);
  return text += ']';
}

// E x' + A x + B z = 0 and C x = 0 with random matrices, n differential unknowns x and m multipliers z.
struct RandomSystem {
  Matrix e, a, b, c;
  int n, m;

  RandomSystem(unsigned seed, int n_, int m_) : n(n_), m(m_) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> draw(-1.0, 1.0);
    const auto matrix = [&](int rows, int cols) {
      Matrix made(rows, cols);
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j) made(i, j) = draw(random);
      return made;
    };
    e = matrix(n, n) + 3.0 * Matrix::Identity(n, n);
    a = matrix(n, n);
    b = matrix(n, m);
    c = matrix(m, n);
  }

  Model model() const {
    ModelBuilder builder("Random");
    const std::vector<Expr> x = builder.variables("x", n), z = builder.variables("z", m);
    for (int i = 0; i < n; ++i) {
      Expr sum = 0.0;
      for (int j = 0; j < n; ++j) sum += double(e(i, j)) * der(x[j]) + double(a(i, j)) * x[j];
      for (int j = 0; j < m; ++j) sum += double(b(i, j)) * z[j];
      builder.equation(sum == 0.0);
    }
    for (int i = 0; i < m; ++i) {
      Expr sum = 0.0;
      for (int j = 0; j < n; ++j) sum += double(c(i, j)) * x[j];
      builder.equation(sum == 0.0);
    }
    return builder.build();
  }

  // x and h z after a step.
  Vector step(const Vector& before, Number h) const {
    Matrix matrix = Matrix::Zero(n + m, n + m);
    matrix << e + h * a, b, c, Matrix::Zero(m, m);
    Vector right = Vector::Zero(n + m);
    right.head(n) = e * before;
    return matrix.fullPivLu().solve(right);
  }

  // The same for h -> 0: Neville's scheme over h, h/2, h/4, ...
  Vector limit(const Vector& before) const {
    std::vector<Vector> row;
    Number h = 1e-2L;
    for (int k = 0; k < 8; ++k, h /= 2) {
      row.push_back(step(before, h));
      Number factor = 1;
      for (int i = k - 1; i >= 0; --i) {
        factor *= 2;
        row[i] = row[i + 1] + (row[i + 1] - row[i]) / (factor - 1);
      }
    }
    return row[0];
  }
};

TEST(ImplicitStep, JumpsAreItsLimit) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int n = 2 + static_cast<int>(seed % 6), m = 1 + static_cast<int>(seed % 2);
    const RandomSystem system(seed, n, m);
    samples::SampleJump jump(system.model());
    Vector before(n);
    samples::Named named;
    for (int j = 0; j < n; ++j) {
      before(j) = std::sin(1.0 + 3.0 * j + seed);
      named.emplace_back(numbered("x", j), static_cast<double>(before(j)));
    }
    ASSERT_TRUE(jump.from(named)) << jump.why;
    const Vector after = system.limit(before);
    const double size = static_cast<double>(after.cwiseAbs().maxCoeff()) + 1.0;
    for (int j = 0; j < n; ++j)
      EXPECT_NEAR(jump(numbered("x", j)), static_cast<double>(after(j)), 1e-12 * size) << "seed " << seed;
    for (int j = 0; j < m; ++j)
      EXPECT_NEAR(jump.impulse(numbered("z", j)), static_cast<double>(after(n + j)), 1e-12 * size) << "seed " << seed;
  }
}

// A mass on a curved surface, x'' = -lambda g_x, y'' = -lambda g_y - 1, g = y - x^3/3 - x = 0: index 3. The step solves
// nonlinear equations for positions; its velocities have the jump as their limit.
TEST(ImplicitStep, AMassOnACurve) {
  ModelBuilder m("Curve");
  const Expr x = m.variable("x"), y = m.variable("y"), lambda = m.variable("lambda");
  m.equation(der(der(x)) == lambda * (x * x + 1.0));
  m.equation(der(der(y)) == -lambda - 1.0);
  m.equation(y == x * x * x / 3.0 + x, "curve");
  samples::SampleJump jump(m.build());
  const Number x0 = 0.5L, y0 = x0 * x0 * x0 / 3 + x0, vx0 = 1.0L, vy0 = -0.5L;
  ASSERT_TRUE(jump.from({{"x", double(x0)}, {"y", double(y0)}, {"der(x)", double(vx0)}, {"der(y)", double(vy0)}}))
      << jump.why;
  const auto curve = [](Number at) { return at * at * at / 3 + at; };
  const auto step = [&](Number h) {
    Number vx = vx0, impulse = 0;  // h lambda
    for (int k = 0; k < 60; ++k) {
      const Number slope = (x0 + h * vx) * (x0 + h * vx) + 1;
      // vy = vy0 - impulse - h, vx = vx0 + impulse slope, y0 + h vy = curve(x0 + h vx)
      const Number vy = (curve(x0 + h * vx) - curve(x0)) / h;
      impulse = vy0 - h - vy;
      vx += (vx0 + impulse * slope - vx) / (1 + slope * slope);
    }
    return Eigen::Matrix<Number, 2, 1>(vx, impulse);
  };
  std::vector<Eigen::Matrix<Number, 2, 1>> row;
  Number h = 1e-2L;
  for (int k = 0; k < 6; ++k, h /= 2) {
    row.push_back(step(h));
    Number factor = 1;
    for (int i = k - 1; i >= 0; --i) {
      factor *= 2;
      row[i] = row[i + 1] + (row[i + 1] - row[i]) / (factor - 1);
    }
  }
  EXPECT_NEAR(jump("der(x)"), static_cast<double>(row[0](0)), 1e-12);
  EXPECT_NEAR(jump.impulse("lambda"), static_cast<double>(row[0](1)), 1e-12);
}

}  // namespace
}  // namespace driftless
