#include "driftless/solution/picture/canvas.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr int heights = 8;  // per pixel

// Upwards or downwards from y0 to y1 > y0, in eighths of pixels.
struct Edge {
  double x0, y0, slope, y1;
  int winding;
  double at(double y) const { return x0 + slope * (y - y0); }
};

std::vector<Edge> edges_of(const std::vector<Outline>& areas) {
  std::vector<Edge> edges;
  for (const Outline& area : areas)
    for (std::size_t k = 0; k < area.points.size(); ++k) {
      PathPoint a = area.points[k], b = area.points[(k + 1) % area.points.size()];
      a.y *= heights, b.y *= heights;
      if (a.y == b.y) continue;
      const int winding = a.y < b.y ? 1 : -1;
      if (winding < 0) std::swap(a, b);
      edges.push_back({a.x, a.y, (b.x - a.x) / (b.y - a.y), b.y, winding});
    }
  std::ranges::sort(edges, {}, &Edge::y0);
  return edges;
}

// Adds [left, right) to the pixels that it covers, each by the share covered.
void cover(std::vector<double>& row, double left, double right) {
  const double most = static_cast<double>(row.size());
  left = std::clamp(left, 0.0, most), right = std::clamp(right, 0.0, most);
  if (right <= left) return;
  const auto first = static_cast<std::size_t>(left), last = std::min(static_cast<std::size_t>(right), row.size() - 1);
  if (first == last) {
    row[first] += (right - left) / heights;
    return;
  }
  row[first] += (static_cast<double>(first + 1) - left) / heights;
  for (std::size_t k = first + 1; k < last; ++k) row[k] += 1.0 / heights;
  row[last] += (right - static_cast<double>(last)) / heights;
}

struct Crossing {
  double x;
  int winding;
};

void cover_between(std::vector<double>& row, std::vector<Crossing>& crossings) {
  std::ranges::sort(crossings, {}, &Crossing::x);
  int winding = 0;
  for (std::size_t k = 0; k + 1 < crossings.size(); ++k) {
    winding += crossings[k].winding;
    if (winding != 0) cover(row, crossings[k].x, crossings[k + 1].x);
  }
}

// A union of pieces needs the same winding direction for all of them.
void add_piece(std::vector<Outline>& areas, std::vector<PathPoint> points) {
  double area = 0.0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const PathPoint &a = points[k], &b = points[(k + 1) % points.size()];
    area += a.x * b.y - b.x * a.y;
  }
  if (area < 0.0) std::ranges::reverse(points);
  areas.push_back({std::move(points), true});
}

class Pencil {
 public:
  explicit Pencil(const Ink& ink) : ink_(ink), half_(ink.width / 2) {}

  void draw(const Outline& line) {
    std::vector<PathPoint> points;
    for (const PathPoint& point : line.points)
      if (points.empty() || std::hypot(point.x - points.back().x, point.y - points.back().y) > 1e-6)
        points.push_back(point);
    const bool closed = line.closed && points.size() > 1;
    if (points.size() == 1) return ink_.round_caps ? disc(points[0]) : void();
    if (closed) points.push_back(points.front());
    for (std::size_t k = 1; k < points.size(); ++k) segment(points[k - 1], points[k]);
    for (std::size_t k = 1; k + 1 < points.size(); ++k) corner(points[k - 1], points[k], points[k + 1]);
    if (closed) corner(points[points.size() - 2], points[0], points[1]);
    if (!closed && ink_.round_caps) disc(points.front()), disc(points.back());
  }

  std::vector<Outline> take() { return std::move(areas_); }

 private:
  // Across the pen, at the right of the direction from a to b.
  PathPoint across(PathPoint a, PathPoint b) const {
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    return {half_ * (b.y - a.y) / length, -half_ * (b.x - a.x) / length};
  }

  void segment(PathPoint a, PathPoint b) {
    const PathPoint n = across(a, b);
    add_piece(areas_, {{a.x + n.x, a.y + n.y}, {b.x + n.x, b.y + n.y}, {b.x - n.x, b.y - n.y}, {a.x - n.x, a.y - n.y}});
  }

  void disc(PathPoint at) {
    const int corners = std::clamp(static_cast<int>(std::ceil(6 + 2 * half_)), 8, 32);
    std::vector<PathPoint> points;
    for (int k = 0; k < corners; ++k) {
      const double angle = 2 * 3.14159265358979 * k / corners;
      points.push_back({at.x + half_ * std::cos(angle), at.y + half_ * std::sin(angle)});
    }
    add_piece(areas_, std::move(points));
  }

