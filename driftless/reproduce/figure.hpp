// Pictures of experiments: panels side by side, each with curves in one coordinate system.
#pragma once

#include <string>
#include <vector>

#include "driftless/solution/svg.hpp"

namespace driftless::reproduce {

struct Curve {
  std::string name;
  std::vector<double> x, y;
};

enum class Scale { Linear, Logarithmic };

struct Panel {
  std::string title{}, abscissa{};
  Scale ordinate = Scale::Linear;
  bool orbit = false;  // y over x with the same scale on both axes, about the origin
  std::vector<Curve> curves{};
};

struct Figure {
  std::string name{};  // "hw2.1": the file
  std::string title{};
  int columns = 1;
  std::vector<Panel> panels{};
};

std::string figure_svg(const Figure& figure, Theme theme = Theme::Auto);

}  // namespace driftless::reproduce
