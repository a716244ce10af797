// What the Taylor method requires of a model, and which order and tolerance suit its arithmetic.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/integrate/steppers/taylor/taylor.hpp"
#include "driftless/taylor/arithmetic.hpp"
#include "driftless/taylor/formulas.hpp"

namespace driftless {
namespace {

constexpr int lowest_order = 8, highest_order = 30, highest_extended_order = 64;

// The step grows with the order p like tol^(1/p), the work first linearly and then quadratically: the best p lies
// between ln(1/tol) and half of it, and higher because of the overhead of a step. The minimum is flat; a few orders
// more cost nothing and gain a third of a digit (docs/methods/taylor.md).
int order_for(double tolerance, method::Precision precision) {
  return std::clamp(static_cast<int>(std::lround(10.0 - 0.75 * std::log(tolerance))), lowest_order,
                    precision == method::Precision::Double ? highest_order : highest_extended_order);
}

std::string refusal(const method::Taylor& method, const std::string& reason) {
  return fmt::format("{} does not apply: {}", to_string(Method{method}), reason);
}

}  // namespace

std::optional<std::string> not_applicable(const method::Taylor& method, const Problem& problem) {
  const Reduced& reduced = problem.reduced();
  if (reduced.implicit) return refusal(method, "the structure of the model promises more states than there are");
  const bool complete = std::ranges::equal(reduced.addresses, reduced.offsets.d, [](const auto& orders, int d) {
    return static_cast<int>(orders.size()) == d + 1;
  });
  const bool array = std::ranges::any_of(reduced.choices, [](const Choice& choice) { return !choice.roles.empty(); });
  if (reduced.base || reduced.chart != Chart::Slots || !complete || array)
    return refusal(method, "it takes the equations of the model as they stand, without a formulation (dummy)");
#ifndef DRIFTLESS_HAS_QUADMATH
  if (method.precision == method::Precision::Quadruple)
    return refusal(method, "this program was built without libquadmath");
#endif
  if (const auto& reason = problem.system().series().refusal()) return refusal(method, *reason);
  return {};
}

int order_of(const method::Taylor& method, double tolerance) {
  return method.order > 0 ? method.order : order_for(tolerance, method.precision);
}

double smallest_tolerance(const Method& method) {
  const auto* taylor = std::get_if<method::Taylor>(&method);
  if (!taylor) return 1e-14;
  switch (taylor->precision) {
    case method::Precision::Quadruple: return 1e-33;
    case method::Precision::Extended: return 1e-19;
    default: return 1e-16;
  }
}

}  // namespace driftless
