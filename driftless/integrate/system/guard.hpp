// Newton's iteration for equations with exponentials. Far from the solution a correction may lead to exp(480), or come
// back from there by one unit of the argument in each iteration. So each steep function f(a) of the rows (exp, sinh,
// cosh, log, log10) is replaced by its tangent
//
//   f(â) + f'(â) (a - â)
//
// at an argument â that moves by limited amounts. A correction then moves the unknowns as far as it wants, and every â
// follows the argument of its function within limits: where an exponential begins to matter, it moves so far that the
// function takes the value that the tangent had predicted. When every â has reached its argument, the rows are those of
// the model. The mathematics is in docs/newton.md.
//
// Switched on by System::use_guard, the guard stands in for the rows, the rates and their Jacobian, entry by entry.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/system/steep_function.hpp"
#include "driftless/integrate/system/system.hpp"

namespace driftless {

class Guard {
 public:
  // Null if no row and no rate has a steep function of an unknown.
  static std::unique_ptr<Guard> of(const System& system);

  // Places the tangents at the point, or closer where a function is far larger than what matters. alpha: dy'/dy in the
  // equations that are solved; 0 if they are the rows, for unknowns y and y'.
  void begin(const System::Point& at, double alpha);
  // Places the tangents exactly at the point.
  void place(const System::Point& at, double alpha);
  // Moves the tangents towards the point. True if all of them have reached it.
  bool follow(const System::Point& at);

  void rows_and_rates(const System::Point& at, std::span<double> out);
  void jacobian(const System::Point& at, std::span<double> values);

  // A step may pass over the time in which an exponential matters: a diode that conducts between its ends but at
  // neither. `watch` takes the beginning of a step, `admit` other points that the method has solved for. Then
  // `stays_small` tests at a point of its polynomial whether every exponential is at most ten times as large as at one
  // of those, or adds less than the tolerance to its equations. `admit` returns true if no exponential has changed by
  // more than a factor of 20 since the previous point.
  void watch(const System::Point& begin, double alpha, double tolerance);
  bool admit(const System::Point& solved);
  bool stays_small(const System::Point& between);
  // The arguments of exponentials, or their sizes, at the last point of `watch`, `admit` or `stays_small`, and the
  // arguments up to which an exponential counts as small, in the same order.
  void last_arguments(std::vector<double>& of_exponentials) const;
  void ceilings(std::vector<double>& of_exponentials) const;
  bool has_exponentials() const;

  // Has no exponential changed by more than that factor from the beginning of a step to its end? Evaluates the
  // arguments only, and those at the end only if the step begins at the end of the step tested last.
  bool is_quiet(const System::Point& begin, const System::Point& end);

  void set_parameters(std::span<const double> values);

  void archive(Archive& archive) {
    archive.section("guard");
    archive(functions_, inputs_, asked_t_, asked_y_, asked_);
  }

 private:
  struct Draft;
  struct Steep {
    Op op;
    NodeId argument;  // with tangents in place of steep functions in it
    double at = 0.0;  // â
    double free = 0.0, least_slope = 0.0;
    double ceiling = 0.0;  // of the argument, or of its absolute value, within a step
    void archive(Archive& archive) { archive(at, free, least_slope, ceiling); }
  };
  struct Sensitivity {  // of a row to a function
    int row, function;
  };
  struct ArgumentEntry {  // of an argument to a slot
    int function, slot;
  };

  Guard() = default;
  static std::optional<Guard> made_for(const CompiledSystem& system);
  bool compile(const CompiledSystem& system, const Draft& draft);
  bool differentiate_rows(const Reduced& reduced, const Draft& draft, int first, std::vector<KernelSource>& sources);
  void differentiate_arguments(const Reduced& reduced, Pool& pool, int first, std::vector<KernelSource>& sources);
  void load(const System::Point& at);
  void run(int kernel, std::span<double> out);
  void set_tangent(std::size_t function);
  void find_arguments(const System::Point& at);
  void place_at(const System::Point& at);
  void find_scales(double alpha);

  std::vector<Steep> functions_;
  int depth_ = 1;  // nesting depth of the functions
  std::vector<System::Entry> entries_;
  std::vector<Sensitivity> sensitivities_;
  std::vector<ArgumentEntry> argument_entries_;
  Kernels kernels_;
  std::vector<double> inputs_, work_, arguments_, before_, jacobian_, of_functions_, of_arguments_;
  double asked_t_ = std::numeric_limits<double>::quiet_NaN();  // time of the end tested last
  std::vector<double> asked_y_, asked_;                        // the last end tested, and the arguments there
  std::vector<double> nominal_, row_size_, function_size_, argument_size_;
  std::size_t y_offset_ = 0, yp_offset_ = 0, tangent_offset_ = 0;
  int rows_ = 0, rates_ = 0;
};

}  // namespace driftless
