#include "driftless/sweep/sweep_svg.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/solution/frame.hpp"
#include "driftless/solution/panels.hpp"
#include "driftless/solution/polyline.hpp"
#include "driftless/sweep/table.hpp"

namespace driftless::sweep {
namespace {

constexpr std::size_t most_times = 400;  // at most this many are drawn
constexpr double width = 860.0, left = 64.0, right = 28.0;

constexpr Tint tints[] = {{"dl-nine", "fill", "#d6e8f5", "#17324a"},
                          {"dl-half", "fill", "#a6cdea", "#235377"},
                          {"dl-dot", "fill", "#0068a8", "#58a9e8"},
                          {"dl-dot", "fill-opacity", "0.45", "0.55"}};

std::size_t colon_of(const std::string& name) { return name.find(':'); }

constexpr std::array<double, 5> levels{0.05, 0.25, 0.5, 0.75, 0.95};
using Quantiles = std::array<std::vector<double>, levels.size()>;

Quantiles quantiles_of(const std::vector<std::vector<double>>& values) {
  Quantiles result;
  for (std::vector<double> column : values) {
    std::ranges::sort(column);
    for (std::size_t k = 0; k < levels.size(); ++k) result[k].push_back(quantile(column, levels[k]));
  }
  return result;
}

Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double value : values)
    if (std::isfinite(value)) range = range.joined({value, value});
  return range;
}

// The area between two curves, as far as both exist.
std::string area(const Frame& frame, const std::vector<double>& x, const std::vector<double>& low,
                 const std::vector<double>& high) {
  std::string there, back;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (!std::isfinite(low[k]) || !std::isfinite(high[k])) continue;
    const std::string at = coordinate(frame.to_x(x[k]));
    there += fmt::format("{}{} {}", there.empty() ? "M" : "L", at, coordinate(frame.to_y(low[k])));
    back = fmt::format("L{} {}", at, coordinate(frame.to_y(high[k]))) + back;
  }
  return there.empty() ? there : there + back + "Z";
}

double draw_bands(Svg& svg, const std::string& name, const std::vector<double>& times, const Quantiles& q, double top) {
  const Box box{left, top + 24, width - left - right, 260.0};
  Range range = range_of(q.front()).joined(range_of(q.back()));
  const Frame frame{box, axis_of(range_of(times), 0, box.width, 90.0, false),
                    axis_of(range, 0, box.height, 40.0, true)};
  svg.text("dl-text", 16, top + 14, Anchor::Start,
           name + (frame.y.shared.empty() ? "" : "  " + frame.y.shared) + ": median, 25 … 75 %, 5 … 95 % of the runs");
  svg.path("dl-nine", area(frame, times, q[0], q[4]));
  svg.path("dl-half", area(frame, times, q[1], q[3]));
  draw_frame(svg, frame, true);
  std::vector<double> x, y;
  for (std::size_t k = 0; k < times.size(); ++k) {
    x.push_back(frame.to_x(times[k]));
    y.push_back(frame.to_y(q[2][k]));
  }
  svg.path(curve_tint(0), series_path(x, y));
  svg.text("dl-text", box.left + box.width / 2, box.bottom() + 38, Anchor::Middle,
           "time [s]" + (frame.x.shared.empty() ? "" : "  " + frame.x.shared));
  return box.bottom() + 52;
}

double draw_points(Svg& svg, const std::string& x_name, const std::string& y_name, const std::vector<double>& x,
                   const std::vector<double>& y, double top) {
  const Box box{left, top + 24, 560.0, 320.0};
  const Frame frame{box, axis_of(range_of(x), 0, box.width, 80.0, true),
                    axis_of(range_of(y), 0, box.height, 40.0, true)};
  svg.text("dl-text", 16, top + 14, Anchor::Start, y_name + (frame.y.shared.empty() ? "" : "  " + frame.y.shared));
  draw_frame(svg, frame, true);
  std::string dots;
  for (std::size_t k = 0; k < x.size(); ++k)
    if (std::isfinite(x[k]) && std::isfinite(y[k]))
      dots += fmt::format("M{} {}h3v3h-3z", coordinate(frame.to_x(x[k]) - 1.5), coordinate(frame.to_y(y[k]) - 1.5));
  svg.path("dl-dot", dots);
  svg.text("dl-text", box.left + box.width / 2, box.bottom() + 38, Anchor::Middle,
           x_name + (frame.x.shared.empty() ? "" : "  " + frame.x.shared));
  return box.bottom() + 52;
}

}  // namespace

