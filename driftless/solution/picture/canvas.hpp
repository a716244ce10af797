// A picture in pixels. Areas are filled by the non-zero winding rule; a pixel is coloured by the share of it that lies
// inside: exact along x, sampled at eight heights along y.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driftless/solution/picture/ink.hpp"
#include "driftless/solution/picture/outline.hpp"

namespace driftless {

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, Colour background);

  void fill(const std::vector<Outline>& areas, Colour colour, double opacity);

  std::size_t width() const { return width_; }
  std::size_t height() const { return height_; }
  std::vector<std::uint8_t> bytes() const;  // red, green, blue of every pixel, row by row

 private:
  void blend(std::size_t row, const std::vector<double>& coverage, Colour colour, double opacity);

  std::size_t width_, height_;
  std::vector<float> pixels_;
};

// The area that a pen covers: a rectangle for each straight piece, round or pointed corners, round or square ends.
// Their union is what the non-zero rule fills.
std::vector<Outline> stroked(const std::vector<Outline>& lines, const Ink& ink);

}  // namespace driftless
