// The modes of a model: a mode lasts while the structural conditions (structural_conditions.hpp) keep their values. In
// a mode the model is an ordinary one, whose index and number of states may differ from those of the other modes.
//
// Modes are found when they are first needed. With some branches taken the offsets may change and further conditions
// may become structural, so the modes are the leaves of a tree; a condition in a branch that is not taken does not
// distinguish modes.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "driftless/model/model.hpp"

namespace driftless {

class Modes {
 public:
  explicit Modes(std::shared_ptr<const Model> model);

  // Is there more than one? Otherwise mode 0 is the model itself.
  bool change() const { return !tree_.front().conditions.empty(); }

  // The mode for these values of all parameters, as a permanent number.
  int at(std::span<const double> parameters);

  int size() const { return static_cast<int>(modes_.size()); }  // number of modes found so far
  const std::shared_ptr<const Model>& model(int mode) const { return modes_[mode].model; }
  // "taut = true", "x^2 + y^2 < L^2: false"; empty if there is one mode only.
  const std::string& description(int mode) const { return modes_[mode].description; }

 private:
  struct Branching {
    std::shared_ptr<const Model> model;
    std::string description;         // of the branches that were taken so far
    std::vector<NodeId> conditions;  // empty: a mode
    std::map<std::vector<bool>, int> next = {};
    int mode = -1;
  };
  struct Mode {
    std::shared_ptr<const Model> model;
    std::string description;
  };
  int add(std::shared_ptr<const Model> model, std::string description);

  std::vector<Branching> tree_;  // the root first
  std::vector<Mode> modes_;
};

}  // namespace driftless
