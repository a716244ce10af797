// When the partitions of clocks tick: the base clock of each, and which of its ticks apply.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driftless/language/clock_partitions.hpp"

namespace driftless::language {

// A positive or negative number of intervals of a base clock, in lowest terms.
struct Fraction {
  std::int64_t numerator = 0, denominator = 1;

  static Fraction of(std::int64_t numerator, std::int64_t denominator);
  friend bool operator==(const Fraction&, const Fraction&) = default;
};
Fraction operator+(Fraction a, Fraction b);
Fraction operator*(Fraction a, Fraction b);

// Ticks at first, first + period, ... counted in intervals of the base clock.
struct ClockRate {
  std::size_t base = 0;  // the mark that constructs it
  Fraction period{1, 1}, first{0, 1};

  bool operator==(const ClockRate&) const = default;
};

// By partition; nothing for those without a clock. Contradicting operators or base clocks of a partition are errors.
std::vector<std::optional<ClockRate>> clock_rates(Elaboration& all, ClockPartitions& partitions);

}  // namespace driftless::language
