#include "driftless/reproduce/table.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace driftless::reproduce {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

// ".26e+79", "26451", "~1e-11"; nothing if it is not a number.
std::optional<double> printed_number(const std::string& text) {
  const char* begin = text.c_str() + (text.starts_with("~") ? 1 : 0);
  char* end = nullptr;
  const double value = std::strtod(begin, &end);
  return end != begin && *end == '\0' ? std::optional(value) : std::nullopt;
}

bool agrees(const Rule& rule, double ours, std::optional<double> target) {
  const double size = std::abs(ours);
  return std::visit(
      Overloaded{
          [](const Shown&) { return true; },
          [&](const Within& w) { return target && std::abs(ours - *target) <= w.relative * std::abs(*target); },
          [&](const Factor& f) {
            return target && size <= f.factor * std::abs(*target) && size * f.factor >= std::abs(*target);
          },
          [&](const Below& b) { return size < b.bound; },
          [&](const Breaks& b) { return !(size <= b.bound); },
      },
      rule);
}

}  // namespace

std::string to_string(const Rule& rule) {
  return std::visit(Overloaded{
                        [](const Shown&) { return std::string(); },
                        [](const Within& w) { return fmt::format("±{:g} %", 100.0 * w.relative); },
                        [](const Factor& f) { return fmt::format("factor {:g}", f.factor); },
                        [](const Below& b) { return fmt::format("< {:g}", b.bound); },
                        [](const Breaks& b) { return fmt::format("> {:g}, or it stops", b.bound); },
                    },
                    rule);
}

Verdict verdict(const Cell& cell) {
  if (!cell.ours || std::holds_alternative<Shown>(cell.rule)) return Verdict::Shown;
  const auto target = cell.recomputed ? cell.recomputed : printed_number(cell.printed);
  return agrees(cell.rule, *cell.ours, target) ? Verdict::Agrees : Verdict::Differs;
}

Score& Score::operator+=(const Score& other) {
  agree += other.agree;
  differ += other.differ;
  shown += other.shown;
  return *this;
}

Score score(const Table& table) {
  Score score;
  for (const Row& row : table.rows)
    for (const Cell& cell : row.cells) {
      if (!cell.ours) continue;
      const Verdict v = verdict(cell);
      ++(v == Verdict::Agrees ? score.agree : v == Verdict::Differs ? score.differ : score.shown);
    }
  return score;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "none";
  if (value == std::trunc(value) && std::abs(value) < 1e6) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3e}", value);
}

}  // namespace driftless::reproduce
