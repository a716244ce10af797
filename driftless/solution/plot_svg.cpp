#include "driftless/solution/plot_svg.hpp"

#include "driftless/solution/svg.hpp"

namespace driftless {

std::string plot_svg(const Solution& solution, const std::vector<std::string>& names, const PlotOptions& options) {
  return to_svg(plot_picture(solution, names, options));
}

}  // namespace driftless
