// A cheap test of a step: do all event functions stay so far from their bounds that no search is needed?
//
// It is for functions that are linear in the slots, x < 3 or x1 + 2*x2 < p, whose values at the end of a step are a few
// products. A step passes if at both of its ends every function is farther from its bounds than eight times its change
// in this step and in the previous one. A function that turns back within a step comes closer by about an eighth of its
// change in the previous step: x = cos(t) with its peak in the middle of a step of length h comes closer by h^2/8, and
// changed by h^2 before. So the safety factor is 64.
//
// Steps of collocation methods and of series are too long for this test. Where the polynomial of a step is available,
// its coefficients bound how far a function moves from its value at an end of the step: |g(t) - g(end)| <= sum_k |g_k|.
// A function that is farther from its bounds than this provably does not reach them along the polynomial. The others
// are searched inside the step, by their own polynomials, without evaluating the model.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "driftless/integrate/crossings/crossings.hpp"
#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/integrate/system/compiled_system.hpp"

namespace driftless {

class QuickLook {
 public:
  QuickLook() = default;
  // `pool` may grow. `g`: the functions, of `kinds`.
  QuickLook(const CompiledSystem& system, const std::shared_ptr<Pool>& pool, std::span<const NodeId> g,
            std::span<const Crossings::Function> functions);

  bool exists() const { return kernel_ != nullptr; }  // otherwise a function is not linear

  // `inputs`: time, then parameters; `held`: one value for each function.
  void take_parameters(std::span<const double> inputs, std::span<const double> held);

  // Tests a step from y at a to y at b. Steps must follow each other; otherwise the answer is false.
  bool is_far(double a, double b, std::span<const double> from, std::span<const double> to);

  // Takes the functions along the polynomial of the last step of this stepper; `from`, `to`: y at its ends. False if it
  // has none.
  bool take_polynomials(Stepper& stepper, std::span<const double> from, std::span<const double> to);
  // By function: whether its coefficients prove that it stays away from its bounds; whether that is so for all.
  std::span<const char> away() const { return away_; }
  bool all_away() const { return all_away_; }
  std::span<const AlongStep> along() const { return along_; }
  // Values inside that step of the functions that may reach their bounds, then their slopes.
  void values(double t, std::span<double> values_and_slopes) const;
  // For each function the sum of the sizes of its terms, then the same with nominal values added.
  void sizes(std::span<const double> y, std::span<double> sizes) const;

  void archive(Archive& archive) { archive(last_, changes_, time_, h_); }

 private:
  struct Line {
    Crossings::Kind kind;
    std::size_t first, last;  // its terms
    double rest = 0.0, held = 0.0;
  };
  double value(const Line& line, std::span<const double> y) const;
  std::span<const SlotWeight> terms(const Line& line) const {
    return std::span(terms_).subspan(line.first, line.last - line.first);
  }
  bool stays_away(const Line& line, const AlongStep& along, std::span<const double> from,
                  std::span<const double> to) const;
  static double distance(const Line& line, double g);  // from the nearest bound

  std::vector<Line> lines_;
  std::vector<SlotWeight> terms_;
  std::vector<double> nominals_;          // of the terms
  std::shared_ptr<const Kernel> kernel_;  // rests, then coefficients
  std::vector<double> numbers_, work_;
  std::vector<double> last_, changes_;  // values at the end of the last step, and their change in it
  double time_ = 0.0, h_ = 0.0;         // of the last step: its end, its length; 0: none
  std::vector<AlongStep> along_;        // of the last step with polynomials
  std::vector<char> away_;
  bool all_away_ = false;
};

}  // namespace driftless
