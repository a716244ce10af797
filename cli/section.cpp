#include "cli/section.hpp"

#include <string_view>

#include <fmt/format.h>

#include "driftless/diagnostics/printable.hpp"

namespace driftless::cli {
namespace {

constexpr std::size_t most_lines = 24;

// "der(T[2])" and "der(T[3])" become the same; so do the blanks that align them.
std::string without_subscripts(std::string_view text) {
  std::string form;
  int depth = 0;
  for (const char c : text) {
    depth += c == '[';
    depth -= c == ']';
    const bool digit = depth > 0 && c >= '0' && c <= '9';
    const char shown = digit ? '#' : c;
    if ((shown == '#' || shown == ' ') && form.ends_with(shown)) continue;
    form += shown;
  }
  return form;
}

}  // namespace

Section::~Section() {
  if (!lines_.empty()) fmt::print("\n{}\n", title_);
  for (std::size_t k = 0; k < lines_.size() && k < most_lines; ++k)
    fmt::print("  {}{}\n", printable(lines_[k].text),
               lines_[k].more > 0 ? fmt::format("   and {} more of this form", lines_[k].more) : "");
  if (lines_.size() > most_lines) fmt::print("  ... and {} more\n", lines_.size() - most_lines);
}

void Section::line(const std::string& text) {
  const auto [known, is_new] = places_.emplace(without_subscripts(text), lines_.size());
  if (is_new)
    lines_.push_back({text});
  else
    ++lines_[known->second].more;
}

}  // namespace driftless::cli
