#include "driftless/solution/picture/drawing.hpp"

namespace driftless {

void Drawing::line(std::string_view tint, double x1, double y1, double x2, double y2) {
  elements_.push_back(Line{std::string(tint), x1, y1, x2, y2});
}

void Drawing::rect(std::string_view tint, double x, double y, double width, double height, std::string_view tooltip) {
  elements_.push_back(Rect{std::string(tint), x, y, width, height, std::string(tooltip)});
}

void Drawing::path(std::string_view tint, std::string_view data, std::string_view tooltip) {
  elements_.push_back(Path{std::string(tint), std::string(data), std::string(tooltip)});
}

void Drawing::text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content) {
  elements_.push_back(Text{std::string(tint), x, y, anchor, std::string(content), false});
}

void Drawing::upward_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content) {
  elements_.push_back(Text{std::string(tint), x, y, anchor, std::string(content), true});
}

std::span<const Tint> common_tints() {
  static constexpr Tint tints[] = {
      {"dl-page", "fill", "#ffffff", "#15181d"},   {"dl-text", "fill", "#1f2428", "#e3e6ea"},
      {"dl-title", "fill", "#1f2428", "#f2f4f6"},  {"dl-faint", "fill", "#5c6670", "#9aa4af"},
      {"dl-grid", "stroke", "#e6e9ed", "#2b3038"}, {"dl-frame", "stroke", "#9aa3ad", "#5b646f"},
  };
  return tints;
}

}  // namespace driftless
