// The parameters and starts with respect to which a run is differentiated, and the derivatives of the other numbers of
// the model: a parameter or a start that the text computes from parameters follows by the chain rule.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "driftless/model/inputs.hpp"

namespace driftless::sensitivity {

// Why there are no sensitivities: a sentence for people.
struct NotAvailable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A name that the model does not have.
struct UnknownDirection : NotAvailable {
  using NotAvailable::NotAvailable;
};

struct Direction {
  std::string name;
  bool is_start = false;  // the start of a variable, otherwise a parameter
  std::size_t place = 0;
  double size = 1.0;  // > 0, to which changes of it are compared
};

// Columns are directions.
struct Directions {
  std::vector<Direction> all;
  Eigen::MatrixXd parameters;       // of all parameters of the model
  Eigen::MatrixXd starts;           // of all variables
  Eigen::MatrixXd discrete_starts;  // of all discrete variables

  Eigen::Index size() const { return static_cast<Eigen::Index>(all.size()); }
};

// `numbers`: the model with the values of the run. Numbers given to the run do not depend on parameters. Throws
// NotAvailable.
Directions directions_of(const Model& numbers, const std::vector<std::string>& names,
                         const NamedValues& given_parameters, const NamedValues& given_starts);

}  // namespace driftless::sensitivity
