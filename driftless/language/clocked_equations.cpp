// Turns equations of clocks into discrete equations that hold at ticks.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/language/clock_rates.hpp"
#include "driftless/model/hold.hpp"

namespace driftless::language {

namespace {

// The ticks of one clock, as expressions.
struct Ticks {
  NodeId sampling;                                 // true in the round of an event in which samples are taken
  NodeId tick;                                     // true in the round after it
  std::optional<NodeId> seen = {}, interval = {};  // discrete variables, made on demand
};

class ClockedEquations {
 public:
  ClockedEquations(Elaboration& all)
      : all_(all), model_(all.model), pool_(all.pool), partitions_(all), values_(all.clocks.marks.size()) {}

  void finish() {
    rates_ = clock_rates(all_, partitions_);
    check_clocks();
    if (all_.has_errors()) return;
    std::vector<DiscreteEquation> unclocked;
    std::vector<Clocked> clocked;
    for (DiscreteEquation& equation : model_.discrete.equations) {
      const auto partition = partitions_.of_equation(equation);
      if (is_between_clocks(equation)) continue;
      if (partition && partitions_.is_clocked(*partition))
        clocked.push_back({std::move(equation), *partition});
      else
        unclocked.push_back(std::move(equation));
    }
    model_.discrete.equations = std::move(unclocked);
    make_ticks();  // adds variables, which are in no partition
    give_directions(clocked);
    for (Clocked& each : clocked) add(each);
    for (const std::size_t place : all_.clocks.variables) add_clock(place);
    replace_elsewhere();
    for (DiscreteEquation& equation : made_) model_.discrete.equations.push_back(std::move(equation));
  }

 private:
  struct Clocked {
    DiscreteEquation equation;
    std::size_t partition;
    bool done = false;
  };

  NodeId leaf(ParamId id) const { return pool_.parameter(id); }
  NodeId value_of(std::size_t place) const { return leaf(model_.discrete.variables[place].value); }
  NodeId pre_of(std::size_t place) const { return leaf(model_.discrete.variables[place].pre); }

  bool is_between_clocks(const DiscreteEquation& equation) const {
    for (const NodeId side : {equation.left, equation.right})
      if (const auto place = discrete_value(model_, side))
        if (all_.clocks.variables.contains(*place)) return true;
    return false;
  }

  // Every partition needs a clock, and none of its equations may vary between ticks.
  void check_clocks() {
    for (const Equation& equation : model_.equations) {
      const auto partition = partitions_.of_expression(equation.residual);
      if (!partition || !partitions_.is_clocked(*partition)) continue;
      all_.error(
              Code::WrongClock, equation.range,
              fmt::format("{} mixes what lives at the ticks of a clock with what varies continuously", equation.text))
          .note(
              "sample(u) leads to a clock, hold(u) away from it; equations of clocks are solved for one variable each");
    }
    for (const DiscreteEquation& equation : model_.discrete.equations) {
      const auto partition = partitions_.of_equation(equation);
      if (!partition || !partitions_.is_clocked(*partition) || rates_[*partition] || is_between_clocks(equation))
        continue;
      all_.error(Code::WrongClock, equation.range,
                 fmt::format("no clock tells when {} holds, and none can be inferred", equation.text))
          .note("write sample(u, Clock(interval)), or when Clock(interval) then");
    }
  }

  // Adds an auxiliary discrete variable.
  NodeId add_variable(std::string name, DiscreteType type, double start) {
    DiscreteVariable variable;
    variable.name = std::move(name);
    variable.type = type;
    variable.start = type == DiscreteType::Enumeration ? 1.0 : start;
    variable.auxiliary = true;
    return value_of(add_discrete_variable(model_, std::move(variable)));
  }
  NodeId left_limit(NodeId variable) const { return pre_of(*discrete_value(model_, variable)); }

  void add_equation(NodeId variable, NodeId right, const std::string& text, SourceRange range) {
    made_.push_back({variable, right, fmt::format("clock {}", ++clock_equations_), text, range});
  }
  NodeId kept(NodeId variable, const std::string& text, NodeId condition, NodeId value, SourceRange range) {
    add_equation(variable, pool_.if_else(condition, value, left_limit(variable)), text, range);
    return variable;
  }

