// Kinks of the equations at which two solutions meet.
#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/checks/singular_points.hpp"

namespace driftless {
namespace {

constexpr double is_near = 0.01, is_on = 1e-5;  // of a kink: by the largest distance from it; by that at the ends
constexpr double is_beside = 0.1;               // of an end: by the other one
constexpr double part_of_golden_section = 0.381966;
constexpr int looks_for_touch = 50, looks_for_minimum = 6;
constexpr double difference = 1e-7, beyond = 1.01;  // changes of an unknown; of what would bring it to the kink

bool is_kink(Op op) { return op == Op::Abs || op == Op::Max || op == Op::Min || op == Op::Less || op == Op::LessEqual; }

}  // namespace

// Those that depend on one of the unknowns.
std::vector<NodeId> SingularPoints::kinks_of(const std::vector<int>& rows, const std::vector<Unknown>& unknowns) const {
  const Pool& pool = *problem_.system().compiled().pool();
  const Reduced& r = problem_.reduced();
  const auto is_unknown = [&](NodeId id) {
    if (pool[id].op != Op::Variable) return false;
    const Reduced::Address& at = r.addresses[pool[id].a][pool[id].b];
    return at.place != driftless::Place::Defined && std::ranges::any_of(unknowns, [&](const Unknown& unknown) {
             return at.index == unknown.slot && (at.place == driftless::Place::Rate) == unknown.rate;
           });
  };
  std::vector<NodeId> kinks;
  for (const int row : rows)
    for (const NodeId id : nodes_of(pool, r.rows[row].residual))
      if (is_kink(pool[id].op) && any_node(pool, id, is_unknown)) kinks.push_back(id);
  return kinks;
}

void SingularPoints::find_corners() {
  const CompiledSystem& compiled = problem_.system().compiled();
  const Pool& pool = *compiled.pool();
  KernelSource source{"kinks of blocks", {}};
  for (Watched& block : fixed_)
    for (const NodeId kink : kinks_of(block.rows, block.unknowns)) {
      block.corners.push_back(static_cast<int>(source.outputs.size() / 2));
      source.outputs.push_back(pool[kink].operand(0));
      source.outputs.push_back(pool[kink].op == Op::Abs ? pool[kink].operand(0) : pool[kink].operand(1));
    }
  const std::size_t corners = source.outputs.size() / 2;
  if (corners == 0) return;
  for (const Watched& block : fixed_)
    for (const NodeId kink : kinks_of(block.rows, block.unknowns)) is_difference_.push_back(pool[kink].op != Op::Abs);
  struct OfCorners {
    std::shared_ptr<const Kernel> kernel;
  };
  corner_kernel_ = compiled
                       .part<OfCorners>({},
                                        [&] {
                                          return std::make_shared<const OfCorners>(
                                              OfCorners{compiled.compile(compiled.pool(), {&source, 1}).front()});
                                        })
                       ->kernel;
  operands_.resize(2 * corners);
  for (auto* list : {&corners_before_, &corners_here_, &corners_inside_, &corners_oldest_, &corners_largest_})
    list->assign(corners, 0.0);
}

void SingularPoints::evaluate_corners(const System::Point& at, std::vector<double>& found) {
  problem_.system().evaluate(*corner_kernel_, at, operands_);
  for (std::size_t c = 0; c < found.size(); ++c)
    found[c] = operands_[2 * c] - (is_difference_[c] ? operands_[2 * c + 1] : 0.0);
}

// Steps become short before a kink or not at all: where nothing is a state that depends on the unknown, no error test
// sees it. So a kink is looked for where it would be passed before the end of the step if it came nearer as in the step
// before, or where it is near.
std::optional<SingularPoints::Found> SingularPoints::find_touched_corner(const System::Point& end, double a,
                                                                         const Path& path, const MayPass& may_pass) {
  evaluate_corners(end, corners_here_);
  std::optional<Found> found;
  for (std::size_t k = 0; k < fixed_.size() && !found; ++k)
    for (const int c : fixed_[k].corners) {
      const double before = corners_before_[c], here = corners_here_[c];
      if (!(before * here > 0.0)) continue;
      const double oldest = older_ < a ? corners_oldest_[c] : before;
      const bool falls_to_zero = (oldest / before - 1.0) * (end.t - a) > a - older_ && older_ < a;
      const bool comes_near = std::min(std::abs(before), std::abs(here)) < is_near * corners_largest_[c];
      if (!falls_to_zero && !comes_near) continue;
      if (auto& one = fixed_[k].steep; one && (*one)(problem_.system())) break;
      const auto t = find_touch(c, a, end.t, path);
      if (!t) continue;
      found = Found{*t, describe(fixed_[k]), false, equations_of(fixed_[k])};
      if (may_pass && may_pass(*found)) found.reset();
      break;
    }
  for (std::size_t c = 0; c < corners_here_.size(); ++c)
    corners_largest_[c] = std::fmax(corners_largest_[c], std::abs(corners_here_[c]));
  std::swap(corners_oldest_, corners_before_);
  std::swap(corners_before_, corners_here_);
  return found;
}

// Of the block, if the unknown that moves the kink most goes to its other side?
bool SingularPoints::changes_sign_behind(std::size_t k, std::size_t c, const System::Point& at) {
  std::ranges::copy(at.y, y_.begin());
  std::ranges::copy(at.yp, yp_.begin());
  const double g = corners_here_[c];
  for (const auto& [slot, rate] : fixed_[k].unknowns) {
    double& unknown = (rate ? yp_ : y_)[slot];
    const double value = unknown, change = difference * (std::abs(value) + problem_.reduced().slots[slot].nominal);
    unknown = value + change;
    evaluate_corners({at.t, y_, yp_}, corners_inside_);
    const double slope = (corners_inside_[c] - g) / change;
    bool changes = false;
    if (slope != 0.0 && std::isfinite(slope)) {
      unknown = value - beyond * g / slope;
      evaluate_corners({at.t, y_, yp_}, corners_inside_);
      evaluate({at.t, y_, yp_}, inside_);
      changes = corners_inside_[c] * g < 0.0 && inside_[k].sign != here_[k].sign;
    }
    unknown = value;
    if (changes) return true;
  }
  return false;
}

// By golden section of the distance from the kink, which has a corner there. Where the equations are not solved is a
// place as good as the kink itself.
std::optional<double> SingularPoints::find_touch(std::size_t c, double a, double b, const Path& path) {
  const double ends = std::max(std::abs(corners_before_[c]), std::abs(corners_here_[c]));
  const double smaller_end = std::min(std::abs(corners_before_[c]), std::abs(corners_here_[c]));
  double smallest = smaller_end, at = std::abs(corners_before_[c]) < std::abs(corners_here_[c]) ? a : b;
  const auto distance = [&](double t) {
    double g = 0.0;
    if (path(t, y_, yp_)) {
      evaluate_corners({t, y_, yp_}, corners_inside_);
      g = std::abs(corners_inside_[c]);
    }
    if (g < smallest) smallest = g, at = t;
    return g;
  };
  double left = a, right = b;
  double t1 = std::lerp(left, right, part_of_golden_section), t2 = std::lerp(right, left, part_of_golden_section);
  double g1 = distance(t1), g2 = distance(t2);
  for (int i = 0; i < looks_for_touch && smallest > is_on * ends; ++i) {
    if (i == looks_for_minimum && smallest > 0.5 * smaller_end && smaller_end > is_beside * ends) break;
    if (g1 < g2) {
      right = t2, t2 = t1, g2 = g1;
      g1 = distance(t1 = std::lerp(left, right, part_of_golden_section));
    } else {
      left = t1, t1 = t2, g1 = g2;
      g2 = distance(t2 = std::lerp(right, left, part_of_golden_section));
    }
  }
  return smallest <= is_on * ends ? std::optional(at) : std::nullopt;
}

}  // namespace driftless
