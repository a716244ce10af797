// Text from a file, whatever wrote it: UTF-8 with or without a byte order mark, UTF-16 with one, and what is neither is
// taken for Windows-1252, of which Latin-1 is a part. Line ends are left as they are; the lexer knows all of them.
#pragma once

#include <string>
#include <variant>

namespace driftless::language {

// The text in UTF-8.
std::string to_utf8(std::string bytes);

struct CannotReadFile {
  std::string message;  // "cannot read 'x.mo': No such file or directory"
};

// A device or a pipe may have no end: more than 100 million bytes are refused.
std::variant<std::string, CannotReadFile> read_text_file(const std::string& path);

}  // namespace driftless::language
