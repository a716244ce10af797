#include "driftless/solution/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

constexpr Tint common_tints[] = {
    {"dl-page", "fill", "#ffffff", "#15181d"},   {"dl-text", "fill", "#1f2428", "#e3e6ea"},
    {"dl-title", "fill", "#1f2428", "#f2f4f6"},  {"dl-faint", "fill", "#5c6670", "#9aa4af"},
    {"dl-grid", "stroke", "#e6e9ed", "#2b3038"}, {"dl-frame", "stroke", "#9aa3ad", "#5b646f"},
};

std::string rules(std::span<const Tint> tints, std::string_view Tint::*colour) {
  std::string css;
  for (const Tint& tint : tints) css += fmt::format(".{}{{{}:{}}}", tint.name, tint.property, tint.*colour);
  return css;
}

std::string stylesheet(Theme theme, std::span<const Tint> tints) {
  const auto all = [&](std::string_view Tint::*colour) { return rules(common_tints, colour) + rules(tints, colour); };
  std::string css =
      "text{font-family:-apple-system,'Segoe UI','Helvetica Neue',Helvetica,Arial,'DejaVu Sans',sans-serif;"
      "font-size:12px}"
      ".dl-title{font-size:15px;font-weight:600}";
  css += all(theme == Theme::Dark ? &Tint::dark : &Tint::light);
  if (theme == Theme::Auto) css += "@media (prefers-color-scheme:dark){" + all(&Tint::dark) + "}";
  return css;
}

std::string_view anchor_name(Anchor anchor) {
  return anchor == Anchor::Start ? "start" : anchor == Anchor::Middle ? "middle" : "end";
}

std::string with_tooltip(std::string_view element, std::string_view tooltip) {
  if (tooltip.empty()) return "/>\n";
  return fmt::format("><title>{}</title></{}>\n", xml_escaped(tooltip), element);
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : printable(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20) result += c;
    }
  }
  return result;
}

std::string coordinate(double value) {
  const long hundredths = std::lround(value * 100.0);
  const long whole = std::abs(hundredths) / 100, rest = std::abs(hundredths) % 100;
  const std::string_view sign = hundredths < 0 ? "-" : "";
  if (rest == 0) return fmt::format("{}{}", sign, whole);
  if (rest % 10 == 0) return fmt::format("{}{}.{}", sign, whole, rest / 10);
  return fmt::format("{}{}.{:02}", sign, whole, rest);
}

double text_width(std::string_view text) { return 6.7 * static_cast<double>(character_count(text)); }

void Svg::line(std::string_view tint, double x1, double y1, double x2, double y2) {
  fmt::format_to(std::back_inserter(body_), "<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", tint,
                 coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2));
}

void Svg::rect(std::string_view tint, double x, double y, double width, double height, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(body_), "<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", tint,
                 coordinate(x), coordinate(y), coordinate(width), coordinate(height), with_tooltip("rect", tooltip));
}

void Svg::path(std::string_view tint, std::string_view data, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(body_), "<path class=\"{}\" d=\"{}\"{}", tint, data, with_tooltip("path", tooltip));
}

void Svg::text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content) {
  turned_text(tint, x, y, anchor, content, false);
}

void Svg::upward_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content) {
  turned_text(tint, x, y, anchor, content, true);
}

void Svg::turned_text(std::string_view tint, double x, double y, Anchor anchor, std::string_view content, bool turned) {
  const std::string at_x = coordinate(x), at_y = coordinate(y);
  const std::string turn = turned ? fmt::format(" transform=\"rotate(-90 {} {})\"", at_x, at_y) : "";
  fmt::format_to(std::back_inserter(body_), "<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n",
                 tint, at_x, at_y, anchor_name(anchor), turn, xml_escaped(content));
}

std::string Svg::finish(double width, double height, std::string_view title, Theme theme,
                        std::span<const Tint> tints) const {
  const std::string w = coordinate(width), h = coordinate(height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>{3}</style>\n<rect class=\"dl-page\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
      w, h, xml_escaped(title), stylesheet(theme, tints), body_);
}

}  // namespace driftless
