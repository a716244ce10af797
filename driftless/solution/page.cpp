#include "driftless/solution/page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

constexpr std::size_t gutter = 11;  // width of the labels at the left

}  // namespace

Page::Page(bool colour, int width) : colour_(colour), width_(static_cast<std::size_t>(std::max(width, 60))) {}

std::string Page::paint(Paint paint, const std::string& text) const {
  if (!colour_ || paint == Paint::Plain) return text;
  constexpr std::string_view codes[] = {"0", "1", "2", "32", "33", "1;31"};
  return fmt::format("\033[{}m{}\033[0m", codes[static_cast<int>(paint)], text);
}

std::size_t Page::text_width() const { return width_ - gutter; }

void Page::label(const std::string& name, Paint paint_as) {
  const std::string shown = shortened(name, width_);
  text_ += paint(paint_as, shown);
  const std::size_t used = character_count(shown);
  if (used + 2 > gutter) {
    text_ += '\n';
    return;
  }
  text_.append(gutter - used, ' ');
  after_label_ = true;
}

void Page::line(const std::string& content) {
  if (!after_label_) text_.append(gutter, ' ');
  after_label_ = false;
  text_ += content;
  text_ += '\n';
}

void Page::paragraph(std::string_view text, Paint paint_as) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find_first_of(" \n"), text.size());
    words.emplace_back(text.substr(0, blank));
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  flow(words, paint_as);
}

void Page::list(std::vector<std::string> items) {
  for (std::size_t k = 0; k + 1 < items.size(); ++k) items[k] += ',';
  flow(items, Paint::Plain);
}

void Page::flow(const std::vector<std::string>& pieces, Paint paint_as) {
  std::string current;
  std::size_t used = 0;
  for (const std::string& piece : pieces) {
    const std::size_t width = character_count(piece);
    if (used > 0 && used + 1 + width > text_width()) {
      line(paint(paint_as, current));
      current.clear();
      used = 0;
    }
    current += (used > 0 ? " " : "") + piece;
    used = character_count(current);
  }
  line(paint(paint_as, current));
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = character_count(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string right_aligned(const std::string& text, std::size_t width) {
  const std::size_t used = character_count(text);
  return std::string(used < width ? width - used : 0, ' ') + text;
}

std::string counted(long n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace driftless
