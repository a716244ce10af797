#include "driftless/sensitivity/event_sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "driftless/sensitivity/crossing_time.hpp"
#include "driftless/sensitivity/discrete_values.hpp"
#include "driftless/sensitivity/jump_sensitivity.hpp"
#include "driftless/sensitivity/local_expression.hpp"

namespace driftless::sensitivity {
namespace {

constexpr double same_time = 1e-6;        // derivatives of the same instant from several relations
constexpr double least_closeness = 1e-8;  // within which values on both sides are equal
constexpr double kept_derivative = 1e-3;  // total derivatives of the same quantity on both sides

class Passage {
 public:
  Passage(const EventPassage& passage, const Eigen::MatrixXd& before, const Eigen::MatrixXd& of_parameters)
      : passage_(passage),
        left_array_(passage.left.linearization.array()),
        right_array_(passage.right.linearization.array()),
        model_(left_array_.model()),
        before_(before),
        of_parameters_(of_parameters),
        left_{left_array_, passage.t, passage.left.parameters, passage.left.quantities},
        closeness_(std::max(least_closeness, passage.tolerance)) {}

  EventSensitivity operator()() {
    Linearization& left = passage_.left.linearization;
    if (!left.move_to(passage_.t, passage_.left.parameters, passage_.left.quantities) || !left.factorize())
      throw NotAvailable(fmt::format("at the event at t = {:.9g} the equations are singular", passage_.t));
    rates_ = left.rates(passage_.left.quantities);
    EventSensitivity result;
    result.time = time_of_event();
    total_ = {before_ + rates_ * result.time, of_parameters_, result.time};
    const DiscreteEvent event{passage_.epoch, left_, passage_.right.parameters, closeness_};
    result.parameters = discrete_behind(event, total_);
    find_reinits();
    result.quantities = behind(result);
    return result;
  }

 private:
  [[noreturn]] void refuse(const std::string& reason) const {
    throw NotAvailable(fmt::format("at the event at t = {:.9g} {}", passage_.t, reason));
  }

  Eigen::RowVectorXd time_of_event() const {
    const Epoch& epoch = passage_.epoch;
    Eigen::RowVectorXd time = Eigen::RowVectorXd::Zero(before_.cols());
    bool is_known = false;
    const auto take = [&](const Eigen::RowVectorXd& other) {
      if (is_known &&
          (other - time).cwiseAbs().maxCoeff() > same_time * (other.cwiseAbs() + time.cwiseAbs()).maxCoeff())
        refuse(
            "several relations change at once, whose times move differently: what comes first depends on the "
            "direction");
      time = other;
      is_known = true;
    };
    for (const int k : epoch.held) take(time_of(model_.discrete.held[static_cast<std::size_t>(k)]));
    for (const int k : epoch.samplings) take(time_of(model_.discrete.samplings[static_cast<std::size_t>(k)]));
    return time;
  }

  Eigen::RowVectorXd time_of(const Held& held) const {
    const auto time = crossing_time(held.expression, held.text, {left_, rates_, before_, of_parameters_});
    if (const auto* reason = std::get_if<std::string>(&time)) refuse(*reason);
    return std::get<Eigen::RowVectorXd>(time);
  }

  Eigen::RowVectorXd time_of(const Sampling& sampling) const {
    const double start = value_of(sampling.start, left_), interval = value_of(sampling.interval, left_);
    const double count = std::round((passage_.t - start) / interval);
    const Motion motion{before_, of_parameters_, Eigen::RowVectorXd::Zero(before_.cols())};
    return derivative_of(sampling.start, left_, motion) + count * derivative_of(sampling.interval, left_, motion);
  }

  bool is_same(int right_col) const {
    const int left_col = left_place(right_col);
    if (left_col < 0) return false;
    const double was = passage_.left.quantities[static_cast<std::size_t>(left_col)],
                 is = passage_.right.quantities[static_cast<std::size_t>(right_col)];
    return std::abs(is - was) <= closeness_ * (std::abs(was) + std::abs(is) + right_array_.nominal(right_col));
  }

  int left_place(int right_col) const {
    return left_array_.place(right_array_.quantities()[static_cast<std::size_t>(right_col)]);
  }

  // In the last impact before rest the speed is lost, regardless of reinit.
  void find_reinits() {
    reinit_of_.assign(static_cast<std::size_t>(right_array_.cols()), nullptr);
    if (passage_.epoch.begins_rest) return;
    for (const Reinit& reinit : model_.discrete.reinits) {
      if (std::ranges::find(passage_.epoch.reinits, reinit.label) == passage_.epoch.reinits.end()) continue;
      const int col = right_array_.place({reinit.variable, reinit.order});
      if (col < 0) refuse(fmt::format("{} sets what the equations behind it do not determine", reinit.label));
      const double set = value_of(reinit.value, left_), is = passage_.right.quantities[static_cast<std::size_t>(col)];
      const bool fits = std::abs(set - is) <= closeness_ * (std::abs(set) + std::abs(is) + right_array_.nominal(col));
      if (fits) reinit_of_[static_cast<std::size_t>(col)] = &reinit;
      const auto others = std::ranges::count(model_.discrete.reinits, reinit.label, &Reinit::label);
      if (!fits && others == 1)
        refuse(fmt::format("{} does not have the value of {} that it gives at the point before the event",
                           right_array_.name(col), reinit.text));
    }
  }

  // Does the quantity jump by impulses: is it neither continuous nor set by reinit?
  bool is_struck(int col) const { return !reinit_of_[static_cast<std::size_t>(col)] && !is_same(col); }

