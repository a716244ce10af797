#include "driftless/solution/mat_matrices.hpp"

#include <algorithm>
#include <bit>

namespace driftless {

static_assert(std::endian::native == std::endian::little, "the type codes announce little-endian numbers");

void append_mat_header(std::string& text, MatType type, std::size_t rows, std::size_t cols, std::string_view name) {
  const std::int32_t fields[5] = {static_cast<std::int32_t>(type), static_cast<std::int32_t>(rows),
                                  static_cast<std::int32_t>(cols), 0, static_cast<std::int32_t>(name.size() + 1)};
  text += bytes_of(std::span<const std::int32_t>(fields));
  text += name;
  text += '\0';
}

void append_mat_columns(std::string& text, std::string_view name, const std::vector<std::string>& texts) {
  std::size_t width = 1;
  for (const std::string& one : texts) width = std::max(width, one.size());
  append_mat_header(text, MatType::Text, width, texts.size(), name);
  for (std::string padded : texts) {
    padded.resize(width, '\0');
    text += padded;
  }
}

void append_mat_rows(std::string& text, std::string_view name, std::span<const std::string> texts) {
  std::size_t width = 0;
  for (const std::string& one : texts) width = std::max(width, one.size());
  append_mat_header(text, MatType::Text, texts.size(), width, name);
  for (std::size_t col = 0; col < width; ++col)
    for (const std::string& one : texts) text += col < one.size() ? one[col] : ' ';
}

}  // namespace driftless
