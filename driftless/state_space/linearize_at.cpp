#include "driftless/state_space/linearize_at.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driftless/diagnostics/spelling.hpp"
#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/states/dependent_unknowns.hpp"
#include "driftless/integrate/states/selection.hpp"
#include "driftless/linear/factorization.hpp"

namespace driftless {
namespace {

[[noreturn]] void refuse(Code code, std::string reason) { throw NotLinear{code, std::move(reason)}; }

constexpr double preferred = 1e9;  // weight of a requested candidate in the choice of states

class Linearizer {
 public:
  Linearizer(System& system, const System::Point& at, const Selected& selected)
      : system_(system),
        at_(at),
        selected_(selected),
        reduced_(system.reduced()),
        model_(growable(reduced_.model)),
        pool_(*model_->pool),
        problem_(system),
        jacobian_(system.jacobian_entries().size()) {}

  StateSpace operator()() {
    choose_states();
    factorize();
    read_outputs();
    describe();
    for (std::size_t j = 0; j < states_.size(); ++j) move_state(j);
    std::vector<Direction> directions = directions_asked_for();
    result_.B = Matrix(states_.size(), directions.size());
    result_.D = Matrix(outputs_.size(), directions.size());
    for (std::size_t j = 0; j < directions.size(); ++j) move_input(directions[j], j);
    name_inputs(directions);
    return std::move(result_);
  }

 private:
  struct Output {
    struct Part {
      int slot;
      bool rate;
      double slope;
    };
    NodeId value;
    std::vector<Part> parts;
  };

  void choose_states();
  void factorize();
  void read_outputs();
  void describe();
  std::vector<Direction> directions_asked_for();
  void move_state(std::size_t j);
  void move_input(const Direction& direction, std::size_t column);
  void spread(std::size_t column, Matrix& by_rates, Matrix& by_outputs, int moved_slot);
  void name_inputs(const std::vector<Direction>& directions);

  Quantity quantity_named(const std::string& name) const;
  double value_at_point(NodeId expression) const;
  double change_of(int slot, bool rate, int moved_slot) const;

  System& system_;
  System::Point at_;
  const Selected& selected_;
  const Reduced& reduced_;
  std::shared_ptr<const Model> model_;
  Pool& pool_;
  Problem problem_;
  std::vector<double> jacobian_;
  std::vector<int> states_;              // slots
  std::vector<int> candidates_;          // of each state: its kinematic relation, or -1: the rows determine its rate
  std::vector<std::vector<int>> rates_;  // of each state with a relation: entries of the Jacobian that are its slopes
  std::vector<std::vector<int>> by_state_;  // by slot: entries of rows
  std::optional<DependentUnknowns> dependent_;
  std::unique_ptr<linear::Factorization> factors_;
  std::vector<double> change_;  // of the unknowns
  std::vector<Output> outputs_;
  StateSpace result_;
};

Quantity Linearizer::quantity_named(const std::string& name) const {
  std::vector<std::string> names;
  for (const Quantity q : reduced_.quantities) {
    names.push_back(reduced_.name(q));
    if (names.back() == name) return q;
  }
  const auto is_discrete = std::ranges::any_of(model_->discrete.variables,
                                               [&](const DiscreteVariable& variable) { return variable.name == name; });
  if (is_discrete) refuse(Code::WrongInput, fmt::format("'{}' changes at events only", name));
  refuse(Code::UnknownName, fmt::format("the equations of {} contain no variable '{}'{}", model_->name, name,
                                        did_you_mean(name, std::vector<std::string_view>(names.begin(), names.end()))));
}

void Linearizer::choose_states() {
  std::vector<int> wanted;
  for (const std::string& name : selected_.states) {
    const Quantity q = quantity_named(name);
    if (reduced_.place(q) != Place::Slot)
      refuse(Code::CannotBeState, fmt::format("'{}' follows from others: it is no state", name));
    wanted.push_back(reduced_.slot_of(q));
  }
  Reduced weighted = reduced_;
  for (Choice& choice : weighted.choices)
    for (std::size_t j = 0; j < choice.kinematics.size(); ++j)
      if (std::ranges::find(wanted, reduced_.kinematics[choice.kinematics[j]].slot) != wanted.end())
        choice.preference[j] *= preferred;
  StateSelection selection(weighted, system_.choice_entries(), 1.0);
  std::vector<double> values(system_.choice_values());
  system_.choices(at_, values);
  if (!selection.choose(values))
    refuse(Code::SingularPoint, fmt::format("at t = {:.9g} the constraints lose rank: {} depends on the others", at_.t,
                                            problem_.name_of_equation(selection.dependent_row())));
  problem_.set_states(selection.active());
  std::vector<int> candidate_of(reduced_.slots.size(), -1);
  for (const int candidate : selection.active()) candidate_of[reduced_.kinematics[candidate].slot] = candidate;
  for (int s = 0; s < system_.size(); ++s) {
    if (!problem_.is_whole_state(s)) continue;
    states_.push_back(s);
    candidates_.push_back(candidate_of[s]);
  }
  for (std::size_t k = 0; k < wanted.size(); ++k)
    if (std::ranges::find(states_, wanted[k]) == states_.end())
      refuse(Code::CannotBeState,
             fmt::format("'{}' cannot be a state here: the constraints determine it from the other states",
                         selected_.states[k]));
}

void Linearizer::factorize() {
  system_.jacobian(at_, jacobian_);
  if (!std::ranges::all_of(jacobian_, [](double value) { return std::isfinite(value); }))
    refuse(Code::NoValueInRun, fmt::format("at t = {:.9g} some slope of the equations does not exist", at_.t));
  dependent_.emplace(dependent_unknowns(problem_));
  if (dependent_->equations != dependent_->unknowns.size())
    refuse(Code::SingularPoint, "the equations do not determine everything but the states");
  const linear::Assembly assembly = linear::assemble(dependent_->equations, dependent_->coordinates);
  std::vector<double> values(assembly.pattern.rows.size(), 0.0);
  for (std::size_t k = 0; k < dependent_->entries.size(); ++k)
    values[assembly.position[k]] += jacobian_[dependent_->entries[k]];
  change_.resize(static_cast<std::size_t>(dependent_->equations));
  if (dependent_->equations > 0) {
    factors_ = linear::make_factorization(assembly.pattern);
    if (!factors_->factorize(values))
      refuse(Code::SingularPoint,
             fmt::format("at t = {:.9g} the equations do not determine everything but the states", at_.t));
  }
  rates_.resize(states_.size());
  by_state_.resize(reduced_.slots.size());
  std::vector<int> state_of_candidate(reduced_.kinematics.size(), -1);
  for (std::size_t j = 0; j < states_.size(); ++j)
    if (candidates_[j] >= 0) state_of_candidate[candidates_[j]] = static_cast<int>(j);
  const auto& entries = system_.jacobian_entries();
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e].row < system_.rows()) {
      if (!entries[e].rate) by_state_[entries[e].slot].push_back(static_cast<int>(e));
    } else if (const int j = state_of_candidate[entries[e].row - system_.rows()]; j >= 0) {
      rates_[j].push_back(static_cast<int>(e));
    }
  }
}

