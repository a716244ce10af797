#include "driftless/integrate/checks/smooth_passage.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr double largest_kink = 1e-3, tolerances_of_kink = 10.0;  // of the velocity
constexpr double largest_change = 0.3;                            // of the velocity within the step

}  // namespace

SmoothPassage::SmoothPassage(System& system, double tolerance)
    : system_(system),
      allowed_(std::max(largest_kink, tolerances_of_kink * tolerance)),
      begin_(system.reduced().quantities.size()),
      end_(begin_) {}

std::optional<int> SmoothPassage::place_of(Quantity q) const {
  const std::vector<Quantity>& all = system_.reduced().quantities;
  const auto place = std::ranges::lower_bound(all, q);
  if (place == all.end() || *place != q) return {};
  return static_cast<int>(place - all.begin());
}

// Nothing if a constraint is differentiated less than twice, or if a velocity is not a quantity.
std::optional<std::vector<SmoothPassage::Motion>> SmoothPassage::motions_in(const std::vector<EqnId>& equations) const {
  const Reduced& reduced = system_.reduced();
  const Model& model = *reduced.model;
  std::vector<Motion> motions;
  for (const EqnId equation : equations) {
    if (index(equation) >= std::ssize(reduced.offsets.c) || reduced.offsets.c[index(equation)] < 2) return {};
    for (const NodeId leaf : variables_of(*model.pool, model[equation].residual)) {
      const Node& node = (*model.pool)[leaf];
      const VarId variable{static_cast<int>(node.a)};
      const int order = static_cast<int>(node.b);
      const auto q = place_of({variable, order}), v = place_of({variable, order + 1}),
                 a = place_of({variable, order + 2});
      if (!q || !v || !a) return {};
      motions.push_back({*q, *v, *a, model[variable].nominal});
    }
  }
  return motions;
}

SmoothPassage::Verdict SmoothPassage::examine(const std::vector<EqnId>& equations, const System::Point& begin,
                                              const System::Point& end) {
  const auto motions = motions_in(equations);
  if (!motions || motions->empty()) return Verdict::NoMotion;
  system_.observe(begin, begin_);
  system_.observe(end, end_);
  const double h = end.t - begin.t;
  double speed = 0.0, change = 0.0, kink = 0.0;
  for (const Motion& m : *motions) {
    const double v0 = begin_[m.velocity], v1 = end_[m.velocity], a0 = begin_[m.acceleration], a1 = end_[m.acceleration];
    const double of_velocity = v1 - v0 - 0.5 * h * (a0 + a1);
    const double of_position =
        (end_[m.position] - begin_[m.position] - 0.5 * h * (v0 + v1) + h * h / 12.0 * (a1 - a0)) / h;
    speed = std::fmax(speed, std::fmin(std::abs(v0), std::abs(v1)) / m.nominal);
    change = std::fmax(change, h * std::fmax(std::abs(a0), std::abs(a1)) / m.nominal);
    kink = std::fmax(kink, std::fmax(std::abs(of_velocity), std::abs(of_position)) / m.nominal);
    if (!std::isfinite(of_velocity + of_position)) return Verdict::Unclear;
  }
  return change <= largest_change * speed && kink <= allowed_ * speed ? Verdict::Smooth : Verdict::Unclear;
}

}  // namespace driftless
