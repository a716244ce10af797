#include "driftless/formulate/formulation.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "driftless/formulate/forms.hpp"
#include "driftless/formulate/rewrite.hpp"

namespace driftless {
namespace {

using namespace formulation;

std::string times(int m) { return m == 1 ? "once" : m == 2 ? "twice" : fmt::format("{} times", m); }

// The differentiated equations, in the order of the rows.
std::vector<EqnId> constraints_of(const Reduced& base) {
  std::vector<EqnId> constraints;
  for (const DerivedEquation& row : base.rows)
    if (row.stage == 0 && row.level > 0) constraints.push_back(row.equation);
  return constraints;
}

const Direction* direction_of(const Formulation& formulation) {
  return std::visit(
      []<class F>(const F& f) -> const Direction* {
        if constexpr (requires { f.direction; })
          return &f.direction;
        else
          return nullptr;
      },
      formulation);
}

// Is it a rewrite of the rows? Dummy and minimal use the base unchanged.
template <class F>
constexpr bool rewrites = requires(const Reduced& base, const F& f) {
  rewritten(base, f);
};

class Applicability {
 public:
  Applicability(const Reduced& base, const Formulation& formulation)
      : base_(base), formulation_(formulation), constraints_(constraints_of(base)) {}

  std::optional<Refusal> refusal() const {
    if (!std::visit([]<class F>(const F&) { return rewrites<F>; }, formulation_))
      return refuse("it is no rewrite of the equations");
    if (!std::holds_alternative<Index1>(formulation_) && !std::holds_alternative<Original>(formulation_) &&
        constraints_.empty())
      return refuse("no equation has to be differentiated, there is nothing to stabilize");
    if (const auto* baumgarte = std::get_if<Baumgarte>(&formulation_))
      if (auto refusal = polynomial(*baumgarte)) return refusal;
    if (const auto* euode = std::get_if<Euode>(&formulation_))
      if (const auto reason = why_not(base_, *euode)) return refuse(*reason);
    if (const Direction* direction = direction_of(formulation_)) {
      if (const auto* given = std::get_if<Given>(direction)) return columns(*given);
      if (std::holds_alternative<Mass>(*direction)) return forces();
    }
    return {};
  }

 private:
  Refusal refuse(std::string why) const { return {.subject = to_string(formulation_), .reason = std::move(why)}; }
  Refusal refuse(EqnId e, const std::string& what) const {
    return refuse(fmt::format("{} ({}) {}", (*base_.model)[e].label, (*base_.model)[e].text, what));
  }

  std::optional<Refusal> polynomial(const Baumgarte& baumgarte) const {
    for (const EqnId e : constraints_) {
      const int m = base_.offsets.c[index(e)];
      if (baumgarte.alpha && m != 2)
        return refuse(e, fmt::format("is differentiated {}, and alpha and beta are for two; give gamma", times(m)));
      if (!baumgarte.coefficients.empty() && static_cast<int>(baumgarte.coefficients.size()) != m + 1)
        return refuse(e, fmt::format("is differentiated {}, which needs {} coefficients", times(m), m + 1));
    }
    return {};
  }

  std::optional<Refusal> forces() const {
    const auto mechanical = mechanical_shape(base_);
    if (mechanical && !mechanical->regular_mass) return refuse("the mass matrix is singular");
    if (mechanical || hessenberg_shape(base_)) return {};
    return refuse(fmt::format("the model is not mechanical, {}", mechanical.why_not));
  }

  // One column for each constraint, an entry for each slot that the constraints of a stage restrict.
  std::optional<Refusal> columns(const Given& given) const {
    int lowest = 0;
    for (const DerivedEquation& row : base_.rows) lowest = std::min(lowest, row.stage);
    for (int stage = lowest; stage < 0; ++stage) {
      std::vector<DerivedEquation> rows;
      for (const DerivedEquation& row : base_.rows)
        if (row.stage == stage) rows.push_back(row);
      const std::size_t slots = constrained_slots(base_, rows).size();
      const bool fits = given.columns.size() == rows.size() &&
                        std::ranges::all_of(given.columns, [&](const auto& c) { return c.size() == slots; });
      if (!fits)
        return refuse(fmt::format("{} constraints of {} variables need {} columns of {} entries", rows.size(), slots,
                                  rows.size(), slots));
    }
    return {};
  }

  const Reduced& base_;
  const Formulation& formulation_;
  std::vector<EqnId> constraints_;
};

}  // namespace

bool chooses_states(const Formulation& formulation) {
  return std::holds_alternative<Dummy>(formulation) || std::holds_alternative<Minimal>(formulation);
}

std::optional<Refusal> refusal_of(const Reduced& base, const Formulation& formulation) {
  if (chooses_states(formulation)) return {};
  return Applicability(base, formulation).refusal();
}

std::optional<std::string> not_applicable(const Reduced& base, const Formulation& formulation) {
  if (const auto refusal = refusal_of(base, formulation)) return refusal->sentence();
  return {};
}

Reduced reformulate(const Reduced& given, const Formulation& formulation) {
  std::optional<Reduced> copy;
  if (given.model->pool->is_frozen()) {
    copy = given;
    copy->model = growable(given.model);
  }
  const Reduced& base = copy ? *copy : given;
  assert(!not_applicable(base, formulation));
  return std::visit(
      [&]<class F>(const F& f) -> Reduced {
        if constexpr (rewrites<F>) {
          Reduced result = rewritten(base, f);
          result.base = std::make_shared<const Reduced>(base);
          return result;
        } else {
          return base;
        }
      },
      formulation);
}

}  // namespace driftless
