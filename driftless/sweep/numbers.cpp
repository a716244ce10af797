#include "driftless/sweep/numbers.hpp"

#include <array>
#include <cmath>

namespace driftless::sweep {
namespace {

// The finalizer of SplitMix64 (Steele, Lea, Flood 2014): a bijection whose values look random.
std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}
constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

using Coefficients = std::array<double, 8>;  // ascending

double ratio(const Coefficients& numerator, const Coefficients& denominator, double x) {
  double above = 0.0, below = 0.0;
  for (std::size_t k = numerator.size(); k-- > 0;) {
    above = above * x + numerator[k];
    below = below * x + denominator[k];
  }
  return above / below;
}

// Wichura (1988), algorithm AS 241, PPND16: the centre, and two parts of the tails.
constexpr Coefficients centre_above{3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
                                    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
                                    3.3430575583588128105e4, 2.5090809287301226727e3};
constexpr Coefficients centre_below{1.0,
                                    4.2313330701600911252e1,
                                    6.8718700749205790830e2,
                                    5.3941960214247511077e3,
                                    2.1213794301586595867e4,
                                    3.9307895800092710610e4,
                                    2.8729085735721942674e4,
                                    5.2264952788528545610e3};
constexpr Coefficients near_above{1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                  3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                  2.27238449892691845833e-2, 7.74545014278341407640e-4};
constexpr Coefficients near_below{1.0,
                                  2.05319162663775882187e0,
                                  1.67638483018380384940e0,
                                  6.89767334985100004550e-1,
                                  1.48103976427480074590e-1,
                                  1.51986665636164571966e-2,
                                  5.47593808499534494600e-4,
                                  1.05075007164441684324e-9};
constexpr Coefficients far_above{6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
                                 2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
                                 2.71155556874348757815e-5, 2.01033439929228813265e-7};
constexpr Coefficients far_below{1.0,
                                 5.99832206555887937690e-1,
                                 1.36929880922735805310e-1,
                                 1.48753612908506148525e-2,
                                 7.86869131145613259100e-4,
                                 1.84631831751005468180e-5,
                                 1.42151175831644588870e-7,
                                 2.04426310338993978564e-15};

constexpr double ln2_high = 6.93147180369123816490e-01;  // its last 21 bits are 0: k ln2_high is exact
constexpr double ln2_low = 1.90821492927058770002e-10;

}  // namespace

std::uint64_t stream_of(std::uint64_t seed, std::string_view name) {
  std::uint64_t stream = mix(seed + golden);
  for (const char letter : name) stream = mix(stream + golden + static_cast<unsigned char>(letter));
  return stream;
}

double uniform(std::uint64_t stream, std::uint64_t k) {
  const std::uint64_t bits = mix(stream + golden * (k + 1)) >> 11;
  return (static_cast<double>(bits) + 0.5) * 0x1p-53;
}

double normal_quantile(double p) {
  const double q = p - 0.5;
  if (std::abs(q) <= 0.425) return q * ratio(centre_above, centre_below, 0.180625 - q * q);
  const double r = std::sqrt(-log_of(q < 0.0 ? p : 1.0 - p));
  const double tail = r <= 5.0 ? ratio(near_above, near_below, r - 1.6) : ratio(far_above, far_below, r - 5.0);
  return q < 0.0 ? -tail : tail;
}

// x = m 2^k with m near 1, log m = 2 artanh s, s = (m - 1) / (m + 1), |s| < 0.172.
double log_of(double x) {
  int k = 0;
  double m = 2.0 * std::frexp(x, &k);
  --k;
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++k;
  }
  const double s = (m - 1.0) / (m + 1.0), square = s * s;
  double series = 0.0;
  for (int n = 23; n >= 3; n -= 2) series = (series + 1.0 / n) * square;
  return k * ln2_high + (2.0 * s + (2.0 * s * series + k * ln2_low));
}

// x = k log 2 + r with |r| < 0.35, and the series of exp r.
double exp_of(double x) {
  const double k = std::floor(x / (ln2_high + ln2_low) + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  double series = 1.0;
  for (int n = 16; n >= 1; --n) series = 1.0 + series * r / n;
  return std::ldexp(series, static_cast<int>(k));
}

}  // namespace driftless::sweep
