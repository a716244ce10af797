#include "driftless/reduce/list_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace driftless {

std::string list_names(std::vector<std::string> names) {
  constexpr std::size_t most_names = 8;
  const std::size_t n = names.size();
  if (n > most_names) {
    names.resize(most_names);
    return fmt::format("{} and {} more", fmt::join(names, ", "), n - most_names);
  }
  if (n < 2) return n ? names[0] : "";
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace driftless
