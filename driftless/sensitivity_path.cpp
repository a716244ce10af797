#include "driftless/sensitivity_path.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "driftless/expr/calculus.hpp"
#include "driftless/linear/dense.hpp"
#include "driftless/sensitivity/discrete_values.hpp"
#include "driftless/sensitivity/event_sensitivity.hpp"
#include "driftless/sensitivity/start_sensitivity.hpp"

namespace driftless {

using sensitivity::NotAvailable;

namespace {

constexpr std::ptrdiff_t fewest_steps = 8;  // of an epoch whose points are computed from the states
constexpr double closeness = 1e-6;          // values of discrete variables within this are equal

const Analysis& expect_structure(const Analysis& analysis) {
  if (analysis.array || analysis.base->implicit)
    throw NotAvailable(
        fmt::format("the equations are integrated as {}, by ranks instead of their structure: "
                    "sensitivities need the structure (another formulation)",
                    analysis.hidden ? "implicit" : to_string(analysis.formulation)));
  if (!analysis.model->discrete.delays.empty()) throw NotAvailable("the model contains delay()");
  return analysis;
}

// All parameters that depend on the named ones, are determined at the start, or change at events.
std::vector<bool> moving_parameters(const Model& model, const std::vector<std::string>& names) {
  std::vector<bool> moves(model.parameters.size(), false);
  for (std::size_t p = 0; p < moves.size(); ++p)
    moves[p] = !model.parameters[p].fixed || std::ranges::find(names, model.parameters[p].name) != names.end();
  for (const DiscreteVariable& variable : model.discrete.variables)
    if (variable.type == DiscreteType::Real)
      moves[static_cast<std::size_t>(index(variable.value))] = moves[static_cast<std::size_t>(index(variable.pre))] =
          true;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Binding& binding : model.bindings) {
      if (binding.of != Binding::Of::Parameter || moves[binding.place]) continue;
      moves[binding.place] = any_node(*model.pool, binding.value, [&](NodeId id) {
        const Node& node = (*model.pool)[id];
        return node.op == Op::Parameter && moves[node.a];
      });
      grows |= moves[binding.place];
    }
  }
  return moves;
}

}  // namespace

SensitivityMode::SensitivityMode(const Analysis& given, const std::vector<bool>& moves, Backend backend)
    : analysis(expect_structure(given)),
      array(analysis.model, analysis.base->offsets, moves, 0, backend),
      linearization(array) {}

SensitivityModes::SensitivityModes(const PreparedRun& prepared, const std::vector<std::string>& names, Backend backend)
    : prepared_(prepared), moves_(moving_parameters(*prepared.analysis.model, names)), backend_(backend) {
  if (!prepared_.modes) at({});
}

std::shared_ptr<SensitivityMode> SensitivityModes::at(const std::vector<double>& parameters) {
  int number = 0;
  const PreparedRun* prepared = &prepared_;
  if (prepared_.modes) {
    const PreparedRun::Mode mode = prepared_.mode_at(parameters);
    if (!mode.prepared) throw NotAvailable("the equations of a mode are singular");
    number = mode.number;
    prepared = mode.prepared;
  }
  std::shared_ptr<SensitivityMode>& known = known_[number];
  if (!known) known = std::make_shared<SensitivityMode>(prepared->analysis, moves_, backend_);
  return known;
}

std::shared_ptr<SensitivityMode> SensitivityModes::of(const Epoch& epoch) {
  if (!epoch.contact) return at(epoch.parameters);
  if (epoch.is_weighed)
    throw NotAvailable(fmt::format(
        "from t = {:.9g} on the motion rests on a surface that several reinits lead away from: in which ratio "
        "their forces act is known for these values of the parameters only: choose an earlier stop time",
        epoch.from));
  auto& [analysis, known] = of_contacts_[epoch.contact->model.get()];
  if (!known) {
    std::vector<bool> moves = moves_;
    moves.resize(epoch.contact->model->parameters.size(), false);  // values of relations at which contacts end
    analysis = epoch.contact;
    known = std::make_shared<SensitivityMode>(*analysis, moves, backend_);
  }
  return known;
}

