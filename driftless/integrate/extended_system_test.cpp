// Führer & Leimkuhler (1991), Theorem 3.1, for every mass matrix: the overdetermined index-1 form without multipliers
// takes the steps of the extended system (31)-(35). The reference is an independent solver of (31)-(35): matrices
// written by hand, extended precision, derivatives by difference quotients.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <random>

#include "driftless/integrate/steppers/multistep/multistep.hpp"
#include "driftless/integrate/sample_problem.hpp"

namespace driftless {
namespace {

using namespace formulation;
using Real = long double;
using Vector = Eigen::Matrix<Real, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

// M v' = f - Gᵀ lambda, 0 = g(p).
struct Mechanism {
  std::vector<std::string> positions, forces;  // names in the model
  std::function<Matrix(const Vector& p)> mass;
  std::function<Vector(const Vector& p, const Vector& v)> force;
  std::function<Vector(const Vector& p)> constraint;
  std::function<Matrix(const Vector& p)> gradient;                    // G
  std::function<Vector(const Vector& p, const Vector& v)> curvature;  // g_pp(v, v)

  // Γ = ∂(G v)/∂p by polarization.
  Matrix turning(const Vector& p, const Vector& v) const {
    Matrix result(forces.size(), p.size());
    for (Eigen::Index j = 0; j < p.size(); ++j) {
      const Vector e = Vector::Unit(p.size(), j);
      result.col(j) = (curvature(p, v + e) - curvature(p, v - e)) / 4;
    }
    return result;
  }
};

// Backward Euler on (31)-(35), the unknowns p, v, lambda, mu, eta.
class Extended {
 public:
  Extended(const Mechanism& mechanism, Vector p_start, Vector v_start, Real h)
      : p(std::move(p_start)),
        v(std::move(v_start)),
        lambda(Vector::Zero(static_cast<Eigen::Index>(mechanism.forces.size()))),
        mechanism_(mechanism),
        h_(h) {}

  void step() {
    const Eigen::Index n = p.size(), m = lambda.size();
    Vector x(2 * n + 3 * m);
    x << p, v, lambda, Vector::Zero(2 * m);
    for (int iteration = 0; iteration < 6; ++iteration) {
      const Vector r = residual(x);
      Matrix jacobian(x.size(), x.size());
      for (Eigen::Index j = 0; j < x.size(); ++j) {
        const Real shift = 1e-8L * (1 + std::abs(x[j]));
        Vector up = x, down = x;
        up[j] += shift, down[j] -= shift;
        jacobian.col(j) = (residual(up) - residual(down)) / (2 * shift);
      }
      const Vector delta = jacobian.fullPivLu().solve(r);
      x -= delta;
      if (delta.norm() <= 1e-16L * x.norm()) break;
    }
    p = x.head(n), v = x.segment(n, n), lambda = x.segment(2 * n, m);
  }

  Vector p, v, lambda;

 private:
  Vector residual(const Vector& x) const {
    const Eigen::Index n = p.size(), m = lambda.size();
    const Vector q = x.head(n), u = x.segment(n, n), l = x.segment(2 * n, m), mu = x.segment(2 * n + m, m),
                 eta = x.tail(m);
    const Matrix mass = mechanism_.mass(q), g = mechanism_.gradient(q), gamma = mechanism_.turning(q, u);
    const Vector f = mechanism_.force(q, u);
    Vector r(x.size());
    r << q - p - h_ * (u - g.transpose() * mu - gamma.transpose() * eta),
        mass * (u - v) - h_ * (f - g.transpose() * l - g.transpose() * eta), mechanism_.constraint(q), g * u,
        g * mass.partialPivLu().solve(f - g.transpose() * l) + mechanism_.curvature(q, u);
    return r;
  }

