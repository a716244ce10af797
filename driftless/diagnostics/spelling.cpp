#include "driftless/diagnostics/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace driftless {
namespace {

int cost_of_change(char x, char y) {
  if (x == y) return 0;
  return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y)) ? 1 : 2;
}

// Edit distance that counts the exchange of two neighbours once (Damerau 1964) and a change of case by half, in halves.
int distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(2 * j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(2 * i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + cost_of_change(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 2);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t longest = 60;
  if (name.size() > longest) return std::nullopt;
  int best = std::max(2, static_cast<int>(2 * name.size()) / 3) + 1;
  std::optional<std::string> nearest;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > longest || candidate == name) continue;
    const int d = distance(name, candidate);
    if (d < best && d < static_cast<int>(2 * std::max(name.size(), candidate.size()))) {
      best = d;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string_view>& candidates) {
  const auto nearest = nearest_name(name, candidates);
  return nearest ? fmt::format(": did you mean '{}'?", *nearest) : std::string();
}

}  // namespace driftless