  void corner(PathPoint before, PathPoint at, PathPoint after) {
    const PathPoint n = across(before, at), m = across(at, after);
    const double turn = n.x * m.y - n.y * m.x;
    const double parallel = n.x * m.x + n.y * m.y, square = half_ * half_;
    if (std::abs(turn) < 0.02 * half_ && parallel > 0.0) return;  // the gap is far below a pixel
    if (ink_.round_joins) return disc(at);
    const double side = turn > 0.0 ? -1.0 : 1.0;
    std::vector<PathPoint> points{at, {at.x - side * n.x, at.y - side * n.y}};
    constexpr double limit = 4.0;  // of SVG: beyond it the point is cut off
    if (square + parallel > 2 * square / (limit * limit)) {
      const double reach = side * square / (square + parallel);
      points.push_back({at.x - reach * (n.x + m.x), at.y - reach * (n.y + m.y)});
    }
    points.push_back({at.x - side * m.x, at.y - side * m.y});
    add_piece(areas_, std::move(points));
  }

  const Ink& ink_;
  double half_;
  std::vector<Outline> areas_;
};

// The pieces of a dashed line.
std::vector<Outline> dashed(const Outline& line, const std::vector<double>& dashes) {
  std::vector<PathPoint> points = line.points;
  if (line.closed) points.push_back(points.front());
  std::vector<Outline> pieces;
  std::size_t place = 0;
  double left = dashes[0];
  bool on = true;
  if (!points.empty()) pieces.push_back({{points[0]}});
  for (std::size_t k = 1; k < points.size(); ++k) {
    PathPoint from = points[k - 1];
    const PathPoint to = points[k];
    double length = std::hypot(to.x - from.x, to.y - from.y);
    while (length > left) {
      const double share = left / length;
      from = {from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
      if (on) pieces.back().points.push_back(from);
      on = !on;
      if (on) pieces.push_back({{from}});
      length -= left;
      place = (place + 1) % dashes.size();
      left = std::max(dashes[place], 1e-3);
    }
    left -= length;
    if (on) pieces.back().points.push_back(to);
  }
  return pieces;
}

}  // namespace

Canvas::Canvas(std::size_t width, std::size_t height, Colour background) : width_(width), height_(height) {
  pixels_.reserve(3 * width * height);
  for (std::size_t k = 0; k < width * height; ++k)
    for (const double part : {background.red, background.green, background.blue})
      pixels_.push_back(static_cast<float>(part));
}

void Canvas::blend(std::size_t row, const std::vector<double>& coverage, Colour colour, double opacity) {
  const double parts[] = {colour.red, colour.green, colour.blue};
  for (std::size_t k = 0; k < width_; ++k) {
    if (coverage[k] <= 0.0) continue;
    const double share = std::min(coverage[k], 1.0) * opacity;
    for (std::size_t part = 0; part < 3; ++part) {
      float& value = pixels_[3 * (row * width_ + k) + part];
      value = static_cast<float>(value + share * (parts[part] - value));
    }
  }
}

void Canvas::fill(const std::vector<Outline>& areas, Colour colour, double opacity) {
  const std::vector<Edge> edges = edges_of(areas);
  if (edges.empty()) return;
  const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(edges.front().y0 / heights)));
  std::vector<double> coverage(width_);
  std::vector<const Edge*> active;
  std::vector<Crossing> crossings;
  std::size_t next = 0;
  for (std::size_t row = first; row < height_ && (next < edges.size() || !active.empty()); ++row) {
    std::ranges::fill(coverage, 0.0);
    for (int part = 0; part < heights; ++part) {
      const double y = static_cast<double>(row * heights) + part + 0.5;
      for (; next < edges.size() && edges[next].y0 <= y; ++next) active.push_back(&edges[next]);
      std::erase_if(active, [y](const Edge* edge) { return edge->y1 <= y; });
      crossings.clear();
      for (const Edge* edge : active) crossings.push_back({edge->at(y), edge->winding});
      cover_between(coverage, crossings);
    }
    blend(row, coverage, colour, opacity);
  }
}

std::vector<std::uint8_t> Canvas::bytes() const {
  std::vector<std::uint8_t> result;
  result.reserve(pixels_.size());
  for (const float value : pixels_) result.push_back(static_cast<std::uint8_t>(std::lround(255.0f * value)));
  return result;
}

std::vector<Outline> stroked(const std::vector<Outline>& lines, const Ink& ink) {
  Pencil pencil(ink);
  for (const Outline& line : lines) {
    if (ink.dashes.empty())
      pencil.draw(line);
    else
      for (const Outline& piece : dashed(line, ink.dashes)) pencil.draw(piece);
  }
  return pencil.take();
}

}  // namespace driftless
