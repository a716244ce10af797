// What happened at one event of a run.
#pragma once

#include <string>
#include <vector>

namespace driftless {

class Archive;

struct ChangeOfValue {
  std::string name;  // of a variable, or of a derivative
  double from = 0.0, to = 0.0;
  void archive(Archive& archive);
};

// The integral of an unknown over the instant: a momentum where the unknown is a force, a charge where it is a current.
struct Impulse {
  std::string name;
  double size = 0.0;
  std::string unit;  // of the variable, times s
  void archive(Archive& archive);
};

struct Event {
  double time = 0.0;
  std::vector<std::string> causes{};  // "h < 0", "sample(0, 0.1)"
  int iterations = 0;                 // until no discrete variable and no relation changed
  std::vector<ChangeOfValue> discrete{};
  std::vector<ChangeOfValue> jumps{};  // of continuous variables
  std::vector<Impulse> impulses{};
  std::string mode{};  // the new structure of the equations from here on; empty: unchanged
  void archive(Archive& archive);
};

}  // namespace driftless
