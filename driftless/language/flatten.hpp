// A model as flat text: no classes, no connections, one scalar declaration for each variable and one line for each
// equation. The text is Base Modelica 0.1, and reading it gives the same equations again.
#pragma once

#include <optional>
#include <string>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Nothing, with an error, if the model has something that the text cannot express: delays, guesses, external functions,
// equations of several thousand letters.
std::optional<std::string> flatten(const Model& model, Diagnostics& diagnostics);

}  // namespace driftless
