#include "driftless/solution/picture/pdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "driftless/solution/picture/deflated.hpp"
#include "driftless/solution/picture/ink.hpp"
#include "driftless/solution/picture/lettering.hpp"
#include "driftless/solution/picture/outline.hpp"
#include "driftless/solution/picture/stroke_font.hpp"
#include "driftless/solution/svg.hpp"

namespace driftless {
namespace {

constexpr double points_per_pixel = 0.75;

std::string rgb(Colour colour) { return fmt::format("{:.3g} {:.3g} {:.3g}", colour.red, colour.green, colour.blue); }

// A string in parentheses, with special characters escaped.
std::string literal(std::string_view bytes) {
  std::string text = "(";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '(' || c == ')' || c == '\\')
      text += {'\\', c};
    else if (byte < 0x20 || byte > 0x7E)
      text += fmt::format("\\{:03o}", byte);
    else
      text += c;
  }
  return text + ")";
}

// Text of the document's description: UTF-16 with a byte order mark.
std::string description(std::string_view text) {
  std::string hex = "<FEFF";
  for (const char32_t code : characters_in(text)) {
    if (code < 0x10000)
      hex += fmt::format("{:04X}", static_cast<unsigned>(code));
    else
      hex += fmt::format("{:04X}{:04X}", 0xD800u + static_cast<unsigned>((code - 0x10000) >> 10),
                         0xDC00u + static_cast<unsigned>((code - 0x10000) & 0x3FF));
  }
  return hex + ">";
}

// Writes the operators that draw each element, in pixels with y downwards.
class PdfPage {
 public:
  explicit PdfPage(const Picture& picture) : picture_(picture) {
    const double height = points_per_pixel * picture.height;
    content_ = fmt::format("{0:g} 0 0 -{0:g} 0 {1:g} cm\n", points_per_pixel, height);
    (*this)(Drawing::Rect{"dl-page", 0, 0, picture.width, picture.height, {}});
  }

  void operator()(const Drawing::Line& line) { draw({{{{line.x1, line.y1}, {line.x2, line.y2}}}}, line.tint); }

  void operator()(const Drawing::Rect& r) {
    draw({{{{r.x, r.y}, {r.x + r.width, r.y}, {r.x + r.width, r.y + r.height}, {r.x, r.y + r.height}}, true}}, r.tint);
  }

  void operator()(const Drawing::Path& path) { draw(outlines_of(path.data), path.tint); }

  void operator()(const Drawing::Text& text) {
    const Ink ink = ink_of(picture_, text.tint);
    if (!ink.fill) return;
    const Lettering lettering = lettering_of(text.content, ink.font_size, ink.bold);
    const double share = text.anchor == Anchor::Start ? 0.0 : text.anchor == Anchor::Middle ? 0.5 : 1.0;
    put("q {} rg {} RG", rgb(*ink.fill), rgb(*ink.fill));
    set_opacity(ink);
    // From here on x is along the text and y above it.
    const double turn_x = text.upward ? 0.0 : 1.0, turn_y = text.upward ? -1.0 : 0.0;
    put("{:g} {:g} {:g} {:g} {} {} cm", turn_x, turn_y, turn_y, 0.0 - turn_x, coordinate(text.x), coordinate(text.y));
    const std::vector<Letter>& letters = lettering.letters;
    for (std::size_t k = 0; k < letters.size();) {
      std::size_t end = k;
      std::string bytes;
      for (; end < letters.size() && letters[end].size == letters[k].size && letters[end].rise == letters[k].rise;
           ++end) {
        const auto byte = windows_byte(letters[end].code);
        if (!byte) break;
        bytes += static_cast<char>(*byte);
      }
      const double x = letters[k].x - share * lettering.width;
      if (end > k)
        put("BT /{} {:g} Tf {:.3f} {:.3f} Td {} Tj ET", ink.bold ? "B" : "R", letters[k].size, x, letters[k].rise,
            literal(bytes));
      else
        draw_letter(letters[end++], x, ink.bold);
      k = end;
    }
    put("Q");
  }

