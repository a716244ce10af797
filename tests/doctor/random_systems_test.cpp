// Systems with a known index: E z' + A z = f(t) with a regular part and nilpotent blocks in Weierstrass form, mixed by
// random transformations of equations and unknowns that hide the structure, also dense, dependent on time and
// nonlinear. The solution is known, since f is made for it. A thousand systems of 4 to 40 unknowns.
#include <cmath>
#include <cstdlib>
#include <random>

#include <Eigen/Dense>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "driftless/driftless.hpp"

namespace driftless {
namespace {

// Coefficients of 1, t, t^2, ...
using Polynomial = std::vector<double>;
using Matrix = std::vector<std::vector<Polynomial>>;

Polynomial sum(const Polynomial& a, const Polynomial& b, double factor = 1.0) {
  Polynomial c(std::max(a.size(), b.size()), 0.0);
  for (std::size_t k = 0; k < a.size(); ++k) c[k] += a[k];
  for (std::size_t k = 0; k < b.size(); ++k) c[k] += factor * b[k];
  while (!c.empty() && c.back() == 0.0) c.pop_back();
  return c;
}

Polynomial product(const Polynomial& a, const Polynomial& b) {
  if (a.empty() || b.empty()) return {};
  Polynomial c(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) c[i + j] += a[i] * b[j];
  return c;
}

Matrix identity(int n) {
  Matrix m(n, std::vector<Polynomial>(n));
  for (int i = 0; i < n; ++i) m[i][i] = {1.0};
  return m;
}

Matrix product(const Matrix& a, const Matrix& b) {
  const std::size_t n = a.size();
  Matrix c(n, std::vector<Polynomial>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      if (!a[i][k].empty())
        for (std::size_t j = 0; j < n; ++j) c[i][j] = sum(c[i][j], product(a[i][k], b[k][j]));
  return c;
}

Matrix sum(Matrix a, const Matrix& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) a[i][j] = sum(a[i][j], b[i][j]);
  return a;
}

Matrix derivative(Matrix m) {
  for (std::vector<Polynomial>& row : m)
    for (Polynomial& entry : row) {
      for (std::size_t k = 1; k < entry.size(); ++k) entry[k - 1] = static_cast<double>(k) * entry[k];
      if (!entry.empty()) entry.pop_back();
    }
  return m;
}

// Determinant 1 or -1 at all times, so that ranks stay what they are: some rows are added to others, and all shuffled.
Matrix mixing(std::mt19937_64& random, int n, int operations, int with_time) {
  Matrix m = identity(n);
  std::shuffle(m.begin(), m.end(), random);
  for (int k = 0; k < operations; ++k) {
    const std::size_t i = random() % n, j = random() % n;
    const double sign = random() % 2 ? 1.0 : -1.0;
    const Polynomial factor = k < with_time ? Polynomial{0.0, sign} : Polynomial{sign};
    if (i != j)
      for (int c = 0; c < n; ++c) m[i][c] = sum(m[i][c], product(factor, m[j][c]));
  }
  return m;
}

// Every entry a real number, orthogonal, and with time I + t u v^T before it, where u is orthogonal to v: determinant
// 1 or -1 as well.
Matrix dense_mixing(std::mt19937_64& random, int n, bool in_time) {
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd drawn = Eigen::MatrixXd::NullaryExpr(n, n, [&] { return normal(random); });
  const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(drawn).householderQ();
  Matrix m = identity(n), turn = identity(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) m[i][j] = {q(i, j)};
  if (!in_time) return m;
  const double share = 0.5 / std::sqrt(n);
  Eigen::VectorXd u = Eigen::VectorXd::NullaryExpr(n, [&] { return share * normal(random); });
  const Eigen::VectorXd v = Eigen::VectorXd::NullaryExpr(n, [&] { return share * normal(random); });
  u -= v * (u.dot(v) / v.squaredNorm());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) turn[i][j] = sum(turn[i][j], {0.0, u[i] * v[j]});
  return product(turn, m);
}

// How a system is hidden. Nonlinear: its unknowns z are z = Q x + sin(x) / 4, component by component, which has an
// inverse since Q is orthogonal. ByEquations: equations are added to others with factors that depend on unknowns, so
// that what they differ by vanishes where all of them hold, and only there. InLongChains: nonlinear, with nilpotent
// blocks of up to five, and what is known of the solution has variables of its own: larger arrays.
enum class Hidden { ByUnits, ByUnitsInTime, Dense, DenseInTime, Nonlinear, ByEquations, InLongChains };

bool is_nonlinear(Hidden hidden) { return hidden == Hidden::Nonlinear || hidden == Hidden::InLongChains; }

struct Pencil {
  Matrix e, a, columns;
  int index = 0, states = 0;
};

// P (E z' + A z) with z = Q x: P E Q x' + P (A Q + E Q') x.
Pencil random_pencil(std::mt19937_64& random, int n, Hidden hidden) {
  Matrix e = identity(n), a = identity(n);
  Pencil pencil;
  std::uniform_real_distribution<double> decay(0.1, 2.0);
  int at = 0;
  const int algebraic = 1 + static_cast<int>(random() % n);
  const unsigned longest = hidden == Hidden::InLongChains ? 5 : 3;
  while (at < algebraic) {  // N z' + z
    const int size = std::min(algebraic - at, 1 + static_cast<int>(random() % longest));
    for (int k = 0; k < size; ++k) {
      e[at + k][at + k] = {};
      if (k + 1 < size) e[at + k][at + k + 1] = {1.0};
    }
    pencil.index = std::max(pencil.index, size);
    at += size;
  }
  for (int k = at; k < n; ++k) a[k][k] = {std::round(100.0 * decay(random)) / 100.0};
  pencil.states = n - algebraic;
  const bool dense = hidden == Hidden::Dense || hidden == Hidden::DenseInTime || is_nonlinear(hidden);
  const bool in_time = hidden == Hidden::ByUnitsInTime || hidden == Hidden::DenseInTime;
  const Matrix rows = dense ? dense_mixing(random, n, in_time) : mixing(random, n, n, 0);
  const Matrix columns = dense ? dense_mixing(random, n, in_time) : mixing(random, n, n, in_time ? 2 : 0);
  if (is_nonlinear(hidden)) {
    pencil.e = product(rows, e), pencil.a = product(rows, a), pencil.columns = columns;
    return pencil;
  }
  pencil.e = product(product(rows, e), columns);
  pencil.a = product(rows, sum(product(a, columns), product(e, derivative(columns))));
  return pencil;
}

Expr value(const Polynomial& p, const Expr& t) {
  Expr sum = p.at(0) + 0.0 * t, power = t;
  for (std::size_t k = 1; k < p.size(); ++k, power = power * t)
    if (p[k] != 0.0) sum = sum + p[k] * power;
  return sum;
}

struct Outcomes {
  int systems = 0, right = 0, wrong_index = 0, refused = 0, failed = 0, false_ones = 0;
};

void try_one(std::uint64_t seed, int n, Hidden hidden, Outcomes& outcomes) {
  std::mt19937_64 random(seed);
  const Pencil pencil = random_pencil(random, n, hidden);
  ModelBuilder m("Random");
  std::vector<double> frequency, phase;
  const Expr t = m.time();
  std::vector<Expr> x, solution, rate;
  for (int j = 0; j < n; ++j) {
    frequency.push_back(0.5 + 0.25 * static_cast<double>(random() % 7));
    phase.push_back(0.1 * static_cast<double>(random() % 60));
    x.push_back(m.variable(fmt::format("x{}", j + 1), {.start = std::sin(phase[j])}));
    solution.push_back(sin(frequency[j] * t + phase[j]));
    rate.push_back(frequency[j] * cos(frequency[j] * t + phase[j]));
  }
  // What the pencil is about, and its solution: x itself, or z.
  std::vector<Expr> z = x, of_solution = solution, of_rate = rate;
  for (int i = 0; i < n && is_nonlinear(hidden); ++i) {
    z[i] = sin(x[i]) / 4.0, of_solution[i] = sin(solution[i]) / 4.0, of_rate[i] = cos(solution[i]) * rate[i] / 4.0;
    for (int j = 0; j < n; ++j) {
      const double q = pencil.columns[i][j].at(0);
      z[i] = z[i] + q * x[j], of_solution[i] = of_solution[i] + q * solution[j], of_rate[i] = of_rate[i] + q * rate[j];
    }
  }
  for (int i = 0; i < n && hidden == Hidden::InLongChains; ++i)
    for (auto [known, name] : {std::pair{&of_solution[i], "s"}, std::pair{&of_rate[i], "r"}}) {
      const Expr variable = m.variable(fmt::format("{}{}", name, i + 1));
      m.equation(variable == *known);
      *known = variable;
    }
  std::vector<Expr> defects;
  for (int i = 0; i < n; ++i) {
    Expr left = 0.0 * t, right = 0.0 * t;
    for (int j = 0; j < n; ++j) {
      if (const Polynomial& e = pencil.e[i][j]; !e.empty())
        left = left + value(e, t) * der(z[j]), right = right + value(e, t) * of_rate[j];
      if (const Polynomial& a = pencil.a[i][j]; !a.empty())
        left = left + value(a, t) * z[j], right = right + value(a, t) * of_solution[j];
    }
    if (hidden == Hidden::ByEquations)
      defects.push_back(left - right);
    else
      m.equation(left == right);
  }
  for (int k = 0; k < std::ssize(defects); ++k)
    if (const std::size_t i = random() % n, j = random() % n; i != j)
      defects[i] = defects[i] + (1.5 + sin(x[random() % n])) * defects[j];
  for (const Expr& defect : defects) m.equation(defect == 0.0);
  ++outcomes.systems;
  try {
    const Solution run = simulate(m.build(), {.stop = 1.0, .tolerance = 1e-6, .intervals = 50});
    // The structure of a model that was neither repaired nor integrated by its derivative array says how often its
    // equations are differentiated, which may be once more.
    const bool is_repaired = std::ranges::any_of(
        run.remarks, [](const std::string& remark) { return remark.find("highest derivatives") != remark.npos; });
    const bool is_exact = run.formulation == "derivative-array" || is_repaired;
    const bool right_index = run.structure.degrees_of_freedom == pencil.states &&
                             (!is_exact || run.structure.structural_index == pencil.index);
    if (run.outcome != Outcome::Success) {
      ++outcomes.failed;
      fmt::print("  seed {} n {}: {}\n", seed, n, run.message);
      return;
    }
    double worst = 0.0;
    for (std::size_t row = 0; row < run.times.size(); ++row)
      for (int j = 0; j < n; ++j) {
        const std::size_t column = *run.find(fmt::format("x{}", j + 1));
        worst = std::max(worst, std::abs(run.value(row, column) - std::sin(frequency[j] * run.times[row] + phase[j])));
      }
    if (worst > 1e-4) {
      ++outcomes.false_ones;
      fmt::print("  seed {} n {}: off by {}\n", seed, n, worst);
    } else if (!right_index) {
      ++outcomes.wrong_index;
      fmt::print("  seed {} n {}: index {} instead of {}, {} states instead of {}\n", seed, n,
                 run.structure.structural_index, pencil.index, run.structure.degrees_of_freedom, pencil.states);
    } else {
      ++outcomes.right;
    }
  } catch (const ModelError& error) {
    ++outcomes.refused;
    fmt::print("  seed {} n {}: {}\n", seed, n, std::string(error.what()).substr(0, 150));
  }
}

int times_as_many() {
  const char* text = std::getenv("DRIFTLESS_RANDOM_MODELS");
  return text ? std::max(1, std::atoi(text)) : 1;
}

// A thousand systems in all tests.
void expect_right(Hidden hidden, const std::vector<std::pair<int, int>>& systems_of_size) {
  Outcomes all;
  for (const auto& [n, systems] : systems_of_size) {
    Outcomes outcomes;
    for (int k = 0; k < systems * times_as_many(); ++k)
      try_one(100'000 * static_cast<std::uint64_t>(n) + static_cast<std::uint64_t>(k), n, hidden, outcomes);
    fmt::print("n = {:2}: {} systems, {} right, {} other index, {} refused, {} failed, {} false\n", n, outcomes.systems,
               outcomes.right, outcomes.wrong_index, outcomes.refused, outcomes.failed, outcomes.false_ones);
    all.false_ones += outcomes.false_ones;
    all.right += outcomes.right;
    all.systems += outcomes.systems;
  }
  EXPECT_EQ(all.false_ones, 0);
  EXPECT_GE(all.right, 0.99 * all.systems);
}

// A combination of dense equations takes long to find, the more so in time.
const std::vector<std::pair<int, int>> many{{4, 95}, {6, 75}, {8, 60}, {12, 35}, {20, 18}, {30, 10}, {40, 7}},
    some{{4, 80}, {6, 60}, {8, 28}, {12, 8}, {20, 2}, {30, 1}, {40, 1}},
    few{{4, 60}, {6, 35}, {8, 18}, {12, 6}, {20, 1}}, fewest{{4, 51}, {6, 30}, {8, 14}, {12, 4}, {20, 1}};

// DRIFTLESS_RANDOM_MODELS=n tries n times as many.
TEST(RandomSystems, WithConstantTransformationsAreSolvedAndHaveTheirTrueIndex) { expect_right(Hidden::ByUnits, many); }

TEST(RandomSystems, WithTransformationsInTimeAreSolvedAndHaveTheirTrueIndex) {
  expect_right(Hidden::ByUnitsInTime, many);
}

TEST(RandomSystems, WithDenseTransformationsAreSolvedAndHaveTheirTrueIndex) { expect_right(Hidden::Dense, some); }

// A ring of resistors and a source, whose current is constant: there is a hidden constraint on it, but what lacks is a
// ground, and nobody is to combine equations by hand.
TEST(MissingGround, IsTheOnlyAdvice) {
  ModelBuilder m("Ring");
  const Expr v1 = m.variable("v1"), v2 = m.variable("v2"), v3 = m.variable("v3"), i = m.variable("i");
  m.equation(v1 - v2 == 10.0);
  m.equation(v2 - v3 == 5.0 * i);
  m.equation(v3 - v1 == 2.0 * i);
  m.equation(der(i) == 0.0);
  try {
    simulate(m.build());
    FAIL() << "solved";
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("only differences of v1, v2 and v3"),
                                             testing::Not(testing::HasSubstr("by hand"))));
  }
}