  const Mechanism& mechanism_;
  Real h_;
};

struct Distances {
  double overdetermined = 0.0, stabilized = 0.0;  // from the reference, relative to 1 + |value|, over all steps
};

// Every position, velocity and force of `steps` steps.
Distances distances(const Model& model, const Mechanism& mechanism, double h, int steps,
                    Correction inverse = Correction::SsfBordered) {
  samples::SampleProblem over(model, Overdetermined{.inverse = inverse}), stable(model, StabilizedIndex1{});
  const auto stepper = [&](samples::SampleProblem& sample) {
    return make_multistep(bdf_formula(1), sample.problem, sample.start, {.stop = 2.0 * h * steps, .step = h});
  };
  const auto a = stepper(over), b = stepper(stable);
  const auto n = static_cast<Eigen::Index>(mechanism.positions.size());
  Vector p(n), v(n);
  for (Eigen::Index i = 0; i < n; ++i)
    p[i] = over(*a, mechanism.positions[i]), v[i] = over(*a, "der(" + mechanism.positions[i] + ")");
  Extended judge(mechanism, p, v, h);
  Distances result;
  const auto see = [&](const std::string& name, Real exact) {
    const auto distance = [&](double value) {
      return static_cast<double>(std::abs(value - exact) / (1 + std::abs(exact)));
    };
    result.overdetermined = std::max(result.overdetermined, distance(over(*a, name)));
    result.stabilized = std::max(result.stabilized, distance(stable(*b, name)));
  };
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(a->step().outcome, Outcome::Success);
    EXPECT_EQ(b->step().outcome, Outcome::Success);
    judge.step();
    for (Eigen::Index i = 0; i < n; ++i)
      see(mechanism.positions[i], judge.p[i]), see("der(" + mechanism.positions[i] + ")", judge.v[i]);
    for (std::size_t i = 0; i < mechanism.forces.size(); ++i)
      see(mechanism.forces[i], judge.lambda[static_cast<Eigen::Index>(i)]);
  }
  fmt::print("overdetermined {:.1e}, stabilized index 1 {:.1e}\n", result.overdetermined, result.stabilized);
  return result;
}

Model pendulum_text(double mass) {
  return samples::from_text(fmt::format(R"(
    model Pendulum
      parameter Real m = {};
      Real x(start = 0.6, fixed = true), y(start = -0.8), lambda;
    initial equation
      der(x) = 0.4;
    equation
      m*der(der(x)) = -lambda*x;
      m*der(der(y)) = -lambda*y - m;
      x^2 + y^2 = 1;
    end Pendulum;)",
                                        mass));
}

Mechanism pendulum(Real mass) {
  return {.positions = {"x", "y"},
          .forces = {"lambda"},
          .mass = [mass](const Vector&) -> Matrix { return mass * Matrix::Identity(2, 2); },
          .force = [mass](const Vector&, const Vector&) -> Vector {
            return Vector{{0, -mass}};
          },
          .constraint = [](const Vector& p) -> Vector { return Vector::Constant(1, (p.squaredNorm() - 1) / 2); },
          .gradient = [](const Vector& p) -> Matrix { return p.transpose(); },
          .curvature = [](const Vector&, const Vector& v) -> Vector { return Vector::Constant(1, v.squaredNorm()); }};
}

TEST(TheoremThreeOne, HoldsForThePendulumOfAnyMass) {
  for (const double mass : {0.2, 1.0, 3.0})
    for (const Correction inverse : {Correction::SsfBordered, Correction::SsfBasis}) {
      const Distances d = distances(pendulum_text(mass), pendulum(mass), 0.05, 20, inverse);
      EXPECT_LT(d.overdetermined, 5e-15) << "m = " << mass;
      EXPECT_LT(d.stabilized, 5e-15) << "m = " << mass;
    }
  // With other masses the reference has other steps for the same motion, so masses really enter the steps.
  EXPECT_GT(distances(pendulum_text(1.0), pendulum(3), 0.05, 20).overdetermined, 1e-4);
}

// Four coordinates, two quadratic constraints, a full mass matrix that depends on the position, linear forces; as text
// and by hand.
struct Random {
  Mechanism mechanism;
  Model model;
};

