// Finds where the equations jump or have a pole: where relations, sign, floor and ceil change their value, and where
// denominators change their sign. Roots, exponentials and sums of squares never do.
//
// A method assumes smooth equations, so a step that contains a jump is wrong on one side of it, whatever its error test
// says. After every step the values of all switches are compared between its ends and at some points inside, where a
// relation a < b is looked at by a - b: a parabola through three values shows where it may come close to 0 and turn
// back. The earliest change is bracketed by bisection. An `if` whose branches agree there is a kink, not a jump: the
// error test sees it.
//
// Relations that are linear in time switch at instants that are known in advance; steps end there.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driftless/archive/archive.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class Switches {
 public:
  explicit Switches(const System& system);

  // Takes the parameter values that are valid after an event.
  void take_parameters(std::span<const double> values);

  bool exist() const { return !watched_.empty(); }
  bool has_instants() const { return !instants_.empty(); }

  // The next instant after t, up to rounding, at which a relation that is linear in time switches.
  std::optional<double> next_instant(double t) const;

  // Gives all quantities at a time of the step; false if they have no value.
  using Path = std::function<bool(double t, std::span<double> quantities)>;

  struct Crossing {
    double before, behind;  // neighbours, on either side
    std::string what;       // "line 5: sign(v)"
    bool is_pole;
  };
  // The first jump or pole between a and b, searched at `points_between` interior points.
  std::optional<Crossing> find(double a, double b, const Path& path, int points_between);

  void archive(Archive& archive) { archive(first_); }

 private:
  enum class Kind { Discrete, Denominator };
  struct Watched {
    Kind kind;
    EqnId equation;
    NodeId node;      // whose value jumps or grows
    bool oscillates;  // a function of time alone that is not linear in it
  };
  struct Instant {  // of coefficient * time + rest = an integer, or 0
    double coefficient, rest;
    bool every_integer;
  };
  struct InstantInParameters {
    NodeId coefficient, rest;
    bool every_integer;
  };
  struct Sample {
    double t = 0.0;
    bool exists = false;
    std::vector<double> values;  // per watched: discrete value or value of the node; then its indicator; then jumps
  };

  static std::shared_ptr<const Switches> known_for(const System& system);
  Switches(const CompiledSystem& system, std::vector<int> bounded);
  void collect();
  void watch_node(EqnId equation, NodeId id);
  void watch_denominator(EqnId equation, NodeId whole, NodeId denominator);
  void compile_kernel(const CompiledSystem& system);
  void find_instants(std::span<const double> parameters);
  bool evaluate(double t, const Path& path, Sample& sample);
  double discrete(const Sample& s, std::size_t k) const { return s.values[k]; }
  double indicator(const Sample& s, std::size_t k) const { return s.values[watched_.size() + k]; }
  bool differs(const Sample& a, const Sample& b, std::size_t k) const;
  bool any_differs(const Sample& a, const Sample& b) const;
  void look_at_extrema(const Path& path);
  std::optional<Crossing> bracket(const Sample& left, const Sample& right, const Path& path);
  bool grows_towards(double before, double behind, const Sample& left, const Sample& right, std::size_t k,
                     const Path& path);
  bool jumps(const Sample& before, const Sample& behind) const;

  const Reduced& reduced_;
  std::shared_ptr<Pool> pool_;                          // of the indicators
  std::vector<NodeId> denominators_;                    // that may change their sign, judged by their form
  std::vector<int> bounded_;                            // those among them that are not watched, ascending
  std::vector<std::optional<NodeId>> explicit_values_;  // by variable: the expression that an equation gives for it
  std::vector<Watched> watched_;
  std::vector<NodeId> indicators_, jumping_;  // per watched operation; expressions that jump where a relation changes
  std::vector<InstantInParameters> all_instants_;
  std::vector<Instant> instants_;  // with the parameters of the run
  std::shared_ptr<const Kernel> kernel_;
  std::vector<double> inputs_, work_, quantities_;
  std::vector<Sample> samples_;
  std::vector<double> largest_;  // of every value, over the samples of the step
  std::vector<double> first_;    // per watched: the size of its node at the beginning of the run
  std::size_t used_ = 0;
  bool oscillates_ = false;
};

}  // namespace driftless
