// For tests of Crossings: functions of time whose held values are searched in steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "driftless/integrate/crossings/crossings.hpp"

namespace driftless::samples {

using Kind = Crossings::Kind;
using Steps = Crossings::Steps;

struct Curve {
  Kind kind;
  std::function<double(double)> g, slope;  // without a slope the search uses values alone
  // The same in powers of (t - a)/(b - a), for searches that are given the polynomials.
  std::function<std::vector<double>(double a, double b)> powers = {};
};

class Search {
 public:
  explicit Search(std::vector<Curve> curves) : curves_(std::move(curves)) {
    std::vector<Crossings::Function> functions;
    for (const Curve& c : curves_) functions.push_back({c.kind, static_cast<bool>(c.slope)});
    crossings_ = Crossings(functions, 1e-8);
  }

  void hold(std::vector<double> values) {
    held_ = std::move(values);
    crossings_.hold(held_);
  }
  void hold_at(double t) {
    std::vector<double> values;
    for (const Curve& c : curves_) values.push_back(Crossings::value(c.kind, c.g(t)));
    hold(values);
  }

  std::optional<Crossings::Found> find(double a, double b, Steps steps = Steps::Short) {
    looks = 0;
    const std::size_t n = curves_.size();
    const auto values = [&](double t, std::span<double> out) {
      ++looks;
      for (std::size_t f = 0; f < n; ++f)
        out[f] = curves_[f].g(t), out[n + f] = curves_[f].slope ? curves_[f].slope(t) : 0.0;
      return true;
    };
    const auto sizes = [&](double, std::span<double> out) { std::ranges::fill(out, size); };
    if (!curves_.front().powers) return crossings_.find(a, b, {values, sizes}, steps);
    std::vector<AlongStep> along;
    for (const Curve& c : curves_) along.push_back({a, b - a, c.powers(a, b)});
    return crossings_.find(a, b, {values, sizes}, steps, std::vector<char>(n, 0), along);
  }
  std::vector<int> crossed() const {
    std::vector<int> places;
    for (const auto& c : crossings_.crossed()) places.push_back(c.function);
    return places;
  }

  struct Event {
    double t;
    std::vector<int> functions;
  };
  // All events between a and b, in steps of a given length.
  std::vector<Event> all(double a, double b, double step, Steps steps) {
    std::vector<Event> events;
    hold_at(a);
    for (double t = a; t < b && events.size() < 1000;) {
      const double end = std::min(t + step, b);
      if (const auto found = find(t, end, steps)) {
        events.push_back({found->at, crossed()});
        for (const auto& c : crossings_.crossed()) held_[c.function] = c.value;
        t = found->at;
        hold(held_);
      } else {
        t = end;
      }
    }
    return events;
  }

  double size = 1.0;
  int looks = 0;

 private:
  std::vector<Curve> curves_;
  Crossings crossings_;
  std::vector<double> held_;
};

inline Curve line(Kind kind, double zero, double slope = 1.0) {
  return {kind, [=](double t) { return slope * (t - zero); }, [=](double) { return slope; }};
}

}  // namespace driftless::samples