Random random_mechanism(unsigned seed) {
  constexpr int n = 4, m = 2;
  std::mt19937 generator(seed);
  const auto number = [&] { return std::round(2e3 * (static_cast<double>(generator()) / 4294967296.0 - 0.5)) / 1e3; };
  const auto matrix = [&](int rows, int columns) {
    Matrix a(rows, columns);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) a(i, j) = number();
    return a;
  };
  const auto symmetric = [&] {
    const Matrix a = matrix(n, n);
    return Matrix(a + a.transpose());
  };
  const Matrix root = matrix(n, n), constant = root * root.transpose() + Matrix::Identity(n, n);
  const Matrix varying = symmetric() / 16, stiffness = matrix(n, n), damping = matrix(n, n);
  const std::array<Matrix, m> form{symmetric(), symmetric()};
  const Matrix slope = matrix(m, n);

  const auto text = [](Real value) { return fmt::format("({:.20g})", static_cast<double>(value)); };
  std::string model = "model Random\n";
  for (int i = 0; i < n; ++i) model += fmt::format("  Real p{}(start = {});\n", i, i < m ? "0, fixed = true" : "0");
  for (int k = 0; k < m; ++k) model += fmt::format("  Real lambda{};\n", k);
  model += "initial equation\n  der(p0) = 0.3;\n  der(p1) = -0.2;\nequation\n";
  for (int i = 0; i < n; ++i) {
    std::string left, right = "0.5";
    for (int j = 0; j < n; ++j) {
      left += fmt::format(" + ({} + {}*sin(p0))*der(der(p{}))", text(constant(i, j)), text(varying(i, j)), j);
      right += fmt::format(" - {}*p{} - {}*der(p{})", text(stiffness(i, j)), j, text(damping(i, j)), j);
    }
    for (int k = 0; k < m; ++k) {
      right += fmt::format(" - lambda{}*({}", k, text(slope(k, i)));
      for (int j = 0; j < n; ++j) right += fmt::format(" + {}*p{}", text(form[k](i, j)), j);
      right += ")";
    }
    model += fmt::format("  0{} = {};\n", left, right);
  }
  for (int k = 0; k < m; ++k) {
    std::string left;
    for (int i = 0; i < n; ++i) {
      left += fmt::format(" + {}*p{}", text(slope(k, i)), i);
      for (int j = 0; j < n; ++j) left += fmt::format(" + {}*p{}*p{}", text(form[k](i, j) / 2), i, j);
    }
    model += fmt::format("  0{} = 0;\n", left);
  }
  model += "end Random;\n";

  Mechanism mechanism;
  for (int i = 0; i < n; ++i) mechanism.positions.push_back(fmt::format("p{}", i));
  for (int k = 0; k < m; ++k) mechanism.forces.push_back(fmt::format("lambda{}", k));
  mechanism.mass = [=](const Vector& p) -> Matrix { return constant + std::sin(p[0]) * varying; };
  mechanism.force = [=](const Vector& p, const Vector& v) -> Vector {
    return Vector::Constant(n, 0.5) - stiffness * p - damping * v;
  };
  mechanism.constraint = [=](const Vector& p) -> Vector {
    return slope * p + Vector{{p.dot(form[0] * p) / 2, p.dot(form[1] * p) / 2}};
  };
  mechanism.gradient = [=](const Vector& p) -> Matrix {
    Matrix g = slope;
    for (int k = 0; k < m; ++k) g.row(k) += (form[k] * p).transpose();
    return g;
  };
  mechanism.curvature = [=](const Vector&, const Vector& v) -> Vector {
    return Vector{{v.dot(form[0] * v), v.dot(form[1] * v)}};
  };
  return {std::move(mechanism), samples::from_text(model)};
}

TEST(TheoremThreeOne, HoldsForMechanismsWithFullMassMatrices) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const Random random = random_mechanism(seed);
    const Distances d = distances(random.model, random.mechanism, 0.01, 20);
    EXPECT_LT(d.overdetermined, 5e-15) << "seed " << seed;
    EXPECT_LT(d.stabilized, 5e-15) << "seed " << seed;
  }
}

// ---- the seven-body mechanism, from its data

constexpr Real m1 = .04325L, m2 = .00365L, m3 = .02373L, m4 = .00706L, m5 = .07050L, m6 = .00706L, m7 = .05498L;
constexpr Real i1 = 2.194e-6L, i2 = 4.410e-7L, i3 = 5.255e-6L, i4 = 5.667e-7L, i5 = 1.169e-5L, i6 = 5.667e-7L,
               i7 = 1.912e-5L;
constexpr Real xa = -.06934L, ya = -.00227L, xb = -.03635L, yb = .03273L, xc = .014L, yc = .072L, d = .028L,
               da = .0115L, e = .02L, ea = .01421L, zf = .02L, fa = .01421L, rr = .007L, ra = .00092L, ss = .035L,
               sa = .01874L, sb = .01043L, sc = .018L, sd = .02L, ta = .02308L, tb = .00916L, zt = .04L, u = .04L,
               ua = .01228L, ub = .00449L, c0 = 4530.L, l0 = .07785L, mom = .033L;
constexpr Real w = e - ea, z = zf - fa;

Matrix mass_of_squeezer(const Vector& q) {
  const Real ct = std::cos(q[1]), sp = std::sin(q[3]), so = std::sin(q[5]);
  Matrix m = Matrix::Zero(7, 7);
  m(0, 0) = m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * ct + da * da) + i1 + i2;
  m(1, 0) = m(0, 1) = m2 * (da * da - da * rr * ct) + i2;
  m(1, 1) = m2 * da * da + i2;
  m(2, 2) = m3 * (sa * sa + sb * sb) + i3;
  m(3, 3) = m4 * w * w + i4;
  m(4, 3) = m(3, 4) = m4 * (w * w + zt * w * sp) + i4;
  m(4, 4) = m4 * (zt * zt + 2 * zt * w * sp + w * w) + m5 * (ta * ta + tb * tb) + i4 + i5;
  m(5, 5) = m6 * z * z + i6;
  m(6, 5) = m(5, 6) = m6 * (z * z - u * z * so) + i6;
  m(6, 6) = m6 * (z * z - 2 * u * z * so + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7;
  return m;
}

