#include "driftless/taylor/homes.hpp"

#include <vector>

namespace driftless::taylor {

void Homes::need(NodeId expression, int cls) {
  std::vector<std::pair<NodeId, int>> open{{expression, cls}};
  while (!open.empty()) {
    const auto [node, s] = open.back();
    open.pop_back();
    const Form form = operations_->form_of(node);
    if (form == Form::Constant || form == Form::Leaf) continue;
    if (form == Form::Nonlinear) {
      int& home = home_.insert({node, classes_}).first->second;
      if (home <= s) continue;
      home = s;
    } else if (!linear_.insert({node, s}).second) {
      continue;
    }
    for (const NodeId ingredient : operations_->ingredients(node)) open.push_back({ingredient, s});
  }
}

}  // namespace driftless::taylor
