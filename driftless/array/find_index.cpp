#include "driftless/array/find_index.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/array/array_reduced.hpp"
#include "driftless/reduce/explain.hpp"

namespace driftless {
namespace {

constexpr double neighbour_in_time = 1e-3;  // of the interval of the experiment
constexpr int most_equations_of_advice = 1000;
constexpr double rounding = 1e-13;  // of singular values, relative to the largest

Eigen::SparseMatrix<double> jacobian_at(const DerivativeArray& array, const Model& numbers, const ArrayPoint& point) {
  return array.evaluate(numbers, point.t, point.values).jacobian;
}

// The reason why the equations cannot be differentiated this often; nothing if they can.
std::optional<std::string> undifferentiable(const Model& model, int times) {
  Diagnostics diagnostics;
  structure::Offsets offsets;
  offsets.c.assign(model.equations.size(), times);
  offsets.d.assign(model.variables.size(), times);
  explain_undifferentiable(model, offsets, diagnostics);
  if (!diagnostics.has_errors()) return {};
  return diagnostics.all().front().message;
}

std::optional<NoArray> unusable(const Model& model) {
  std::vector<std::string> open;
  for (const Parameter& parameter : model.parameters)
    if (!parameter.fixed) open.push_back(parameter.name);
  if (!open.empty())
    return NoArray{fmt::format("{} {} fixed = false, and parameters that the start determines are no unknowns of it",
                               fmt::join(open, ", "), open.size() == 1 ? "has" : "have")};
  return {};
}

// The array with m differentiations, its start, and the matrix there.
struct Attempt {
  std::shared_ptr<const DerivativeArray> array;
  ArrayPoint point;
  Eigen::SparseMatrix<double> jacobian;
};

class ArraySearch {
 public:
  ArraySearch(const std::shared_ptr<const Model>& model, ArrayForm form) : model_(model), form_(form) {
    const double span = model->experiment.stop - model->experiment.start;
    later_ = model->experiment.start + neighbour_in_time * (span > 0.0 ? span : 1.0);
  }

  std::variant<ArraySystem, NoArray> run() {
    if (const auto reason = unusable(*model_)) return *reason;
    for (int m = 0; m <= most_differentiations; ++m) {
      auto attempt = attempt_with(m);
      if (auto* none = std::get_if<NoArray>(&attempt)) return std::move(*none);
      if (std::holds_alternative<TooFew>(attempt)) continue;
      const Attempt& here = std::get<Attempt>(attempt);
      auto found = form_ == ArrayForm::CampbellMoore ? campbell_moore(here) : kunkel_mehrmann(here);
      if (auto* none = std::get_if<NoArray>(&found)) return std::move(*none);
      if (auto* system = std::get_if<ArraySystem>(&found)) return std::move(*system);
    }
    return NoArray{
        fmt::format("{} differentiations of all equations do not determine the solution, and more are not tried",
                    most_differentiations)};
  }

 private:
  struct TooFew {};
  using Result = std::variant<TooFew, NoArray, ArraySystem>;

  std::variant<Attempt, TooFew, NoArray> attempt_with(int m) const {
    if (auto reason = undifferentiable(*model_, m)) return NoArray{std::move(*reason)};
    Attempt attempt{std::make_shared<const DerivativeArray>(model_, m), {}, {}};
    if (attempt.array->initial_equation_beyond() >= 0) return TooFew{};
    auto start = find_start(*attempt.array, *model_, model_->experiment.start);
    if (auto* none = std::get_if<NoConsistentStart>(&start))
      return NoArray{std::move(none->message), std::move(none->details)};
    attempt.point = std::move(std::get<ArrayPoint>(start));
    attempt.jacobian = jacobian_at(*attempt.array, *model_, attempt.point);
    if (!attempt.jacobian.coeffs().allFinite())
      return NoArray{"a derivative of its equations has no value at the start"};
    return attempt;
  }

  std::optional<Eigen::SparseMatrix<double>> jacobian_nearby(const Attempt& attempt) const {
    const auto neighbour = find_neighbour(*attempt.array, *model_, attempt.point, later_);
    if (!neighbour) return {};
    Eigen::SparseMatrix<double> jacobian = jacobian_at(*attempt.array, *model_, *neighbour);
    return jacobian.coeffs().allFinite() ? std::optional(std::move(jacobian)) : std::nullopt;
  }

  static NoArray undecided(double kept, double dropped) {
    return {
        fmt::format("a rank cannot be decided at the start: singular values of {:.1e} count, and others of {:.1e} do "
                    "not",
                    kept, dropped)};
  }
  static NoArray dependent_rows(int rows, int rank) {
    return {fmt::format("the {} equations of the array have rank {}: some say what others say already", rows, rank)};
  }
  static NoArray singular_start() {
    return {"its ranks at the start are others than near it: the start is a singular point"};
  }

  Result campbell_moore(const Attempt& here) const {
    const DerivativeArray& array = *here.array;
    const ArrayRanks ranks = ranks_of(array, here.jacobian);
    const auto nearby = jacobian_nearby(here);
    const bool changes = nearby && !ranks_of(array, *nearby).agrees_with(ranks);
    // Dependent rows stay dependent in every larger array.
    if (!ranks.full_row_rank() && !changes) return dependent_rows(ranks.rows, ranks.all);
    if (!ranks.determines_highest()) return TooFew{};
    if (changes) return singular_start();
    if (!ranks.clear) return undecided(ranks.smallest_kept, ranks.largest_dropped);
    ArraySystem system;
    const int m = array.differentiations();
    system.index = {.differentiations = m,
                    .index = ranks.determines_rates ? m : m + 1,
                    .constraints = ranks.constraints(),
                    .degrees_of_freedom = ranks.degrees_of_freedom(),
                    .equations = ranks.rows,
                    .unknowns = static_cast<int>(array.unknowns().size()),
                    .smallest_kept = ranks.smallest_kept,
                    .largest_dropped = ranks.largest_dropped};
    system.start = here.array;
    system.ranks = ranks;
    system.reduced = std::make_shared<const Reduced>(array_reduced(array, system.index));
    for (const Quantity q : array.unknowns()) {
      system.value_of_slot.push_back(q);
      const bool moves = array.part_of(q) == ArrayPart::Below;
      system.rate_of_slot.push_back(moves ? std::optional(Quantity{q.variable, q.order + 1}) : std::nullopt);
    }
    return system;
  }

