#include "driftless/language/flatten.hpp"

#include <cstdio>

#include "cli/arguments.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace driftless::cli {
namespace {

int flatten(const ModelArguments& arguments) {
  const Model model = read(arguments);
  Diagnostics diagnostics;
  const auto text = driftless::flatten(model, diagnostics);
  if (!text) throw ModelError(diagnostics, *model.sources);
  std::fputs(text->c_str(), stdout);
  return success;
}

}  // namespace

void add_flatten(Commands& commands) {
  const auto [command, arguments] = commands.add<ModelArguments>(
      "flatten", "print the model without classes and connections, as Base Modelica that can be read again", flatten);
  add_model(command, arguments);
}

}  // namespace driftless::cli