  // --- ticks

  void make_ticks() {
    std::map<std::size_t, std::vector<std::size_t>> partitions_of;  // by base clock
    for (std::size_t p = 0; p < rates_.size(); ++p)
      if (rates_[p]) partitions_of[rates_[p]->base].push_back(p);
    for (const auto& [base, partitions] : partitions_of) make_ticks(all_.clocks.marks[base], partitions);
  }

  // Ticks are counted in the longest interval of which all periods and first ticks are multiples.
  void make_ticks(const ClockMark& base, const std::vector<std::size_t>& partitions) {
    std::int64_t resolution = 1;
    for (const std::size_t p : partitions)
      resolution = std::lcm(std::lcm(resolution, rates_[p]->period.denominator), rates_[p]->first.denominator);
    const auto counted = [&](Fraction f) { return f.numerator * (resolution / f.denominator); };
    std::int64_t common = 0;
    for (const std::size_t p : partitions)
      common = std::gcd(std::gcd(common, counted(rates_[p]->period)), counted(rates_[p]->first));
    if (base.op == ClockOperator::Event) common = 1;
    const NodeId event = base_event(base, common, resolution);
    std::optional<NodeId> number;
    for (const std::size_t p : partitions) {
      const std::int64_t period = counted(rates_[p]->period) / common, first = counted(rates_[p]->first) / common;
      NodeId sampling = event;
      if (period != 1 || first != 0) {
        if (!number) {
          number = add_variable(base.text + ": number", DiscreteType::Integer, -1.0);
          kept(*number, base.text, event, pool_.add(left_limit(*number), pool_.one()), base.range);
        }
        sampling = conjunction(pool_, event, is_turn(*number, period, first));
      }
      ticks_.emplace(p, with_rounds(sampling, base));
    }
  }

  NodeId is_turn(NodeId number, std::int64_t period, std::int64_t first) {
    const NodeId length = pool_.constant(static_cast<double>(period)),
                 begin = pool_.constant(static_cast<double>(first));
    const NodeId since = pool_.sub(number, begin);
    const NodeId turns = pool_.mul(pool_.unary(Op::Floor, pool_.div(since, length)), length);
    return conjunction(pool_, pool_.binary(Op::LessEqual, begin, number), pool_.binary(Op::Equal, turns, since));
  }

  // Periodic clocks: at all multiples of their interval times common/resolution.
  NodeId base_event(const ClockMark& base, std::int64_t common, std::int64_t resolution) {
    NodeId condition = base.argument.value_or(pool_.zero());
    if (base.op == ClockOperator::Periodic) {
      const ParamId now = add_parameter(model_, Parameter::Role::Flag, base.text, 0.0, base.range);
      model_.discrete.samplings.push_back(
          {pool_.constant(model_.experiment.start),
           pool_.div(pool_.mul(*base.interval, pool_.constant(static_cast<double>(common))),
                     pool_.constant(static_cast<double>(resolution))),
           now, base.range});
      condition = leaf(now);
    } else {
      condition = replaced(condition);
    }
    return becomes_true(model_, condition, base.text, fmt::format("clock {}", ++clock_equations_), base.range);
  }

  Ticks with_rounds(NodeId sampling, const ClockMark& base) {
    const NodeId round = add_variable(base.text + ": sampling", DiscreteType::Boolean, 0.0);
    add_equation(round, sampling, base.text, base.range);
    return {round, left_limit(round)};
  }

  Ticks& ticks_of(std::size_t partition) { return ticks_.at(partition); }

  // --- replacements of marks

  NodeId replaced(NodeId expression) {
    return Substitution(pool_, [&](NodeId id) { return replacement(id); })(expression);
  }

