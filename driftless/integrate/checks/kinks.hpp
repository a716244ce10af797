// Kinks that a step passes over and comes back from: max, min, abs, sign and relations that have the same branch at
// both ends of a step, and the other one in between.
//
// An expression with a kink is continuous. If its branch differs between the two ends of a step, the method has
// evaluated both branches, and its error test sees the effect. But a contact that begins and ends within one step,
// max(x - c, 0) with a smooth x, is visible at neither end, and the method may have evaluated no other point: the step
// is wrong and its error test does not notice. So steps are made to end where such an excursion begins, and where it
// ends.
//
// The branch of a kink is the sign of its indicator g: a - b for max(a, b), min(a, b), a < b, and a for abs(a),
// sign(a). Its values and slopes at the ends of a step show whether it may change its sign in between and change back;
// only then is g evaluated within the step, which may cost evaluations of the model. Changes of g within the allowed
// errors of the unknowns do not count: a variable that rests at a kink crosses it all the time.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/crossings/switches.hpp"

namespace driftless {

class Kinks {
 public:
  Kinks(const System& system, double tolerance);

  bool exist() const { return !kinks_.empty(); }

  // Takes the parameter values that are valid after an event.
  void take_parameters(std::span<const double> values) {
    if (!kinks_.empty()) std::ranges::copy(values, inputs_.begin() + 1);
  }

  // After a jump the indicators may have other values.
  void forget() { before_.exists = begin_.exists = end_.exists = false; }

  using Path = Switches::Path;  // also for the ends
  // OfTheBeginning: a Taylor series uses the branches at its centre for the whole step, so every step is searched
  // closely.
  enum class Branches { OfEveryPoint, OfTheBeginning };
  // No error test has seen the end of a part of a step: what its ends show counts as what they hide.
  enum class Extent { Step, Part };
  // Where a step from a to b is to end instead, because a kink is passed there that its ends do not show: a little
  // behind the kink. Looks at so many points between.
  std::optional<double> find(double a, double b, const Path& path, int points_between, Branches branches,
                             Extent extent = Extent::Step);

  // If nothing was found: approximate times of the kinks whose branches differ between the ends, ascending.
  std::span<const double> passed() const { return passed_; }
  // Does the end of the step lie on a kink, as far as the errors of the unknowns tell?
  bool ends_on_kink() const;
  // Is one of them under a root? Its slope is infinite there, and Newton's iteration may find no solution beside it.
  bool passed_root() const { return passed_root_; }
  // The exact time of the first of them.
  double locate_passed(const Path& path);

  void archive(Archive& archive) { archive(before_, begin_, end_, begun_on_.t, begun_on_.until); }

  // The indicator along a step.
  struct Course {
    std::vector<double> t, g, allowed;  // |g| up to `allowed` has no branch
    void clear();
    void add(double at, double value, double threshold);
    struct Crossing {
      std::size_t before, behind;  // places
    };
    // If the step visits a branch that its ends do not show: where the first such branch is left. `begins_with_branch`:
    // the branch at the beginning counts, however small |g| is there.
    std::optional<Crossing> hidden_crossing(bool begins_with_branch) const;
    std::optional<Crossing> first_crossing() const;
  };

 private:
  struct Kink {
    NodeId indicator;
    bool has_slope;  // with respect to quantities of the model
    bool by_time;    // and nothing else
    bool under_root;
    NodeId by_unknowns{}, by_rounding{};  // what errors of the unknowns, and of the time, make of the indicator
  };
  struct Look {
    double g, allowed;
  };
  struct Sample {
    double t = 0.0;
    bool exists = false;
    std::vector<double> values;  // of all indicators: values, slopes, and their changes by the unknowns and by time
    void archive(Archive& archive) { archive(t, exists, values); }
  };

  explicit Kinks(const CompiledSystem& system);
  void collect();
  void watch(NodeId indicator, bool under_root);
  void compile_kernel(const CompiledSystem& system);
  bool set_inputs(double t, const Path* path);
  bool evaluate(double t, const Path* path, Sample& sample);
  std::optional<Look> look_at(std::size_t k, double t, const Path* path);
  double g(const Sample& s, std::size_t k) const { return s.values[k]; }
  double slope(const Sample& s, std::size_t k) const { return s.values[kinks_.size() + k]; }
  double allowed(const Sample& s, std::size_t k) const;
  double allowed(double by_unknowns, double by_rounding) const;
  bool is_suspicious(std::size_t k, const Sample& begin, const Sample& end);
  bool cubic_is_suspicious(std::size_t k, const Sample& begin, const Sample& end);
  bool parabola_is_suspicious(std::size_t k, const Sample& begin, const Sample& end) const;
  std::optional<double> behind_a_beginning_on(std::size_t k, double a, double b, const Path* path);
  void sample_between(double a, double b, const Path* path, int points);
  void look_at_extrema(std::size_t k, const Path* path);
  void insert(std::size_t place);
  void note_passed();
  double locate(std::size_t k, const Course::Crossing& crossing, const Path* path);
  std::optional<double> look_closely(double a, double b, const Path* path, int points, bool by_time, Branches branches,
                                     Extent extent);

  const Reduced& reduced_;
  std::shared_ptr<Pool> pool_;  // of the indicators
  double tolerance_ = 0.0;
  std::vector<Kink> kinks_;
  InputLayout layout_;
  std::shared_ptr<const Kernel> kernel_;
  std::vector<std::shared_ptr<const Kernel>> kernels_of_one_;  // made when they are first needed
  std::vector<double> inputs_, work_, quantities_;
  std::vector<Sample> samples_;  // of the step, in order, then spare room
  std::size_t used_ = 0;
  Sample before_, begin_, end_;  // the beginning of the step before; the ends of this one
  struct {
    double t = HUGE_VAL, until = 0.0;
  } begun_on_;  // the last step that was cut because it begins on a kink, and where it was
  Course course_;
  std::vector<double> passed_;
  std::size_t first_passed_ = 0;  // the kink
  bool passed_root_ = false;
};

}  // namespace driftless
