// What moves when an input of a linear system moves: parameters of the model, by rates.
//
// An input u of the model is a polynomial of time whose coefficients are parameters (model/drive.hpp). Where equations
// are differentiated its derivatives enter too: they are inputs of their own, der(u), der(der(u)). A parameter moves
// those that the text computes from it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

struct Direction {
  std::string name;
  double value = 0.0;  // of what moves, at the point; of an input it is set by the caller
  int order = 0;       // how often an input is differentiated
  VarId variable{-1};  // of an input
  std::vector<std::pair<std::size_t, double>> rates = {};  // parameter, rate
};

struct DirectionsAt {
  const Model& model;
  double t;
  std::span<const double> parameters;
  std::span<const int> orders;     // by variable: the highest derivative that the equations contain
  std::vector<std::string> given;  // parameters that the run gives itself: they do not follow others
};

// One for an input or a parameter of this name, and one for each derivative of it that the equations may contain. Or
// why there is none, in words.
std::variant<std::vector<Direction>, std::string> directions_of(const DirectionsAt& at, const std::string& name);

}  // namespace driftless