// Many equations are replaced: every one of them stays in the certificate as it was written. x' + (t + 1) y' and the
// derivative of x + (t + 1) y give y = -z/10, and z' = -1.1 z.
TEST(Copies, OfAHiddenConstraintAreAllRepaired) {
  constexpr int copies = 200;
  ModelBuilder m("Copies");
  const Expr t = m.time();
  const std::vector<Expr> x = m.variables("x", copies), y = m.variables("y", copies),
                          z = m.variables("z", copies, {.start = 1.0, .fixed = true});
  for (int k = 0; k < copies; ++k) {
    m.equation(der(x[k]) + (t + 1.0) * der(y[k]) == cos(t + k) + 0.1 * z[k]);
    m.equation(x[k] + (t + 1.0) * y[k] == sin(t + k));
    m.equation(der(z[k]) == y[k] - z[k]);
  }
  const Solution run = simulate(m.build(), {.stop = 1.0, .tolerance = 1e-8, .intervals = 4});
  ASSERT_EQ(run.outcome, Outcome::Success) << run.message;
  EXPECT_EQ(run.structure.degrees_of_freedom, copies);
  EXPECT_EQ(run.structure.structural_index, 2);
  int as_written = 0;
  for (const CertificateEntry& entry : run.certificate) as_written += entry.level == 0;
  EXPECT_GE(as_written, 3 * copies);
  EXPECT_LT(run.largest_residual(), 1e-11);
  for (int k = 1; k <= copies; ++k) {
    EXPECT_NEAR(run.final(fmt::format("z[{}]", k)), std::exp(-1.1), 1e-7);
    EXPECT_NEAR(run.final(fmt::format("y[{}]", k)), -0.1 * std::exp(-1.1), 1e-8);
  }
}

TEST(RandomSystems, WithDenseTransformationsInTimeAreSolvedAndHaveTheirTrueIndex) {
  expect_right(Hidden::DenseInTime, fewest);
}

// Beside the thousand.
TEST(RandomSystems, WhoseEquationsAreAddedToOthersWithFactorsThatVaryAreSolvedAndHaveTheirTrueIndex) {
  expect_right(Hidden::ByEquations, {{4, 40}, {6, 30}, {8, 20}, {12, 10}});
}

TEST(RandomSystems, WithLongChainsAreSolvedAndHaveTheirTrueIndex) {
  expect_right(Hidden::InLongChains, {{4, 20}, {6, 15}, {12, 5}});
}

TEST(RandomSystems, WithNonlinearTransformationsAreSolvedAndHaveTheirTrueIndex) {
  expect_right(Hidden::Nonlinear, few);
}

}  // namespace
}  // namespace driftless
