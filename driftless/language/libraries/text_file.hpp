// Text from a file in any common encoding: UTF-8 with or without a byte order mark, UTF-16 with one, otherwise
// Windows-1252, which contains Latin-1. Line ends are not changed; the lexer accepts all of them.
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
