// Lists the models of a library or a file that can be run, from their texts: nothing is elaborated.
#pragma once

#include <string>
#include <vector>

#include "driftless/diagnostics/diagnostic.hpp"
#include "driftless/diagnostics/source.hpp"

namespace driftless {

// The values of the experiment annotation are given as text, "2 * 60"; empty where there is none.
struct ListedModel {
  std::string name;  // in full
  std::string description;
  bool has_experiment = false;
  std::string start, stop, tolerance, interval;
};

// The models, blocks and classes in `what`, neither partial nor protected: a file, the folder of a library or of a part
// of it, or the full name of a class, which is searched in the folders `libraries`. In the order of package.order and
// of the texts. Files with errors are reported and skipped.
std::vector<ListedModel> list_models(const std::string& what, const std::vector<std::string>& libraries,
                                     Sources& sources, Diagnostics& diagnostics);

}  // namespace driftless
