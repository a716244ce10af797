#include "driftless/report/encoding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string_view>
#include <vector>

namespace driftless::reporting {
namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint16_t no_value = 65535;

template <class Word>
void append(std::vector<std::uint8_t>& bytes, Word word) {
  for (std::size_t k = 0; k < sizeof(Word); ++k) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * k)));
}

}  // namespace

std::string base64(std::span<const std::uint8_t> bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t left = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t group = 0;
    for (std::size_t j = 0; j < 3; ++j) group = group << 8u | (j < left ? bytes[k + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += j <= left ? alphabet[group >> (18 - 6 * j) & 63u] : '=';
  }
  return text;
}

std::string packed_doubles(std::span<const double> values) {
  std::vector<std::uint8_t> bytes;
  for (const double value : values) append(bytes, std::bit_cast<std::uint64_t>(value));
  return base64(bytes);
}

std::string packed_floats(std::span<const double> values) {
  std::vector<std::uint8_t> bytes;
  for (const double value : values) append(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
  return base64(bytes);
}

Scaled packed_shorts(std::span<const double> values) {
  Scaled result;
  bool first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    result.low = first ? value : std::min(result.low, value);
    result.high = first ? value : std::max(result.high, value);
    first = false;
  }
  std::vector<std::uint8_t> bytes;
  const double range = result.high - result.low;
  for (const double value : values) {
    const double part = range > 0.0 ? (value - result.low) / range : 0.0;
    append(bytes, std::isfinite(value) ? static_cast<std::uint16_t>(std::lround(part * 65534.0)) : no_value);
  }
  result.text = base64(bytes);
  return result;
}

}  // namespace driftless::reporting