double Linearizer::value_at_point(NodeId expression) const {
  return evaluate(pool_, expression, [&](NodeId leaf) {
    const Node& node = pool_[leaf];
    if (node.op == Op::Time) return at_.t;
    if (node.op == Op::Parameter) return system_.parameters()[node.a];
    const Quantity q{VarId{static_cast<std::int32_t>(node.a)}, static_cast<int>(node.b)};
    const int slot = reduced_.slot_of(q);
    return reduced_.place(q) == Place::Rate ? at_.yp[slot] : at_.y[slot];
  });
}

void Linearizer::read_outputs() {
  for (const std::string& name : selected_.outputs) {
    Output output{reduced_.value_of(quantity_named(name)), {}};
    for (const Partial& partial : gradient(pool_, output.value)) {
      const Node& leaf = pool_[partial.leaf];
      const Quantity q{VarId{static_cast<std::int32_t>(leaf.a)}, static_cast<int>(leaf.b)};
      const double slope = value_at_point(partial.derivative);
      if (!std::isfinite(slope))
        refuse(Code::NoValueInRun, fmt::format("at t = {:.9g} the slope of '{}' does not exist", at_.t, name));
      output.parts.push_back({reduced_.slot_of(q), reduced_.place(q) == Place::Rate, slope});
    }
    outputs_.push_back(std::move(output));
  }
}

void Linearizer::describe() {
  result_.model = model_->name;
  result_.t = at_.t;
  result_.outputs = selected_.outputs;
  std::vector<double> rows_and_rates(static_cast<std::size_t>(system_.rows() + system_.candidates()));
  system_.rows_and_rates(at_, rows_and_rates);
  for (std::size_t j = 0; j < states_.size(); ++j) {
    const int slot = states_[j];
    result_.states.push_back(reduced_.name(reduced_.slots[slot].quantity));
    result_.x.push_back(at_.y[slot]);
    result_.rates.push_back(candidates_[j] < 0 ? at_.yp[slot] : rows_and_rates[system_.rows() + candidates_[j]]);
  }
  for (const Output& output : outputs_) result_.y.push_back(value_at_point(output.value));
  result_.A = Matrix(states_.size(), states_.size());
  result_.C = Matrix(outputs_.size(), states_.size());
}

double Linearizer::change_of(int slot, bool rate, int moved_slot) const {
  const int column = dependent_->unknowns.column(slot, rate);
  if (column >= 0) return change_[column];
  return !rate && slot == moved_slot ? 1.0 : 0.0;
}

