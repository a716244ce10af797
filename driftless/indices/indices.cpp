#include "driftless/indices/indices.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/indices/consistent_points.hpp"
#include "driftless/indices/differentiation.hpp"
#include "driftless/indices/linear_model.hpp"
#include "driftless/pencil/weierstrass.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_unknowns = 400;  // of a pencil
constexpr std::size_t most_rows_of_array = 300;

RankGap gap_of(const linear::RankDecision& decision) {
  return {decision.smallest_kept, decision.largest_dropped, decision.is_clear()};
}

// "x - 2*y + 0.5*der(z)"
std::string combination(const Eigen::RowVectorXd& factors, const std::vector<std::string>& names) {
  std::string text;
  for (Eigen::Index j = 0; j < factors.size(); ++j) {
    if (factors(j) == 0.0) continue;
    const std::string size = fmt::format("{:.6g}", std::abs(factors(j)));
    const std::string term = (size == "1" ? "" : size + "*") + names[static_cast<std::size_t>(j)];
    text += text.empty() ? (factors(j) < 0 ? "-" : "") + term : (factors(j) < 0 ? " - " : " + ") + term;
  }
  return text;
}

std::vector<std::string> chosen(const std::vector<int>& places, const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const int k : places) result.push_back(names[static_cast<std::size_t>(k)]);
  return result;
}

NilpotencyIndex described(const pencil::WeierstrassForm& form, const LinearModel& linear) {
  NilpotencyIndex result;
  result.index = form.index;
  result.block_sizes = form.block_sizes;
  result.free_values = form.differential;
  result.modes = form.modes;
  for (Eigen::Index k = 0; k < form.algebraic.rows(); ++k)
    result.algebraic.push_back(combination(form.algebraic.row(k), linear.unknowns));
  if (!form.decisions.empty()) result.narrowest = gap_of(linear::least_clear(form.decisions));
  return result;
}

std::string text_of(const std::optional<int>& index, int levels) {
  return index ? fmt::format("{}", *index) : fmt::format("above {}", levels);
}

}  // namespace

std::shared_ptr<const Model> model_as_written(const Analysis& analysis) {
  return growable(analysis.repair ? analysis.repair->as_written : analysis.model);
}

std::variant<NilpotencyIndex, SingularModel, NotApplicable> nilpotency_index(const Model& model) {
  const auto linear = linear_model(model);
  if (const auto* reason = std::get_if<std::string>(&linear)) return NotApplicable{*reason};
  const LinearModel& system = std::get<LinearModel>(linear);
  if (system.unknowns.size() > most_unknowns)
    return NotApplicable{fmt::format("{} unknowns are too many for dense matrices", system.unknowns.size())};
  const auto form = pencil::weierstrass_form(system.pencil);
  if (const auto* singular = std::get_if<pencil::SingularPencil>(&form))
    return SingularModel{singular->rank, static_cast<int>(system.unknowns.size()),
                         chosen(singular->equations, system.equations), chosen(singular->unknowns, system.unknowns)};
  return described(std::get<pencil::WeierstrassForm>(form), system);
}

DifferentiationIndex differentiation_index_at_points(const Analysis& analysis) {
  const std::shared_ptr<const Model> model = model_as_written(analysis);
  int levels = analysis.shape.structural_index;
  if (analysis.repair) levels = std::max(levels, analysis.repair->shape_as_written.structural_index);
  levels = std::max(levels, 1) + 1;
  DifferentiationIndex result;
  if (const std::size_t rows = model->equations.size() * static_cast<std::size_t>(levels + 1);
      rows > most_rows_of_array) {
    result.reason = fmt::format("a derivative array of {} equations is too large", rows);
    return result;
  }
  const DerivativeArrayAt array(model, levels);
  const ConsistentPoints found = consistent_points(analysis, array);
  result.reason = found.reason;
  std::optional<linear::RankDecision> narrowest;
  for (const NamedPoint& named : found.points) {
    const IndexAtPoint here = index_at(array, named.point);
    if (result.points.empty()) result.index = here.index;
    result.points.push_back(named.name);
    if (!narrowest || here.narrowest.gap() < narrowest->gap()) narrowest = here.narrowest;
    result.has_dependent_rows |= here.has_dependent_rows;
    if (result.reason.empty() && here.index != result.index)
      result.reason = fmt::format("it is not the same at all points: {} at {}, {} at {}", text_of(result.index, levels),
                                  result.points.front(), text_of(here.index, levels), named.name);
  }
  if (narrowest) result.narrowest = gap_of(*narrowest);
  if (result.reason.empty() && !result.index)
    result.reason = fmt::format("{} differentiations do not determine all derivatives{}", levels,
                                result.has_dependent_rows ? ": some equations follow from others" : "");
  if (result.reason.empty() && !result.narrowest.is_clear)
    result.reason = fmt::format("the ranks are not clear: singular values {:.1e} and {:.1e} are neighbours",
                                result.narrowest.smallest_kept, result.narrowest.largest_dropped);
  if (!result.reason.empty()) result.index.reset();
  return result;
}

Indices find_indices(const Analysis& analysis) {
  Indices result;
  const std::shared_ptr<const Model> model = model_as_written(analysis);
  result.structural =
      analysis.repair ? analysis.repair->shape_as_written.structural_index : analysis.shape.structural_index;
  result.nilpotency = nilpotency_index(*model);
  result.differentiation = differentiation_index_at_points(analysis);
  result.perturbation =
      probe_perturbation_index(model, std::max(result.structural, analysis.shape.structural_index) + 1);
  return result;
}

}  // namespace driftless
