#include "driftless/solution/plot_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "driftless/diagnostics/spelling.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_curves = 100;
constexpr std::size_t most_by_default = 12;

bool is_column(const std::vector<Column>& columns, std::string_view name) {
  return name == "time" || std::ranges::find(columns, name, &Column::name) != columns.end();
}

std::optional<long> whole_number(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// "2", ":", "1:3" or "1:2:9" against an index.
bool subscript_fits(std::string_view wanted, std::string_view index) {
  if (wanted == ":" || wanted == index) return true;
  const std::vector<std::string_view> parts = split(wanted, ':');
  const auto i = whole_number(index), first = whole_number(parts.front()), last = whole_number(parts.back());
  const auto stride = parts.size() == 3 ? whole_number(parts[1]) : std::optional<long>(1);
  if (parts.size() < 2 || parts.size() > 3 || !i || !first || !last || !stride || *stride <= 0) return false;
  return *i >= *first && *i <= *last && (*i - *first) % *stride == 0;
}

bool subscripts_fit(std::string_view wanted, std::string_view indices) {
  const std::vector<std::string_view> a = split(wanted, ','), b = split(indices, ',');
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!subscript_fits(a[k], b[k])) return false;
  return true;
}

// Is the column an element of the array, or of the part of it, that the pattern names? Subscripts may be left out.
bool is_element(std::string_view pattern, std::string_view column) {
  std::size_t p = 0;
  for (std::size_t c = 0; c < column.size();) {
    if (column[c] == '[') {
      const std::size_t end = column.find(']', c);
      if (end == std::string_view::npos) return false;
      if (p < pattern.size() && pattern[p] == '[') {
        const std::size_t pattern_end = pattern.find(']', p);
        if (pattern_end == std::string_view::npos ||
            !subscripts_fit(pattern.substr(p + 1, pattern_end - p - 1), column.substr(c + 1, end - c - 1)))
          return false;
        p = pattern_end + 1;
      }
      c = end + 1;
    } else if (p < pattern.size() && pattern[p] == column[c]) {
      ++p, ++c;
    } else {
      return false;
    }
  }
  return p == pattern.size();
}

// The columns that a name without an abscissa means; none if it is unknown.
std::vector<std::string> expanded(const std::vector<Column>& columns, const std::string& name) {
  if (is_column(columns, name)) return {name};
  std::vector<std::string> elements;
  for (const Column& column : columns)
    if (is_element(name, column.name)) elements.push_back(column.name);
  return elements;
}

// The nearest name, or the first ones there are.
std::string unknown_name(const std::vector<Column>& columns, std::string_view name) {
  constexpr std::size_t most = 8;
  std::vector<std::string_view> names;
  for (const Column& column : columns) names.push_back(column.name);
  if (const std::string wish = did_you_mean(name, names); !wish.empty())
    return fmt::format("no variable '{}'{}", name, wish);
  const bool all = names.size() <= most;
  names.resize(std::min(names.size(), most));
  return fmt::format("no variable '{}': there are {}{}", name, fmt::join(names, ", "), all ? "" : ", …");
}

// "x:y" split at a colon outside of brackets where both sides are known; a quoted name may itself contain a colon.
struct Pair {
  std::vector<std::string> x, y;
};
std::optional<Pair> pair_of(const std::vector<Column>& columns, const std::string& name) {
  int depth = 0;
  for (std::size_t k = 0; k < name.size(); ++k) {
    depth += name[k] == '[';
    depth -= name[k] == ']';
    if (name[k] != ':' || depth != 0) continue;
    Pair pair{expanded(columns, name.substr(0, k)), expanded(columns, name.substr(k + 1))};
    if (!pair.x.empty() && !pair.y.empty()) return pair;
  }
  return {};
}

// Says which side of "x:y" is unknown.
std::string problem_of(const std::vector<Column>& columns, const std::string& name) {
  const std::size_t colon = name.find('[') == std::string::npos ? name.find(':') : std::string::npos;
  if (colon == std::string::npos) return unknown_name(columns, name);
  const std::string before = name.substr(0, colon);
  return unknown_name(columns, expanded(columns, before).empty() ? before : name.substr(colon + 1));
}

std::vector<CurveNames> first_variables(const std::vector<Column>& columns) {
  std::vector<CurveNames> curves;
  for (const Column& column : columns)
    if (!column.is_parameter && !column.is_derivative && curves.size() < most_by_default)
      curves.push_back({.y = column.name});
  return curves;
}

}  // namespace

std::variant<std::vector<CurveNames>, std::string> curves_of(const std::vector<Column>& columns,
                                                             const std::vector<std::string>& names) {
  if (names.empty()) return first_variables(columns);
  std::vector<CurveNames> curves;
  for (const std::string& name : names) {
    if (std::vector<std::string> all = expanded(columns, name); !all.empty()) {
      for (std::string& one : all) curves.push_back({.y = std::move(one)});
    } else if (const auto pair = pair_of(columns, name)) {
      if (pair->x.size() != pair->y.size() && pair->x.size() != 1)
        return fmt::format("'{}' pairs {} columns with {}", name, pair->x.size(), pair->y.size());
      for (std::size_t k = 0; k < pair->y.size(); ++k)
        curves.push_back({pair->x[pair->x.size() == 1 ? 0 : k], pair->y[k]});
    } else {
      return problem_of(columns, name);
    }
  }
  if (curves.size() > most_curves)
    return fmt::format("{} curves are more than the {} that a picture can have: name some elements, as in {}[1:10:100]",
                       curves.size(), most_curves, names.front().substr(0, names.front().find('[')));
  return curves;
}

}  // namespace driftless
