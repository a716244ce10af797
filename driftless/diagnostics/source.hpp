// The origin of a part of a model: a half-open range of bytes in a named text.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class FileId : std::int32_t {};
inline constexpr FileId no_file{-1};

// Half-open byte range [begin, end) in the text of `file`. The default range means "no text":
// things built through the C++ API have none.
struct SourceRange {
  FileId file = no_file;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  bool known() const { return file != no_file; }
};

// The smallest range that holds both; an unknown range yields the other one. Ranges of different
// files cannot be joined: the first one stays.
SourceRange join(SourceRange first, SourceRange last);

// 1-based, as editors count. Columns count characters (UTF-8 sequences), not bytes.
struct Position {
  int line = 0;
  int column = 0;
};

// All texts of one compilation. Names and texts keep their addresses when others are added.
class Sources {
 public:
  FileId add(std::string name, std::string text);

  const std::string& name(FileId file) const;
  const std::string& text(FileId file) const;
  Position position(FileId file, std::uint32_t offset) const;
  std::uint32_t line_start(FileId file, int line) const;    // byte offset of the line's first character
  std::string_view line_text(FileId file, int line) const;  // without its line break
  int line_of(SourceRange range) const;                     // 0 when the range is unknown

 private:
  struct File {
    std::string name;
    std::string text;
    std::vector<std::uint32_t> line_starts;
  };
  const File& file_of(FileId file) const;

  std::deque<File> files_;
};

}  // namespace driftless
