#include "driftless/model/model.hpp"

namespace driftless {

Names names_of(const Model& model) {
  return {.variable = [&model](VarId id) { return model[id].name; },
          .parameter = [&model](ParamId id) { return model[id].name; }};
}

std::string derivative_name(const std::string& name, int order) {
  std::string text = name;
  for (int k = 0; k < order; ++k) text = "der(" + text + ")";
  return text;
}

}  // namespace driftless
