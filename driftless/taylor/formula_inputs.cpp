#include "driftless/taylor/formula_inputs.hpp"

namespace driftless::taylor {

NodeId FormulaInputs::operator()(InputKind kind, int cls, int number) {
  const auto [at, fresh] = numbers_.insert({{kind, cls, number}, static_cast<int>(inputs_.size())});
  if (fresh) inputs_.push_back({kind, cls, number});
  return pool_->variable(VarId{first_ + at->second}, 0);
}

std::vector<int> FormulaInputs::lay_out(Recurrences& result, const std::vector<int>& coefficients,
                                        const std::vector<std::vector<int>>& reading_home, int unknowns) const {
  int position = result.first_value = 1 + static_cast<int>(result.system.model->parameters.size());
  position += static_cast<int>(result.leaves.size());
  for (FunctionValues& f : result.functions) f.first = position, position += f.number;
  for (Class& c : result.classes) c.first_factor = position, position += c.factors;
  position = (position + lanes - 1) / lanes * lanes;  // so that a vector of sums lies in one line of the cache
  for (Class& c : result.classes) c.first_sum = position, position += c.convolutions;
  Firsts firsts;
  for (std::size_t s = 0; s < result.classes.size(); ++s) {
    Class& c = result.classes[s];
    firsts.coefficient.push_back(position);
    for (auto* list : {&c.known, &c.unknown})
      for (Class::Coefficient& coefficient : *list) coefficient.input += position;
    position += coefficients[s];
    firsts.reading.push_back(position);
    for (std::size_t r = 0; r < c.readings.size(); ++r) {
      c.readings[r].input += position;
      c.readings[r].record += result.classes[reading_home[s][r]].stored;
    }
    position += static_cast<int>(c.readings.size());
    c.order = position;
    position += 5;
  }
  result.first_inverse = position;
  if (result.whole_stages) position += unknowns * unknowns;
  result.layout.inputs = position;
  std::vector<int> positions;
  for (const Input& input : inputs_) positions.push_back(position_of(input, result, firsts));
  return positions;
}

int FormulaInputs::position_of(const Input& input, Recurrences& result, const Firsts& firsts) {
  switch (input.kind) {
    case InputKind::Function: return result.functions[input.cls].first + input.number;
    case InputKind::Inverse: return result.first_inverse + input.number;
    case InputKind::Factor: return result.classes[input.cls].first_factor + input.number;
    case InputKind::Sum: return result.classes[input.cls].first_sum + input.number;
    case InputKind::Coefficient: return firsts.coefficient[input.cls] + input.number;
    case InputKind::Reading: return firsts.reading[input.cls] + input.number;
    case InputKind::Order: break;
  }
  result.classes[input.cls].uses_order = true;
  return result.classes[input.cls].order + input.number;
}

}  // namespace driftless::taylor
