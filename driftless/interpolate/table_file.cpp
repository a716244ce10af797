#include "driftless/interpolate/table_file.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace driftless {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f'; }

class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::optional<std::string_view> next() {
    if (rest_.empty()) return std::nullopt;
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view() : rest_.substr(end + 1);
    ++number_;
    return line;
  }
  int number() const { return number_; }

 private:
  std::string_view rest_;
  int number_ = 0;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find('#'))); }

TableText mistake(int line, std::string what) {
  TableText result;
  result.mistake = std::move(what);
  result.line = line;
  return result;
}

std::optional<double> number(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// "double name(3,2)": the name and the sizes; nothing for other lines.
struct Header {
  std::string_view name;
  std::size_t rows = 0, columns = 0;
};

std::optional<Header> header_of(std::string_view line) {
  std::string_view rest;
  for (const std::string_view type : {"double", "float"})
    if (line.starts_with(type) && line.size() > type.size() && is_blank(line[type.size()]))
      rest = trimmed(line.substr(type.size()));
  const std::size_t open = rest.rfind('('), comma = rest.rfind(','), close = rest.rfind(')');
  if (open == std::string_view::npos || comma == std::string_view::npos || close == std::string_view::npos ||
      !(open < comma && comma < close))
    return std::nullopt;
  const auto rows = number(rest.substr(open + 1, comma - open - 1)),
             columns = number(rest.substr(comma + 1, close - comma - 1));
  constexpr double largest = 1e7;
  const auto is_size = [&](const std::optional<double>& n) {
    return n && *n >= 0 && *n <= largest && *n == std::floor(*n);
  };
  if (!is_size(rows) || !is_size(columns) || *rows * *columns > largest) return std::nullopt;
  return Header{trimmed(rest.substr(0, open)), static_cast<std::size_t>(*rows), static_cast<std::size_t>(*columns)};
}

TableText read_values(Lines& lines, const Header& header) {
  TableText table{header.rows, header.columns};
  const std::size_t wanted = header.rows * header.columns;
  while (table.values.size() < wanted) {
    const auto line = lines.next();
    if (!line) {
      const std::string given = std::to_string(table.values.size()), needed = std::to_string(wanted);
      return mistake(lines.number(), "the file ends after " + given + " of " + needed + " numbers");
    }
    std::string_view rest = without_comment(*line);
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find_first_of(" \t,;\r\f"), rest.size());
      if (end > 0) {
        const auto value = number(rest.substr(0, end));
        if (!value) return mistake(lines.number(), "'" + std::string(rest.substr(0, end)) + "' is not a number");
        if (table.values.size() == wanted)
          return mistake(lines.number(), "there are more numbers than the sizes of the table say");
        table.values.push_back(*value);
      }
      rest = trimmed(rest.substr(std::min(end + 1, rest.size())));
    }
  }
  return table;
}

}  // namespace

TableText read_named_table(std::string_view text, std::string_view name) {
  Lines lines(text);
  const auto first = lines.next();
  if (!first || !first->starts_with("#1")) return mistake(1, "a file of tables begins with the line #1");
  std::string found;
  while (const auto line = lines.next()) {
    const auto header = header_of(without_comment(*line));
    if (!header) continue;
    if (header->name == name) return read_values(lines, *header);
    found += (found.empty() ? "" : ", ") + std::string(header->name);
  }
  return mistake(0, "there is no table '" + std::string(name) + "' in it" +
                        (found.empty() ? std::string() : "; there are " + found));
}

TableText read_separated_table(std::string_view text, char delimiter, int header_lines) {
  Lines lines(text);
  TableText table;
  while (const auto line = lines.next()) {
    if (lines.number() <= header_lines || trimmed(*line).empty()) continue;
    std::size_t columns = 0;
    for (std::string_view rest = *line;;) {
      const std::size_t end = rest.find(delimiter);
      const auto value = number(rest.substr(0, end));
      if (!value) return mistake(lines.number(), "'" + std::string(trimmed(rest.substr(0, end))) + "' is not a number");
      table.values.push_back(*value);
      ++columns;
      if (end == std::string_view::npos) break;
      rest = rest.substr(end + 1);
    }
    if (table.rows > 0 && columns != table.columns)
      return mistake(lines.number(), std::to_string(columns) + " numbers in this line, but " +
                                         std::to_string(table.columns) + " in those before");
    table.columns = columns;
    ++table.rows;
  }
  if (table.rows == 0) return mistake(lines.number(), "there are no numbers in it");
  return table;
}

}  // namespace driftless
