#include "driftless/integrate/run/path.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/system/incidence.hpp"
#include "driftless/structure/blocks.hpp"

namespace driftless {
namespace {

constexpr double contracts = 0.25;
constexpr double certain = 1e-6;  // contraction of linear rows; also the bound of a small first correction
constexpr double miss_of_nominal = 0.2, miss_of_movement = 0.02;  // a prediction may be wrong by their sum
constexpr double first_part = 0.01;      // of the interval: the first leap, before curvature shows in predictions
constexpr double part_for_slope = 1e-4;  // of the first leap: the distance at which the first slope is computed
constexpr double shortest_part = 1e-12;  // of the interval
constexpr double whole_way = 0.9;        // a leap that gets this far is extended to the target

}  // namespace

Path::Path(Problem& problem, AlgebraicSolve& solve, double t, std::vector<double> y, std::vector<double> yp,
           double interval)
    : problem_(problem),
      solve_(solve),
      time_(t),
      time_before_(t),
      shortest_(shortest_part * interval),
      leap_(first_part * interval),
      y_(std::move(y)),
      yp_(std::move(yp)),
      y_before_(y_),
      slope_(y_.size(), 0.0),
      trial_(y_),
      trial_yp_(yp_),
      predicted_(y_) {
  find_nonlinear_unknowns();
}

// Unknowns that occur in a partial derivative of their block by an unknown of the block.
void Path::find_nonlinear_unknowns() {
  const Reduced& r = problem_.reduced();
  const std::shared_ptr<Pool> own = growable(r.model->pool);
  Pool& pool = *own;
  const int rows = static_cast<int>(r.rows.size());
  const auto slot_of = [&](NodeId leaf) {
    const Node node = pool[leaf];
    const Reduced::Address& at = r.addresses[node.a][node.b];
    return at.place == Place::Slot ? at.index : -1;
  };
  std::vector<linear::Coordinate> coordinates;
  for (int i = 0; i < rows; ++i)
    for (const NodeId leaf : variables_of(pool, r.rows[i].residual))
      if (slot_of(leaf) >= 0) coordinates.push_back({i, slot_of(leaf)});
  const structure::Signature incidence = incidence_of(rows, problem_.size(), coordinates);
  const structure::Matching matching = structure::maximum_matching(incidence);
  std::vector<int> block_of(problem_.size(), 0), block_of_row(rows, 0);  // one block, if there is no such form
  if (rows == problem_.size() && matching.is_perfect()) {
    int number = 0;
    for (const structure::Block& block : structure::block_triangular_form(incidence, matching)) {
      for (const structure::Row row : block.rows) block_of_row[structure::index(row)] = number;
      for (const structure::Col col : block.cols) block_of[structure::index(col)] = number;
      ++number;
    }
  }
  std::vector<bool> nonlinear(problem_.size(), false);
  for (int i = 0; i < rows; ++i)
    for (const Partial& partial : gradient(pool, r.rows[i].residual)) {
      const int column = slot_of(partial.leaf);
      if (column < 0 || block_of[column] != block_of_row[i]) continue;
      for (const NodeId leaf : variables_of(pool, partial.derivative))
        if (const int s = slot_of(leaf); s >= 0 && block_of[s] == block_of_row[i]) nonlinear[s] = true;
    }
  for (int s = 0; s < problem_.size(); ++s)
    if (nonlinear[s]) nonlinear_.push_back(s);
}

// Computes the slope from a point nearby; it stays zero where there is none.
void Path::find_slope() {
  has_slope_ = true;
  const double near = time_ + part_for_slope * leap_;
  trial_ = y_, trial_yp_ = yp_;
  if (!(near > time_) || !solve_(near, trial_, trial_yp_)) return;
  for (std::size_t i = 0; i < y_.size(); ++i) slope_[i] = (trial_[i] - y_[i]) / (near - time_);
}

bool Path::is_sure() const {
  if (solve_.contraction() <= certain || solve_.first_correction() <= certain) return true;
  return solve_.contraction() <= contracts && std::ranges::all_of(nonlinear_, [&](int s) {
           return std::abs(trial_[s] - predicted_[s]) <= miss_of_nominal * problem_.reduced().slots[s].nominal +
                                                             miss_of_movement * std::abs(trial_[s] - y_[s]);
         });
}

bool Path::leap_towards(double t) {
  if (nonlinear_.empty()) leap_ = t - time_;
  const double left = t - time_, proposed = leap_;
  leap_ = std::min(leap_, left);
  if (!has_slope_) find_slope();
  for (; leap_ >= std::min(shortest_, left); leap_ *= 0.5) {
    const double next = leap_ < whole_way * left ? time_ + leap_ : t;  // a short rest is not left over for another leap
    for (std::size_t i = 0; i < y_.size(); ++i) predicted_[i] = y_[i] + (next - time_) * slope_[i];
    trial_ = predicted_, trial_yp_ = yp_;
    if (!solve_(next, trial_, trial_yp_) || !is_sure()) continue;
    for (std::size_t i = 0; i < y_.size(); ++i) slope_[i] = (trial_[i] - y_[i]) / (next - time_);
    y_before_.swap(y_), time_before_ = time_;
    y_.swap(trial_), yp_.swap(trial_yp_);
    time_ = next;
    leap_ = 2.0 * (time_ - time_before_);
    if (next == t) leap_ = std::max(leap_, proposed);  // a nearby `t` does not limit the next leap
    return true;
  }
  return false;
}

}  // namespace driftless
