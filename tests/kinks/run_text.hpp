// A model given as text, run as a user runs it.
#pragma once

#include <string>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless {

inline Model model_of(const std::string& text) {
  const auto sources = std::make_shared<Sources>();
  Diagnostics diagnostics;
  auto model = read_model_text("test.mo", text, {}, sources, diagnostics);
  if (!model) throw ModelError(diagnostics, *sources);
  return std::move(*model);
}

inline Solution run_text(const std::string& text, SimulateOptions options = {}) {
  return simulate(model_of(text), options);
}

// The message with which the model is refused; empty if it is not.
inline std::string refusal_of(const std::string& text) {
  try {
    analyze(std::make_shared<const Model>(model_of(text)));
  } catch (const ModelError& error) {
    return error.what();
  }
  return {};
}

}  // namespace driftless
