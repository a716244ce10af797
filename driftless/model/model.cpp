#include "driftless/model/model.hpp"

#include "driftless/expr/print.hpp"

namespace driftless {

Names names_of(const Model& model) {
  return {.variable = [&model](VarId id) { return model[id].name; },
          .parameter = [&model](ParamId id) { return model[id].name; }};
}

std::shared_ptr<const Model> growable(const std::shared_ptr<const Model>& model) {
  if (!model->pool->is_frozen()) return model;
  auto copy = std::make_shared<Model>(*model);
  copy->pool = growable(model->pool);
  return copy;
}

std::string derivative_name(const std::string& name, int order) {
  std::string text = name;
  for (int k = 0; k < order; ++k) text = "der(" + text + ")";
  return text;
}

}  // namespace driftless
