#include "driftless/diagnostics/printable.hpp"

namespace driftless {
namespace {

constexpr std::string_view replacement = "\uFFFD";

unsigned byte_at(std::string_view text, std::size_t k) { return static_cast<unsigned char>(text[k]); }

unsigned code_point(std::string_view text, std::size_t at, std::size_t length) {
  if (length == 1) return byte_at(text, at);
  unsigned code = byte_at(text, at) & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) code = code << 6 | (byte_at(text, at + i) & 0x3Fu);
  return code;
}

// Control characters (C0, DEL, C1), and those that change the writing direction.
bool is_harmful(unsigned code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if ((lead >= 0x80 && lead < 0xC2) || lead >= 0xF5) return 0;
  const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte_at(text, at + i) & 0xC0u) != 0x80u) return 0;
  // Overlong, a UTF-16 surrogate, or beyond the last character.
  const unsigned code = code_point(text, at, length);
  if ((length == 3 && code < 0x800) || (length == 4 && (code < 0x10000 || code > 0x10FFFF))) return 0;
  return code >= 0xD800 && code <= 0xDFFF ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0 || is_harmful(code_point(text, at, length)))
      result += replacement;
    else
      result += text.substr(at, length);
    at += length == 0 ? 1 : length;
  }
  return result;
}

}  // namespace driftless
