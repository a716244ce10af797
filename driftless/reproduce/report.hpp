// Reports as text for a terminal and as a page in Markdown.
#pragma once

#include <string>
#include <vector>

#include "driftless/reproduce/experiment.hpp"

namespace driftless::reproduce {

struct Finished {
  const Experiment* experiment = nullptr;
  Report report{};
  double seconds = 0.0;
};

std::string text_of(const Finished& finished);
std::string summary_of(const std::vector<Finished>& all);  // one line per experiment, and the sum

// Figures are linked as <name>.svg in the folder `pictures`, if there is one.
std::string markdown_of(const std::vector<Finished>& all, const std::string& pictures);

}  // namespace driftless::reproduce
