// The solution of a shipped model at the end, against which runs are measured. The files tests/references/*.json and
// tests/unseen/*.json are compiled into the program; docs/models.md says how they were made.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace driftless::scoreboard {

struct ReferenceEnd {
  struct Value {
    std::string variable;
    double value = 0.0;
    double scale = 0.0;  // its largest size at the points of the reference
  };
  double stop = 0.0;
  std::string source;  // "closed form: y1 = exp(2t), ..."
  std::vector<Value> values;
  double amplification = 1.0;  // of a small change of the initial states, if given in the file
};

// "pendulum" -> the end of tests/references/pendulum.json; nothing if there is no such file.
std::optional<ReferenceEnd> reference_end(std::string_view model);

// Names with a reference, "unseen/robertson" for those of models/unseen, sorted.
std::vector<std::string_view> reference_names();

// The text of that file.
std::optional<std::string_view> reference_text(std::string_view model);

}  // namespace driftless::scoreboard
