#include "cli/pure_index2.hpp"

#include <fmt/format.h>

#include "driftless/diagnostics/printable.hpp"
#include "driftless/expr/print.hpp"
#include "driftless/indices/same_solution.hpp"
#include "driftless/reduce/pure_index2.hpp"

namespace driftless::cli {
namespace {

std::string text_of(const PureIndex2& result, NodeId expression) {
  return to_string(*result.model->pool, expression, names_of(*result.model));
}

}  // namespace

void print_pure_index2(const std::shared_ptr<const Model>& model) {
  fmt::print("\nas a pure problem of index 2 (docs/index-definitions.md)\n");
  const auto rewritten = to_pure_index2(model);
  if (const auto* reason = std::get_if<std::string>(&rewritten)) {
    fmt::print("  not possible: {}\n", printable(*reason));
    return;
  }
  const PureIndex2& result = std::get<PureIndex2>(rewritten);
  for (const PureIndex2::Eliminated& one : result.eliminated)
    fmt::print("  eliminated  {} = {}   ({})\n", printable(one.variable), printable(text_of(result, one.value)),
               printable(one.equation));
  for (const Equation& equation : result.model->equations)
    fmt::print("  left        {} = 0   ({})\n", printable(text_of(result, equation.residual)),
               printable(equation.label));
  const SolutionDifference difference = difference_of_solutions(model, result);
  if (!difference.failure.empty())
    fmt::print("  not compared: {}\n", printable(difference.failure));
  else
    fmt::print("  index {}; runs of both at tolerance {:.0e} differ by {:.0e}\n", result.index, difference.tolerance,
               difference.largest);
}

nlohmann::ordered_json pure_index2_to_json(const std::shared_ptr<const Model>& model) {
  using Json = nlohmann::ordered_json;
  const auto rewritten = to_pure_index2(model);
  if (const auto* reason = std::get_if<std::string>(&rewritten)) return {{"reason", *reason}};
  const PureIndex2& result = std::get<PureIndex2>(rewritten);
  Json eliminated = Json::array(), equations = Json::array();
  for (const PureIndex2::Eliminated& one : result.eliminated)
    eliminated.push_back(
        {{"variable", one.variable}, {"value", text_of(result, one.value)}, {"equation", one.equation}});
  for (const Equation& equation : result.model->equations)
    equations.push_back({{"equation", equation.label}, {"residual", text_of(result, equation.residual)}});
  const SolutionDifference difference = difference_of_solutions(model, result);
  Json object = {{"index", result.index}, {"eliminated", std::move(eliminated)}, {"equations", std::move(equations)}};
  if (difference.failure.empty())
    object["difference"] = difference.largest;
  else
    object["not_compared"] = difference.failure;
  return object;
}

}  // namespace driftless::cli
