// Matrices in the bytes of MATLAB's level 4 format, one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

// MOPT of the format: machine 0 (little-endian IEEE), 0, precision, 0 = numbers or 1 = text.
enum class MatType : std::int32_t { Double = 0, Int32 = 20, Text = 51 };

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

inline constexpr std::size_t mat_columns_in_header = 2 * sizeof(std::int32_t);  // the offset of the number of columns

// The numbers follow, column by column.
void append_mat_header(std::string& text, MatType type, std::size_t rows, std::size_t cols, std::string_view name);

// One text per column, padded with zeros: as in result files of Modelica tools.
void append_mat_columns(std::string& text, std::string_view name, const std::vector<std::string>& texts);

// One text per row, padded with blanks: as in MATLAB.
void append_mat_rows(std::string& text, std::string_view name, std::span<const std::string> texts);

}  // namespace driftless
