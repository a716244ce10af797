#include "driftless/integrate/steppers/taylor/series_point.hpp"

#include <algorithm>

namespace driftless {

SeriesPoint::SeriesPoint(System& system, const taylor::NaturalSystem& natural)
    : system_(system), natural_(natural), quantities_(system.reduced().quantities.size()) {
  for (const taylor::Unknown& u : natural.unknowns) orders_ = std::max(orders_, u.d + 1);
  values_.resize(orders_ * natural.unknowns.size());
  const auto& slots = system.reduced().slots;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const Quantity q = slots[k].quantity;
    const taylor::Meaning& meaning = natural.meanings[index(q.variable)];
    if (meaning.unknown >= 0)
      sources_.push_back({static_cast<int>(k), meaning.unknown, meaning.order + q.order,
                          natural.unknowns[meaning.unknown].d, meaning.sign});
  }
}

int SeriesPoint::highest_order() const {
  int highest = 0;
  for (const Source& s : sources_) highest = std::max(highest, s.order + 1);
  return highest;
}

void SeriesPoint::take(double t, std::span<const double> y, std::span<const double> yp) {
  system_.observe({t, y, yp}, quantities_);
  std::ranges::fill(values_, 0.0);
  for (std::size_t k = 0; k < quantities_.size(); ++k) {
    const Quantity q = system_.reduced().quantities[k];
    const taylor::Meaning& meaning = natural_.meanings[index(q.variable)];
    const int order = meaning.order + q.order;
    if (meaning.unknown >= 0 && order <= natural_.unknowns[meaning.unknown].d)
      values_[order * natural_.unknowns.size() + meaning.unknown] = meaning.sign * quantities_[k];
  }
}

}  // namespace driftless
