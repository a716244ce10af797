#include "driftless/solution/picture/outline.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>

namespace driftless {
namespace {

class PathReader {
 public:
  explicit PathReader(std::string_view data) : rest_(data) {}

  std::vector<Outline> read() {
    char command = ' ';
    for (skip_separators(); !rest_.empty(); skip_separators()) {
      if (std::isalpha(static_cast<unsigned char>(rest_.front()))) {
        command = rest_.front();
        rest_.remove_prefix(1);
      }
      const std::size_t before = rest_.size();
      follow(command);
      if (command == 'M') command = 'L';  // further pairs are lines
      if (command == 'm') command = 'l';
      if (std::toupper(command) == 'Z')
        command = ' ';
      else if (rest_.size() == before)
        break;  // neither a command nor a number
    }
    std::erase_if(outlines_, [](const Outline& outline) { return outline.points.empty(); });
    return std::move(outlines_);
  }

 private:
  void skip_separators() {
    const std::size_t next = rest_.find_first_not_of(" ,\n");
    rest_.remove_prefix(std::min(next, rest_.size()));
  }

  double number() {
    skip_separators();
    double value = 0.0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  void to(PathPoint point) {
    if (outlines_.empty() || outlines_.back().closed) outlines_.push_back({{here_}});
    outlines_.back().points.push_back(point);
    here_ = point;
  }

  void follow(char command) {
    const bool relative = std::islower(static_cast<unsigned char>(command));
    const PathPoint origin = relative ? here_ : PathPoint{};
    const auto pair = [&] {
      const double x = number();
      return PathPoint{origin.x + x, origin.y + number()};
    };
    switch (std::toupper(command)) {
      case 'M':
        here_ = pair();
        outlines_.push_back({{here_}});
        break;
      case 'L': to(pair()); break;
      case 'H': to({origin.x + number(), here_.y}); break;
      case 'V': to({here_.x, origin.y + number()}); break;
      case 'Q': {
        const PathPoint middle = pair();
        curve(middle, pair());
        break;
      }
      case 'A': {
        const double rx = number(), ry = number();
        number();  // the axes lie along x and y
        const bool large = number() != 0.0, ascending = number() != 0.0;
        arc(rx, ry, large, ascending, pair());
        break;
      }
      case 'Z':
        if (!outlines_.empty()) {
          outlines_.back().closed = true;
          here_ = outlines_.back().points.front();
        }
        break;
      default: break;
    }
  }

  void curve(PathPoint middle, PathPoint end) {
    constexpr int pieces = 8;
    const PathPoint begin = here_;
    for (int k = 1; k <= pieces; ++k) {
      const double s = static_cast<double>(k) / pieces, r = 1.0 - s;
      to({r * r * begin.x + 2 * r * s * middle.x + s * s * end.x,
          r * r * begin.y + 2 * r * s * middle.y + s * s * end.y});
    }
  }

  // On the unit circle: the centre lies on the perpendicular through the middle of the chord, on the side that both
  // flags choose.
  void arc(double rx, double ry, bool large, bool ascending, PathPoint end) {
    const double ax = here_.x / rx, ay = here_.y / ry, bx = end.x / rx, by = end.y / ry;
    const double dx = bx - ax, dy = by - ay, chord = std::hypot(dx, dy);
    if (!(chord > 0.0) || !std::isfinite(chord)) return to(end);
    const double stretch = std::max(1.0, chord / 2);  // radii that are too small are enlarged
    const double away = std::sqrt(std::max(0.0, stretch * stretch - chord * chord / 4)) / chord;
    const double side = large == ascending ? -1.0 : 1.0;
    const double cx = (ax + bx) / 2 - side * dy * away, cy = (ay + by) / 2 + side * dx * away;
    const double first = std::atan2(ay - cy, ax - cx);
    double turn = std::atan2(by - cy, bx - cx) - first;
    constexpr double whole = 2 * std::numbers::pi;
    if (ascending && turn <= 0.0) turn += whole;
    if (!ascending && turn >= 0.0) turn -= whole;
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(turn) / whole * 32)));
    for (int k = 1; k < pieces; ++k) {
      const double angle = first + turn * k / pieces;
      to({rx * (cx + stretch * std::cos(angle)), ry * (cy + stretch * std::sin(angle))});
    }
    to(end);
  }

  std::string_view rest_;
  PathPoint here_;
  std::vector<Outline> outlines_;
};

}  // namespace

std::vector<Outline> outlines_of(std::string_view data) { return PathReader(data).read(); }

}  // namespace driftless
