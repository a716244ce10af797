// The effect of an input of a linear system: changes of parameters of the model.
//
// An input u of the model is a polynomial of time whose coefficients are parameters (model/drive.hpp). If equations are
// differentiated its derivatives occur, too: they are separate inputs, der(u), der(der(u)). A parameter changes those
// that the text computes from it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct Direction {
  std::string name;
  double value = 0.0;  // of the varied quantity at the point; for an input it is set by the caller
  int order = 0;       // how often an input is differentiated
  VarId variable{-1};  // of an input
  std::vector<std::pair<std::size_t, double>> rates = {};  // parameter, rate
};

struct DirectionsAt {
  const Model& model;
  double t;
  std::span<const double> parameters;
  std::span<const int> orders;     // by variable: the highest derivative that the equations contain
  std::vector<std::string> given;  // parameters set by the run: they do not depend on others
};

// One for an input or a parameter of this name, and one for each derivative of it that the equations may contain.
// Otherwise the reason why there is none.
std::variant<std::vector<Direction>, std::string> directions_of(const DirectionsAt& at, const std::string& name);

}  // namespace driftless
