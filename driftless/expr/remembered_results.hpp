// What programs gave for the inputs that they had lately. A function with many results is called for each of them, with
// the same inputs, and what it calls is called as often by each of those calls.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace driftless {

class RememberedResults {
 public:
  // The results in the order of the outputs; null if they are not known.
  const double* find(std::uint64_t program, std::span<const double> inputs) {
    const Known& known = place_of(program, inputs);
    const bool same =
        known.program == program && std::memcmp(known.inputs.data(), inputs.data(), inputs.size_bytes()) == 0;
    return same ? known.results.data() : nullptr;
  }

  void remember(std::uint64_t program, std::span<const double> inputs, std::vector<double> results) {
    Known& known = place_of(program, inputs);
    known.program = program;
    known.inputs.assign(inputs.begin(), inputs.end());
    known.results = std::move(results);
  }

 private:
  struct Known {
    std::uint64_t program = 0;
    std::vector<double> inputs, results;
  };

  Known& place_of(std::uint64_t program, std::span<const double> inputs) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio (Knuth 1973, Section 6.4)
    std::uint64_t hash = program * factor;
    for (const double input : inputs) hash = (hash ^ (hash >> 29) ^ std::bit_cast<std::uint64_t>(input)) * factor;
    return known_[hash >> (64 - bits)];
  }

  static constexpr int bits = 10;
  std::vector<Known> known_ = std::vector<Known>(std::size_t{1} << bits);
};

}  // namespace driftless
