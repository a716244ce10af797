#include "driftless/integrate/steppers/pulse_check.hpp"

namespace driftless {

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

bool PulseCheck::operator()(const System::Point& begin, const System::Point& end, double tolerance, int places) {
  if (!guard_ || !on_rows_->determined()) return true;
  const double h = end.t - begin.t;
  const bool quiet = guard_->is_quiet(begin, end), trusted = quiet && was_quiet_;
  was_quiet_ = quiet;
  if (trusted) return true;
  guard_->watch(begin, 1.0 / h, tolerance);
  guard_->admit(end);
  for (int k = 1; k <= places; ++k) {
    const double x = static_cast<double>(k) / (places + 1), left = 1.0 - x, t = begin.t + x * h;
    for (std::size_t i = 0; i < y_.size(); ++i) {
      const double change = end.y[i] - begin.y[i];
      y_[i] = left * begin.y[i] + x * end.y[i];
      yp_[i] = left * begin.yp[i] + x * end.yp[i];
      if (problem_.is_state(static_cast<int>(i)))
        y_[i] += x * left * (left * (h * begin.yp[i] - change) + x * (change - h * end.yp[i]));
    }
    if (!(*on_rows_)(t, y_, yp_)) continue;
    if (!guard_->stays_small({t, y_, yp_})) return was_quiet_ = false;
  }
  return true;
}

}  // namespace driftless
