#include "driftless/solution/picture/png.hpp"

#include <zlib.h>

#include <array>
#include <cmath>

#include "driftless/solution/picture/canvas.hpp"
#include "driftless/solution/picture/deflated.hpp"
#include "driftless/solution/picture/lettering.hpp"
#include "driftless/solution/picture/stroke_font.hpp"

namespace driftless {
namespace {

constexpr double scale = 2.0;
constexpr unsigned pixels_per_metre = 7559;  // 2 * 96 per inch

void append_big_endian(std::string& text, std::size_t value) {
  for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(value >> shift & 0xFF);
}

void append_chunk(std::string& png, std::string_view kind, std::string_view data) {
  append_big_endian(png, data.size());
  const std::size_t begin = png.size();
  png += kind;
  png += data;
  append_big_endian(png,
                    crc32(0, reinterpret_cast<const Bytef*>(png.data() + begin), static_cast<uInt>(4 + data.size())));
}

std::string encoded(const Canvas& canvas, const std::string& title) {
  std::string head, rows, resolution;
  append_big_endian(head, canvas.width());
  append_big_endian(head, canvas.height());
  head += std::string_view("\x08\x02\x00\x00\x00", 5);  // 8 bits, red green blue, the only methods there are
  const std::vector<std::uint8_t> bytes = canvas.bytes();
  for (std::size_t row = 0; row < canvas.height(); ++row) {
    rows += '\0';  // filter "none", as drawings have large areas of one colour
    rows.append(reinterpret_cast<const char*>(bytes.data()) + 3 * row * canvas.width(), 3 * canvas.width());
  }
  append_big_endian(resolution, pixels_per_metre);
  append_big_endian(resolution, pixels_per_metre);
  resolution += '\x01';
  std::string png = "\x89PNG\r\n\x1a\n";
  append_chunk(png, "IHDR", head);
  append_chunk(png, "pHYs", resolution);
  if (!title.empty()) append_chunk(png, "iTXt", std::string("Title\0\0\0\0\0", 10) + title);
  append_chunk(png, "IDAT", deflated(rows));
  append_chunk(png, "IEND", {});
  return png;
}

void scale_up(std::vector<Outline>& outlines) {
  for (Outline& outline : outlines)
    for (PathPoint& point : outline.points) point.x *= scale, point.y *= scale;
}

class Painter {
 public:
  Painter(const Picture& picture, Canvas& canvas) : picture_(picture), canvas_(canvas) {}

  void operator()(const Drawing::Line& line) const { draw({{{{line.x1, line.y1}, {line.x2, line.y2}}}}, line.tint); }

  void operator()(const Drawing::Rect& r) const {
    draw({{{{r.x, r.y}, {r.x + r.width, r.y}, {r.x + r.width, r.y + r.height}, {r.x, r.y + r.height}}, true}}, r.tint);
  }

  void operator()(const Drawing::Path& path) const { draw(outlines_of(path.data), path.tint); }

  void operator()(const Drawing::Text& text) const {
    Ink ink = ink_of(picture_, text.tint);
    if (!ink.fill) return;
    const Lettering lettering = lettering_of(text.content, ink.font_size, ink.bold);
    const double share = text.anchor == Anchor::Start ? 0.0 : text.anchor == Anchor::Middle ? 0.5 : 1.0;
    std::vector<Outline> strokes;
    for (const Letter& letter : lettering.letters) {
      const double unit = letter.size / 100.0, left = letter.x - share * lettering.width;
      for (Outline stroke : letter_strokes(letter.code)) {
        for (PathPoint& point : stroke.points) {
          const double along = left + unit * point.x, above = letter.rise + unit * point.y;
          point = text.upward ? PathPoint{text.x - above, text.y - along} : PathPoint{text.x + along, text.y - above};
        }
        strokes.push_back(std::move(stroke));
      }
    }
    scale_up(strokes);
    const Ink pen{
        .width = scale * ink.font_size / 100.0 * pen_width(ink.bold), .round_caps = true, .round_joins = true};
    canvas_.fill(stroked(strokes, pen), *ink.fill, ink.fill_opacity);
  }

 private:
  void draw(std::vector<Outline> outlines, const std::string& tint) const {
    Ink ink = ink_of(picture_, tint);
    scale_up(outlines);
    ink.width *= scale;
    for (double& length : ink.dashes) length *= scale;
    if (ink.fill) canvas_.fill(outlines, *ink.fill, ink.fill_opacity);
    if (ink.stroke) canvas_.fill(stroked(outlines, ink), *ink.stroke, ink.stroke_opacity);
  }

  const Picture& picture_;
  Canvas& canvas_;
};

}  // namespace

std::string to_png(const Picture& picture) {
  const auto pixels = [](double length) { return static_cast<std::size_t>(std::max(1.0, std::ceil(scale * length))); };
  Canvas canvas(pixels(picture.width), pixels(picture.height),
                ink_of(picture, "dl-page").fill.value_or(Colour{1, 1, 1}));
  const Painter painter(picture, canvas);
  for (const Drawing::Element& element : picture.drawing.elements()) std::visit(painter, element);
  return encoded(canvas, picture.title);
}

}  // namespace driftless
