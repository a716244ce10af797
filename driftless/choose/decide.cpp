#include "driftless/choose/decide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <variant>

#include <fmt/format.h>

#include "driftless/integrate/steppers/taylor/taylor.hpp"

namespace driftless::choose {
namespace {

using I = Indicators;

bool constrained(const I& i) { return i.kind == Kind::Holonomic || i.kind == Kind::Nonholonomic; }
bool unconstrained(const I& i) { return i.kind == Kind::ExplicitOde || i.kind == Kind::Index1; }
bool stiff(const I& i) { return !i.measured || i.frozen_stiffness > Thresholds::stiffness; }
bool heterogeneous(const I& i) { return i.heterogeneity > Thresholds::heterogeneity; }
bool fast(const I& i) { return i.constraint_speed > Thresholds::speed; }
bool is_case(const I& i, Case c) { return constrained(i) && i.problem_case() == c; }

// A horizon of this many steps is long.
constexpr double long_horizon = 1e3;

// Limits found on the scoreboard. A series needs the fewest steps, but more operations per unknown than a slope, the
// more the more levels there are; with crude tolerances it gains less.
constexpr double crude = 1e-5, sharp = 1e-7, sharpest = 1e-9;  // tolerances
// Tolerances below which Radau is cheaper than BDF for the same digits on stiff models: if rows are solved for unknowns
// besides the states, and for ordinary differential equations.
constexpr double radau_is_cheaper = 1e-5, radau_is_cheaper_on_odes = 3e-4;
constexpr int most_unknowns_of_restarts = 200;
constexpr int most_unknowns_of_series = 40, most_if_crude = 12, highest_index_of_mechanics = 3;

// A mode that oscillates faster than it decays must be resolved by every method as long as it is present.
bool decays_fast(const I& i) { return i.decay > largest_decay(i.tolerance) && i.decay > i.oscillation; }
bool has_cheap_slopes(const I& i) { return constrained(i) || i.index > highest_index_of_mechanics; }
bool is_large(const I& i) {
  return i.unknowns > (i.tolerance > crude && has_cheap_slopes(i) ? most_if_crude : most_unknowns_of_series);
}
bool is_deep(const I& i) { return i.index > highest_index_of_mechanics && i.tolerance >= sharpest; }
// If events shorten the steps, a method cannot use long ones, and steps of a series cost most to search for events.
bool is_cut_short(const I& i) { return i.restarts && i.tolerance >= sharpest; }
bool suits_series(const I& i) { return i.smooth && !is_large(i) && !is_deep(i) && !is_cut_short(i); }
// Everything but the states is given by definitions.
bool is_ode(const I& i) { return unconstrained(i) && i.unknowns == i.degrees_of_freedom; }
// Without constraints both use the same form, and their work can be predicted.
bool series_is_cheaper(const I& i) {
  return suits_series(i) && (i.series_by_explicit > 0.0 ? i.series_by_explicit < 1.0 : i.tolerance < sharp);
}

Method implicit_method(const I& i) { return i.fixed_step ? Method(method::Radau{3}) : Method(method::Bdf{}); }
Method explicit_method(const I&) { return method::ExplicitRungeKutta{method::Explicit::Dopri5}; }
Method by_stiffness(const I& i) { return stiff(i) ? implicit_method(i) : explicit_method(i); }
Method half_explicit_or_bdf(const I& i) {
  return i.fixed_step && i.order == 1 ? Method(method::HalfExplicit{}) : implicit_method(i);
}
Method bdf(const I&) { return method::Bdf{}; }
// After an event BDF begins with order 1 and small steps, twenty or more until the next one; Radau continues with its
// order and step size. On large models its linear algebra costs more than that.
bool needs_cheap_restarts(const I& i) { return i.restarts && i.unknowns <= most_unknowns_of_restarts; }
Method bdf_unless_restarts(const I& i) {
  return needs_cheap_restarts(i) ? Method(method::Radau{0}) : Method(method::Bdf{});
}
Method bdf_or_radau_below(double line, const I& i) {
  if (needs_cheap_restarts(i)) return method::Radau{0};
  return i.tolerance < (is_ode(i) ? radau_is_cheaper_on_odes : line) ? Method(method::Radau{0}) : Method(method::Bdf{});
}
Method bdf_or_radau(const I& i) { return bdf_or_radau_below(radau_is_cheaper, i); }
Method bdf_or_radau_if_sharp(const I& i) { return bdf_or_radau_below(sharp, i); }
// A method that takes over during a run starts anew, and the modes that limit an explicit method may oscillate: BDF is
// good at neither.
Method when_stiff_on_the_way(const I& i) {
  return i.unknowns <= most_unknowns_of_restarts ? Method(method::Radau{0}) : bdf_or_radau_if_sharp(i);
}
Method taylor(const I&) { return method::Taylor{}; }
Method adaptive_explicit(const I&) { return method::ExplicitRungeKutta{method::Explicit::Adaptive}; }
Method symplectic(const I&) { return method::Symplectic{method::SymplecticKind::Rattle}; }

Formulation dummy(const I&) { return formulation::Dummy{}; }
Formulation index1(const I&) { return formulation::Index1{}; }
Formulation ggl(const I&) { return formulation::Ggl{}; }
Formulation projected(const I&) { return formulation::ProjectedInvariants{}; }
// In the index-2 form constraints that are differentiated twice drift.
Formulation index2_or_projected(const I& i) { return i.order == 1 ? Formulation(formulation::Index2{}) : projected(i); }
Formulation original(const I&) { return formulation::Original{}; }

Projection none(const I&) { return projection::None{}; }
Projection both_levels(const I&) { return projection::Coordinates{projection::Levels::Both, projection::Weight::Mass}; }
Projection velocity(const I&) { return projection::Coordinates{projection::Levels::Velocity}; }
Projection stabilize_once(const I&) { return projection::PostStabilization{projection::Stabilizer::Force, 1}; }
Projection invariants(const I&) { return projection::Invariants{}; }

// Methods that may take over during the run. The form stays, so mechanics with dummy derivatives continues with dummy
// derivatives.
Successors nobody(const I&) { return {}; }
Successors series_or_implicit(const I& i) {
  return {.when_stiff = when_stiff_on_the_way(i), .when_not_stiff = taylor(i)};
}
Successors slopes_or_implicit(const I& i) {
  return {.when_stiff = when_stiff_on_the_way(i), .when_not_stiff = adaptive_explicit(i)};
}
Successors projected_slopes_or_radau(const I& i) {
  return {.when_stiff = method::Radau{0}, .when_not_stiff = adaptive_explicit(i)};
}
Successors itself_or_by_smoothness(const I& i) {
  const bool series = unconstrained(i) ? series_is_cheaper(i) : suits_series(i);
  return {.when_stiff = bdf_or_radau(i), .when_not_stiff = series ? taylor(i) : adaptive_explicit(i)};
}

struct Row {
  int number;
  bool (*matches)(const I&);
  Formulation (*formulation)(const I&);
  Method (*method)(const I&);
  Projection (*projection)(const I&);
  const char* reason;
  Successors (*successors)(const I&) = nobody;
};

// clang-format off
constexpr std::array by_tolerance{
    Row{20, [](const I& i) { return i.degrees_of_freedom == 0 && i.kind != Kind::Implicit; },
        dummy, bdf, none, "the model has no states"},
    Row{21, [](const I& i) { return i.kind == Kind::Implicit; },
        dummy, bdf_or_radau_if_sharp, none, "the equations leave fewer states than their structure promises"},
    Row{22, decays_fast,
        dummy, bdf_or_radau, none, "the model is stiff at the start: parts of it decay much faster than the interval is long",
        itself_or_by_smoothness},
    Row{23, [](const I& i) { return unconstrained(i) && !series_is_cheaper(i); },
        dummy, adaptive_explicit, none, "the model is not stiff at the start, and has no constraints",
        slopes_or_implicit},
    Row{24, suits_series,
        dummy, taylor, none, "the model is smooth, small and not stiff at the start: a few long steps are enough",
        series_or_implicit},
    Row{25, [](const I& i) { return has_cheap_slopes(i) && i.smooth; },
        index1, adaptive_explicit, both_levels, "the model is not stiff at the start, and its constraints are easily restored after each step",
        projected_slopes_or_radau},
    Row{26, [](const I&) { return true; },
        dummy, bdf_unless_restarts, none, "nothing more special suits the model",
        slopes_or_implicit},
};

constexpr std::array by_step{
    Row{1, [](const I& i) { return i.constant_linear && i.index > 0 && i.kind != Kind::Implicit; },
        dummy, implicit_method, none, "the model is linear with constant coefficients"},
    Row{2, [](const I& i) { return i.kind == Kind::ExplicitOde && (i.invariants == 0 || stiff(i)); },
        dummy, by_stiffness, none, "these are ordinary differential equations"},
    Row{3, [](const I& i) { return i.kind == Kind::Index1 && (i.invariants == 0 || stiff(i)); },
        dummy, by_stiffness, none, "nothing has to be differentiated"},
    Row{5, [](const I& i) { return i.hamiltonian && i.fixed_step && i.invariants > 0 && i.horizon > long_horizon; },
        original, symplectic, none, "the model is Hamiltonian, the run is long, and a constant step size is wanted"},
    Row{6, [](const I& i) { return unconstrained(i) && !stiff(i); },
        dummy, explicit_method, invariants, "the model is not stiff, and declares invariants"},
    Row{7, [](const I& i) { return i.kind == Kind::Holonomic && is_case(i, Case::Slow) && !heterogeneous(i); },
        index1, explicit_method, velocity, "nothing is stiff, and the constraints turn slowly"},
    Row{8, [](const I& i) { return i.kind == Kind::Nonholonomic && is_case(i, Case::Slow) && !heterogeneous(i); },
        index1, explicit_method, stabilize_once, "nothing is stiff, and there are constraints on velocities only"},
    Row{9, [](const I& i) { return is_case(i, Case::FastConstraints); },
        index2_or_projected, half_explicit_or_bdf, none, "the constraints turn fast, but nothing is stiff"},
    Row{10, [](const I& i) { return is_case(i, Case::StiffFrozen) && !fast(i); },
        ggl, implicit_method, none, "forces are stiff, and the constraints turn slowly"},
    Row{11, [](const I& i) { return constrained(i) && i.measured; },
        projected, implicit_method, none, "the motion of the constraints makes the model stiff, or masses are very different"},
    Row{15, [](const I& i) { return i.kind == Kind::Implicit; },
        dummy, implicit_method, none, "the equations leave fewer states than their structure promises"},
    Row{14, [](const I&) { return true; },
        dummy, implicit_method, none, "nothing more special suits the model"},
};
// clang-format on

using Rows = std::span<const Row>;

Recommendation first_match(Rows table, const I& i) {
  const auto row = std::ranges::find_if(table, [&](const Row& r) { return r.matches(i); });
  return {row->number, row->formulation(i), row->method(i), row->projection(i), row->successors(i), row->reason};
}

}  // namespace

Recommendation decide(const Indicators& i) { return first_match(i.fixed_step ? Rows(by_step) : Rows(by_tolerance), i); }

Recommendation decide_by_form(const Indicators& i) { return first_match(by_step, i); }

Recommendation decide_for(const Method& method, const Indicators& i) {
  Recommendation r = decide_by_form(i);
  r.method = method;
  r.reason += "; the method was given";
  const bool has_constraints = i.constraints > 0 && i.kind != Kind::Implicit;
  if (!has_constraints) return r;
  const bool drifts = std::holds_alternative<formulation::Index1>(r.formulation);
  if (std::holds_alternative<method::ExplicitRungeKutta>(method)) {
    r.formulation = formulation::Index1{};
    if (std::holds_alternative<projection::None>(r.projection)) r.projection = velocity(i);
    return r;
  }
  r.projection = projection::None{};
  if (std::holds_alternative<method::HalfExplicit>(method))
    r.formulation = formulation::Index2{};
  else if (std::holds_alternative<method::Symplectic>(method))
    r.formulation = formulation::Original{};
  else if (drifts && (std::holds_alternative<method::Bdf>(method) || std::holds_alternative<method::Ida>(method)))
    r.formulation = formulation::Dummy{};
  else if (drifts)
    r.formulation = formulation::Ggl{};
  return r;
}

Recommendation decide_for(const Formulation& formulation, const Indicators& i) {
  if (!i.fixed_step)
    return {
        0, formulation, method::Bdf{}, projection::None{}, {}, "the formulation was given, and BDF solves them all"};
  Recommendation r = decide_by_form(i);
  r.reason += "; the formulation was given";
  const bool ordinary = std::holds_alternative<formulation::Index1>(formulation) ||
                        std::holds_alternative<formulation::Baumgarte>(formulation) ||
                        std::holds_alternative<formulation::StabilizedOde>(formulation);
  if (!std::holds_alternative<formulation::Index1>(formulation)) r.projection = projection::None{};
  r.formulation = formulation;
  if (!unconstrained(i))
    r.method = ordinary && i.problem_case() == Case::Slow ? explicit_method(i) : implicit_method(i);
  return r;
}

std::string to_string(const Recommendation& r) {
  std::string what = fmt::format("{}, {}", driftless::to_string(r.formulation), driftless::to_string(r.method));
  if (!std::holds_alternative<projection::None>(r.projection))
    what += fmt::format(", projection {}", driftless::to_string(r.projection));
  return fmt::format("row {}: {}; {}", r.row, what, r.reason);
}

namespace {

std::string words_for(const Method& method, double tolerance) {
  if (const auto* taylor = std::get_if<method::Taylor>(&method))
    return fmt::format("Taylor series of order {}", order_of(*taylor, tolerance));
  if (std::holds_alternative<method::Bdf>(method)) return "BDF, an implicit multistep method";
  if (std::holds_alternative<method::Radau>(method)) return "Radau IIA, an implicit Runge-Kutta method";
  if (std::holds_alternative<method::ExplicitRungeKutta>(method)) return "an explicit Runge-Kutta method";
  return driftless::to_string(method);
}

}  // namespace

std::string in_words(const Recommendation& r, double tolerance) {
  if (r.row == 20) return "none is needed: the model has no states, so its equations are solved at each output point";
  return fmt::format("{}, because {}", words_for(r.method, tolerance), r.reason);
}

}  // namespace driftless::choose
