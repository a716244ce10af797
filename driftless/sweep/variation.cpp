#include "driftless/sweep/variation.hpp"

#include <cmath>
#include <set>

#include <fmt/format.h>

#include "driftless/choices/options.hpp"
#include "driftless/sweep/numbers.hpp"

namespace driftless::sweep {
namespace {

constexpr std::size_t most_values = 10'000'000;

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char ch : text) {
    if (ch == at)
      parts.emplace_back();
    else if (ch != ' ')
      parts.back() += ch;
  }
  return parts;
}

std::optional<std::uint64_t> whole_number(const std::string& text) {
  const auto number = parse_number(text);
  if (!number || *number < 0.0 || *number > 9e15 || std::floor(*number) != *number) return {};
  return static_cast<std::uint64_t>(*number);
}

using Values = std::vector<double>;

std::variant<Values, std::string> parse_range(const std::vector<std::string>& parts) {
  const bool ratio = parts.size() == 4 && parts[3] == "log";
  if (parts.size() != 3 && !ratio) return "a range is first:last:count, or first:last:count:log";
  const auto first = parse_number(parts[0]), last = parse_number(parts[1]);
  const auto count = whole_number(parts[2]);
  if (!first || !last || !count) return fmt::format("'{}:{}:{}' are not three numbers", parts[0], parts[1], parts[2]);
  if (*count < 1 || *count > most_values)
    return fmt::format("the count {} is not between 1 and {}", parts[2], most_values);
  if (ratio && !(*first > 0.0 && *last > 0.0)) return std::string("a range with a constant ratio needs positive ends");
  if (*count == 1 && *first != *last) return std::string("a range of one value has equal ends");
  Values values;
  for (std::size_t k = 0; k < *count; ++k) {
    const double part = *count == 1 ? 0.0 : static_cast<double>(k) / static_cast<double>(*count - 1);
    values.push_back(k == 0            ? *first
                     : k + 1 == *count ? *last
                     : ratio           ? exp_of(log_of(*first) * (1.0 - part) + log_of(*last) * part)
                                       : *first * (1.0 - part) + *last * part);
  }
  return values;
}

std::variant<Values, std::string> parse_list(const std::vector<std::string>& parts) {
  Values values;
  for (const std::string& part : parts) {
    const auto number = parse_number(part);
    if (!number) return fmt::format("'{}' is not a number", part);
    values.push_back(*number);
  }
  return values;
}

std::optional<std::string> problem_of(const Distribution& d) {
  switch (d.kind) {
    case Distribution::Kind::Uniform:
      if (!(d.a < d.b)) return "uniform(a,b) needs a < b";
      break;
    case Distribution::Kind::Normal:
      if (!(d.b > 0.0)) return "normal(mean,deviation) needs a positive deviation";
      break;
    case Distribution::Kind::Lognormal:
      if (!(d.a > 0.0 && d.b > 1.0 && d.b < 1e30))
        return "lognormal(median,factor) needs a median > 0 and a factor > 1";
      break;
    case Distribution::Kind::Triangular:
      if (!(d.a <= d.b && d.b <= d.c && d.a < d.c)) return "triangular(a,peak,b) needs a <= peak <= b and a < b";
      break;
  }
  return {};
}

std::variant<Distribution, std::string> parse_distribution(const std::string& text) {
  const std::size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  Distribution d;
  std::size_t expected = 2;
  if (name == "uniform")
    d.kind = Distribution::Kind::Uniform;
  else if (name == "normal")
    d.kind = Distribution::Kind::Normal;
  else if (name == "lognormal")
    d.kind = Distribution::Kind::Lognormal;
  else if (name == "triangular")
    d.kind = Distribution::Kind::Triangular, expected = 3;
  else
    return fmt::format("there is no distribution '{}': there are uniform, normal, lognormal and triangular", name);
  if (text.back() != ')') return fmt::format("'{}' has no closing parenthesis", text);
  std::vector<std::string> parts = split(text.substr(open + 1, text.size() - open - 2), ',');
  if (parts.back().starts_with("seed=")) {
    d.seed = whole_number(parts.back().substr(5));
    if (!d.seed) return fmt::format("'{}' is not a whole number", parts.back());
    parts.pop_back();
  }
  if (parts.size() != expected)
    return fmt::format("{} needs {} numbers, and may have seed=N behind them", name, expected);
  double* places[] = {&d.a, &d.b, &d.c};
  for (std::size_t k = 0; k < expected; ++k) {
    const auto number = parse_number(parts[k]);
    if (!number) return fmt::format("'{}' is not a number", parts[k]);
    *places[k] = *number;
  }
  if (const auto problem = problem_of(d)) return *problem;
  return d;
}

