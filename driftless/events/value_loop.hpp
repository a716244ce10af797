// Discrete Real variables v and continuous equations that determine each other: a controller that samples a plant whose
// output follows its input at once. With values v the continuous equations are solved, and of their solution the
// discrete equations make the values f(v); wanted is v = f(v).
//
// Where variables depend on each other in a chain, taking f(v) for v settles them to the last bit, in as many rounds as
// the chain has links. What goes on changing behind these is a loop, where the same may grow without end. It begins
// anew, and v follows from the secants through all rounds since (Anderson 1965; Walker and Ni 2011): in linear
// equations of n variables after n + 1 rounds.
#pragma once

#include <span>
#include <vector>

#include "driftless/model/discrete.hpp"
#include "driftless/newton/rounding.hpp"

namespace driftless {

class ValueLoop {
 public:
  explicit ValueLoop(const DiscretePart& part);

  // With other values of relations or of what is not Real the equations are others.
  void begin() { rounds_ = 0, is_loop_ = false; }

  // `f`: the values that follow from those in `parameters`, which get the next ones. False if they agree: in a chain to
  // the last bit, in a loop to rounding.
  bool advance(std::vector<double>& parameters, std::span<const double> f);

  // The equations have no solution with the present values: are there others to try? Those at the beginning of a loop.
  bool go_back(std::vector<double>& parameters);

  bool is_loop() const { return is_loop_; }
  bool has_no_end() const;

 private:
  double& value(std::vector<double>& parameters, std::size_t k) const {
    return parameters[static_cast<std::size_t>(index(part_.variables[k].value))];
  }
  enum class Differing { None, Reals, Others };
  Differing differing(std::vector<double>& parameters, std::span<const double> f);
  void begin_loop(std::vector<double>& parameters);
  void take(std::vector<double>& parameters, std::span<const double> values) const;
  double add_round(std::vector<double>& parameters, std::span<const double> f);
  void take_by_secants(std::vector<double>& parameters) const;

  const DiscretePart& part_;
  int rounds_ = 0, links_ = 0;  // since `begin`; variables that have changed in them
  std::vector<char> changed_;   // which
  bool is_loop_ = false;
  std::vector<double> first_;  // v in the first of them
  struct Round {
    std::vector<double> v, f;
  };
  std::vector<Round> loop_;    // its rounds
  std::vector<double> sizes_;  // of the values in them
  newton::ToRounding test_;
};

}  // namespace driftless
