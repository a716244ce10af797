// One step's linear algebra, a factorization and three solves, by our sparse elimination and by KLU, on the iteration
// matrices ∂F/∂y + α ∂F/∂y' of models in GGL form; real, and complex as Radau IIA needs them. Pivots are chosen
// beforehand in both: KLU refactorizes.
#include <benchmark/benchmark.h>
#include <klu.h>

#include <cmath>
#include <complex>
#include <vector>

#include "driftless/integrate/sample_problem.hpp"
#include "driftless/linear/complex_factorization.hpp"

namespace driftless {
namespace {

constexpr int solves = 3;
constexpr double alpha = 100.0;
constexpr std::complex<double> complex_alpha{100.0, 80.0};

struct Matrix {
  linear::Pattern pattern;
  std::vector<double> real;
  std::vector<std::complex<double>> complex;
};

Matrix matrix_of(const std::string& name) {
  samples::SampleProblem sample(samples::read(samples::path_of(name)), formulation::Ggl{});
  Problem& problem = sample.problem;
  Matrix result{problem.pattern(), {}, {}};
  std::vector<double> by_value(result.pattern.rows.size()), by_rate(by_value);
  problem.derivatives(sample.start.t, sample.start.y, sample.start.yp, by_value, by_rate);
  for (std::size_t e = 0; e < by_value.size(); ++e) {
    result.real.push_back(by_value[e] + alpha * by_rate[e]);
    result.complex.push_back(by_value[e] + complex_alpha * by_rate[e]);
  }
  return result;
}

// KLU with its own settings.
class Klu {
 public:
  explicit Klu(const linear::Pattern& pattern) : pattern_(pattern) {
    klu_defaults(&common_);
    symbolic_ = klu_analyze(pattern_.size, pattern_.starts.data(), pattern_.rows.data(), &common_);
  }
  ~Klu() {
    klu_free_numeric(&numeric_, &common_);
    klu_free_symbolic(&symbolic_, &common_);
  }
  Klu(const Klu&) = delete;

  bool choose(double* values) {
    return (numeric_ = klu_factor(pattern_.starts.data(), pattern_.rows.data(), values, symbolic_, &common_));
  }
  bool factorize(double* values) {
    return klu_refactor(pattern_.starts.data(), pattern_.rows.data(), values, symbolic_, numeric_, &common_);
  }
  void solve(double* b) { klu_solve(symbolic_, numeric_, pattern_.size, 1, b, &common_); }

  bool choose(std::complex<double>* values) {
    return (numeric_ = klu_z_factor(pattern_.starts.data(), pattern_.rows.data(), parts(values), symbolic_, &common_));
  }
  bool factorize(std::complex<double>* values) {
    return klu_z_refactor(pattern_.starts.data(), pattern_.rows.data(), parts(values), symbolic_, numeric_, &common_);
  }
  void solve(std::complex<double>* b) { klu_z_solve(symbolic_, numeric_, pattern_.size, 1, parts(b), &common_); }

 private:
  static double* parts(std::complex<double>* values) { return reinterpret_cast<double*>(values); }

  linear::Pattern pattern_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

template <class Number>
void by_klu(benchmark::State& state, const linear::Pattern& pattern, std::vector<Number> values) {
  Klu klu(pattern);
  if (!klu.choose(values.data())) return state.SkipWithError("singular");
  std::vector<Number> b(pattern.size, 1.0);
  for (auto _ : state) {
    klu.factorize(values.data());
    for (int k = 0; k < solves; ++k) klu.solve(b.data());
    benchmark::DoNotOptimize(b.data());
    b.assign(pattern.size, 1.0);
  }
}

void real_ours(benchmark::State& state, const std::string& name) {
  const Matrix matrix = matrix_of(name);
  const auto ours = linear::make_sparse(matrix.pattern);
  if (!ours->factorize(matrix.real)) return state.SkipWithError("singular");
  std::vector<double> b(matrix.pattern.size, 1.0);
  for (auto _ : state) {
    ours->factorize(matrix.real);
    for (int k = 0; k < solves; ++k) ours->solve(b);
    benchmark::DoNotOptimize(b.data());
    b.assign(matrix.pattern.size, 1.0);
  }
}

void complex_ours(benchmark::State& state, const std::string& name) {
  const Matrix matrix = matrix_of(name);
  const auto ours = linear::make_complex_sparse(matrix.pattern);
  if (!ours->factorize(matrix.complex)) return state.SkipWithError("singular");
  std::vector<double> re(matrix.pattern.size, 1.0), im(matrix.pattern.size, 0.0);
  for (auto _ : state) {
    ours->factorize(matrix.complex);
    for (int k = 0; k < solves; ++k) ours->solve(re, im);
    benchmark::DoNotOptimize(re.data());
    re.assign(matrix.pattern.size, 1.0);
    im.assign(matrix.pattern.size, 0.0);
  }
}

void real_klu(benchmark::State& state, const std::string& name) {
  const Matrix matrix = matrix_of(name);
  by_klu(state, matrix.pattern, matrix.real);
}

void complex_klu(benchmark::State& state, const std::string& name) {
  const Matrix matrix = matrix_of(name);
  by_klu(state, matrix.pattern, matrix.complex);
}

#define DRIFTLESS_SPARSE(name)                  \
  BENCHMARK_CAPTURE(real_ours, name, #name);    \
  BENCHMARK_CAPTURE(real_klu, name, #name);     \
  BENCHMARK_CAPTURE(complex_ours, name, #name); \
  BENCHMARK_CAPTURE(complex_klu, name, #name)

DRIFTLESS_SPARSE(squeezer);
DRIFTLESS_SPARSE(chain);
DRIFTLESS_SPARSE(fekete);

}  // namespace
}  // namespace driftless
