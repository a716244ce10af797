// The C function of Modelica.Math.FastFourierTransform: amplitudes and phases of a signal of n points, n even.
#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <span>
#include <vector>

#include "driftless/language/external.hpp"

namespace driftless::language {

namespace {

using Complex = std::complex<double>;

std::size_t smallest_factor(std::size_t n) {
  for (std::size_t p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

// X_k = sum over j of u_j exp(-2 pi i j k / n), for the n values u, `stride` apart in memory (Cooley & Tukey 1965):
// with n = p m, the p transforms of every p-th value are joined. The depth is the number of prime factors of n.
std::vector<Complex> transform(const double* u, std::size_t n, std::size_t stride) {
  if (n == 1) return {Complex(*u)};
  const std::size_t p = smallest_factor(n), m = n / p;
  std::vector<std::vector<Complex>> parts;
  for (std::size_t r = 0; r < p; ++r) parts.push_back(transform(u + r * stride, m, p * stride));
  std::vector<Complex> joined(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t r = 0; r < p; ++r)
      joined[k] += std::polar(1.0, -2.0 * std::numbers::pi * static_cast<double>(r * k % n) / static_cast<double>(n)) *
                   parts[r][k % m];
  return joined;
}

// The signal -> |X_k| divided by their number n/2 + 1, then the angles of X_k.
void spectrum(std::span<const double> signal, std::span<double> numbers) {
  const std::size_t lines = signal.size() / 2 + 1;
  const std::vector<Complex> x = transform(signal.data(), signal.size(), 1);
  for (std::size_t k = 0; k < lines; ++k) {
    numbers[k] = std::abs(x[k]) / static_cast<double>(lines);
    numbers[lines + k] = std::arg(x[k]);
  }
}

// For a signal known only during the run, as in a when clause: a foreign function of the pool.
std::vector<NodeId> spectrum_later(const ExternalCall& call, std::span<const NodeId> signal, std::size_t numbers) {
  const auto [place, fresh] = call.all().programs.try_emplace(fmt::format("{} {}", call.name, signal.size()));
  if (fresh) {
    ForeignCode code{[](std::span<const double> u, std::span<double> results) {
                       spectrum(u, results);
                       return true;
                     },
                     std::vector<bool>(signal.size(), false)};
    const auto inputs = static_cast<int>(signal.size()), outputs = static_cast<int>(numbers);
    place->second.function = call.pool().add_function(foreign_function(std::string(call.name), inputs, outputs, code));
    place->second.valid = true;
  }
  std::vector<NodeId> results;
  for (std::size_t k = 0; k < numbers; ++k)
    results.push_back(call.pool().call(place->second.function, static_cast<int>(k), signal));
  return results;
}

// info = f(u, size(u), work, size(work), amplitudes, phases): 0, or 1 if the size is odd.
Value real_transform(ExternalCall& call) {
  const Value& signal = call.arguments.empty() ? Value() : call.arguments[0];
  if (call.arguments.size() != 6 || signal.type() != Type::Real || signal.rank() != 1 || signal.size() == 0)
    return call.refuse("the signal must be a vector of Reals");
  const std::size_t lines = signal.size() / 2 + 1;
  const Shape shape{static_cast<std::int64_t>(lines)};
  if (signal.size() % 2 != 0) {
    call.outputs[4] = call.outputs[5] = Value(Type::Real, shape, std::vector<NodeId>(lines, call.pool().zero()));
    return {Type::Integer, call.pool().one()};
  }
  std::vector<double> known, numbers(2 * lines);
  for (const NodeId element : signal.elements())
    if (const auto number = known_number(call.pool(), element)) known.push_back(*number);
  std::vector<NodeId> results;
  if (known.size() == signal.size()) {
    spectrum(known, numbers);
    for (const double number : numbers) results.push_back(call.pool().constant(number));
  } else {
    results = spectrum_later(call, signal.elements(), numbers.size());
  }
  const auto middle = results.begin() + static_cast<std::ptrdiff_t>(lines);
  call.outputs[4] = Value(Type::Real, shape, {results.begin(), middle});
  call.outputs[5] = Value(Type::Real, shape, {middle, results.end()});
  return {Type::Integer, call.pool().zero()};
}

}  // namespace

ExternalFunction find_fourier_function(std::string_view name) {
  return name == "ModelicaFFT_kiss_fftr" ? real_transform : nullptr;
}

}  // namespace driftless::language