  Eigen::RowVectorXd total_behind(int col) const {
    if (totals_) return totals_->row(col);
    if (const Reinit* reinit = reinit_of_[static_cast<std::size_t>(col)])
      return derivative_of(reinit->value, left_, total_);
    return total_.quantities.row(left_place(col));
  }

  // A state may be unchanged by chance although impulses change others. So if any possible state jumps by impulses, the
  // equations of the jump are used for all states.
  void take_jump(const std::vector<int>& states, const Eigen::MatrixXd& parameters) {
    bool is_jump = false;
    for (int col = 0; col < right_array_.cols(); ++col) is_jump |= !right_array_.is_highest(col) && is_struck(col);
    if (!is_jump) return;
    auto found = totals_behind_jump(parameters);
    if (auto* totals = std::get_if<Eigen::MatrixXd>(&found))
      totals_ = std::move(*totals);
    else if (std::ranges::any_of(states, [&](int col) { return is_struck(col); }))
      refuse(std::get<std::string>(found));
  }

  std::variant<Eigen::MatrixXd, std::string> totals_behind_jump(const Eigen::MatrixXd& parameters) const {
    JumpPassage jump{passage_, total_, parameters, {}, closeness_};
    for (int col = 0; col < right_array_.cols(); ++col)
      if (const Reinit* reinit = reinit_of_[static_cast<std::size_t>(col)])
        jump.set.push_back({{{reinit->variable, reinit->order}, value_of(reinit->value, left_)},
                            derivative_of(reinit->value, left_, total_)});
    return behind_jump(jump);
  }

  // Computes the sensitivities of everything from the total derivatives of the states.
  Eigen::MatrixXd behind(const EventSensitivity& event) {
    Linearization& right = passage_.right.linearization;
    std::vector<int> rank;
    for (int col = 0; col < right_array_.cols(); ++col)
      rank.push_back(reinit_of_[static_cast<std::size_t>(col)] ? 2 : is_same(col) ? 1 : 0);
    if (!right.move_to(passage_.t, passage_.right.parameters, passage_.right.quantities) ||
        !right.choose_states(rank) || !right.factorize())
      refuse("the equations behind it are singular");
    const std::vector<int>& states = right.states();
    take_jump(states, event.parameters);
    Eigen::MatrixXd of_states(static_cast<Eigen::Index>(states.size()), before_.cols());
    const Eigen::VectorXd rates = right.rates(passage_.right.quantities);
    if (passage_.epoch.begins_rest) expect_no_instant(states, rates);
    for (std::size_t k = 0; k < states.size(); ++k)
      of_states.row(static_cast<Eigen::Index>(k)) = total_behind(states[k]) - rates(states[k]) * event.time;
    Eigen::MatrixXd all;
    right.complete(of_states, event.parameters, all);
    if (!all.allFinite()) refuse("the sensitivities have no value");
    if (!totals_) check(all, rates, event.time);
    return all;
  }

  // The instant at which rest begins is the limit of infinitely many impacts. Its derivative is not known accurately,
  // and must not matter.
  void expect_no_instant(const std::vector<int>& states, const Eigen::VectorXd& rates) const {
    for (const int col : states) {
      const double was = rates_(left_place(col)), is = rates(col);
      if (std::abs(is - was) > closeness_ * (std::abs(was) + std::abs(is) + right_array_.nominal(col)))
        refuse(fmt::format(
            "rest begins after infinitely many impacts, and {} goes on at another rate: how the instant moves is not "
            "known (choose an earlier stop time)",
            right_array_.name(col)));
    }
  }

  // Continuous quantities must have continuous total derivatives: they do not if a new constraint holds only by chance.
  void check(const Eigen::MatrixXd& all, const Eigen::VectorXd& rates, const Eigen::RowVectorXd& time) const {
    for (int col = 0; col < right_array_.cols(); ++col) {
      if (right_array_.is_highest(col) || reinit_of_[static_cast<std::size_t>(col)] || !is_same(col)) continue;
      const int was = left_place(col);
      if (left_array_.is_highest(was)) continue;
      const Eigen::RowVectorXd moved = rates(col) * time, before = total_.quantities.row(was);
      const Eigen::RowVectorXd gap = (all.row(col) + moved - before).cwiseAbs();
      const double size =
          (all.row(col).cwiseAbs() + moved.cwiseAbs() + before.cwiseAbs() + before_.row(was).cwiseAbs()).maxCoeff();
      const double largest = all.cwiseAbs().maxCoeff();
      if (gap.maxCoeff() > kept_derivative * size && gap.maxCoeff() > 1e-9 * largest)
        refuse(fmt::format("{} is continuous for these values of the parameters, but not for their neighbours",
                           right_array_.name(col)));
    }
  }

  const EventPassage& passage_;
  VariationalArray &left_array_, &right_array_;
  const Model& model_;
  const Eigen::MatrixXd &before_, &of_parameters_;
  LocalPoint left_;
  double closeness_;
  Eigen::VectorXd rates_;
  Motion total_;                           // of everything at the event, before it
  std::vector<const Reinit*> reinit_of_;   // by quantity on the right side
  std::optional<Eigen::MatrixXd> totals_;  // after it, if impulses determine states
};

}  // namespace

EventSensitivity pass_event(const EventPassage& passage, const Eigen::MatrixXd& before,
                            const Eigen::MatrixXd& of_parameters) {
  return Passage(passage, before, of_parameters)();
}

}  // namespace driftless::sensitivity