  std::string document() const;

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(content_), format, std::forward<Values>(values)...);
    content_ += '\n';
  }

  void set_opacity(const Ink& ink) {
    const std::pair both(ink.fill_opacity, ink.stroke_opacity);
    if (both == std::pair(1.0, 1.0)) return;
    const auto found = std::ranges::find(opacities_, both);
    put("/G{} gs", found - opacities_.begin());
    if (found == opacities_.end()) opacities_.push_back(both);
  }

  void trace(const std::vector<Outline>& outlines) {
    for (const Outline& outline : outlines) {
      for (std::size_t k = 0; k < outline.points.size(); ++k)
        put("{} {} {}", coordinate(outline.points[k].x), coordinate(outline.points[k].y), k == 0 ? "m" : "l");
      if (outline.points.size() == 1) put("{} {} l", coordinate(outline.points[0].x), coordinate(outline.points[0].y));
      if (outline.closed) put("h");
    }
  }

  void draw(const std::vector<Outline>& outlines, const std::string& tint) {
    const Ink ink = ink_of(picture_, tint);
    const bool is_line = outlines.size() == 1 && outlines[0].points.size() == 2;  // has no area
    const bool fills = ink.fill && !is_line;
    if (outlines.empty() || (!fills && !ink.stroke)) return;
    put("q");
    set_opacity(ink);
    if (fills) put("{} rg", rgb(*ink.fill));
    if (ink.stroke) {
      put("{} RG {:g} w {} J {} j", rgb(*ink.stroke), ink.width, ink.round_caps ? 1 : 0, ink.round_joins ? 1 : 0);
      std::string dashes;
      for (const double length : ink.dashes) dashes += fmt::format("{:g} ", length);
      put("[{}] 0 d", dashes);
    }
    trace(outlines);
    put("{}", fills && ink.stroke ? "B" : fills ? "f" : "S");
    put("Q");
  }

  void draw_letter(const Letter& letter, double x, bool bold) {
    std::vector<Outline> strokes = letter_strokes(letter.code);
    const double unit = letter.size / 100.0;
    for (Outline& stroke : strokes)
      for (PathPoint& point : stroke.points) point = {x + unit * point.x, letter.rise + unit * point.y};
    if (strokes.empty()) return;
    put("{:.3g} w 1 J 1 j", unit * pen_width(bold));
    trace(strokes);
    put("S");
  }

  const Picture& picture_;
  std::string content_;
  std::vector<std::pair<double, double>> opacities_;  // of areas, of strokes
};

std::string PdfPage::document() const {
  std::string states;
  for (std::size_t k = 0; k < opacities_.size(); ++k)
    states += fmt::format("/G{} << /ca {:g} /CA {:g} >> ", k, opacities_[k].first, opacities_[k].second);
  const std::string stream = deflated(content_);
  const auto font = [](const char* name) {
    return fmt::format("<< /Type /Font /Subtype /Type1 /BaseFont /{} /Encoding /WinAnsiEncoding >>", name);
  };
  const std::string objects[] = {
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:g} {:g}] /Contents 4 0 R\n"
                  "/Resources << /Font << /R 5 0 R /B 6 0 R >> /ExtGState << {}>> >> >>",
                  points_per_pixel * picture_.width, points_per_pixel * picture_.height, states),
      fmt::format("<< /Length {} /Filter /FlateDecode >>\nstream\n{}\nendstream", stream.size(), stream),
      font("Helvetica"),
      font("Helvetica-Bold"),
      fmt::format("<< /Title {} /Producer (driftless) >>", description(picture_.title)),
  };
  std::string pdf = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";  // the second line marks the file as binary
  std::string table = fmt::format("xref\n0 {}\n0000000000 65535 f \n", std::size(objects) + 1);
  for (std::size_t k = 0; k < std::size(objects); ++k) {
    table += fmt::format("{:010} 00000 n \n", pdf.size());
    pdf += fmt::format("{} 0 obj\n{}\nendobj\n", k + 1, objects[k]);
  }
  const std::size_t begin = pdf.size();
  return pdf + table +
         fmt::format("trailer\n<< /Size {} /Root 1 0 R /Info 7 0 R >>\nstartxref\n{}\n%%EOF\n", std::size(objects) + 1,
                     begin);
}

}  // namespace

std::string to_pdf(const Picture& picture) {
  PdfPage page(picture);
  for (const Drawing::Element& element : picture.drawing.elements()) std::visit(page, element);
  return page.document();
}

}  // namespace driftless