  std::optional<NodeId> replacement(NodeId id) {
    const Node& node = pool_[id];
    if (node.op != Op::Parameter) return std::nullopt;
    const auto known = all_.clocks.mark_of.find(static_cast<std::int32_t>(node.a));
    if (known == all_.clocks.mark_of.end()) return std::nullopt;
    if (!values_[known->second]) values_[known->second] = value_of_mark(known->second);
    return values_[known->second];
  }

  NodeId value_of_mark(std::size_t m) {
    const ClockMark mark = all_.clocks.marks[m];
    const std::size_t partition = partitions_.of_mark(m);
    switch (mark.op) {
      case ClockOperator::Sample: return sampled(mark, partition);
      case ClockOperator::Previous: return left_limit(*mark.argument);
      case ClockOperator::FirstTick: return negation(pool_, left_limit(seen(partition)));
      case ClockOperator::Interval: return interval(mark, partition);
      default: return mark.argument ? kept_argument(mark) : pool_.zero();
    }
  }

  // Discrete values may change at the same event, so their left limits are used.
  NodeId sampled(const ClockMark& mark, std::size_t partition) {
    const NodeId value = Substitution(pool_, [&](NodeId id) -> std::optional<NodeId> {
      const auto place = discrete_value(model_, id);
      return place ? std::optional(pre_of(*place)) : std::nullopt;
    })(replaced(*mark.argument));
    if (!changes_during_run(model_, value)) return value;
    const NodeId variable = add_variable(mark.text, mark.type, 0.0);
    kept(variable, mark.text, ticks_of(partition).sampling, value, mark.range);
    return left_limit(variable);  // sampled in the previous round
  }

  // The argument of hold, subSample and so on, at the last tick of its own clock.
  NodeId kept_argument(const ClockMark& mark) {
    const auto partition = partitions_.of_expression(*mark.argument);
    const NodeId value = replaced(*mark.argument);
    if (value == *mark.argument || !partition || !ticks_.contains(*partition)) return value;
    const NodeId variable = add_variable(mark.text, mark.type, 0.0);
    return kept(variable, mark.text, ticks_of(*partition).tick, value, mark.range);
  }

  NodeId seen(std::size_t partition) {
    Ticks& ticks = ticks_of(partition);
    if (!ticks.seen) {
      ticks.seen = add_variable("a tick has been", DiscreteType::Boolean, 0.0);
      add_equation(*ticks.seen, disjunction(pool_, ticks.tick, left_limit(*ticks.seen)), "ticks", {});
    }
    return *ticks.seen;
  }

  // Constant for a periodic clock, otherwise the time since the last tick.
  NodeId interval(const ClockMark& mark, std::size_t partition) {
    const ClockRate& rate = *rates_[partition];
    const ClockMark& base = all_.clocks.marks[rate.base];
    if (base.op == ClockOperator::Periodic)
      return pool_.mul(*base.interval, pool_.constant(static_cast<double>(rate.period.numerator) /
                                                      static_cast<double>(rate.period.denominator)));
    Ticks& ticks = ticks_of(partition);
    if (!ticks.interval) {
      const NodeId last = add_variable(mark.text + ": last tick", DiscreteType::Real, 0.0);
      kept(last, mark.text, ticks.tick, pool_.time(), mark.range);
      const NodeId length = add_variable(mark.text, DiscreteType::Real, 0.0);
      const NodeId since = pool_.sub(pool_.time(), left_limit(last));
      kept(length, mark.text, ticks.tick, pool_.if_else(left_limit(seen(partition)), since, *base.interval),
           mark.range);
      ticks_of(partition).interval = length;
    }
    return *ticks_of(partition).interval;
  }

  // --- equations

  // The variable that a side is, or whose negation it is.
  std::optional<std::size_t> alone(NodeId side) const {
    const Node& node = pool_[side];
    return discrete_value(model_, node.op == Op::Not ? NodeId{node.a} : side);
  }

