#include "driftless/integrate/states/forced_states.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr std::size_t most_rows = 200;  // a determinant costs the cube of this at every step

bool is_forced(const Reduced& reduced, const Choice& choice) {
  return std::ranges::any_of(choice.kinematics, [&](int k) {
    const StateSelect select =
        (*reduced.model)[reduced.slots[reduced.kinematics[k].slot].quantity.variable].state_select;
    return select == StateSelect::Always || select == StateSelect::Never;
  });
}

}  // namespace

ForcedStates::ForcedStates(const Reduced& reduced, const std::vector<std::vector<System::ChoiceEntry>>& entries,
                           bool all)
    : reduced_(reduced) {
  std::size_t offset = 0;
  for (std::size_t k = 0; k < reduced.choices.size(); ++k) {
    const Choice& choice = reduced.choices[k];
    const std::size_t rows = choice.rows.size(), candidates = choice.kinematics.size();
    if (candidates > rows && rows <= most_rows && (all || is_forced(reduced, choice)))
      watched_.push_back(
          {&choice, &entries[k], offset, 0, std::vector<double>(rows * rows), std::vector<int>(candidates, -1)});
    offset += entries[k].size();
  }
}

std::optional<std::string> ForcedStates::passed(std::span<const double> values, const std::vector<int>& active) {
  std::optional<std::string> found;
  for (Watched& watched : watched_) {
    bool same = true;
    std::size_t count = 0;
    for (std::size_t j = 0; j < watched.column.size(); ++j) {
      const bool is_state = std::ranges::binary_search(active, watched.choice->kinematics[j]);
      const int column = is_state ? -1 : static_cast<int>(count++);
      same = same && watched.column[j] == column;
      watched.column[j] = column;
    }
    if (count != watched.choice->rows.size()) return {};
    const int sign = sign_of_determinant(watched, values);
    if (same && watched.sign * sign < 0 && !found) found = describe(watched);
    watched.sign = sign;
  }
  return found;
}

// By elimination with the largest pivot of each column.
int ForcedStates::sign_of_determinant(Watched& watched, std::span<const double> values) const {
  const std::size_t m = watched.choice->rows.size();
  std::vector<double>& a = watched.matrix;
  std::ranges::fill(a, 0.0);
  for (std::size_t e = 0; e < watched.entries->size(); ++e) {
    const System::ChoiceEntry& entry = (*watched.entries)[e];
    if (const int column = watched.column[static_cast<std::size_t>(entry.candidate)]; column >= 0)
      a[static_cast<std::size_t>(entry.row) * m + static_cast<std::size_t>(column)] += values[watched.offset + e];
  }
  int sign = 1;
  for (std::size_t k = 0; k < m; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < m; ++i)
      if (std::abs(a[i * m + k]) > std::abs(a[pivot * m + k])) pivot = i;
    const double value = a[pivot * m + k];
    if (value == 0.0 || !std::isfinite(value)) return 0;
    if (pivot != k) {
      std::swap_ranges(a.begin() + static_cast<std::ptrdiff_t>(k * m),
                       a.begin() + static_cast<std::ptrdiff_t>(k * m + m),
                       a.begin() + static_cast<std::ptrdiff_t>(pivot * m));
      sign = -sign;
    }
    if (value < 0.0) sign = -sign;
    for (std::size_t i = k + 1; i < m; ++i)
      if (const double factor = a[i * m + k] / value; factor != 0.0)
        for (std::size_t j = k + 1; j < m; ++j) a[i * m + j] -= factor * a[k * m + j];
  }
  return sign;
}

std::string ForcedStates::describe(const Watched& watched) const {
  std::vector<std::string> states, dependent, equations;
  for (std::size_t j = 0; j < watched.column.size(); ++j) {
    const int slot = reduced_.kinematics[watched.choice->kinematics[j]].slot;
    (watched.column[j] < 0 ? states : dependent).push_back(reduced_.name(reduced_.slots[slot].quantity));
  }
  for (const int row : watched.choice->rows) {
    const Equation& equation = (*reduced_.model)[reduced_.rows[row].equation];
    equations.push_back(fmt::format("{}: {}", equation.label, equation.text));
  }
  constexpr std::size_t most = 4;
  for (auto* names : {&states, &dependent, &equations})
    if (names->size() > most) names->resize(most), names->push_back("...");
  return fmt::format("with {} as {}, {} no longer determined here by {}", fmt::join(states, ", "),
                     states.size() == 1 ? "the state" : "the states",
                     fmt::format("{} {}", fmt::join(dependent, ", "), dependent.size() == 1 ? "is" : "are"),
                     fmt::join(equations, "; "));
}

}  // namespace driftless
