// What to read from a model text.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "driftless/model/animation.hpp"

namespace driftless {

struct ReadOptions {
  std::string model = {};                                           // empty: the only or the last model of the file
  std::vector<std::pair<std::string, std::string>> overrides = {};  // name = value, for parameters and start values
  std::vector<std::string> libraries = {};  // folders with libraries, or libraries (docs/libraries.md)
  bool allow_external = false;              // C functions of shared libraries are loaded and called (docs/external.md)
  // Receives the shapes of the model's animation annotation (docs/report.md); null: not needed.
  std::vector<AnimatedShape>* animation = nullptr;
};

}  // namespace driftless
