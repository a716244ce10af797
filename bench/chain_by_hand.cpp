// A chain of N pendulums, programmed by hand for speed: the yardstick for the performance of models/chain.mo (rods 1 m,
// masses 1 kg, g = 9.81, released at rest from the horizontal).
//
//   index 1     rods d_i = p_i - p_(i-1), forces λ from the tridiagonal system G Gᵀ λ = ..., by Thomas' algorithm: O(N)
//   in time     DOPRI5 with its proportional-integral step control
//   every step  positions and velocities projected onto their constraints with the same tridiagonal matrix
//
//   driftless_bench_chain_by_hand N TOLERANCE [STOP [REPETITIONS]]
//
// prints one JSON object: the shortest time of all repetitions, steps, evaluations, position of the last mass.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "driftless/clock/processor_time.hpp"

namespace {

using driftless::processor_seconds;

constexpr double gravity = 9.81;

// x, y, u = x', v = y': four blocks of n numbers.
struct Blocks {
  const double *x, *y, *u, *v;
  Blocks(const double* state, int n) : x(state), y(state + n), u(state + 2 * n), v(state + 3 * n) {}
};

class Chain {
 public:
  explicit Chain(int n) : n_(n), dx_(n), dy_(n), diagonal_(n), upper_(n), right_(n), move_(n) {}

  // d/dt of the state.
  void slope(const double* state, double* out) {
    ++evaluations;
    const Blocks s(state, n_);
    form_matrix(s);
    double u_before = 0.0, v_before = 0.0;
    for (int i = 0; i < n_; ++i) {
      const double du = s.u[i] - u_before, dv = s.v[i] - v_before;
      right_[i] = du * du + dv * dv;
      u_before = s.u[i], v_before = s.v[i];
    }
    right_[0] -= gravity * dy_[0];
    solve();
    std::copy_n(s.u, 2 * n_, out);
    double* const du = out + 2 * n_;
    double* const dv = out + 3 * n_;
    for (int i = 0; i + 1 < n_; ++i) {
      du[i] = right_[i + 1] * dx_[i + 1] - right_[i] * dx_[i];
      dv[i] = right_[i + 1] * dy_[i + 1] - right_[i] * dy_[i] - gravity;
    }
    du[n_ - 1] = -right_[n_ - 1] * dx_[n_ - 1];
    dv[n_ - 1] = -right_[n_ - 1] * dy_[n_ - 1] - gravity;
  }

  // Positions, then velocities.
  void project(double* state, double accuracy) {
    double* const x = state;
    double* const y = state + n_;
    for (double size = 1.0; size > accuracy;) {
      form_matrix(Blocks(state, n_));
      for (int i = 0; i < n_; ++i) right_[i] = 0.5 * (1.0 - dx_[i] * dx_[i] - dy_[i] * dy_[i]);
      solve();
      size = move(x, y);
    }
    form_matrix(Blocks(state, n_));
    double* const u = state + 2 * n_;
    double* const v = state + 3 * n_;
    double u_before = 0.0, v_before = 0.0;
    for (int i = 0; i < n_; ++i) {
      right_[i] = -(dx_[i] * (u[i] - u_before) + dy_[i] * (v[i] - v_before));
      u_before = u[i], v_before = v[i];
    }
    solve();
    move(u, v);
  }

  long evaluations = 0;

 private:
  void form_matrix(const Blocks& s) {
    dx_[0] = s.x[0], dy_[0] = s.y[0];
    for (int i = 1; i < n_; ++i) dx_[i] = s.x[i] - s.x[i - 1], dy_[i] = s.y[i] - s.y[i - 1];
    for (int i = 0; i < n_; ++i) diagonal_[i] = 2.0 * (dx_[i] * dx_[i] + dy_[i] * dy_[i]);
    diagonal_[0] *= 0.5;
    for (int i = 0; i + 1 < n_; ++i) upper_[i] = -(dx_[i] * dx_[i + 1] + dy_[i] * dy_[i + 1]);
  }

  void solve() {
    for (int i = 1; i < n_; ++i) {
      const double factor = upper_[i - 1] / diagonal_[i - 1];
      diagonal_[i] -= factor * upper_[i - 1];
      right_[i] -= factor * right_[i - 1];
    }
    right_[n_ - 1] /= diagonal_[n_ - 1];
    for (int i = n_ - 2; i >= 0; --i) right_[i] = (right_[i] - upper_[i] * right_[i + 1]) / diagonal_[i];
  }

  // p += Gᵀ μ; the largest change relative to |p| + 1.
  double move(double* p, double* q) {
    double size = 0.0;
    for (int i = 0; i < n_; ++i) {
      const double next = i + 1 < n_ ? right_[i + 1] : 0.0;
      const double a = right_[i] * dx_[i] - (i + 1 < n_ ? next * dx_[i + 1] : 0.0);
      const double b = right_[i] * dy_[i] - (i + 1 < n_ ? next * dy_[i + 1] : 0.0);
      p[i] += a, q[i] += b;
      size = std::max({size, std::abs(a) / (std::abs(p[i]) + 1.0), std::abs(b) / (std::abs(q[i]) + 1.0)});
    }
    return size;
  }

