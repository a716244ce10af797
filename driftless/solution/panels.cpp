#include "driftless/solution/panels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>

#include "driftless/solution/characters.hpp"
#include "driftless/solution/frame.hpp"

namespace driftless {
namespace {

// Beyond this a difference of two values may overflow: such curves are divided by a power of ten.
constexpr double largest_drawable = 1e300;
constexpr int power_of_huge_curves = 20;

constexpr double lane_distance = 1.6, lane_pixels = 44.0, literal_pixels = 26.0;
constexpr std::size_t longest_literal = 16;

// Points without a value count as gaps.
Range range_of(const std::vector<double>& values) {
  Range range;
  for (const double v : values) {
    if (std::isfinite(v)) range = range.joined({v, v});
  }
  return range;
}

// Does the variation of every curve stay visible if these share a panel? Curves that hardly vary are compared by their
// values only.
bool comparable(const Panel& panel, const Curve& curve) {
  constexpr double largest_ratio = 50.0;
  const double whole = panel.range.joined(curve.range).span();
  const auto visible = [&](const Curve& c) {
    const double magnitude = std::max(std::abs(c.range.low), std::abs(c.range.high));
    const double size = c.range.span() > 1e-6 * magnitude ? c.range.span() : magnitude;
    return c.range.empty() || size == 0.0 || whole <= largest_ratio * size;
  };
  return visible(curve) && std::all_of(panel.curves.begin(), panel.curves.end(), visible);
}

// A discrete Real is a real number like any other.
Column::Discrete scale_of(const Curve& curve) {
  return curve.discrete == Column::Discrete::Real ? Column::Discrete::No : curve.discrete;
}

// Does the panel have a curve of the same name, of another run?
bool is_twin(const Panel& panel, const Curve& curve) {
  return std::ranges::any_of(panel.curves, [&](const Curve& other) {
    return other.name == curve.name && other.run != curve.run && other.power == curve.power;
  });
}

// In a panel with several names, runs are distinguished by dashes, so there may not be more runs than dashes.
bool shares(const Panel& panel, const Curve& curve, std::size_t runs) {
  const Curve& first = panel.curves[0];
  if (is_twin(panel, curve)) return true;
  if (panel.names() >= curve_colours || runs > curve_dashes || scale_of(first) != scale_of(curve)) return false;
  if (curve.discrete == Column::Discrete::Boolean) return true;
  return curve.discrete != Column::Discrete::Enumeration && first.unit == curve.unit && first.power == curve.power &&
         comparable(panel, curve);
}

Axis lanes_axis(const Panel& panel) {
  Axis axis;
  axis.low = -0.3;
  axis.high = panel.lane_base(0) + 1.3;
  for (std::size_t k = panel.curves.size(); k-- > 0;) {
    axis.ticks.push_back({panel.lane_base(k), "false"});
    axis.ticks.push_back({panel.lane_base(k) + 1.0, "true"});
  }
  return axis;
}

Axis literals_axis(const Panel& panel) {
  const std::vector<std::string>& literals = panel.curves[0].literals;
  const Range all = panel.range.joined({1.0, static_cast<double>(std::max<std::size_t>(literals.size(), 1))});
  Axis axis;
  axis.low = all.low - 0.4;
  axis.high = all.high + 0.4;
  for (std::size_t k = 0; k < literals.size(); ++k)
    axis.ticks.push_back({static_cast<double>(k + 1), shortened(literals[k], longest_literal)});
  return axis;
}

Axis integers_axis(const Panel& panel, double pixels) {
  const double most_pixels = panel.range.span() > 0.0 ? pixels / std::ceil(panel.range.span()) : pixels;
  Axis axis = axis_of(panel.range, panel.curves[0].power, pixels, std::max(26.0, most_pixels), true);
  if (axis.shared.empty()) {
    std::erase_if(axis.ticks, [](const Tick& tick) { return tick.value != std::round(tick.value); });
    for (Tick& tick : axis.ticks) tick.label = tick.label.substr(0, tick.label.find('.'));
  }
  return axis;
}

}  // namespace

Curve curve_of(const Solution& solution, const std::string& name, std::size_t run) {
  const auto k = solution.find(name);
  const std::string_view unit = k ? std::string_view(solution.columns[*k].unit) : "s";  // only time is not a column
  Curve curve{name, std::string(unit), run, solution.column(name), {}};
  if (k) curve.discrete = solution.columns[*k].discrete, curve.literals = solution.columns[*k].literals;
  curve.range = range_of(curve.values);
  if (std::max(std::abs(curve.range.low), std::abs(curve.range.high)) > largest_drawable && !curve.range.empty()) {
    curve.power = power_of_huge_curves;
    for (double& v : curve.values) v /= std::pow(10.0, curve.power);
    curve.range = range_of(curve.values);
  }
  return curve;
}

double Panel::lane_base(std::size_t k) const {
  return has_lanes() ? lane_distance * static_cast<double>(curves.size() - 1 - k) : 0.0;
}

std::size_t Panel::names() const {
  std::size_t different = 0;
  for (std::size_t k = 0; k < curves.size(); ++k)
    different += std::ranges::none_of(curves.begin(), curves.begin() + static_cast<std::ptrdiff_t>(k),
                                      [&](const Curve& before) { return before.name == curves[k].name; });
  return different;
}

namespace {

// Some files have units and others not: a variable gets its unit from any run that has it.
std::string unit_of(std::span<const Solution* const> runs, const std::string& name) {
  for (const Solution* run : runs)
    if (const auto k = run->find(name); k && !run->columns[*k].unit.empty()) return run->columns[*k].unit;
  return name == "time" ? "s" : "";
}

}  // namespace

std::vector<Panel> panels_of(std::span<const Solution* const> runs, const std::vector<CurveNames>& curves) {
  std::vector<Panel> over_time, phase;
  const auto add = [](Panel& panel, Curve curve) {
    panel.range = panel.range.joined(curve.range);
    panel.curves.push_back(std::move(curve));
  };
  const auto known = [&](const std::string& name, std::size_t run) {
    Curve curve = curve_of(*runs[run], name, run);
    curve.unit = unit_of(runs, name);
    return curve;
  };
  for (const CurveNames& names : curves) {
    if (!names.over_time()) phase.emplace_back();
    for (std::size_t run = 0; run < runs.size(); ++run) {
      Curve curve = known(names.y, run);
      if (names.over_time()) {
        const auto home =
            std::ranges::find_if(over_time, [&](const Panel& panel) { return shares(panel, curve, runs.size()); });
        add(home != over_time.end() ? *home : over_time.emplace_back(), std::move(curve));
      } else {
        phase.back().abscissas.push_back(known(names.x, run));
        add(phase.back(), std::move(curve));
      }
    }
  }
  std::move(phase.begin(), phase.end(), std::back_inserter(over_time));
  return over_time;
}

double height_of(const Panel& panel, double usual) {
  if (panel.has_lanes()) return 14.0 + lane_pixels * static_cast<double>(panel.curves.size());
  if (panel.kind() == Column::Discrete::Enumeration)
    return std::clamp(literal_pixels * static_cast<double>(panel.curves[0].literals.size()), 60.0, usual);
  return usual;
}

Axis y_axis_of(const Panel& panel, double pixels) {
  if (panel.has_lanes()) return lanes_axis(panel);
  if (panel.kind() == Column::Discrete::Enumeration) return literals_axis(panel);
  if (panel.kind() == Column::Discrete::Integer) return integers_axis(panel, pixels);
  return axis_of(panel.range, panel.curves[0].power, pixels, 26.0, true);
}

Axis axis_of(const Range& range, int power, double pixels, double pixels_per_tick, bool padded) {
  const int most = std::max(2, static_cast<int>(pixels / pixels_per_tick));
  const Range shown = range.empty() ? Range{0.0, 1.0} : range;
  return padded ? make_padded_axis(shown.low, shown.high, most, power) : make_axis(shown.low, shown.high, most, power);
}

}  // namespace driftless
