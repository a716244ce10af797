// Numbers packed into text: little-endian bytes in base64, which a browser decodes on demand.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace driftless::reporting {

std::string base64(std::span<const std::uint8_t> bytes);
std::string packed_doubles(std::span<const double> values);
std::string packed_floats(std::span<const double> values);

// Steps of 1/65534 of the range between the smallest and the largest finite value; 65535 means no value.
struct Scaled {
  double low = 0.0, high = 0.0;
  std::string text;
};
Scaled packed_shorts(std::span<const double> values);

}  // namespace driftless::reporting
