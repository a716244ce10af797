// Models made by chance, as text, with what is known about them: their equations as trees that evaluate themselves, the
// solution they were built around, the start that a user may expect. The same number always makes the same model.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "tests/random_models/expression.hpp"

namespace driftless::random_models {

enum class Expected {
  Success,         // and right
  RightOrRefused,  // a success must be right
  NoSuccess,       // there is no solution, or no unique one
};

struct RandomVariable {
  std::string name{};
  std::optional<double> start{};
  bool fixed = false;
  std::optional<Expression> solution{};    // in time
  std::optional<double> expected_start{};  // delivered exactly like this at the start
};

struct RandomEquation {
  Expression left, right;
};

struct RandomModel {
  std::string name{};
  std::vector<RandomVariable> variables{};
  std::vector<RandomEquation> equations{};
  Expected expected = Expected::Success;
  double stop = 1.0;
  double turns = 0.0;              // a bound for the radians per unit of time that an unknown passes in a sine
  double condition = 1.0;          // by what factor an error may grow, beyond what the tolerance says
  std::vector<int> culprits = {};  // numbers of the equations that a refusal must speak of

  std::string text() const;
  int line_of(int equation) const;  // in the text
};

// The same numbers on every machine, unlike the distributions of the standard library.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed) {}
  int integer(int first, int last);           // both included
  double decimal(double first, double last);  // rounded to hundredths
  bool yes(double probability) { return unit() < probability; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(integer(0, static_cast<int>(list.size()) - 1))];
  }

 private:
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  std::mt19937_64 engine_;
};

// A smooth function of time, of size about one: constant, oscillation, decay, slope.
Expression random_solution(Chance& chance);
// equation(left) = equation(left with the solution in it).
RandomEquation around_solution(const Expression& left, const std::vector<RandomVariable>& variables);

RandomModel start_model(std::uint64_t seed);
RandomModel short_start_model(std::uint64_t seed);
RandomModel index1_model(std::uint64_t seed);
RandomModel index2_model(std::uint64_t seed);
RandomModel mechanism_model(std::uint64_t seed);  // index 3
RandomModel circuit_model(std::uint64_t seed);    // diodes, around a solution
RandomModel rectifier_model(std::uint64_t seed);  // diodes, without a known solution
RandomModel kink_model(std::uint64_t seed);
RandomModel pulse_model(std::uint64_t seed);  // kinks that are passed for a moment
RandomModel jump_model(std::uint64_t seed);
RandomModel hidden_model(std::uint64_t seed);
RandomModel branch_model(std::uint64_t seed);      // several solutions, of which one is meant
RandomModel first_kink_model(std::uint64_t seed);  // of time, met at the start

}  // namespace driftless::random_models
