// Random numbers and functions of distributions, from additions, multiplications, divisions and square roots alone, so
// that every machine gets identical numbers. The generator is counter-based: number k of a stream does not depend on
// earlier ones, so runs can be executed in any order, and repeated.
#pragma once

#include <cstdint>
#include <string_view>

namespace driftless::sweep {

// The stream of a seed and a name: quantities with equal seeds are independent of each other.
std::uint64_t stream_of(std::uint64_t seed, std::string_view name);

// Uniform in the open interval (0, 1), a multiple of 2^-53 plus 2^-54.
double uniform(std::uint64_t stream, std::uint64_t k);

// The quantile of the standard normal distribution, to 1e-15 relative (Wichura 1988).
double normal_quantile(double p);

// Within a few units in the last place. Precondition: x > 0 and finite; |x| < 700.
double log_of(double x);
double exp_of(double x);

}  // namespace driftless::sweep
