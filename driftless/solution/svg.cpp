#include "driftless/solution/svg.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/solution/characters.hpp"

namespace driftless {
namespace {

std::string rules(std::span<const Tint> tints, std::string_view Tint::*colour) {
  std::string css;
  for (const Tint& tint : tints) css += fmt::format(".{}{{{}:{}}}", tint.name, tint.property, tint.*colour);
  return css;
}

std::string stylesheet(Theme theme, std::span<const Tint> tints) {
  const auto all = [&](std::string_view Tint::*colour) { return rules(common_tints(), colour) + rules(tints, colour); };
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

// Appends the elements, one per line.
class ElementWriter {
 public:
  explicit ElementWriter(std::string& body) : body_(body) {}

  void operator()(const Drawing::Line& line) {
    append("<line class=\"{}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", line.tint, coordinate(line.x1),
           coordinate(line.y1), coordinate(line.x2), coordinate(line.y2));
  }

  void operator()(const Drawing::Rect& rect) {
    append("<rect class=\"{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}", rect.tint, coordinate(rect.x),
           coordinate(rect.y), coordinate(rect.width), coordinate(rect.height), with_tooltip("rect", rect.tooltip));
  }

  void operator()(const Drawing::Path& path) {
    append("<path class=\"{}\" d=\"{}\"{}", path.tint, path.data, with_tooltip("path", path.tooltip));
  }

  void operator()(const Drawing::Text& text) {
    const std::string at_x = coordinate(text.x), at_y = coordinate(text.y);
    const std::string turn = text.upward ? fmt::format(" transform=\"rotate(-90 {} {})\"", at_x, at_y) : "";
    append("<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", text.tint, at_x, at_y,
           anchor_name(text.anchor), turn, xml_escaped(text.content));
  }

 private:
  template <class... Values>
  void append(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Values>(values)...);
  }

  std::string& body_;
};

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

std::string to_svg(const Picture& picture) {
  std::string body;
  for (const Drawing::Element& element : picture.drawing.elements()) std::visit(ElementWriter(body), element);
  const std::string w = coordinate(picture.width), h = coordinate(picture.height);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\">\n"
      "<title>{2}</title>\n<style>{3}</style>\n<rect class=\"dl-page\" width=\"{0}\" height=\"{1}\"/>\n{4}</svg>\n",
      w, h, xml_escaped(picture.title), stylesheet(picture.theme, picture.tints), body);
}

std::string Svg::finish(double width, double height, std::string_view title, Theme theme,
                        std::span<const Tint> tints) const {
  return to_svg({*this, width, height, std::string(title), theme, {tints.begin(), tints.end()}});
}

}  // namespace driftless
