// Sums of slopes, out = y + h sum_j w_j K_j, over the slots that are states: one pass through memory for each sum,
// whatever the number of slopes, and vectorized over runs of consecutive slots.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

namespace driftless {

class SlopeSums {
 public:
  static constexpr int most = 16;  // terms of one sum

  // Weights w_j without those that are zero.
  class Weights {
   public:
    explicit Weights(std::span<const double> all) {
      for (std::size_t j = 0; j < all.size(); ++j)
        if (all[j] != 0.0) terms_.push_back({static_cast<int>(j), all[j]});
    }

   private:
    friend SlopeSums;
    struct Term {
      int slope;
      double weight;
    };
    std::vector<Term> terms_;
  };

  // The slots over which sums run, ascending.
  void take_slots(const std::vector<int>& slots) {
    runs_.clear();
    for (const int s : slots)
      if (!runs_.empty() && runs_.back().end == s)
        ++runs_.back().end;
      else
        runs_.push_back({s, s + 1});
  }

  // `y` may be empty: then the sum alone. Precondition: the arrays do not overlap.
  void operator()(std::span<double> out, std::span<const double> y, double h, const Weights& weights,
                  const std::vector<std::vector<double>>& slopes) const {
    Terms terms;
    for (const auto& [slope, weight] : weights.terms_) terms.add(h * weight, slopes[slope].data());
    if (!y.empty()) terms.add(1.0, y.data());  // last: the small terms are added up first
    for (const Run& run : runs_) pass(terms.count)(out.data(), terms, run);
  }

 private:
  struct Run {
    int begin, end;
  };
  struct Terms {
    int count = 0;
    std::array<double, most> weight;
    std::array<const double*, most> slope;
    void add(double w, const double* k) { weight[count] = w, slope[count++] = k; }
  };
  using Pass = void (*)(double*, const Terms&, const Run&);

  template <int count>
  static void add_up(double* out, const Terms& terms, const Run& run) {
    const std::array<double, most> w = terms.weight;
    const std::array<const double*, most> k = terms.slope;
#pragma GCC ivdep
    for (int i = run.begin; i < run.end; ++i) {
      double sum = 0.0;
#pragma GCC unroll 16
      for (int j = 0; j < count; ++j) sum += w[j] * k[j][i];
      out[i] = sum;
    }
  }

  static Pass pass(int count) {
    return []<int... n>(std::integer_sequence<int, n...>, int c) {
      static constexpr Pass passes[] = {&add_up<n>...};
      return passes[c];
    }
    (std::make_integer_sequence<int, most + 1>{}, count);
  }

  std::vector<Run> runs_;
};

}  // namespace driftless