  Result kunkel_mehrmann(const Attempt& here) const {
    const auto found = strangeness_free(*here.array, here.jacobian);
    if (!found) {
      const ArrayRanks ranks = ranks_of(*here.array, here.jacobian);
      if (ranks.full_row_rank()) return TooFew{};
      const auto nearby = jacobian_nearby(here);
      if (nearby && ranks_of(*here.array, *nearby).full_row_rank()) return TooFew{};
      return dependent_rows(ranks.rows, ranks.all);
    }
    const auto nearby = jacobian_nearby(here);
    const auto other = nearby ? strangeness_free(*here.array, *nearby) : std::nullopt;
    if (nearby && (!other || other->constraints != found->constraints)) return singular_start();
    if (!found->clear) return undecided(found->smallest_kept, found->largest_dropped);
    const int m = here.array->differentiations();
    auto with_rates = attempt_with(m + 1);  // the rates at the start need one more
    if (auto* none = std::get_if<NoArray>(&with_rates)) return std::move(*none);
    StrangenessFreeForm form = strangeness_free_form(*here.array, *found);
    ArraySystem system;
    system.index = {.differentiations = m,
                    .index = found->constraints == 0 ? 0 : m + 1,
                    .constraints = found->constraints,
                    .degrees_of_freedom = found->degrees_of_freedom,
                    .equations = static_cast<int>(here.array->rows().size()),
                    .unknowns = static_cast<int>(here.array->unknowns().size()),
                    .smallest_kept = found->smallest_kept,
                    .largest_dropped = found->largest_dropped};
    system.start = std::get<Attempt>(with_rates).array;
    system.ranks = ranks_of(*system.start, std::get<Attempt>(with_rates).jacobian);
    system.reduced = std::make_shared<const Reduced>(std::move(form.reduced));
    system.value_of_slot = std::move(form.value_of_slot);
    system.rate_of_slot = std::move(form.rate_of_slot);
    return system;
  }

  const std::shared_ptr<const Model>& model_;
  ArrayForm form_;
  double later_ = 0.0;
};

}  // namespace

std::variant<ArraySystem, NoArray> find_array(const std::shared_ptr<const Model>& model, ArrayForm form) {
  return ArraySearch(model, form).run();
}

std::optional<std::string> advice_to_use_array(const std::shared_ptr<const Model>& model) {
  if (std::ssize(model->equations) > most_equations_of_advice) return {};
  const auto found = find_array(model, ArrayForm::CampbellMoore);
  const auto* system = std::get_if<ArraySystem>(&found);
  if (!system) return {};
  return fmt::format(
      "--formulation derivative-array integrates this model: by its ranks at the start it has the index {} and {} "
      "degree{} of freedom",
      system->index.index, system->index.degrees_of_freedom, system->index.degrees_of_freedom == 1 ? "" : "s");
}

std::string to_string(const ArrayIndex& i) {
  return fmt::format(
      "derivative array: {} equations ({} differentiation{} of each) in {} unknowns, differentiation index {}, {} "
      "constraint{}, {} degree{} of freedom; singular values from {:.1e} on count, {}",
      i.equations, i.differentiations, i.differentiations == 1 ? "" : "s", i.unknowns, i.index, i.constraints,
      i.constraints == 1 ? "" : "s", i.degrees_of_freedom, i.degrees_of_freedom == 1 ? "" : "s", i.smallest_kept,
      i.largest_dropped <= rounding ? "the others are rounding"
                                    : fmt::format("up to {:.1e} they do not", i.largest_dropped));
}

std::variant<State, NoConsistentStart> start_on(const ArraySystem& system, const Model& numbers, double t) {
  const DerivativeArray& array = *system.start;
  auto start = find_start(array, numbers, t);
  if (auto* none = std::get_if<NoConsistentStart>(&start)) return std::move(*none);
  const ArrayPoint& point = std::get<ArrayPoint>(start);
  const Eigen::SparseMatrix<double> jacobian = jacobian_at(array, numbers, point);
  const ArrayRanks here = jacobian.coeffs().allFinite() ? ranks_of(array, jacobian) : ArrayRanks{};
  if (!here.agrees_with(system.ranks))
    return NoConsistentStart{
        .message = fmt::format("at t = {:.9g} the derivative array has other ranks than where it was analyzed", t),
        .details = {fmt::format("the ranks of its matrix are {}, {}, {} here, and {}, {}, {} there", here.above,
                                here.top_and_above, here.all, system.ranks.above, system.ranks.top_and_above,
                                system.ranks.all)}};
  State state;
  state.t = t;
  state.remarks = point.remarks;
  state.degrees_of_freedom = system.index.degrees_of_freedom;
  const auto value = [&](Quantity q) { return point.values[array.unknown_of(q)]; };
  for (const std::optional<Quantity>& q : system.value_of_slot) state.y.push_back(q ? value(*q) : 0.0);
  for (const std::optional<Quantity>& q : system.rate_of_slot) state.yp.push_back(q ? value(*q) : 0.0);
  return state;
}

}  // namespace driftless
