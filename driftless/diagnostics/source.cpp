#include "driftless/diagnostics/source.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace driftless {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u; }

}  // namespace

SourceRange join(SourceRange first, SourceRange last) {
  if (!first.known()) return last;
  if (!last.known() || last.file != first.file) return first;
  return {first.file, std::min(first.begin, last.begin), std::max(first.end, last.end)};
}

FileId Sources::add(std::string name, std::string text) {
  File file{std::move(name), std::move(text), {0}};
  for (std::size_t i = 0; (i = file.text.find('\n', i)) != std::string::npos;)
    file.line_starts.push_back(static_cast<std::uint32_t>(++i));
  files_.push_back(std::move(file));
  return FileId{static_cast<std::int32_t>(files_.size() - 1)};
}

const Sources::File& Sources::file_of(FileId file) const {
  const auto i = static_cast<std::size_t>(file);
  assert(i < files_.size());
  return files_[i];
}

const std::string& Sources::name(FileId file) const { return file_of(file).name; }

const std::string& Sources::text(FileId file) const { return file_of(file).text; }

Position Sources::position(FileId id, std::uint32_t offset) const {
  const File& file = file_of(id);
  offset = std::min(offset, static_cast<std::uint32_t>(file.text.size()));
  const auto next_line = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  const std::uint32_t line_start = *(next_line - 1);
  const auto characters = std::count_if(file.text.begin() + line_start, file.text.begin() + offset, begins_character);
  return {static_cast<int>(next_line - file.line_starts.begin()), static_cast<int>(characters) + 1};
}

std::uint32_t Sources::line_start(FileId id, int line) const {
  const File& file = file_of(id);
  assert(line >= 1 && static_cast<std::size_t>(line) <= file.line_starts.size());
  return file.line_starts[static_cast<std::size_t>(line) - 1];
}

std::string_view Sources::line_text(FileId id, int line) const {
  const std::string& text = file_of(id).text;
  const std::uint32_t begin = line_start(id, line);
  std::size_t end = std::min(text.find('\n', begin), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  return std::string_view(text).substr(begin, end - begin);
}

int Sources::line_of(SourceRange range) const { return range.known() ? position(range.file, range.begin).line : 0; }

}  // namespace driftless