  int n_;
  std::vector<double> dx_, dy_, diagonal_, upper_, right_, move_;
};

struct Result {
  double seconds = 0.0, x = 0.0, y = 0.0;
  long steps = 0, rejected = 0, evaluations = 0;
};

// Dormand, Prince 1980; step control of Hairer, Nørsett, Wanner 1993, Section II.4.
Result integrate(int n, double tolerance, double stop) {
  const double begin = processor_seconds();
  const int size = 4 * n;
  Chain chain(n);
  std::vector<double> y(size, 0.0), y_new(size);
  std::array<std::vector<double>, 7> k;
  for (auto& slope : k) slope.resize(size);
  for (int i = 0; i < n; ++i) y[i] = i + 1.0;
  Result result;
  const auto stage = [&](double h, int to, auto... weights) {
    const double w[] = {(h * weights)...};
    double* __restrict out = y_new.data();
    const double *k0 = k[0].data(), *k1 = k[1].data(), *k2 = k[2].data(), *k3 = k[3].data(), *k4 = k[4].data(),
                 *k5 = k[5].data();
    constexpr int terms = sizeof...(weights);
#pragma GCC ivdep
    for (int i = 0; i < size; ++i) {
      double sum = w[0] * k0[i];
      if constexpr (terms > 1) sum += w[1] * k1[i];
      if constexpr (terms > 2) sum += w[2] * k2[i];
      if constexpr (terms > 3) sum += w[3] * k3[i];
      if constexpr (terms > 4) sum += w[4] * k4[i];
      if constexpr (terms > 5) sum += w[5] * k5[i];
      out[i] = y[i] + sum;
    }
    if (to < 6) chain.slope(y_new.data(), k[to].data());
  };
  chain.slope(y.data(), k[0].data());
  double t = 0.0, h = 1e-3, error_before = 1e-4;
  for (bool rejected = false; t < stop;) {
    if (t + 1.01 * h >= stop) h = stop - t;
    stage(h, 1, 1.0 / 5);
    stage(h, 2, 3.0 / 40, 9.0 / 40);
    stage(h, 3, 44.0 / 45, -56.0 / 15, 32.0 / 9);
    stage(h, 4, 19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729);
    stage(h, 5, 9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656);
    stage(h, 6, 35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84);
    chain.project(y_new.data(), 1e-3 * tolerance);
    chain.slope(y_new.data(), k[6].data());
    double sum = 0.0;
    for (int i = 0; i < size; ++i) {
      const double error = 71.0 / 57600 * k[0][i] - 71.0 / 16695 * k[2][i] + 71.0 / 1920 * k[3][i] -
                           17253.0 / 339200 * k[4][i] + 22.0 / 525 * k[5][i] - 1.0 / 40 * k[6][i];
      const double part = error / (std::max(std::abs(y[i]), std::abs(y_new[i])) + 1.0);
      sum += part * part;
    }
    const double error = h * std::sqrt(sum / size) / tolerance, factor = std::pow(error, 0.2 - 0.75 * 0.04);
    if (error > 1.0) {
      ++result.rejected;
      rejected = true;
      h *= std::max(0.2, 0.9 / factor);
      continue;
    }
    ++result.steps;
    t = t + h >= stop ? stop : t + h;
    std::swap(y, y_new);
    std::swap(k[0], k[6]);
    h *= std::clamp(0.9 * std::pow(error_before, 0.04) / factor, 0.2, rejected ? 1.0 : 10.0);
    error_before = std::max(error, 1e-4);
    rejected = false;
  }
  result.seconds = processor_seconds() - begin;
  result.evaluations = chain.evaluations;
  result.x = y[n - 1], result.y = y[2 * n - 1];
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s N TOLERANCE [STOP [REPETITIONS]]\n", argv[0]);
    return 2;
  }
  const int n = std::atoi(argv[1]);
  const double tolerance = std::atof(argv[2]), stop = argc > 3 ? std::atof(argv[3]) : 10.0;
  const int repetitions = argc > 4 ? std::atoi(argv[4]) : 5;
  Result best = integrate(n, tolerance, stop);
  for (int k = 1; k < repetitions; ++k) best.seconds = std::min(best.seconds, integrate(n, tolerance, stop).seconds);
  std::printf(
      "{\"N\": %d, \"tolerance\": %g, \"seconds\": %.6g, \"steps\": %ld, \"rejected_steps\": %ld, "
      "\"evaluations\": %ld, \"x\": %.9f, \"y\": %.9f}\n",
      n, tolerance, best.seconds, best.steps, best.rejected, best.evaluations, best.x, best.y);
}
