#include "driftless/language/libraries/text_file.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace driftless::language {
namespace {

constexpr std::size_t longest_text = 100'000'000;
constexpr std::uint32_t replacement = 0xFFFD;

unsigned byte_at(const std::string& bytes, std::size_t k) { return static_cast<unsigned char>(bytes[k]); }

void append_utf8(std::string& text, std::uint32_t point) {
  const auto put = [&](std::uint32_t byte) { text += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xC0 | point >> 6);
  } else {
    if (point < 0x10000) {
      put(0xE0 | point >> 12);
    } else {
      put(0xF0 | point >> 18);
      put(0x80 | (point >> 12 & 0x3F));
    }
    put(0x80 | (point >> 6 & 0x3F));
  }
  put(0x80 | (point & 0x3F));
}

// Whether the bytes are well-formed (RFC 3629): no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(const std::string& bytes) {
  for (std::size_t k = 0; k < bytes.size();) {
    std::uint64_t eight = 0;  // almost all text is ASCII
    if (k + sizeof eight <= bytes.size()) {
      std::memcpy(&eight, bytes.data() + k, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        k += sizeof eight;
        continue;
      }
    }
    const unsigned lead = byte_at(bytes, k);
    if (lead < 0x80) {
      ++k;
      continue;
    }
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || k + length > bytes.size()) return false;
    const unsigned second = byte_at(bytes, k + 1);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F))
      return false;
    for (std::size_t i = 1; i < length; ++i)
      if ((byte_at(bytes, k + i) & 0xC0U) != 0x80U) return false;
    k += length;
  }
  return true;
}

std::string from_utf16(const std::string& bytes, bool big_endian) {
  const auto unit_at = [&](std::size_t k) -> std::uint32_t {
    const unsigned first = byte_at(bytes, k), second = byte_at(bytes, k + 1);
    return big_endian ? first << 8 | second : second << 8 | first;
  };
  std::string text;
  for (std::size_t k = 2; k + 1 < bytes.size(); k += 2) {
    std::uint32_t point = unit_at(k);
    if (point >= 0xD800 && point < 0xDC00 && k + 3 < bytes.size() && (unit_at(k + 2) & 0xFC00U) == 0xDC00U) {
      point = 0x10000 + ((point - 0xD800) << 10) + (unit_at(k + 2) - 0xDC00);
      k += 2;
    } else if (point >= 0xD800 && point < 0xE000) {
      point = replacement;
    }
    append_utf8(text, point);
  }
  return text;
}

// 0x80 to 0x9F, where Windows-1252 differs from Latin-1; 0 for undefined characters.
constexpr std::array<std::uint16_t, 32> windows_1252 = {0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                        0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                        0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                        0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::string from_windows_1252(const std::string& bytes) {
  std::string text;
  text.reserve(bytes.size() + bytes.size() / 8);
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const unsigned byte = byte_at(bytes, k);
    const std::uint32_t special = byte >= 0x80 && byte < 0xA0 ? windows_1252[byte - 0x80] : byte;
    append_utf8(text, special == 0 && byte != 0 ? replacement : special);
  }
  return text;
}

}  // namespace

std::string to_utf8(std::string bytes) {
  if (bytes.starts_with("\xFE\xFF")) return from_utf16(bytes, true);
  if (bytes.starts_with("\xFF\xFE")) return from_utf16(bytes, false);
  return is_utf8(bytes) ? std::move(bytes) : from_windows_1252(bytes);
}

std::variant<std::string, CannotReadFile> read_text_file(const std::string& path) {
  if (std::error_code unknown; std::filesystem::is_directory(path, unknown))
    return CannotReadFile{fmt::format("cannot read '{}': it is a directory", path)};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file && text.size() <= longest_text) {
    file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (!file.eof() && text.size() <= longest_text)
    return CannotReadFile{fmt::format("cannot read '{}': {}", path, std::strerror(errno))};
  if (text.size() > longest_text)
    return CannotReadFile{
        fmt::format("'{}' is longer than the {} million bytes that a model may have", path, longest_text / 1'000'000)};
  return to_utf8(std::move(text));
}

}  // namespace driftless::language
