#include "driftless/language/flatten.hpp"

#include <cstdio>

#include "cli/arguments.hpp"

namespace driftless::cli {

int flatten(const ModelArguments& arguments) {
  const Model model = read(arguments);
  Diagnostics diagnostics;
  const auto text = driftless::flatten(model, diagnostics);
  if (!text) throw ModelError(diagnostics, *model.sources);
  std::fputs(text->c_str(), stdout);
  return success;
}

}  // namespace driftless::cli
