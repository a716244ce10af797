// A model that is linear with constant coefficients, as the pencil of B u' + A u = d(t).
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "driftless/model/model.hpp"
#include "driftless/pencil/pencil.hpp"

namespace driftless {

// Derivatives of higher order are unknowns too: of a variable that occurs with der(der(x)), x and der(x) are entries of
// u, and the row d/dt x = der(x) is added below those of the equations. This changes neither the index nor the number
// of free values.
struct LinearModel {
  pencil::Pencil pencil;
  std::vector<std::string> unknowns;   // by column: "x", "der(x)"
  std::vector<std::string> equations;  // by row: "line 7"; of an added row "d/dt x = der(x)"
};

// Otherwise text about the first equation that is not linear in its unknowns, or whose coefficients vary with time.
// Parameters have the values of the model.
std::variant<LinearModel, std::string> linear_model(const Model& model);

}  // namespace driftless
