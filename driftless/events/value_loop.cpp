#include "driftless/events/value_loop.hpp"

#include <algorithm>
#include <cmath>

#include "driftless/linear/dense.hpp"

namespace driftless {
namespace {

constexpr int most_rounds = 100;          // of a loop
constexpr std::size_t most_secants = 30;  // the last ones
constexpr double dependent = 1e-13;       // secants that tell nothing new, relative to the largest
constexpr newton::Rounding in_a_loop{.nothing = 1e-14, .small = 1e-10, .part = 0.5};

}  // namespace

ValueLoop::ValueLoop(const DiscretePart& part) : part_(part), test_(in_a_loop) {}

bool ValueLoop::advance(std::vector<double>& parameters, std::span<const double> f) {
  if (rounds_ == 0) links_ = 0, changed_.assign(f.size(), 0);
  const Differing differ = differing(parameters, f);
  if (differ == Differing::None) return false;
  if (differ == Differing::Others) {
    begin();
    take(parameters, f);
    return true;
  }
  if (rounds_++ == 0) {
    first_.clear();
    for (std::size_t k = 0; k < f.size(); ++k) first_.push_back(value(parameters, k));
  }
  if (is_loop_) {
    if (test_(add_round(parameters, f)) == newton::Verdict::Converged) return false;
    take_by_secants(parameters);
  } else if (rounds_ > links_ + 1) {
    begin_loop(parameters);
  } else {
    take(parameters, f);
  }
  return true;
}

bool ValueLoop::go_back(std::vector<double>& parameters) {
  if (rounds_ < 2 || is_loop_) return false;
  begin_loop(parameters);
  return true;
}

void ValueLoop::begin_loop(std::vector<double>& parameters) {
  is_loop_ = true;
  take(parameters, first_);
  loop_.clear();
  sizes_.assign(first_.size(), 0.0);
  test_.forget();
}

bool ValueLoop::has_no_end() const { return is_loop_ && rounds_ > links_ + most_rounds; }

ValueLoop::Differing ValueLoop::differing(std::vector<double>& parameters, std::span<const double> f) {
  Differing differ = Differing::None;
  for (std::size_t k = 0; k < f.size(); ++k) {
    const double v = value(parameters, k);
    if (v == f[k] || (std::isnan(v) && std::isnan(f[k]))) continue;
    if (part_.variables[k].type != DiscreteType::Real) return Differing::Others;
    differ = Differing::Reals;
    if (!changed_[k]) changed_[k] = 1, ++links_;
  }
  return differ;
}

void ValueLoop::take(std::vector<double>& parameters, std::span<const double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) value(parameters, k) = values[k];
}

// By how much the values miss those that follow from them, relative to their largest ones so far.
double ValueLoop::add_round(std::vector<double>& parameters, std::span<const double> f) {
  if (loop_.size() > most_secants) loop_.erase(loop_.begin());
  Round& round = loop_.emplace_back();
  double largest = 0.0;
  for (std::size_t k = 0; k < f.size(); ++k) {
    round.v.push_back(value(parameters, k));
    round.f.push_back(f[k]);
    sizes_[k] = std::fmax(sizes_[k], std::fmax(std::abs(f[k]), std::abs(round.v[k])));
    if (sizes_[k] > 0.0) largest = std::max(largest, std::abs(f[k] - round.v[k]) / sizes_[k]);
  }
  return largest;
}

// Of all combinations of the rounds that one which misses least, if the equations were linear.
void ValueLoop::take_by_secants(std::vector<double>& parameters) const {
  const Round& last = loop_.back();
  const auto rows = static_cast<Eigen::Index>(last.v.size()), columns = static_cast<Eigen::Index>(loop_.size()) - 1;
  Eigen::MatrixXd misses(rows, columns);
  Eigen::VectorXd miss(rows), weights;
  for (Eigen::Index k = 0; k < rows; ++k) {
    const auto miss_of = [&](const Round& round) {
      const auto place = static_cast<std::size_t>(k);
      return sizes_[place] > 0.0 ? (round.f[place] - round.v[place]) / sizes_[place] : 0.0;
    };
    miss[k] = miss_of(last);
    for (Eigen::Index c = 0; c < columns; ++c) misses(k, c) = miss[k] - miss_of(loop_[static_cast<std::size_t>(c)]);
  }
  if (columns > 0) weights = linear::CompleteQr(misses, dependent).solve(miss);
  for (std::size_t k = 0; k < last.v.size(); ++k) {
    double next = last.f[k];
    for (Eigen::Index c = 0; c < columns; ++c)
      next -= weights[c] * (last.f[k] - loop_[static_cast<std::size_t>(c)].f[k]);
    value(parameters, k) = next;
  }
}

}  // namespace driftless
