// Requests about states that cannot be met.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "driftless/expr/calculus.hpp"
#include "driftless/reduce/explain.hpp"
#include "driftless/reduce/list_names.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_names = 8;

class Requests {
 public:
  Requests(const Reduced& reduced, Diagnostics& diagnostics)
      : reduced_(reduced), model_(*reduced.model), diagnostics_(diagnostics) {}

  void check() {
    for (const Choice& choice : reduced_.choices) check(choice);
    for (const int k : reduced_.permanent) check_permanent(reduced_.kinematics[k].slot);
    for (const Quantity q : reduced_.quantities)
      if (reduced_.place(q) == Place::Rate) check_permanent(reduced_.slot_of(q));
  }

 private:
  const Variable& variable_of(int slot) const { return model_[reduced_.slots[slot].quantity.variable]; }
  std::string name_of(int slot) const { return reduced_.name(reduced_.slots[slot].quantity); }

  void refuse(const Choice& choice, const Variable& variable) {
    Diagnostic& d = diagnostics_.error(
        Code::CannotBeState, variable.range,
        fmt::format("stateSelect = always, but {} cannot be a state: the equations leave it no freedom",
                    variable.name));
    note_rows(choice, d);
  }

  bool depends_on_others(const Choice& choice) const {
    return std::ranges::any_of(choice.rows, [&](int row) {
      const NodeId residual = model_[reduced_.rows[row].equation].residual;
      return std::ranges::any_of(variables_of(*model_.pool, residual), [&](NodeId leaf) {
        return std::ranges::none_of(choice.kinematics, [&](int k) {
          return index(reduced_.slots[reduced_.kinematics[k].slot].quantity.variable) ==
                 static_cast<int>((*model_.pool)[leaf].a);
        });
      });
    });
  }

  void check(const Choice& choice) {
    const std::size_t candidates = choice.kinematics.size(), rows = choice.rows.size();
    const std::size_t states = candidates - std::min(candidates, rows);
    std::vector<int> always, never;
    for (const int k : choice.kinematics) {
      const int slot = reduced_.kinematics[k].slot;
      if (reduced_.slots[slot].quantity.order > 0) continue;  // the request concerns the variable itself
      if (variable_of(slot).state_select == StateSelect::Always) always.push_back(slot);
      if (variable_of(slot).state_select == StateSelect::Never) never.push_back(slot);
    }
    if (states == 0 && !always.empty()) {
      // A variable given by others, such as an alias or the angle of a joint, is satisfied if these are states.
      if (!depends_on_others(choice)) refuse(choice, variable_of(always.front()));
    } else if (always.size() > states) {
      Diagnostic& d = diagnostics_.error(
          Code::TooManyStatesAskedFor, variable_of(always.front()).range,
          fmt::format("stateSelect = always is asked for {}, but only {} of {} can be {}", names(always), states,
                      names_of_all(choice), states == 1 ? "a state" : "states"));
      note_rows(choice, d);
    } else if (never.size() > rows) {
      Diagnostic& d =
          diagnostics_.error(Code::MustBeState, variable_of(never.front()).range,
                             fmt::format("stateSelect = never is asked for {}, but {} of {} must be {}", names(never),
                                         states, names_of_all(choice), states == 1 ? "a state" : "states"));
      note_rows(choice, d);
    }
  }

  void check_permanent(int slot) {
    const Variable& variable = variable_of(slot);
    if (variable.state_select != StateSelect::Never || reduced_.slots[slot].quantity.order > 0) return;
    diagnostics_
        .error(Code::MustBeState, variable.range,
               fmt::format("stateSelect = never, but {} must be a state: it is known by its derivative "
                           "only, and no constraint determines it",
                           name_of(slot)))
        .note("leave stateSelect out, or write StateSelect.avoid");
  }

  std::string names(const std::vector<int>& slots) const {
    std::vector<std::string> all;
    for (const int slot : slots) all.push_back(name_of(slot));
    return list_names(std::move(all));
  }

  std::string names_of_all(const Choice& choice) const {
    std::vector<int> slots;
    for (const int k : choice.kinematics) slots.push_back(reduced_.kinematics[k].slot);
    return names(slots);
  }

  void note_rows(const Choice& choice, Diagnostic& diagnostic) const {
    for (std::size_t k = 0; k < choice.rows.size() && k < most_names; ++k) {
      const Equation& equation = model_[reduced_.rows[choice.rows[k]].equation];
      diagnostic.note(fmt::format("{} ties them together: {}", equation.label, equation.text));
    }
  }

  const Reduced& reduced_;
  const Model& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

void explain_state_requests(const Reduced& reduced, Diagnostics& diagnostics) {
  Requests(reduced, diagnostics).check();
}

}  // namespace driftless
