#include "driftless/report/animation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "driftless/expr/calculus.hpp"

namespace driftless::reporting {
namespace {

constexpr std::size_t most_values_in_memory = 8'000'000;

using Places = std::unordered_map<std::string_view, std::size_t>;

Places by_name(const std::vector<Column>& columns) {
  Places places;
  for (std::size_t k = 0; k < columns.size(); ++k) places.emplace(columns[k].name, k);
  return places;
}

}  // namespace

Animation::Animation(const Model& model, Mechanism mechanism) : model_(model), mechanism_(std::move(mechanism)) {
  std::map<NodeId, std::size_t> known;
  for (const AnimatedShape& shape : mechanism_.shapes) {
    std::vector<int>& places = places_.emplace_back();
    for (const NodeId value : shape.values) {
      if (value == at_zero) {
        places.push_back(-1);
        continue;
      }
      const auto [found, is_new] = known.try_emplace(value, expressions_.size());
      if (is_new) expressions_.push_back(value);
      places.push_back(static_cast<int>(found->second));
    }
  }
}

void Animation::begin(const Solution& head) {
  times_.clear(), values_.clear(), sources_.clear(), obstacle_.clear();
  kernel_.reset();
  if (mechanism_.shapes.empty()) return;
  const Places places = by_name(head.columns);
  const KernelSource source{"animation", expressions_};
  inputs_.assign(1 + model_.parameters.size(), 0.0);
  for (std::size_t k = 0; k < model_.parameters.size(); ++k) {
    inputs_[1 + k] = model_.parameters[k].value;
    const auto found = places.find(model_.parameters[k].name);
    if (found == places.end()) continue;
    if (head.columns[found->second].is_parameter)
      inputs_[1 + k] = head.columns[found->second].parameter_value;
    else
      sources_.push_back({1 + k, found->second});
  }
  std::map<std::pair<std::int32_t, int>, int> variables;
  for (const NodeId output : expressions_)
    for (const NodeId leaf : variables_of(*model_.pool, output)) {
      const Node& node = (*model_.pool)[leaf];
      const auto [known, is_new] = variables.try_emplace({static_cast<std::int32_t>(node.a), static_cast<int>(node.b)},
                                                         static_cast<int>(inputs_.size()));
      if (!is_new) continue;
      const std::string name = derivative_name(model_.variables[node.a].name, static_cast<int>(node.b));
      const auto found = places.find(name);
      if (found == places.end()) {
        obstacle_ = fmt::format("the animation needs {}, which the run does not compute", name);
        return;
      }
      sources_.push_back({inputs_.size(), found->second});
      inputs_.push_back(0.0);
    }
  InputLayout layout;
  layout.parameters = static_cast<int>(model_.parameters.size());
  layout.inputs = static_cast<int>(inputs_.size());
  layout.variable = [&variables](VarId id, int order) {
    const auto found = variables.find({index(id), order});
    return found == variables.end() ? -1 : found->second;
  };
  kernel_ = compile(model_.pool, std::span(&source, 1), layout, Backend::Interpreter).kernels.front();
  work_.resize(kernel_->work_size());
  outputs_.resize(coordinates());
}

void Animation::row(double time, std::span<const double> series) {
  if (!kernel_) return;
  if (values_.size() > most_values_in_memory) leave_out_every_second();
  inputs_[0] = time;
  for (const Source& source : sources_) inputs_[source.input] = series[source.series];
  (*kernel_)(inputs_.data(), outputs_.data(), work_.data());
  times_.push_back(time);
  values_.insert(values_.end(), outputs_.begin(), outputs_.end());
}

// Keeps the last time.
void Animation::leave_out_every_second() {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < times_.size(); ++row) {
    if (row % 2 == 1 && row + 1 < times_.size()) continue;
    times_[kept] = times_[row];
    std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * coordinates()), coordinates(),
                values_.begin() + static_cast<std::ptrdiff_t>(kept * coordinates()));
    ++kept;
  }
  times_.resize(kept);
  values_.resize(kept * coordinates());
}

void Animation::shrink(std::size_t most_values) {
  while (values_.size() > most_values && times_.size() > 60) leave_out_every_second();
}

bool Animation::is_elastic(std::size_t shape) const {
  const AnimatedShape& line = mechanism_.shapes[shape];
  const auto n = static_cast<std::size_t>(line.dimension);
  if (line.kind != AnimatedShape::Kind::Line || line.values.size() != 2 * n) return false;
  const std::vector<int>& places = places_[shape];
  double shortest = HUGE_VAL, longest = 0.0;
  for (std::size_t row = 0; row < times_.size(); ++row) {
    const double* values = values_.data() + row * coordinates();
    const auto at = [&](std::size_t k) { return places[k] < 0 ? 0.0 : values[places[k]]; };
    double square = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
      const double difference = at(n + k) - at(k);
      square += difference * difference;
    }
    shortest = std::min(shortest, std::sqrt(square)), longest = std::max(longest, std::sqrt(square));
  }
  return longest - shortest > 0.01 * longest;
}

}  // namespace driftless::reporting
