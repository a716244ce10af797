// Text that describes what happened at an event.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "driftless/solution/event.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

// Integer, Boolean (0, 1) or enumeration (1, 2, ...).
constexpr bool has_whole_numbers(const Column& column) {
  return column.discrete != Column::Discrete::No && column.discrete != Column::Discrete::Real;
}

bool has_events(const Solution& solution);  // of a model that can have events, though none may have happened

// A value as text by the type of its column: true, an integer, the literal of an enumeration, or a number with this
// many digits; 0 digits: as many as are needed to read back the same number.
std::string value_text(const Column* column, double value, int digits = 6);

// Columns by their names.
class EventText {
 public:
  explicit EventText(const std::vector<Column>& columns, int digits = 6);

  std::string value(const std::string& name, double value) const;
  std::string change(const ChangeOfValue& change) const;             // "bounces: 0 -> 1"
  std::string impulse(const Impulse& impulse) const;                 // "lambda: -3.2 N.s"
  std::vector<std::string> what_happened(const Event& event) const;  // changes, jumps, impulses, the mode

 private:
  const std::vector<Column>& columns_;
  std::map<std::string, std::size_t, std::less<>> places_;
  int digits_;
};

std::string joined(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace driftless
