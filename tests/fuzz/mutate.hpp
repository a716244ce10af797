// Changes of a text that keep it close to Modelica: words are inserted, deleted, exchanged, doubled or taken from
// another text, brackets and blocks are nested; now and then bytes are damaged or the text is cut.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace driftless::fuzz {

struct Material {
  std::vector<std::string> texts;  // at least one
  std::vector<std::string> words;  // at least one
};

std::string mutate(const Material& material, std::mt19937_64& random);

}  // namespace driftless::fuzz
