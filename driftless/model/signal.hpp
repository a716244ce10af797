// The signal of an input of a model: a table or a function of time. A run uses both as polynomials of time, one for
// each piece of the time axis, whose coefficients change at events (drive.hpp).
#pragma once

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace driftless {

// Linear between its rows; before and after them the outermost values. Where a time is repeated, the value jumps to
// that of the last such row.
struct InputTable {
  std::vector<double> times, values;
};

using InputFunction = std::function<double(double t)>;

using InputSignal = std::variant<InputTable, InputFunction>;
using NamedSignals = std::vector<std::pair<std::string, InputSignal>>;

// From `from` on, until the next piece: c[0] + c[1] s + c[2] s^2 + c[3] s^3 with s = t - origin.
struct SignalPiece {
  double from = 0.0, origin = 0.0;
  std::array<double, 4> c = {};
  int jumps = 0;  // the lowest derivative that jumps at `from`: 0 the value, 1 the slope

  double operator()(double t) const;
};

// Ascending by `from`; the first piece begins at minus infinity.
struct PiecewiseSignal {
  std::vector<SignalPiece> pieces;
  std::pair<double, double> known = {};  // before and after these times the outermost values are used

  bool is_given() const { return !pieces.empty(); }
  // The piece valid from t on.
  const SignalPiece& at(double t) const;
  // The next time after t at which another piece begins; infinity if there is none.
  double next_after(double t) const;
};

// The problem as text that continues "the table of u": "has times that go back: 2 after 3".
using SignalOrProblem = std::variant<PiecewiseSignal, std::string>;

// Between two rows: the straight line, or the value of the earlier row.
enum class Between { Linear, Held };
SignalOrProblem pieces_of(const InputTable& table, Between between = Between::Linear);

// The cubic spline through values of the function at points that are chosen such that it is within the tolerance of the
// function, in units of max(|f|, nominal). Its first and second derivatives do not jump.
SignalOrProblem pieces_of(const InputFunction& function, double start, double stop, double tolerance, double nominal);

}  // namespace driftless