Vector force_on_squeezer(const Vector& q, const Vector& v) {
  const Real sg = std::sin(q[2]), cg = std::cos(q[2]), x = sd * cg + sc * sg + xb - xc, y = sd * sg - sc * cg + yb - yc;
  const Real length = std::sqrt(x * x + y * y), spring = -c0 * (length - l0) / length;
  Vector f(7);
  f << mom - m2 * da * rr * v[1] * (v[1] + 2 * v[0]) * std::sin(q[1]), m2 * da * rr * v[0] * v[0] * std::sin(q[1]),
      spring * (x * (sc * cg - sd * sg) + y * (sd * cg + sc * sg)), m4 * zt * w * v[4] * v[4] * std::cos(q[3]),
      -m4 * zt * w * v[3] * (v[3] + 2 * v[4]) * std::cos(q[3]), -m6 * u * z * v[6] * v[6] * std::cos(q[5]),
      m6 * u * z * v[5] * (v[5] + 2 * v[6]) * std::cos(q[5]);
  return f;
}

Vector loops_of_squeezer(const Vector& q) {
  const Real a = rr * std::cos(q[0]) - d * std::cos(q[0] + q[1]), b = rr * std::sin(q[0]) - d * std::sin(q[0] + q[1]);
  Vector g(6);
  g << a - ss * std::sin(q[2]) - xb, b + ss * std::cos(q[2]) - yb,
      a - e * std::sin(q[3] + q[4]) - zt * std::cos(q[4]) - xa,
      b + e * std::cos(q[3] + q[4]) - zt * std::sin(q[4]) - ya,
      a - zf * std::cos(q[5] + q[6]) - u * std::sin(q[6]) - xa,
      b - zf * std::sin(q[5] + q[6]) + u * std::cos(q[6]) - ya;
  return g;
}

Matrix gradient_of_squeezer(const Vector& q) {
  const Real sbt = std::sin(q[0] + q[1]), cbt = std::cos(q[0] + q[1]), spd = std::sin(q[3] + q[4]),
             cpd = std::cos(q[3] + q[4]), soe = std::sin(q[5] + q[6]), coe = std::cos(q[5] + q[6]);
  Matrix g = Matrix::Zero(6, 7);
  for (const int i : {0, 2, 4}) {
    g(i, 0) = -rr * std::sin(q[0]) + d * sbt, g(i, 1) = d * sbt;
    g(i + 1, 0) = rr * std::cos(q[0]) - d * cbt, g(i + 1, 1) = -d * cbt;
  }
  g(0, 2) = -ss * std::cos(q[2]), g(1, 2) = -ss * std::sin(q[2]);
  g(2, 3) = -e * cpd, g(2, 4) = -e * cpd + zt * std::sin(q[4]);
  g(3, 3) = -e * spd, g(3, 4) = -e * spd - zt * std::cos(q[4]);
  g(4, 5) = zf * soe, g(4, 6) = zf * soe - u * std::cos(q[6]);
  g(5, 5) = -zf * coe, g(5, 6) = -zf * coe - u * std::sin(q[6]);
  return g;
}

Vector curvature_of_squeezer(const Vector& q, const Vector& v) {
  const auto square = [](Real x) { return x * x; };
  const Real bt = square(v[0] + v[1]), pd = square(v[3] + v[4]), oe = square(v[5] + v[6]);
  const Real a = -rr * std::cos(q[0]) * square(v[0]) + d * std::cos(q[0] + q[1]) * bt,
             b = -rr * std::sin(q[0]) * square(v[0]) + d * std::sin(q[0] + q[1]) * bt;
  Vector r(6);
  r << a + ss * std::sin(q[2]) * square(v[2]), b - ss * std::cos(q[2]) * square(v[2]),
      a + e * std::sin(q[3] + q[4]) * pd + zt * std::cos(q[4]) * square(v[4]),
      b - e * std::cos(q[3] + q[4]) * pd + zt * std::sin(q[4]) * square(v[4]),
      a + zf * std::cos(q[5] + q[6]) * oe + u * std::sin(q[6]) * square(v[6]),
      b + zf * std::sin(q[5] + q[6]) * oe - u * std::cos(q[6]) * square(v[6]);
  return r;
}

TEST(TheoremThreeOne, HoldsForTheSevenBodyMechanism) {
  const Mechanism squeezer{.positions = {"beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"},
                           .forces = {"lambda1", "lambda2", "lambda3", "lambda4", "lambda5", "lambda6"},
                           .mass = mass_of_squeezer,
                           .force = force_on_squeezer,
                           .constraint = loops_of_squeezer,
                           .gradient = gradient_of_squeezer,
                           .curvature = curvature_of_squeezer};
  const Distances far = distances(samples::read(samples::path_of("squeezer")), squeezer, 1e-4, 10);
  EXPECT_LT(far.overdetermined, 1e-13);
  EXPECT_LT(far.stabilized, 1e-13);
}

}  // namespace
}  // namespace driftless
