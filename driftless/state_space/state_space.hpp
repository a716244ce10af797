// A model near one point of a motion, as a linear system with constant matrices.
//
//   δx' = A δx + B δu        x: the states, as many as there are degrees of freedom
//   δy  = C δx + D δu        u: the inputs, y: the outputs
//
// The constraints of all levels are eliminated: for any δx the point moves on the constraints, to first order.
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace driftless {

struct Matrix {
  std::size_t rows = 0, columns = 0;
  std::vector<double> values;  // row by row

  Matrix() = default;
  Matrix(std::size_t number_of_rows, std::size_t number_of_columns)
      : rows(number_of_rows), columns(number_of_columns), values(rows * columns, 0.0) {}
  double& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  double operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
};

// A motion exp(λt) v of δx' = A δx. Of a pair of conjugate eigenvalues there are two.
struct LinearMode {
  std::complex<double> eigenvalue;
  // By state: its participation |w_k v_k| with the left and the right eigenvector, normalized to the sum 1
  // (Pérez-Arriaga, Verghese, Schweppe 1982). It does not depend on the units of the states.
  std::vector<double> participation;

  double damping() const;            // -Re λ / |λ|; 1: no oscillation
  double frequency() const;          // |Im λ| / 2π, in cycles per unit of time
  double natural_frequency() const;  // |λ|, in radians per unit of time
  double time_constant() const;      // -1 / Re λ: time of decay to 1/e; infinite if it does not decay
};

struct StateSpace {
  std::string model;
  double t = 0.0;
  std::vector<std::string> states, inputs, outputs;  // "x", "der(x)"
  std::vector<double> x, rates, u, y;                // at the point; the rates are x'
  Matrix A, B, C, D;

  bool has_modes = false;         // false: not requested, or too many states
  std::vector<LinearMode> modes;  // the slowest decaying, or fastest growing, first
  // λ at which some input and some motion leave every output 0. Only if there are as many outputs as inputs.
  bool has_zeros = false;
  std::vector<std::complex<double>> zeros;

  double rounding() const;  // parts of eigenvalues up to this size count as zero: 1e-9 of the largest
  bool is_at_rest() const;  // are the rates zero, up to rounding?
};

// The largest number of states for which modes are computed, by dense matrices in cubic time.
inline constexpr std::size_t most_states_with_modes = 2000;
inline constexpr std::size_t most_states_with_zeros = 200;

}  // namespace driftless