double draw(const Distribution& d, std::uint64_t stream, std::uint64_t run) {
  const double p = uniform(stream, run);
  switch (d.kind) {
    case Distribution::Kind::Uniform: return d.a + (d.b - d.a) * p;
    case Distribution::Kind::Normal: return d.a + d.b * normal_quantile(p);
    case Distribution::Kind::Lognormal: return d.a * exp_of(log_of(d.b) * normal_quantile(p));
    case Distribution::Kind::Triangular: {
      const double width = d.c - d.a, rise = (d.b - d.a) / width;
      return p < rise ? d.a + std::sqrt(p * width * (d.b - d.a)) : d.c - std::sqrt((1.0 - p) * width * (d.c - d.b));
    }
  }
  return d.a;
}

std::string text_of(const Variation& variation) {
  if (const auto* values = std::get_if<Values>(&variation.values)) {
    std::string text = variation.name + "=";
    for (const double value : *values) text += fmt::format("{},", value);
    return text;
  }
  const auto& d = std::get<Distribution>(variation.values);
  return fmt::format("{}=~{}({},{},{},{})", variation.name, static_cast<int>(d.kind), d.a, d.b, d.c,
                     d.seed ? std::to_string(*d.seed) : "");
}

}  // namespace

std::variant<Variation, std::string> parse_variation(const std::string& text) {
  // A name may have an equals sign only within quotation marks, as Modelica has them: 'a=b'.
  const std::size_t quoted = text.starts_with('\'') ? text.find('\'', 1) : 0;
  const std::size_t equals = quoted == std::string::npos ? quoted : text.find('=', quoted);
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    return fmt::format("'{}' is not of the form name=values", text);
  Variation variation;
  for (const char ch : text.substr(0, equals))
    if (ch != ' ') variation.name += ch;
  std::string values;
  for (const char ch : text.substr(equals + 1))
    if (ch != ' ') values += ch;
  const auto explained = [&](const std::string& problem) { return fmt::format("'{}': {}", text, problem); };
  if (values.find('(') != std::string::npos) {
    auto parsed = parse_distribution(values);
    if (const auto* problem = std::get_if<std::string>(&parsed)) return explained(*problem);
    variation.values = std::get<Distribution>(parsed);
    return variation;
  }
  auto parsed =
      values.find(':') != std::string::npos ? parse_range(split(values, ':')) : parse_list(split(values, ','));
  if (const auto* problem = std::get_if<std::string>(&parsed)) return explained(*problem);
  variation.values = std::move(std::get<Values>(parsed));
  return variation;
}

std::variant<Plan, std::string> Plan::make(std::vector<Variation> variations, const Options& options) {
  if (variations.empty()) return "nothing varies";
  Plan plan;
  plan.seed_ = options.seed;
  std::set<std::string> names;
  std::size_t combinations = 1;
  bool random = false;
  for (const Variation& variation : variations) {
    if (!names.insert(variation.name).second) return fmt::format("'{}' varies twice", variation.name);
    std::uint64_t stream = 0;
    if (const auto* values = std::get_if<Values>(&variation.values)) {
      if (values->empty()) return fmt::format("'{}' has no values", variation.name);
      if (values->size() > most_values / combinations)
        return fmt::format("the grids have more than {} combinations", most_values);
      combinations *= values->size();
    } else {
      const auto& distribution = std::get<Distribution>(variation.values);
      if (const auto problem = problem_of(distribution)) return *problem;
      stream = stream_of(distribution.seed.value_or(options.seed), variation.name);
      random = true;
    }
    plan.streams_.push_back(stream);
  }
  if (random && !options.runs && combinations == 1) return "random values need a number of runs";
  plan.runs_ = options.runs.value_or(combinations);
  if (plan.runs_ == 0) return "a sweep has at least one run";
  if (plan.runs_ % combinations != 0)
    return fmt::format("{} runs are not a multiple of the {} combinations of the grids", plan.runs_, combinations);
  if (!random && plan.runs_ > combinations)
    return fmt::format("the grids have {} combinations, and nothing is random: {} runs would repeat them", combinations,
                       plan.runs_);
  plan.variations_ = std::move(variations);
  return plan;
}

std::vector<double> Plan::values(std::size_t run) const {
  std::vector<double> result(variations_.size());
  std::size_t rest = run;
  for (std::size_t k = variations_.size(); k-- > 0;) {
    if (const auto* values = std::get_if<Values>(&variations_[k].values)) {
      result[k] = (*values)[rest % values->size()];
      rest /= values->size();
    } else {
      result[k] = draw(std::get<Distribution>(variations_[k].values), streams_[k], run);
    }
  }
  return result;
}

std::string Plan::text() const {
  std::string text = fmt::format("runs {} seed {}", runs_, seed_);
  for (const Variation& variation : variations_) text += " " + text_of(variation);
  return text;
}

}  // namespace driftless::sweep