SensitivityPath::SensitivityPath(SensitivityModes& modes, const std::vector<std::string>& names,
                                 const RunInputs& inputs, const Solution& solution, std::vector<Epoch> epochs)
    : modes_(modes), solution_(solution), epochs_(std::move(epochs)) {
  if (epochs_.empty() || solution.segments.empty()) throw NotAvailable("the run kept no dense output");
  const std::shared_ptr<SensitivityMode> first = modes.at(epochs_.front().parameters);
  auto numbers = std::make_shared<Model>(*with_inputs(first->analysis.model, inputs.parameters, inputs.starts));
  for (std::size_t p = 0; p < numbers->parameters.size(); ++p)
    numbers->parameters[p].value = epochs_.front().parameters[p];
  directions_ = sensitivity::directions_of(*numbers, names, inputs.parameters, inputs.starts);
  settings_.tolerance = solution.tolerance > 0.0 ? solution.tolerance : 1e-6;
  settings_.sizes.resize(directions_.size());
  for (Eigen::Index k = 0; k < directions_.size(); ++k)
    settings_.sizes(k) = directions_.all[static_cast<std::size_t>(k)].size;
  find_sides();
  parts_.push_back(make_part(epochs_.front()));
  Part& part = parts_.front();
  quantities(part, solution.start, std::span(solution.values).first(solution.series()), part.right);
  const sensitivity::StartOfRun start{*part.mode->analysis.base, numbers,          solution.start,
                                      part.parameters,           part.mode->array, part.right};
  auto found = sensitivity::start_sensitivity(start, modes.moves(), directions_);
  present_ = std::move(found.quantities);
  without_effect_ = std::move(found.without_effect);
  const sensitivity::LocalPoint point{part.mode->array, solution.start, part.parameters, part.right};
  sensitivity::discrete_at_start(
      point, {present_, directions_.parameters, Eigen::RowVectorXd::Zero(directions_.size())}, closeness, directions_);
  part.of_parameters = directions_.parameters;
  event_times_.emplace_back();
  follow(0);
  for (std::size_t k = 1; k < epochs_.size(); ++k) pass(k);
}

// Rows of equal time are the sides of an event, the last of them the right side of the last event.
void SensitivityPath::find_sides() {
  const std::vector<Epoch>& epochs = epochs_;
  const std::vector<double>& times = solution_.times;
  sides_.resize(epochs.size());
  epoch_of_row_.assign(times.size(), 0);
  std::size_t row = 0;
  for (std::size_t k = 1; k <= epochs.size();) {
    const double t = k < epochs.size() ? epochs[k].from : HUGE_VAL;
    for (; row < times.size() && times[row] < t; ++row) epoch_of_row_[row] = k - 1;
    if (k == epochs.size()) break;
    std::size_t events = 0, rows = 0;
    while (k + events < epochs.size() && epochs[k + events].from == t) ++events;
    while (row + rows < times.size() && times[row + rows] == t) ++rows;
    const std::size_t left = rows > events ? rows - events - 1 : 0;  // rows before it are of the same side
    for (std::size_t r = 0; r < rows; ++r) epoch_of_row_[row + r] = k - 1 + (r > left ? r - left : 0);
    for (std::size_t e = 0; e < events; ++e) {
      if (left + e < rows) sides_[k + e].left = row + left + e;
      if (left + e + 1 < rows) sides_[k + e].right = row + left + e + 1;
    }
    row += rows;
    k += events;
  }
}

SensitivityPath::Part SensitivityPath::make_part(const Epoch& epoch) {
  Part part;
  part.mode = modes_.of(epoch);
  part.parameters = epoch.parameters;
  part.parameters.resize(part.mode->array.model().parameters.size(), 0.0);
  for (int col = 0; col < part.mode->array.cols(); ++col) {
    const auto found = solution_.find(part.mode->array.name(col));
    part.columns.push_back(found && *found < solution_.series() ? static_cast<int>(*found) : -1);
  }
  for (const DiscreteVariable& variable : part.mode->array.model().discrete.variables)
    if (const auto column = solution_.find(variable.name); column && variable.type == DiscreteType::Real)
      part.discrete.emplace_back(static_cast<Eigen::Index>(*column), index(variable.value));
  return part;
}

void SensitivityPath::quantities(Part& part, double t, std::span<const double> series,
                                 std::vector<double>& values) const {
  values.clear();
  bool is_complete = true;
  for (const int column : part.columns) {
    values.push_back(column >= 0 ? series[static_cast<std::size_t>(column)] : std::nan(""));
    is_complete &= !std::isnan(values.back());
  }
  if (!is_complete) complete(part, t, values);
}