std::vector<std::string> Picture::names_over_time(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names)
    if (colon_of(name) == std::string::npos) result.push_back(name);
  return result;
}

std::variant<Picture, std::string> Picture::make(const std::vector<std::string>& names, const Plan& plan,
                                                 const std::vector<Kept>& kept, Followed followed) {
  Picture picture;
  picture.followed_ = std::move(followed);
  const std::size_t count = picture.followed_.times.size(), drawn = std::min(count, most_times + 1);
  for (std::size_t k = 0; k < drawn; ++k) picture.times_.push_back(drawn < 2 ? k : k * (count - 1) / (drawn - 1));
  std::vector<std::string_view> known;
  for (const Variation& variation : plan.variations()) known.push_back(variation.name);
  for (const Kept& one : kept) known.push_back(one.text);
  const auto source_of = [&](const std::string& name) -> std::optional<Source> {
    const std::size_t varied = plan.variations().size();
    const auto place = static_cast<std::size_t>(std::ranges::find(known, name) - known.begin());
    if (place == known.size()) return {};
    return Source{.varies = place < varied, .place = place < varied ? place : place - varied};
  };
  for (const std::string& name : names) {
    if (const std::size_t colon = colon_of(name); colon != std::string::npos) {
      Points points{.x_name = name.substr(0, colon), .y_name = name.substr(colon + 1)};
      for (const std::string& one : {points.x_name, points.y_name})
        if (!source_of(one)) return fmt::format("'{}' neither varies nor is it kept{}", one, did_you_mean(one, known));
      points.x_source = *source_of(points.x_name);
      points.y_source = *source_of(points.y_name);
      picture.panels_.emplace_back(std::move(points));
    } else {
      const auto place = std::ranges::find(picture.followed_.names, name) - picture.followed_.names.begin();
      picture.panels_.emplace_back(
          Bands{name, static_cast<std::size_t>(place), std::vector<std::vector<double>>(picture.times_.size())});
    }
  }
  return picture;
}

void Picture::add(const Row& row) {
  if (runs_++ >= most_runs) return;
  for (auto& panel : panels_) {
    if (auto* points = std::get_if<Points>(&panel)) {
      points->x.push_back(points->x_source.of(row));
      points->y.push_back(points->y_source.of(row));
      continue;
    }
    auto& bands = std::get<Bands>(panel);
    for (std::size_t k = 0; k < times_.size() && !row.trajectory.empty(); ++k)
      if (const double value = row.trajectory[times_[k] * followed_.names.size() + bands.place]; std::isfinite(value))
        bands.values[k].push_back(value);
  }
}

std::string Picture::svg(const std::string& title, Theme theme) const {
  Svg svg;
  const std::string head = fmt::format("{}: {} runs{}", title, std::min(runs_, most_runs),
                                       runs_ > most_runs ? fmt::format(" of {}", runs_) : std::string());
  svg.text("dl-title", 16, 26, Anchor::Start, head);
  std::vector<double> times;
  for (const std::size_t k : times_) times.push_back(followed_.times[k]);
  double top = 40.0;
  for (const auto& panel : panels_) {
    if (const auto* points = std::get_if<Points>(&panel))
      top = draw_points(svg, points->x_name, points->y_name, points->x, points->y, top);
    else
      top = draw_bands(svg, std::get<Bands>(panel).name, times, quantiles_of(std::get<Bands>(panel).values), top);
  }
  std::vector<Tint> all(curve_tints().begin(), curve_tints().end());
  all.insert(all.end(), std::begin(tints), std::end(tints));
  return svg.finish(width, top + 6, head, theme, all);
}

}  // namespace driftless::sweep
