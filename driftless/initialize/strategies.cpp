#include "driftless/initialize/strategies.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "driftless/initialize/homotopy.hpp"
#include "driftless/initialize/values.hpp"

namespace driftless {
namespace {

std::optional<Values> led_to_rows(const Reduced& reduced, const InitialProblem& problem, double t,
                                  const LeadToRows& lead) {
  if (!std::ranges::all_of(reduced.model->parameters, &Parameter::fixed)) return {};
  Values values;
  for (const std::vector<Reduced::Address>& orders : reduced.addresses)
    values.emplace_back(orders.size(), std::numeric_limits<double>::quiet_NaN());
  State at;
  at.y.assign(reduced.slots.size(), 0.0);
  at.yp.assign(reduced.slots.size(), 0.0);
  const auto place = [&](Quantity q) -> double* {
    if (index(q.variable) >= std::ssize(values) || q.order >= std::ssize(values[index(q.variable)])) return nullptr;
    const int slot = reduced.slot_of(q);
    return slot < 0 ? nullptr : &(reduced.place(q) == Place::Slot ? at.y : at.yp)[slot];
  };
  for (const InitialUnknown& unknown : problem.unknowns)
    if (double* value = place(unknown.quantity)) *value = unknown.guess;
  if (!lead(reduced, t, at.y, at.yp)) return {};
  for (const InitialUnknown& unknown : problem.unknowns)
    if (const double* value = place(unknown.quantity))
      values[index(unknown.quantity.variable)][unknown.quantity.order] = *value;
  return values;
}

}  // namespace

const char* to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::Newton: return "Newton's method, block by block";
    case Strategy::Continuation: return "continuation from the starts";
    case Strategy::OtherGuesses: return "other guesses";
    case Strategy::Bounds: return "guesses between min and max";
    case Strategy::Release: return "starts around a block released";
    case Strategy::Together: return "all equations together";
    case Strategy::Homotopy: return "homotopy of the model";
    case Strategy::Exponentials: return "guarded exponentials";
  }
  return "";
}

FoundStart seek_start(const Reduced& reduced, const InitialProblem& problem, double t, const LeadToRows& lead) {
  FoundStart found = find_start(*reduced.model, problem, t);
  const auto try_with = [&](Strategy strategy, const std::optional<Values>& led) {
    FoundStart other;
    if (led) other = find_start(*reduced.model, with_guesses(problem, *led), t);
    Trials trials = found.trials;
    trials.record(strategy, other.solved, led ? other.missed : std::numeric_limits<double>::infinity());
    if (other.solved) found = std::move(other);
    found.trials = trials;
  };
  if (needs_homotopy(reduced, found)) try_with(Strategy::Homotopy, follow_homotopy(reduced, t));
  if (!found.solved && lead) try_with(Strategy::Exponentials, led_to_rows(reduced, problem, t, lead));
  return found;
}

std::shared_ptr<const Reduced> standard_form(const std::shared_ptr<const Reduced>& given) {
  if (given->implicit || given->standard) return given;
  structure::Structure shape;
  shape.offsets = given->offsets;
  return std::make_shared<const Reduced>(reduce(given->model, shape));
}

}  // namespace driftless