  // Decides which equation determines which variable: a = b can determine either. Equations with one candidate come
  // first, then their neighbours; remaining ones form cycles, which can be entered anywhere.
  void give_directions(std::vector<Clocked>& equations) {
    std::map<std::size_t, std::vector<std::size_t>> equations_of;
    std::set<std::size_t> taken;
    std::vector<std::size_t> ready;
    const auto candidates = [&](const Clocked& each) {
      std::vector<std::size_t> list;
      for (const NodeId side : {each.equation.left, each.equation.right})
        if (const auto place = alone(side); place && !taken.contains(*place)) list.push_back(*place);
      return list;
    };
    for (std::size_t k = 0; k < equations.size(); ++k) {
      const auto list = candidates(equations[k]);
      for (const std::size_t place : list) equations_of[place].push_back(k);
      if (list.size() == 1) ready.push_back(k);
    }
    std::size_t next_open = 0;
    while (true) {
      while (next_open < equations.size() && equations[next_open].done) ++next_open;
      if (ready.empty() && next_open == equations.size()) return;
      const std::size_t k = ready.empty() ? next_open : ready.back();
      if (!ready.empty()) ready.pop_back();
      if (std::exchange(equations[k].done, true)) continue;
      const auto list = candidates(equations[k]);
      if (list.empty()) {
        all_.error(Code::WrongClock, equations[k].equation.range,
                   fmt::format("{} has no clocked variable left that it could determine", equations[k].equation.text))
            .note("an equation of a clock gives the variable that stands alone on one side its value");
        continue;
      }
      point_to(equations[k].equation, list.front());
      taken.insert(list.front());
      for (const std::size_t other : equations_of[list.front()])
        if (!equations[other].done) ready.push_back(other);
    }
  }

  // variable = ...
  void point_to(DiscreteEquation& equation, std::size_t variable) const {
    if (alone(equation.left) != variable) std::swap(equation.left, equation.right);
    if (pool_[equation.left].op != Op::Not) return;
    equation.left = NodeId{pool_[equation.left].a};
    equation.right = negation(pool_, equation.right);
  }

  void add(Clocked& each) {
    DiscreteEquation& equation = each.equation;
    const auto place = discrete_value(model_, equation.left);
    if (!place) return;
    const NodeId value = replaced(equation.right);
    equation.right = pool_.if_else(ticks_of(each.partition).tick, value, pre_of(*place));
    model_.discrete.equations.push_back(std::move(equation));
  }

  void add_clock(std::size_t place) {
    const std::size_t partition = partitions_.of_discrete(place);
    const NodeId value = ticks_.contains(partition) ? ticks_of(partition).sampling : pool_.zero();
    add_equation(value_of(place), value, model_.discrete.variables[place].name, model_.discrete.variables[place].range);
  }

  // Replaces hold(u) in unclocked equations.
  void replace_elsewhere() {
    DiscretePart& part = model_.discrete;
    const auto replace = [&](NodeId& expression) { expression = replaced(expression); };
    for (auto* list : {&model_.equations, &model_.initial_equations})
      for (Equation& equation : *list) replace(equation.residual);
    for (Assertion& assertion : model_.assertions) replace(assertion.condition);
    for (auto* list : {&part.equations, &part.initial_equations})
      for (DiscreteEquation& equation : *list) replace(equation.left), replace(equation.right);
    part.held_places.clear();
    for (std::size_t k = 0; k < part.held.size(); ++k) {
      replace(part.held[k].expression);
      part.held_places.try_emplace(part.held[k].expression, k);
    }
    for (Reinit& reinit : part.reinits) replace(reinit.condition), replace(reinit.value);
    for (Termination& termination : part.terminations) replace(termination.condition);
    for (EventAssertion& assertion : part.assertions) replace(assertion.condition);
    for (Delay& delay : part.delays) replace(delay.expression);
  }

  Elaboration& all_;
  Model& model_;
  Pool& pool_;
  ClockPartitions partitions_;
  std::vector<std::optional<ClockRate>> rates_;
  std::map<std::size_t, Ticks> ticks_;         // by partition
  std::vector<std::optional<NodeId>> values_;  // of marks
  std::vector<DiscreteEquation> made_;
  int clock_equations_ = 0;
};

}  // namespace

void finish_clocks(Elaboration& all) {
  if (all.clocks.any()) ClockedEquations(all).finish();
}

}  // namespace driftless::language
