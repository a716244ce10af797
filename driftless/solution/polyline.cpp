#include "driftless/solution/polyline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_set>
#include <utility>

#include "driftless/solution/svg.hpp"

namespace driftless {
namespace {

struct Point {
  double x, y;
  bool operator==(const Point&) const = default;
};

// Appends points to path data; lift() begins a new piece.
class Pen {
 public:
  void to(Point point) {
    if (last_ == point) return;
    if (!last_) {
      data_ += 'M';
    } else {
      data_ += length_ == 1 ? 'L' : ' ';
    }
    data_ += coordinate(point.x) + ',' + coordinate(point.y);
    last_ = point;
    ++length_;
  }

  void lift() {
    if (length_ == 1) data_ += "h0";  // with round caps a line of length zero is a dot
    last_.reset();
    length_ = 0;
  }

  std::string take() {
    lift();
    return std::move(data_);
  }

 private:
  std::string data_;
  std::optional<Point> last_;
  int length_ = 0;
};

bool drawable(double x, double y) { return std::isfinite(x) && std::isfinite(y); }

}  // namespace

std::string series_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> breaks,
                        AtBreak at_break) {
  Pen pen;
  std::size_t next = 0, next_break = 0;
  while (next < x.size()) {
    if (next_break < breaks.size() && breaks[next_break] == next) {
      if (at_break == AtBreak::Gap) pen.lift();
      ++next_break;
    }
    const std::size_t end = next_break < breaks.size() ? breaks[next_break] : x.size();
    if (!drawable(x[next], y[next])) {
      pen.lift();
      ++next;
      continue;
    }
    const double column = std::floor(x[next]);
    std::size_t lowest = next, highest = next, last = next;
    const std::size_t first = next;
    for (; next < end && drawable(x[next], y[next]) && std::floor(x[next]) == column; ++next) {
      if (y[next] < y[lowest]) lowest = next;
      if (y[next] > y[highest]) highest = next;
      last = next;
    }
    std::array<std::size_t, 4> kept{first, lowest, highest, last};
    std::sort(kept.begin(), kept.end());
    for (const std::size_t k : kept) pen.to({x[k], y[k]});
  }
  return pen.take();
}

std::string orbit_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> breaks) {
  constexpr double grain = 0.5;
  const auto cell = [](Point p) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(std::lround(p.x / grain))) << 32 |
           static_cast<std::uint32_t>(std::lround(p.y / grain));
  };
  // Used for membership only, never iterated, so its order does not matter.
  const auto mixed = [](const std::pair<std::uint64_t, std::uint64_t>& piece) {
    return static_cast<std::size_t>((piece.first ^ (piece.second * 0x9E3779B97F4A7C15ULL)) * 0xD6E8FEB86659FD93ULL);
  };
  std::unordered_set<std::pair<std::uint64_t, std::uint64_t>, decltype(mixed)> drawn(1024, mixed);

  Pen pen;
  std::optional<Point> here;  // the end of the curve so far, whether drawn or not
  std::size_t next_break = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (next_break < breaks.size() && breaks[next_break] == k) {
      ++next_break;
      if (drawable(x[k], y[k])) {
        pen.lift();
        here = Point{x[k], y[k]};  // drawn together with the next point, unless that piece was drawn before
        continue;
      }
    }
    if (!drawable(x[k], y[k])) {
      pen.lift();
      here.reset();
      continue;
    }
    const Point point{x[k], y[k]};
    if (!here) {
      pen.to(point);
    } else if (k + 1 < x.size() && std::hypot(point.x - here->x, point.y - here->y) < grain) {
      continue;
    } else if (drawn.insert({cell(*here), cell(point)}).second) {
      pen.to(*here);  // where the pen is already, unless it was lifted
      pen.to(point);
    } else {
      pen.lift();
    }
    here = point;
  }
  return pen.take();
}

std::vector<std::size_t> visible_jumps(std::span<const double> times, std::span<const double> x,
                                       std::span<const double> y, double apart) {
  constexpr double smallest = 1.0;  // pixels
  std::vector<std::size_t> jumps;
  for (std::size_t k = 1; k < x.size(); ++k)
    if (times[k] == times[k - 1] && drawable(x[k], y[k]) && drawable(x[k - 1], y[k - 1]) &&
        std::hypot(x[k] - x[k - 1], y[k] - y[k - 1]) > smallest)
      jumps.push_back(k);
  std::vector<std::size_t> visible;
  for (std::size_t i = 0; i < jumps.size(); ++i) {
    const double here = x[jumps[i]];
    const bool crowded = (i > 0 && std::abs(here - x[jumps[i - 1]]) < apart) ||
                         (i + 1 < jumps.size() && std::abs(x[jumps[i + 1]] - here) < apart);
    if (!crowded) visible.push_back(jumps[i]);
  }
  return visible;
}

std::string jump_path(std::span<const double> x, std::span<const double> y, std::span<const std::size_t> jumps) {
  Pen pen;
  for (const std::size_t k : jumps) {
    pen.to({x[k - 1], y[k - 1]});
    pen.to({x[k], y[k]});
    pen.lift();
  }
  return pen.take();
}

}  // namespace driftless
