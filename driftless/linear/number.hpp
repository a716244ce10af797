// Arithmetic of real and complex numbers for elimination. The operators of std::complex check for infinities in every
// product; here they are not expected, and would show in the result.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <span>

namespace driftless::linear {

inline double size_of(double a) { return std::abs(a); }
inline double size_of(std::complex<double> a) { return std::max(std::abs(a.real()), std::abs(a.imag())); }

// The power of two that scales a positive number to between 1 and 2: 2^-e for 1.f 2^e, from the bits of the exponent.
inline double scale_to_one(double size) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000, one_exponent = 0x0010'0000'0000'0000;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(size) & exponent;
  return std::bit_cast<double>(std::max(exponent - one_exponent - bits, one_exponent));
}

inline double product(double a, double b) { return a * b; }
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// A number that is multiplied with many others. A complex one is kept as two pairs, for one multiplication of pairs
// each.
template <class Number>
class Factor;

template <>
class Factor<double> {
 public:
  explicit Factor(double value) : value_(value) {}
  void subtract(double a, double& from) const { from -= a * value_; }

 private:
  double value_;
};

template <>
class Factor<std::complex<double>> {
 public:
  explicit Factor(std::complex<double> value) : re_{value.real(), value.real()}, im_{-value.imag(), value.imag()} {}
  void subtract(const std::complex<double>& a, std::complex<double>& from) const {
    const Pair pair = pair_at(a), swapped = {pair[1], pair[0]};
    pair_at(from) -= pair * re_ + swapped * im_;
  }

 private:
  using Pair = double __attribute__((vector_size(2 * sizeof(double)), aligned(alignof(double)), may_alias));

  static const Pair& pair_at(const std::complex<double>& a) { return reinterpret_cast<const Pair&>(a); }
  static Pair& pair_at(std::complex<double>& a) { return reinterpret_cast<Pair&>(a); }

  Pair re_, im_;
};

inline double reciprocal(double a) { return 1.0 / a; }
// Scaled, so that squares neither overflow nor underflow.
inline std::complex<double> reciprocal(std::complex<double> a) {
  const double scale = scale_to_one(size_of(a)), x = a.real() * scale, y = a.imag() * scale;
  const double factor = scale / (x * x + y * y);
  return {x * factor, -y * factor};
}

inline bool is_finite(double a) { return std::abs(a) <= std::numeric_limits<double>::max(); }

// Without a branch for each value: x - x is 0 only for finite x.
inline bool all_finite(std::span<const double> values) {
  constexpr std::size_t lanes = 8;
  double sum[lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= values.size(); k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sum[lane] += values[k + lane] - values[k + lane];
  for (; k < values.size(); ++k) sum[0] += values[k] - values[k];
  for (const double s : sum)
    if (s != 0.0) return false;
  return true;
}
inline bool all_finite(std::span<const std::complex<double>> values) {
  return all_finite(std::span(reinterpret_cast<const double*>(values.data()), 2 * values.size()));
}

}  // namespace driftless::linear
