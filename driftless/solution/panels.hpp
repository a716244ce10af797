// Which curves of a picture share a panel, and the scale of each panel. A picture shows one run or several.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "driftless/solution/axis.hpp"
#include "driftless/solution/plot_names.hpp"
#include "driftless/solution/solution.hpp"

namespace driftless {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool empty() const { return low > high; }
  double span() const { return empty() ? 0.0 : high - low; }
  Range joined(const Range& other) const { return {std::min(low, other.low), std::max(high, other.high)}; }
};

struct Curve {
  std::string name, unit;
  std::size_t run = 0;  // the run it belongs to
  std::vector<double> values;
  Range range;
  int power = 0;  // the values were divided by 10^power
  Column::Discrete discrete = Column::Discrete::No;
  std::vector<std::string> literals{};

  bool is_discrete() const { return discrete != Column::Discrete::No; }
};

Curve curve_of(const Solution& solution, const std::string& name, std::size_t run = 0);

// A panel has curves over time, or curves of the same two names, one for each run, over `abscissas`. Real numbers share
// a panel if they have the same unit and comparable size; so do Integers. Booleans are drawn one below the other, each
// in its own lane; an enumeration has a panel of its own.
struct Panel {
  std::vector<Curve> abscissas;  // none: over time
  std::vector<Curve> curves;
  Range range;

  Column::Discrete kind() const { return curves[0].discrete; }
  bool has_lanes() const { return kind() == Column::Discrete::Boolean; }
  std::size_t names() const;              // how many different ones the curves have
  double lane_base(std::size_t k) const;  // the height of `false` of the k-th Boolean; 0 in panels without lanes
};

// Panels over time come first. The same curves are taken from every run, and curves of one name share a panel.
std::vector<Panel> panels_of(std::span<const Solution* const> runs, const std::vector<CurveNames>& curves);

// The height of a panel in pixels; `usual` is that of a panel of real numbers.
double height_of(const Panel& panel, double usual);

// Booleans and enumerations are labelled with their values, Integers have no ticks between two of them.
Axis y_axis_of(const Panel& panel, double pixels);

Axis axis_of(const Range& range, int power, double pixels, double pixels_per_tick, bool padded);

}  // namespace driftless