// Interpolates the rows of an epoch.
sensitivity::OutputInterpolation SensitivityPath::between_outputs(std::size_t epoch) const {
  const Part& part = parts_[epoch];
  const auto [first, last] = std::ranges::equal_range(epoch_of_row_, epoch);
  std::vector<double> nominal;
  for (int col = 0; col < part.mode->array.cols(); ++col) nominal.push_back(part.mode->array.nominal(col));
  return {solution_,
          static_cast<std::size_t>(first - epoch_of_row_.begin()),
          static_cast<std::size_t>(last - epoch_of_row_.begin()),
          part.columns,
          std::move(nominal),
          settings_.tolerance};
}

// Computes quantities that the run did not deliver from the equations.
void SensitivityPath::complete(Part& part, double t, std::vector<double>& values) const {
  sensitivity::VariationalArray& array = part.mode->array;
  std::vector<int> missing, place(values.size(), -1);
  for (std::size_t col = 0; col < values.size(); ++col)
    if (std::isnan(values[col])) {
      place[col] = static_cast<int>(missing.size());
      missing.push_back(static_cast<int>(col));
      values[col] = 0.0;
    }
  sensitivity::VariationalArray::Point point;
  for (int iteration = 0; iteration < 20; ++iteration) {
    array.evaluate(t, part.parameters, values, point);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(array.rows(), static_cast<Eigen::Index>(missing.size()));
    for (std::size_t e = 0; e < point.slopes.size(); ++e)
      if (const int col = place[static_cast<std::size_t>(array.entries()[e].col)]; col >= 0)
        matrix(array.entries()[e].row, col) += point.slopes[e];
    const std::vector<double>& residual = array.residual(t, part.parameters, values);
    const linear::PivotedQr qr(matrix);
    if (qr.rank() < matrix.cols() || !matrix.allFinite()) break;
    const Eigen::VectorXd step =
        qr.solve(Eigen::VectorXd::Map(residual.data(), static_cast<Eigen::Index>(residual.size())).eval());
    double largest = 0.0;
    for (std::size_t k = 0; k < missing.size(); ++k) {
      double& value = values[static_cast<std::size_t>(missing[k])];
      value -= step(static_cast<Eigen::Index>(k));
      largest = std::max(largest, std::abs(step(static_cast<Eigen::Index>(k))) / (std::abs(value) + 1e-300));
    }
    if (largest < 1e-12) return;
  }
  throw NotAvailable(fmt::format("{} is no result of this run, and at t = {:.9g} the equations do not give its value",
                                 array.name(missing.front()), t));
}

std::vector<double> SensitivityPath::values_at(double t) const {
  try {
    return solution_.at(t);
  } catch (const PointNotSatisfied& error) {
    throw NotAvailable(
        fmt::format("between the steps of the run no point is known at t = {:.9g}: {}", t, error.what()));
  }
}

double SensitivityPath::first_step(double t) const {
  const auto next = std::ranges::upper_bound(solution_.segments, t, {}, &Segment::begin);
  const Segment& segment = next == solution_.segments.begin() ? *next : *std::prev(next);
  return segment.end - segment.begin;
}

// The places at which polynomials of the steps between these times are compared with delivered values; none if this
// does not pay.
std::vector<sensitivity::StepValues::Sample> SensitivityPath::samples(Part& part, double from, double to) const {
  const auto first = std::ranges::upper_bound(solution_.segments, from, {}, &Segment::begin),
             last = std::ranges::lower_bound(solution_.segments, to, {}, &Segment::begin);
  const bool are_its_equations = to_string(part.mode->analysis.formulation) == solution_.formulation;
  if (last - first < fewest_steps || !are_its_equations) return {};
  const Segment& inner = *(first + (last - first) / 2);
  const double t = inner.begin + 0.4 * (inner.end - inner.begin);
  std::vector<double> values;
  try {
    quantities(part, t, values_at(t), values);
  } catch (const NotAvailable&) {
    return {};  // reported later if it is needed
  }
  return {{t, std::move(values)}};
}

