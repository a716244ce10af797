#include "driftless/solution/event_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

std::string number_text(double value, int digits) {
  return digits > 0 ? fmt::format("{:.{}g}", value, digits) : fmt::format("{}", value);
}

}  // namespace

bool has_events(const Solution& solution) {
  const Statistics& s = solution.statistics;
  return s.modes > 0 || s.events > 0 || !solution.events.empty() ||
         std::ranges::any_of(solution.columns, [](const Column& c) { return c.discrete != Column::Discrete::No; });
}

std::string value_text(const Column* column, double value, int digits) {
  if (!column || !has_whole_numbers(*column) || !(std::abs(value) < 1e15) || value != std::round(value))
    return number_text(value, digits);
  const long long whole = std::llround(value);
  if (column->discrete == Column::Discrete::Boolean && (whole == 0 || whole == 1)) return whole == 1 ? "true" : "false";
  if (column->discrete == Column::Discrete::Enumeration && whole >= 1 &&
      whole <= static_cast<long long>(column->literals.size()))
    return column->literals[static_cast<std::size_t>(whole - 1)];
  return fmt::format("{}", whole);
}

EventText::EventText(const std::vector<Column>& columns, int digits) : columns_(columns), digits_(digits) {
  for (std::size_t k = 0; k < columns.size(); ++k) places_.emplace(columns[k].name, k);
}

std::string EventText::value(const std::string& name, double value) const {
  const auto place = places_.find(name);
  return value_text(place == places_.end() ? nullptr : &columns_[place->second], value, digits_);
}

std::string EventText::change(const ChangeOfValue& change) const {
  return fmt::format("{}: {} -> {}", change.name, value(change.name, change.from), value(change.name, change.to));
}

std::string EventText::impulse(const Impulse& impulse) const {
  return fmt::format("{}: {}{}{}", impulse.name, number_text(impulse.size, digits_), impulse.unit.empty() ? "" : " ",
                     impulse.unit);
}

std::vector<std::string> EventText::what_happened(const Event& event) const {
  std::vector<std::string> parts;
  for (const ChangeOfValue& change : event.discrete) parts.push_back(this->change(change));
  for (const ChangeOfValue& jump : event.jumps) parts.push_back(change(jump));
  for (const Impulse& impulse : event.impulses) parts.push_back("impulse of " + this->impulse(impulse));
  if (!event.mode.empty()) parts.push_back("mode: " + event.mode);
  return parts;
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

}  // namespace driftless
