// The corrector of an overdetermined step, for three levels of 30 constraints on 40 coordinates each: its generalized
// inverse from one small decomposition for each level (methods.md, M25), from decompositions of all levels together,
// and from the bordered matrix. All three compute the same (GeneralizedInverse.ByStages...).
#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "driftless/linear/generalized_inverse.hpp"

namespace driftless::linear {
namespace {

using Eigen::MatrixXd;

constexpr int coordinates = 40, constraints = 30, levels = 3;

struct Step {
  MatrixXd a1, a2 = MatrixXd::Zero(levels * constraints, levels*coordinates);
  std::vector<int> rows, columns;

  Step() {
    std::mt19937 random(7);
    std::normal_distribution<double> draw;
    const auto fill = [&](auto&& block, double size) {
      for (Eigen::Index j = 0; j < block.cols(); ++j)
        for (Eigen::Index i = 0; i < block.rows(); ++i) block(i, j) = size * draw(random);
    };
    MatrixXd g(constraints, coordinates);
    fill(g, 1.0);
    for (int level = 0; level < levels; ++level) {
      for (int below = 0; below < level; ++below)
        fill(a2.block(level * constraints, below * coordinates, constraints, coordinates), 0.3);
      a2.block(level * constraints, level * coordinates, constraints, coordinates) = g;
      rows.insert(rows.end(), constraints, level - 2);
      columns.insert(columns.end(), coordinates, level - 2);
    }
    a1.resize(a2.cols(), a2.cols());
    fill(a1, 1.0);
    a1.diagonal().array() += 10.0;
  }
};

void by_levels(benchmark::State& state) {
  const Step step;
  for (auto _ : state)
    benchmark::DoNotOptimize(ssf_inverse(step.a1, by_stages(step.a2, step.rows, step.columns)).sum());
}

void of_all_levels(benchmark::State& state) {
  const Step step;
  for (auto _ : state) benchmark::DoNotOptimize(ssf_inverse(step.a1, step.a2, kernel_of(step.a2)).sum());
}

void bordered(benchmark::State& state) {
  const Step step;
  for (auto _ : state) benchmark::DoNotOptimize(ssf_inverse_bordered(step.a1, step.a2).sum());
}

BENCHMARK(by_levels)->Unit(benchmark::kMicrosecond);
BENCHMARK(of_all_levels)->Unit(benchmark::kMicrosecond);
BENCHMARK(bordered)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace driftless::linear