// Integrates the sensitivities from the beginning of an epoch to its end.
void SensitivityPath::follow(std::size_t epoch) {
  Part& part = parts_[epoch];
  const double from = epochs_[epoch].from;
  const bool is_last = epoch + 1 == epochs_.size();
  const double to = is_last ? solution_.reached : epochs_[epoch + 1].from;
  if (is_last)
    quantities(part, to, values_at(to), part.left);
  else if (!epochs_[epoch + 1].left.empty())
    quantities(part, to, epochs_[epoch + 1].left, part.left);
  else if (const auto row = sides_[epoch + 1].left)
    quantities(part, to, std::span(solution_.values).subspan(*row * solution_.series(), solution_.series()), part.left);
  else
    throw NotAvailable(fmt::format("the point before the event at t = {:.9g} is not known", to));
  if (!(to > from)) {
    part.left = part.right;
    part.instant = present_;
    return;
  }
  const sensitivity::OutputInterpolation between = between_outputs(epoch);
  const sensitivity::StepValues in_step(solution_, *part.mode->analysis.reduced, part.mode->array, between,
                                        samples(part, from, to));
  const auto at_side = [&](double t, std::vector<double>& values) {
    if (t < to && t > from) return false;
    values = t >= to ? part.left : part.right;
    return true;
  };
  const sensitivity::Trajectory trajectory{
      .exact =
          [&](double t, std::vector<double>& values) {
            if (!at_side(t, values)) quantities(part, t, values_at(t), values);
          },
      .between_outputs = [&](double t,
                             std::vector<double>& values) { return at_side(t, values) || between(t, values); },
      .states = [&](double t, const std::vector<int>& states,
                    std::vector<double>& values) { return in_step(t, states, values); }};
  sensitivity::Follower follower(part.mode->linearization, trajectory, part.parameters, part.of_parameters, settings_);
  present_ = follower(from, to, first_step(from), present_, part.steps);
}

void SensitivityPath::pass(std::size_t epoch) {
  const Epoch& next = epochs_[epoch];
  parts_.push_back(make_part(next));
  Part &before = parts_[epoch - 1], &part = parts_[epoch];
  const auto row = sides_[epoch].right;
  const std::vector<double> series =
      row ? std::vector<double>(solution_.values.begin() + static_cast<std::ptrdiff_t>(*row * solution_.series()),
                                solution_.values.begin() + static_cast<std::ptrdiff_t>((*row + 1) * solution_.series()))
          : values_at(next.from);
  quantities(part, next.from, series, part.right);
  // The same equations on both sides need two linearizations.
  sensitivity::Linearization behind(part.mode->array);
  sensitivity::Linearization ahead(before.mode->array);
  if (!ahead.move_to(next.from, before.parameters, before.left) || !ahead.choose_states())
    throw NotAvailable(fmt::format("before the event at t = {:.9g} the equations are singular", next.from));
  const sensitivity::EventPassage passage{next.from,
                                          {ahead, before.parameters, before.left},
                                          {behind, part.parameters, part.right},
                                          next,
                                          part.mode->analysis.base,
                                          part.mode->jump,
                                          settings_.tolerance};
  sensitivity::EventSensitivity found = sensitivity::pass_event(passage, present_, before.of_parameters);
  event_times_.push_back(std::move(found.time));
  present_ = std::move(found.quantities);
  part.of_parameters = std::move(found.parameters);
  follow(epoch);
}

long SensitivityPath::steps() const {
  long sum = 0;
  for (const Part& part : parts_) sum += static_cast<long>(part.steps.size());
  return sum;
}

std::size_t SensitivityPath::epoch_at(double t) const {
  const auto next = std::ranges::upper_bound(epochs_, t, {}, &Epoch::from);
  return next == epochs_.begin() ? 0 : static_cast<std::size_t>(next - epochs_.begin()) - 1;
}

void SensitivityPath::sensitivities(std::size_t epoch, double t, std::span<const double> series,
                                    Eigen::MatrixXd& result) {
  Part& part = parts_[epoch];
  result.setConstant(static_cast<Eigen::Index>(solution_.series()), directions_.size(), std::nan(""));
  if (part.steps.empty()) {
    all_ = part.instant;
  } else {
    quantities(part, t, series, quantities_);
    sensitivity::sensitivities_at(t, quantities_, part.parameters, part.of_parameters, part.steps,
                                  part.mode->linearization, all_);
  }
  for (Eigen::Index k = 0; k < directions_.size(); ++k)
    for (std::size_t col = 0; col < part.columns.size(); ++col)
      if (part.columns[col] >= 0) result(part.columns[col], k) = all_(static_cast<Eigen::Index>(col), k);
  for (const auto& [column, parameter] : part.discrete) result.row(column) = part.of_parameters.row(parameter);
}

}  // namespace driftless
