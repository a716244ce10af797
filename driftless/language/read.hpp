// Modelica text -> Model, in one call: parse, then elaborate.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/language/read_options.hpp"
#include "driftless/model/model.hpp"

namespace driftless {

// Nothing if errors were reported. Warnings may be reported in either case. Instead of a file the full name of a model
// in one of the libraries can be given: Modelica.Blocks.Examples.PID_Controller.
std::optional<Model> read_model_file(const std::string& path, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics);
std::optional<Model> read_model_text(std::string name, std::string text, const ReadOptions& options,
                                     std::shared_ptr<Sources> sources, Diagnostics& diagnostics);

// The same, but throws a ModelError with all errors. Warnings are dropped.
Model read_model_file(const std::string& path, const ReadOptions& options = {});
Model read_model_text(std::string name, std::string text, const ReadOptions& options = {});

}  // namespace driftless
