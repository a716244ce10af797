#include "driftless/integrate/run/fastest_mode.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace driftless {
namespace {

constexpr double increment = 1e-6;   // of the difference quotients, in units of each state
constexpr double settled = 0.1;      // relative change of |z| from one iteration to the next
constexpr int most_iterations = 15;  // each takes two products
constexpr double fresh_part = 0.1;   // of the first vector: modes that were not there before
constexpr double parallel = 1e-6;    // 1 - cos^2 of the angle between two vectors

double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

double normalize(std::span<double> a) {
  const double norm = std::sqrt(dot(a, a));
  if (norm > 0.0)
    for (double& x : a) x /= norm;
  return norm;
}

Mode mode_of_real(double z) { return {std::abs(z), std::max(-z, 0.0)}; }

// Of the roots of z^2 = a z + b.
Mode mode_of_roots(double a, double b) {
  const double discriminant = 0.25 * a * a + b;
  if (discriminant <= 0.0) return {std::sqrt(-b), std::max(-0.5 * a, 0.0)};
  const double low = 0.5 * a - std::sqrt(discriminant), high = 0.5 * a + std::sqrt(discriminant);
  return {std::max(std::abs(low), std::abs(high)), std::max(std::max(-low, 0.0) - std::max(high, 0.0), 0.0)};
}

// The mode from unit vectors v and u with J v = length u, and w = J u.
Mode mode_of(std::span<const double> v, double length, std::span<const double> u, std::span<const double> w) {
  const double vu = dot(v, u), gram = 1.0 - vu * vu;
  if (gram < parallel) return mode_of_real(dot(u, w));
  const double uw = dot(u, w), vw = dot(v, w);
  const double a = (uw - vu * vw) / gram, b = (vw - vu * uw) / gram;
  return mode_of_roots(a, b * length);
}

}  // namespace

FastestMode::FastestMode(Problem& problem) : problem_(problem), slopes_(problem) { states_changed(); }

void FastestMode::states_changed() {
  slopes_.states_changed();
  const std::size_t n = static_cast<std::size_t>(problem_.size()), states = slopes_.states().size();
  for (std::vector<double>* by_slot : {&y_, &yp_, &moved_y_, &moved_yp_}) by_slot->assign(n, 0.0);
  for (std::vector<double>* by_state : {&scale_, &v_, &image_, &second_}) by_state->assign(states, 0.0);
  last_ = {};
}

std::optional<Mode> FastestMode::operator()(double t, std::span<const double> y, std::span<const double> yp) {
  t_ = t;
  std::ranges::copy(y, y_.begin());
  std::ranges::copy(yp, yp_.begin());
  if (!slopes_(t_, y_, yp_)) return {};
  const std::vector<int>& states = slopes_.states();
  for (std::size_t k = 0; k < states.size(); ++k) {
    scale_[k] = std::abs(y_[states[k]]) + problem_.reduced().slots[states[k]].nominal;
    v_[k] += fresh_part * std::cos(static_cast<double>(k + 1));
  }
  normalize(v_);
  return iterate();
}

std::optional<Mode> FastestMode::iterate() {
  for (int k = 0; k < most_iterations; ++k) {
    if (!multiply(v_, image_)) return {};
    const double length = normalize(image_);
    if (length == 0.0) return last_ = Mode{};
    if (!multiply(image_, second_)) return {};
    const double before = last_.rate;
    last_ = mode_of(v_, length, image_, second_);
    if (normalize(second_) == 0.0) return last_ = Mode{};
    std::swap(v_, second_);
    if (std::abs(last_.rate - before) <= settled * last_.rate) break;
  }
  return last_;
}

bool FastestMode::multiply(std::span<const double> v, std::span<double> image) {
  const std::vector<int>& states = slopes_.states();
  std::ranges::copy(y_, moved_y_.begin());
  std::ranges::copy(yp_, moved_yp_.begin());
  for (std::size_t k = 0; k < states.size(); ++k) moved_y_[states[k]] += increment * scale_[k] * v[k];
  if (!slopes_(t_, moved_y_, moved_yp_)) return false;
  for (std::size_t k = 0; k < states.size(); ++k)
    image[k] = (moved_yp_[states[k]] - yp_[states[k]]) / (increment * scale_[k]);
  return true;
}

}  // namespace driftless