// The chain rule, once the changes of the unknowns are known. The direct effect of p is added by `move_input`.
void Linearizer::spread(std::size_t column, Matrix& by_rates, Matrix& by_outputs, int moved_slot) {
  const auto& entries = system_.jacobian_entries();
  for (std::size_t i = 0; i < states_.size(); ++i) {
    double sum = 0.0;
    if (candidates_[i] < 0) sum = change_of(states_[i], true, moved_slot);
    for (const int e : rates_[i]) {
      const auto& entry = entries[e];
      sum += jacobian_[e] * change_of(entry.slot, entry.rate, moved_slot);
    }
    by_rates(i, column) += sum;
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    for (const Output::Part& part : outputs_[i].parts)
      by_outputs(i, column) += part.slope * change_of(part.slot, part.rate, moved_slot);
}

void Linearizer::move_state(std::size_t j) {
  std::ranges::fill(change_, 0.0);
  for (const int e : by_state_[states_[j]]) change_[system_.jacobian_entries()[e].row] -= jacobian_[e];
  if (factors_) factors_->solve(change_);
  spread(j, result_.A, result_.C, states_[j]);
}

std::vector<Direction> Linearizer::directions_asked_for() {
  std::vector<Direction> directions;
  const DirectionsAt at{*model_, at_.t, system_.parameters(), reduced_.offsets.d, selected_.given};
  for (const std::string& name : selected_.inputs) {
    auto found = directions_of(at, name);
    if (const auto* reason = std::get_if<std::string>(&found)) refuse(Code::WrongInput, *reason);
    for (Direction& one : std::get<std::vector<Direction>>(found)) {
      if (index(one.variable) >= 0) one.value = value_at_point(reduced_.value_of({one.variable, one.order}));
      directions.push_back(std::move(one));
    }
  }
  return directions;
}

void Linearizer::move_input(const Direction& direction, std::size_t column) {
  std::vector<double> rates(model_->parameters.size(), 0.0);
  for (const auto& [parameter, rate] : direction.rates) rates[parameter] = rate;
  Differential differential(
      pool_, [&](NodeId leaf) { return pool_.constant(pool_[leaf].op == Op::Parameter ? rates[pool_[leaf].a] : 0.0); });
  const auto slope_of = [&](NodeId expression) {
    const NodeId slope = differential(expression);
    const double value = pool_.is_constant(slope, 0.0) ? 0.0 : value_at_point(slope);
    if (!std::isfinite(value))
      refuse(Code::NoValueInRun, fmt::format("at t = {:.9g} some slope by '{}' does not exist", at_.t, direction.name));
    return value;
  };
  std::ranges::fill(change_, 0.0);
  for (std::size_t r = 0; r < reduced_.rows.size(); ++r) change_[r] = -slope_of(reduced_.rows[r].residual);
  if (factors_) factors_->solve(change_);
  spread(column, result_.B, result_.D, -1);
  for (std::size_t i = 0; i < states_.size(); ++i)
    if (candidates_[i] >= 0) result_.B(i, column) += slope_of(reduced_.kinematics[candidates_[i]].rate);
  for (std::size_t i = 0; i < outputs_.size(); ++i) result_.D(i, column) += slope_of(outputs_[i].value);
}

// Derivatives of inputs that nothing depends on are left out.
void Linearizer::name_inputs(const std::vector<Direction>& directions) {
  const auto acts = [&](std::size_t j) {
    if (directions[j].order == 0) return true;
    for (std::size_t i = 0; i < states_.size(); ++i)
      if (result_.B(i, j) != 0.0) return true;
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      if (result_.D(i, j) != 0.0) return true;
    return false;
  };
  std::vector<std::size_t> kept;
  for (std::size_t j = 0; j < directions.size(); ++j)
    if (acts(j)) kept.push_back(j);
  const auto only_kept = [&](const Matrix& all) {
    Matrix some(all.rows, kept.size());
    for (std::size_t i = 0; i < all.rows; ++i)
      for (std::size_t k = 0; k < kept.size(); ++k) some(i, k) = all(i, kept[k]);
    return some;
  };
  result_.B = only_kept(result_.B);
  result_.D = only_kept(result_.D);
  for (const std::size_t j : kept) {
    result_.inputs.push_back(directions[j].name);
    result_.u.push_back(directions[j].value);
  }
}

}  // namespace

std::variant<StateSpace, NotLinear> linearize_at(System& system, const System::Point& at, const Selected& selected) {
  const Reduced& reduced = system.reduced();
  if (reduced.implicit)
    return NotLinear{Code::NotSupported,
                     "its equations have fewer states than their structure promises, and none of them were chosen"};
  if (std::ranges::any_of(reduced.choices, [](const Choice& choice) { return !choice.roles.empty(); }))
    return NotLinear{Code::NotSupported,
                     "a derivative array has more unknowns than the model: linearize it in another formulation"};
  if (!reduced.model->discrete.delays.empty())
    return NotLinear{Code::NotSupported, "delayed values are no states: it has infinitely many modes"};
  try {
    return Linearizer(system, at, selected)();
  } catch (NotLinear& refused) {
    return std::move(refused);
  }
}

}  // namespace driftless
