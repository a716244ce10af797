// Text for a terminal in two columns: a label at the left, lines that wrap under themselves at the right.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace driftless {

enum class Paint { Plain, Bold, Faint, Good, Warning, Bad };

class Page {
 public:
  Page(bool colour, int width);  // in characters; at least 60 are used

  std::string paint(Paint paint, const std::string& text) const;
  std::size_t text_width() const;

  // A label too long for the left column takes a line of its own.
  void label(const std::string& name, Paint paint_as);
  // One line unchanged: the caller is responsible for its width.
  void line(const std::string& content);
  // Breaks at blanks; the text carries no colour codes of its own.
  void paragraph(std::string_view text, Paint paint_as = Paint::Plain);
  // "a, b, c", broken only after a comma.
  void list(std::vector<std::string> items);

  std::string take() { return std::move(text_); }

 private:
  void flow(const std::vector<std::string>& pieces, Paint paint_as);

  bool colour_;
  bool after_label_ = false;
  std::size_t width_;
  std::string text_;
};

std::string padded(std::string text, std::size_t width);
std::string right_aligned(const std::string& text, std::size_t width);
std::string counted(long n, std::string_view one, std::string_view many);  // "1 step", "2 steps"

}  // namespace driftless
