#include "driftless/integrate/steppers/pulse_check.hpp"

#include <algorithm>
#include <cmath>

namespace driftless {
namespace {

constexpr double longer = 2.0;         // than the previous step
constexpr double near_a_place = 0.02;  // of the distance of its neighbours: a peak this close is already evaluated
constexpr double part_of_rise = 0.5;   // between neighbours: the possible error of the parabola at the peak
constexpr int most_peaks = 6;

}  // namespace

PulseCheck::PulseCheck(Problem& problem) : problem_(problem), guard_(problem.system().guard()) {
  if (guard_ && !guard_->has_exponentials()) guard_ = nullptr;
  if (!guard_) return;
  on_rows_ = std::make_unique<AlgebraicSolve>(problem);
  y_.resize(problem.size());
  yp_.resize(problem.size());
}

void PulseCheck::states_changed() {
  if (on_rows_) on_rows_->states_changed();
}

// Solves the point whose states are those of the cubic.
bool PulseCheck::solve_at(double x, const System::Point& begin, const System::Point& end) {
  const double h = end.t - begin.t, left = 1.0 - x;
  for (std::size_t i = 0; i < y_.size(); ++i) {
    const double change = end.y[i] - begin.y[i];
    y_[i] = left * begin.y[i] + x * end.y[i];
    yp_[i] = left * begin.yp[i] + x * end.yp[i];
    if (problem_.is_state(static_cast<int>(i)))
      y_[i] += x * left * (left * (h * begin.yp[i] - change) + x * (change - h * end.yp[i]));
  }
  return (*on_rows_)(begin.t + x * h, y_, yp_);
}

// Inserts the last point that the guard has evaluated in its order among the others.
void PulseCheck::add_place(double x) {
  if (used_ == places_.size()) places_.emplace_back();
  const auto added = places_.begin() + static_cast<std::ptrdiff_t>(used_++);
  added->x = x;
  guard_->last_arguments(added->arguments);
  const auto behind = std::find_if(places_.begin(), added, [&](const Place& place) { return place.x > x; });
  std::rotate(behind, added, added + 1);
}

// Tests and inserts a place; nothing if there is no solution.
std::optional<bool> PulseCheck::stays_small_at(double x, const System::Point& begin, const System::Point& end) {
  if (!solve_at(x, begin, end)) return {};
  const bool small = guard_->stays_small({begin.t + x * (end.t - begin.t), y_, yp_});
  add_place(x);
  return small;
}

// The place where an exponential that is larger here than at both neighbours may have its peak, if that may be too
// large.
std::optional<double> PulseCheck::peak(std::size_t place) const {
  const Place &before = places_[place - 1], &here = places_[place], &behind = places_[place + 1];
  for (std::size_t k = 0; k < here.arguments.size(); ++k) {
    const double a = before.arguments[k], b = here.arguments[k], c = behind.arguments[k];
    if (!(b >= a && b >= c && b > std::min(a, c))) continue;
    const double from = before.x - here.x, to = behind.x - here.x;
    const double slope_before = (a - b) / from, slope_behind = (c - b) / to;  // >= 0, <= 0
    const double curvature = (slope_behind - slope_before) / (to - from);
    const double vertex = -0.5 * (slope_before - curvature * from) / curvature;
    const double height = b - curvature * vertex * vertex;
    const bool is_elsewhere = std::abs(vertex) > near_a_place * (to - from);
    if (is_elsewhere && height + part_of_rise * (b - std::min(a, c)) > ceilings_[k]) return here.x + vertex;
  }
  return {};
}

bool PulseCheck::operator()(const System::Point& begin, const System::Point& end, double tolerance, int places) {
  if (!guard_ || !on_rows_->determined()) return true;
  const double h = end.t - begin.t;
  const bool quiet = guard_->is_quiet(begin, end), is_longer = h > longer * last_size_;
  const bool trusted = quiet && was_quiet_ && !is_longer;
  was_quiet_ = quiet;
  last_size_ = h;
  if (trusted) return true;
  used_ = 0;
  guard_->watch(begin, 1.0 / h, tolerance), add_place(0.0);
  guard_->admit(end), add_place(1.0);
  guard_->ceilings(ceilings_);
  for (int k = 1; k <= places; ++k)
    if (!stays_small_at(static_cast<double>(k) / (places + 1), begin, end).value_or(true)) return was_quiet_ = false;
  for (int looks = 0; looks < most_peaks; ++looks) {
    std::optional<double> x;
    for (std::size_t place = 1; place + 1 < used_ && !x; ++place) x = peak(place);
    if (!x) break;
    const std::optional<bool> small = stays_small_at(*x, begin, end);
    if (!small) break;
    if (!*small) return was_quiet_ = false;
  }
  return true;
}

}  // namespace driftless
