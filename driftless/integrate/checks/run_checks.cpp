#include "driftless/integrate/checks/run_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "driftless/compile/kernel.hpp"
#include "driftless/expr/calculus.hpp"

namespace driftless {
namespace {

constexpr std::size_t most_values = 8;
constexpr std::size_t most_bounds = 8;  // remarks
constexpr double is_tiny = 10.0;        // tolerances

std::size_t place_of(const Reduced& reduced, Quantity q) {
  const auto place = std::ranges::lower_bound(reduced.quantities, q);
  return static_cast<std::size_t>(place - reduced.quantities.begin());
}

}  // namespace

RunChecks::RunChecks(const System& system, double tolerance)
    : reduced_(system.reduced()),
      model_(system.model()),
      tolerance_(tolerance),
      parameters_(system.parameters().begin(), system.parameters().end()) {
  find_tiny();
  for (std::size_t j = 0; j < model_.variables.size(); ++j) {
    const Variable& variable = model_.variables[j];
    const VarId id{static_cast<int>(j)};
    const std::size_t quantity = place_of(reduced_, {id, 0});
    const auto slack = [&](double limit) { return tolerance * (std::abs(limit) + variable.nominal); };
    if (std::isfinite(variable.min)) bounds_.push_back({quantity, id, false, variable.min, slack(variable.min)});
    if (std::isfinite(variable.max)) bounds_.push_back({quantity, id, true, variable.max, slack(variable.max)});
  }
  if (model_.assertions.empty()) return;

  struct Conditions {
    std::shared_ptr<const Kernel> kernel;
  };
  const InputLayout layout = system.compiled().layout_of_quantities();
  conditions_ = system.compiled()
                    .part<Conditions>({},
                                      [&] {
                                        KernelSource source{"assertions", {}};
                                        for (const Assertion& a : model_.assertions)
                                          source.outputs.push_back(a.condition);
                                        auto made = compile(model_.pool, {&source, 1}, layout, Backend::Interpreter);
                                        return std::make_shared<const Conditions>(made.kernels.front());
                                      })
                    ->kernel;
  inputs_.assign(static_cast<std::size_t>(layout.inputs), 0.0);
  std::ranges::copy(parameters_, inputs_.begin() + 1);
  outputs_.resize(model_.assertions.size());
  work_.resize(conditions_->work_size());
  warned_.resize(model_.assertions.size());
  values_.resize(reduced_.quantities.size());
}

void RunChecks::take_parameters(std::span<const double> values) {
  parameters_.assign(values.begin(), values.end());
  if (conditions_) std::ranges::copy(parameters_, inputs_.begin() + 1);
}

bool RunChecks::hold(double t, std::span<const double> quantities) {
  violated_ = -1;
  if (conditions_) {
    inputs_[0] = t;
    std::ranges::copy(quantities, inputs_.begin() + 1 + static_cast<std::ptrdiff_t>(model_.parameters.size()));
    (*conditions_)(inputs_.data(), outputs_.data(), work_.data());
    for (std::size_t k = 0; k < outputs_.size() && violated_ < 0; ++k)
      if (fails(k) && model_.assertions[k].level == AssertionLevel::Error) violated_ = static_cast<int>(k);
  }
  if (violated_ >= 0) {  // the run ends before this point: nothing else is recorded
    violated_at_ = t;
    std::ranges::copy(quantities, values_.begin());
    return false;
  }
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    if (fails(k) && (!warned_[k] || t < *warned_[k])) warned_[k] = t;
  look_at_bounds(t, quantities);
  started_ = true;
  return true;
}

bool RunChecks::fails(std::size_t k) const {
  return outputs_[k] == 0.0 && !(model_.assertions[k].only_at_start && started_);
}

void RunChecks::find_tiny() {
  for (const Kinematic& kinematic : reduced_.kinematics) {
    const Quantity q = reduced_.slots[kinematic.slot].quantity;
    const Variable& variable = model_[q.variable];
    const double start = std::abs(variable.start.value_or(0.0));
    if (q.order == 0 && variable.nominal == 1.0 && start > 0.0 && start < is_tiny * tolerance_)
      tiny_.push_back({place_of(reduced_, q), q.variable});
  }
}

// One remark, of the first.
void RunChecks::remark_on_tiny(std::vector<std::string>& remarks) const {
  const auto is_lost = [&](const Tiny& state) { return state.largest < is_tiny * tolerance_; };
  const auto first = std::ranges::find_if(tiny_, is_lost);
  if (first == tiny_.end()) return;
  const auto others = std::ranges::count_if(first + 1, tiny_.end(), is_lost);
  const std::string& name = model_[first->variable].name;
  remarks.push_back(fmt::format(
      "{} stays below {:.2g}, and the tolerance {:.2g} allows it errors of {:.2g}, since its nominal value is 1. Give "
      "it one, {}(nominal = {:.1g}){}",
      name, first->largest, tolerance_, tolerance_, name, first->largest,
      others > 0 ? fmt::format("; {} more states are as small", others) : ""));
}

void RunChecks::look_at_bounds(double t, std::span<const double> quantities) {
  for (Tiny& state : tiny_) state.largest = std::fmax(state.largest, std::abs(quantities[state.quantity]));
  for (Bound& bound : bounds_) {
    const double value = quantities[bound.quantity];
    const double excess = bound.upper ? value - bound.limit : bound.limit - value;
    if (!(excess > bound.slack)) continue;
    if (!bound.first || excess > bound.excess) bound.excess = excess, bound.extreme = value, bound.at = t;
    if (!bound.first || t < *bound.first) bound.first = t;
  }
}

std::string RunChecks::reason() const {
  const Assertion& assertion = model_.assertions[static_cast<std::size_t>(violated_)];
  return fmt::format("assertion violated: {}", assertion.message);
}

std::vector<std::string> RunChecks::details() const {
  const Assertion& assertion = model_.assertions[static_cast<std::size_t>(violated_)];
  const Pool& pool = *model_.pool;
  std::vector<std::string> values;
  for (const NodeId leaf : variables_of(pool, assertion.condition)) {
    const Quantity q{VarId{static_cast<int>(pool[leaf].a)}, static_cast<int>(pool[leaf].b)};
    values.push_back(fmt::format("{} = {:.9g}", reduced_.name(q), values_[place_of(reduced_, q)]));
  }
  for (const NodeId id : nodes_of(pool, assertion.condition))
    if (pool[id].op == Op::Parameter)
      values.push_back(fmt::format("{} = {:.9g}", model_.parameters[pool[id].a].name, parameters_[pool[id].a]));
  if (values.size() > most_values) {
    values.resize(most_values);
    values.push_back("...");
  }
  std::string text = fmt::format("{}: {} does not hold at t = {:.9g}", assertion.label, assertion.text, violated_at_);
  if (!values.empty()) text += fmt::format(", where {}", fmt::join(values, ", "));
  return {std::move(text)};
}

void RunChecks::add_remarks(std::vector<std::string>& remarks) const {
  for (std::size_t k = 0; k < warned_.size(); ++k)
    if (warned_[k])
      remarks.push_back(fmt::format("{}: {} (first at t = {:.6g}, where {} does not hold)", model_.assertions[k].label,
                                    model_.assertions[k].message, *warned_[k], model_.assertions[k].text));
  remark_on_tiny(remarks);
  std::size_t shown = 0, exceeded = 0;
  for (const Bound& bound : bounds_) {
    if (!bound.first || ++exceeded > most_bounds) continue;
    ++shown;
    remarks.push_back(fmt::format("{} is {} its {} = {:.6g} from t = {:.6g} on; the {} value is {:.6g} at t = {:.6g}",
                                  model_[bound.variable].name, bound.upper ? "above" : "below",
                                  bound.upper ? "max" : "min", bound.limit, *bound.first,
                                  bound.upper ? "largest" : "smallest", bound.extreme, bound.at));
  }
  if (exceeded > shown) remarks.push_back(fmt::format("{} further bounds min and max are exceeded", exceeded - shown));
}

}  // namespace driftless
