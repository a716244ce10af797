// Models as text, for tests.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "driftless/language/read.hpp"
#include "driftless/simulate.hpp"

namespace driftless::samples {

inline std::shared_ptr<const Model> model_of(const std::string& declarations, const std::string& equations,
                                             double stop = 10) {
  return std::make_shared<const Model>(read_model_text(
      "sample.mo", "model Sample\n" + declarations + "\nequation\n" + equations +
                       "\nannotation(experiment(StopTime = " + std::to_string(stop) + "));\nend Sample;\n"));
}

inline std::shared_ptr<const Model> shipped(const std::string& name, const ReadOptions& options = {}) {
  return std::make_shared<const Model>(
      read_model_file(std::filesystem::path(DRIFTLESS_SOURCE_DIR) / "models" / (name + ".mo"), options));
}

// With a chain of length m.
inline std::shared_ptr<const Model> campbell_gear(int m) {
  ReadOptions options;
  options.overrides = {{"m", std::to_string(m)}};
  return shipped("indices/campbell_gear", options);
}

}  // namespace driftless::samples
