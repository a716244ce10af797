#include "driftless/diagnostics/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "driftless/diagnostics/printable.hpp"

namespace driftless {
namespace {

constexpr std::size_t window = 100;  // columns of a source line that are shown
constexpr std::size_t tab_width = 4;

// One column on the screen, and its byte in the line.
struct Cell {
  std::string_view text;
  std::size_t byte;
};

// Tabs become spaces, so that the caret is aligned with the text above; characters that a terminal might interpret, or
// cannot show, become a replacement character.
std::vector<Cell> cells_of(std::string_view line) {
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < line.size();) {
    if (line[i] == '\t') {
      do cells.push_back({" ", i});
      while (cells.size() % tab_width != 0);
      ++i;
      continue;
    }
    const std::size_t length = utf8_length(line, i);
    const bool shown = length > 0 && printable(line.substr(i, length)) == line.substr(i, length);
    cells.push_back({shown ? line.substr(i, length) : std::string_view("\uFFFD"), i});
    i += std::max<std::size_t>(length, 1);
  }
  return cells;
}

// The first line of the range with carets below it.
std::string excerpt(SourceRange range, const Sources& sources) {
  const int line = sources.line_of(range);
  const std::size_t start = sources.line_start(range.file, line);
  const std::vector<Cell> cells = cells_of(sources.line_text(range.file, line));

  const auto column_of = [&](std::size_t offset) {
    const auto before = [&](const Cell& cell) { return start + cell.byte < offset; };
    return static_cast<std::size_t>(std::partition_point(cells.begin(), cells.end(), before) - cells.begin());
  };
  const std::size_t caret_begin = column_of(range.begin);
  const std::size_t caret_end = std::max(column_of(range.end), caret_begin + 1);

  std::size_t first = 0;
  std::size_t last = cells.size();
  if (cells.size() > window) {
    const std::size_t caret_width = std::min(caret_end - caret_begin, window / 2);
    const std::size_t margin = (window - caret_width) / 2;
    first = std::min(caret_begin > margin ? caret_begin - margin : 0, cells.size() - window);
    last = first + window;
  }

  std::string text = first > 0 ? "…" : "";
  for (std::size_t i = first; i < last; ++i) text += cells[i].text;
  if (last < cells.size()) text += "…";

  const std::size_t indent = caret_begin - first + (first > 0 ? 1 : 0);
  const std::size_t carets = std::min(caret_end, std::max(last, caret_begin + 1)) - caret_begin;
  return fmt::format("{:5} | {}\n      | {}{}\n", line, text, std::string(indent, ' '), std::string(carets, '^'));
}

}  // namespace

Diagnostic& Diagnostic::note(std::string text, SourceRange where) {
  notes.push_back({std::move(text), where});
  return *this;
}

Diagnostic& Diagnostics::error(Code code, SourceRange where, std::string message) {
  ++errors_;
  return list_.emplace_back(Diagnostic{Severity::Error, code, std::move(message), where, {}});
}

Diagnostic& Diagnostics::warning(Code code, SourceRange where, std::string message) {
  return list_.emplace_back(Diagnostic{Severity::Warning, code, std::move(message), where, {}});
}

std::string render(const Diagnostic& diagnostic, const Sources& sources) {
  const SourceRange range = diagnostic.range;
  std::string out;
  if (range.known()) {
    const Position position = sources.position(range.file, range.begin);
    out += fmt::format("{}:{}:{}: ", printable(sources.name(range.file)), position.line, position.column);
  }
  out += fmt::format("{} {}: {}\n", diagnostic.severity == Severity::Error ? "error" : "warning",
                     to_string(diagnostic.code), printable(diagnostic.message));
  if (range.known()) out += excerpt(range, sources);

  for (const Note& note : diagnostic.notes) {
    const bool elsewhere = note.range.known() && note.range.file != range.file;
    out += fmt::format("  note: {}{}\n", elsewhere ? printable(sources.name(note.range.file)) + ": " : "",
                       printable(note.message));
    if (note.range.known()) out += excerpt(note.range, sources);
  }
  return out;
}

std::string render(const Diagnostics& diagnostics, const Sources& sources) {
  std::string out;
  for (const Diagnostic& diagnostic : diagnostics.all()) out += render(diagnostic, sources);
  return out;
}

ModelError::ModelError(Diagnostics diagnostics, const Sources& sources)
    : std::runtime_error(render(diagnostics, sources)), diagnostics_(std::move(diagnostics)) {}

}  // namespace driftless
