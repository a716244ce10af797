// Arithmetic of real and complex numbers for elimination. The operators of std::complex look for infinities in every
// product; here they are not expected, and would be noticed in the result.
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

// The power of two that brings a positive number between 1 and 2: 2^-e for 1.f 2^e, from the bits of the exponent.
inline double scale_to_one(double size) {
  constexpr std::uint64_t exponent = 0x7ff0'0000'0000'0000, one_exponent = 0x0010'0000'0000'0000;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(size) & exponent;
  return std::bit_cast<double>(std::max(exponent - one_exponent - bits, one_exponent));
}

inline double product(double a, double b) { return a * b; }
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

inline double reciprocal(double a) { return 1.0 / a; }
// Scaled, that squares neither overflow nor vanish.
inline std::complex<double> reciprocal(std::complex<double> a) {
  const double scale = scale_to_one(size_of(a)), x = a.real() * scale, y = a.imag() * scale;
  const double factor = scale / (x * x + y * y);
  return {x * factor, -y * factor};
}

inline bool is_finite(double a) { return std::abs(a) <= std::numeric_limits<double>::max(); }
inline bool is_finite(std::complex<double> a) { return is_finite(a.real()) && is_finite(a.imag()); }

// Without a branch for each value.
template <class Number>
bool all_finite(std::span<const Number> values) {
  int others = 0;
  for (const Number& value : values) others |= is_finite(value) ? 0 : 1;
  return others == 0;
}

}  // namespace driftless::linear
