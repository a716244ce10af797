#include "driftless/language/clock_rates.hpp"

#include <fmt/format.h>

#include <numeric>

namespace driftless::language {

Fraction Fraction::of(std::int64_t numerator, std::int64_t denominator) {
  const std::int64_t common = std::gcd(numerator, denominator);
  return {numerator / common, denominator / common};
}

Fraction operator+(Fraction a, Fraction b) {
  return Fraction::of(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

Fraction operator*(Fraction a, Fraction b) {
  return Fraction::of(a.numerator * b.numerator, a.denominator * b.denominator);
}

namespace {

Fraction inverse(Fraction a) { return {a.denominator, a.numerator}; }
Fraction negative(Fraction a) { return {-a.numerator, a.denominator}; }

// From the clock of an argument to that of the result, or back.
ClockRate follow(const ClockMark& mark, ClockRate from, bool back) {
  ClockRate to = from;
  const Fraction factor{mark.counter, 1};
  switch (mark.op) {
    case ClockOperator::SubSample: to.period = from.period * (back ? inverse(factor) : factor); break;
    case ClockOperator::SuperSample: to.period = from.period * (back ? factor : inverse(factor)); break;
    case ClockOperator::ShiftSample:
    case ClockOperator::BackSample: {
      const Fraction shift = from.period * Fraction::of(mark.counter, mark.resolution);
      to.first = from.first + ((mark.op == ClockOperator::BackSample) == back ? shift : negative(shift));
      break;
    }
    default: break;
  }
  return to;
}

bool is_resampling(const ClockMark& mark) {
  switch (mark.op) {
    case ClockOperator::SubSample:
    case ClockOperator::SuperSample: return mark.counter > 0;
    case ClockOperator::ShiftSample:
    case ClockOperator::BackSample: return true;
    default: return false;
  }
}

class Rates {
 public:
  Rates(Elaboration& all, ClockPartitions& partitions)
      : all_(all), partitions_(partitions), rates_(partitions.size()) {}

  std::vector<std::optional<ClockRate>> find() {
    for (const std::size_t m : partitions_.marks()) {
      const ClockMark& mark = all_.clocks.marks[m];
      if (mark.op == ClockOperator::Periodic || mark.op == ClockOperator::Event) construct(m);
      if (!is_resampling(mark) || !mark.argument) continue;
      if (const auto from = partitions_.of_expression(*mark.argument))
        edges_.push_back({m, *from, partitions_.of_mark(m)});
    }
    std::vector<std::vector<std::size_t>> edges_of(rates_.size());
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      edges_of[edges_[e].from].push_back(e);
      edges_of[edges_[e].to].push_back(e);
    }
    for (std::size_t next = 0; next < known_.size(); ++next)
      for (const std::size_t e : edges_of[known_[next]]) pass(edges_[e], known_[next]);
    for (const std::size_t partition : known_) check(*rates_[partition]);
    return std::move(rates_);
  }

 private:
  struct Edge {
    std::size_t mark, from, to;
  };

  void construct(std::size_t m) {
    const std::size_t partition = partitions_.of_mark(m);
    const ClockMark& mark = all_.clocks.marks[m];
    if (rates_[partition]) {
      const ClockMark& other = all_.clocks.marks[rates_[partition]->base];
      all_.error(Code::WrongClock, mark.range, fmt::format("{} is a second clock for the same variables", mark.text))
          .note(fmt::format("the first one is {}", other.text), other.range)
          .note("sample(hold(u)) leads from one clock to another, if they are not related by subSample and its like");
      return;
    }
    rates_[partition] = ClockRate{m};
    known_.push_back(partition);
  }

  void pass(const Edge& edge, std::size_t partition) {
    if (edge.from == edge.to) {
      if (!(follow(all_.clocks.marks[edge.mark], *rates_[partition], false) == *rates_[partition])) contradict(edge);
      return;
    }
    const bool back = partition == edge.to;
    const ClockRate rate = follow(all_.clocks.marks[edge.mark], *rates_[partition], back);
    const std::size_t other = back ? edge.from : edge.to;
    if (!rates_[other]) {
      rates_[other] = rate;
      known_.push_back(other);
    } else if (!(*rates_[other] == rate)) {
      contradict(edge);
    }
  }

  void contradict(const Edge& edge) {
    const ClockMark& mark = all_.clocks.marks[edge.mark];
    all_.error(Code::WrongClock, mark.range,
               fmt::format("the clock of {} is not the one that its variables have otherwise", mark.text))
        .note("factors that are not given are inferred: subSample(u)");
  }

  void check(const ClockRate& rate) {
    const ClockMark& base = all_.clocks.marks[rate.base];
    if (rate.first.numerator < 0)
      all_.error(Code::WrongClock, base.range, fmt::format("backSample would let {} tick before its start", base.text));
    if (base.op == ClockOperator::Event && (rate.period.denominator != 1 || rate.first.denominator != 1))
      all_.error(Code::WrongClock, base.range,
                 fmt::format("{} is not periodic: nothing can tick between two of its ticks", base.text));
  }

  Elaboration& all_;
  ClockPartitions& partitions_;
  std::vector<std::optional<ClockRate>> rates_;
  std::vector<std::size_t> known_;
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<std::optional<ClockRate>> clock_rates(Elaboration& all, ClockPartitions& partitions) {
  return Rates(all, partitions).find();
}

}  // namespace driftless::language
