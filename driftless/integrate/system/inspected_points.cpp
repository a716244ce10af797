#include "driftless/integrate/system/inspected_points.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "driftless/integrate/system/residuals_at_points.hpp"

namespace driftless {

bool InspectedPoints::gain() {
  make_kernels();
  return certificate_->gains();
}

void InspectedPoints::make_kernels() {
  if (certificate_) return;
  const CompiledSystem& compiled = system_.compiled();
  definitions_.emplace(compiled.kernel(CompiledSystem::Definitions));
  certificate_.emplace(compiled.kernel(CompiledSystem::Certificate));
  work_.resize(std::max(definitions_->work_size(), certificate_->work_size()));
}

void InspectedPoints::operator()(std::span<const Point> points) {
  assert(points.size() <= most);
  make_kernels();
  const CompiledSystem& compiled = system_.compiled();
  std::array<const double*, most> inputs;
  std::array<double*, most> definitions, residuals_and_sizes;
  inputs_.resize(most);
  for (std::size_t p = 0; p < points.size(); ++p) {
    std::vector<double>& own = inputs_[p];
    load_inputs(system_, points[p].at, own);
    inputs[p] = own.data();
    definitions[p] = own.data() + compiled.definition_offset();
    residuals_and_sizes[p] = points[p].residuals_and_sizes.data();
  }
  const auto from = std::span<const double* const>(inputs).first(points.size());
  (*definitions_)(from, std::span(definitions).first(points.size()), work_.data());
  const std::vector<std::size_t>& places = compiled.places_of_quantities();
  for (std::size_t p = 0; p < points.size(); ++p)
    for (std::size_t k = 0; k < places.size(); ++k) points[p].quantities[k] = inputs[p][places[k]];
  (*certificate_)(from, std::span(residuals_and_sizes).first(points.size()), work_.data());
}

}  // namespace driftless
