// The step size of a Taylor series from the decay of its coefficients, and the defect at the end of the step, both in
// units of the tolerance relative to the unknowns.
//
// For an unknown x of offset d the error is measured in u = der^(d-1)(x), or x itself if d = 0: derivatives below the
// highest are integrated, the highest follows.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "driftless/taylor/arithmetic.hpp"
#include "driftless/taylor/convolution.hpp"
#include "driftless/taylor/natural_system.hpp"
#include "driftless/taylor/series.hpp"

namespace driftless {

// The logarithm to base 2 of a normal positive number, within 0.09.
inline double rough_log2(double a) {
  const auto bits = std::bit_cast<std::uint64_t>(a);
  const int exponent = static_cast<int>(bits >> 52) - 1023;
  const double mantissa = std::bit_cast<double>((bits & 0xFFFFFFFFFFFFF) | 0x3FF0000000000000);
  return exponent + (mantissa - 1.0);
}

// ln (n - 1)!
inline double log_gamma(int n) {
  static const std::array<double, 200> known = [] {
    std::array<double, 200> values{};
    for (std::size_t k = 1; k < values.size(); ++k) values[k] = std::lgamma(static_cast<double>(k));
    return values;
  }();
  return n < static_cast<int>(known.size()) ? known[n] : std::lgamma(static_cast<double>(n));
}

template <class Scalar>
class SeriesMeasure {
 public:
  // `width`: of a row of the series. The unknowns must outlive it.
  SeriesMeasure(const std::vector<taylor::Unknown>& unknowns, int order, int width, double tolerance)
      : unknowns_(unknowns), order_(order), log2_tolerance_(std::log2(tolerance)), attainable_(attainable(tolerance)) {
    for (std::size_t j = 0; j < unknowns.size(); ++j) {
      const int d = unknowns[j].d;
      const auto group = std::ranges::find(groups_, d, &Group::d);
      if (group == groups_.end())
        groups_.push_back({d, {static_cast<int>(j)}, taylor::Numbers<double>(width, 0.0), {}, {}});
      else
        group->unknowns.push_back(static_cast<int>(j));
    }
    for (Group& group : groups_) {
      group.log2_factor.reserve(order_), group.reciprocal_order.reserve(order_);
      for (int k = 0; k < order_; ++k) {
        group.log2_factor.push_back((log_gamma(k + group.d + 1) - log_gamma(k + 1 + std::min(group.d, 1))) /
                                    std::numbers::ln2);
        group.reciprocal_order.push_back(1.0 / std::max(k + std::min(group.d, 1), 1));
      }
    }
  }

  // Sets the sizes of the unknowns to |u| + nominal at the beginning of the series.
  void take_sizes(const taylor::Series<Scalar>& series) {
    for (Group& group : groups_) {
      const int order = std::max(group.d - 1, 0);
      double factor = 1.0;
      for (int i = 1; i <= order; ++i) factor *= i / series.unit;
      for (const int j : group.unknowns)
        group.reciprocal_weights[j] =
            1.0 / (std::abs(static_cast<double>(series.at(order)[j])) * factor + unknowns_[j].nominal);
    }
  }

  // The step size from the coefficients of the last stages; infinite if they all vanish. The coefficient of u of order
  // k + 1 is (k + d)!/(k + 1)! x_[k + d].
  double step_by_decay(const taylor::Series<Scalar>& series) {
    double exponent = std::numeric_limits<double>::infinity();
    largest_ = 0.0;
    const double log2_unit = std::log2(series.unit);
    for (const Group& group : groups_) {
      const int above = std::min(group.d, 1);
      const double wanted = log2_tolerance_ / (order_ + above), unit = (above - group.d) * log2_unit;
      for (int k = first_measured_; k < order_; ++k) {
        const double a = taylor::largest_product(series.at(k + group.d), group.reciprocal_weights.data(), series.width);
        if (!(a <= largest_)) largest_ = a;
        if (a > std::numeric_limits<double>::min())
          exponent =
              std::min(exponent, wanted - (rough_log2(a) + group.log2_factor[k] + unit) * group.reciprocal_order[k]);
      }
    }
    return safety * series.unit * std::exp2(exponent);
  }
  double largest() const { return largest_; }  // largest coefficient in that call, relative to its unknown

  // Corrections of the prediction at the end of a step of size h in units of the tolerance: those of derivatives below
  // the highest count directly; those of the highest, which the next step computes anew, count by their effect on the
  // derivative below. A first neglected term a h^N of that one gives an error N a h^(N-1) in its derivative.
  // `corrections`: by `stages` stages, the last of which is 0.
  double defect(const taylor::Series<Scalar>& end, std::span<const Scalar> corrections, int stages, double h) const {
    double largest = 0.0;
    for (const Group& group : groups_) {
      double factor = 1.0;  // from coefficients to derivatives
      for (int n = 0; n <= group.d; ++n) {
        const bool highest = n == group.d && n > 0;
        const Scalar* correction = corrections.data() + (n - group.d + stages - 1) * end.width;
        const Scalar* x = end.at(highest ? n - 1 : n);
        const double factor_below = factor * end.unit / n;
        for (const int j : group.unknowns) {
          const double change = std::abs(static_cast<double>(correction[j])) * factor;
          const double size = std::abs(static_cast<double>(x[j])) * (highest ? factor_below : factor);
          const double part = change * (highest ? h / (order_ + 1) : 1.0) / (size + unknowns_[j].nominal);
          if (!(part <= largest)) largest = part;
        }
        factor *= (n + 1) / end.unit;
      }
    }
    return largest / attainable_;
  }

 private:
  static constexpr double safety = 0.95;

  // No correction can be smaller than rounding.
  static double attainable(double tolerance) {
    return std::max(tolerance, 1e3 * static_cast<double>(taylor::epsilon<Scalar>()));
  }

  struct Group {  // unknowns of equal d
    int d;
    std::vector<int> unknowns;
    taylor::Numbers<double> reciprocal_weights;  // by unknown: 1 / (|u| + nominal), 0 in other groups
    std::vector<double> log2_factor;             // by stage k: of (k + d)!/(k + 1)!
    std::vector<double> reciprocal_order;        // by stage k: of u's coefficient
  };

  const std::vector<taylor::Unknown>& unknowns_;
  int order_;
  double log2_tolerance_, attainable_, largest_ = 0.0;
  int first_measured_ = std::max(1, std::min((order_ - 1) / 2, order_ - 6));  // stage
  std::vector<Group> groups_;
};

}  // namespace driftless
