#include "driftless/integrate/crossings/time_terms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "driftless/expr/calculus.hpp"
#include "driftless/integrate/system/incidence.hpp"

namespace driftless {
namespace {

constexpr double between_ends = 0.381966011250105;  // where unknowns are held: not at the ends, where some are 0
// Places that are not all multiples of one period.
constexpr std::array<double, 3> irrational_places = {0.414213562373095, 0.236067977499790, 0.732050807568877};
constexpr double follows_parabola = 0.04;     // of the largest slope: slopes may differ from the parabola by this much
constexpr double follows_high_degree = 1e-9;  // the same for the last coefficients of degree 16

bool contains_time(const Pool& pool, NodeId expression) {
  return any_node(pool, expression, [&](NodeId id) { return pool[id].op == Op::Time; });
}

// ColumnsOfRows that rows may determine: slots that are not states at all times, then rates.
class ColumnsOfRows {
 public:
  explicit ColumnsOfRows(const Reduced& reduced) : reduced_(reduced), is_state_(reduced.slots.size(), false) {
    for (const int k : reduced.permanent) is_state_[static_cast<std::size_t>(reduced.kinematics[k].slot)] = true;
  }
  int size() const { return 2 * static_cast<int>(is_state_.size()); }
  int column(const Node& leaf) const {  // -1: a state
    const Reduced::Address& at = reduced_.addresses[leaf.a][leaf.b];
    if (at.place == Place::Rate) return static_cast<int>(is_state_.size()) + at.index;
    return at.place == Place::Slot && !is_state_[static_cast<std::size_t>(at.index)] ? at.index : -1;
  }

 private:
  const Reduced& reduced_;
  std::vector<bool> is_state_;
};

}  // namespace

TimeTerms::TimeTerms(const CompiledSystem& system, const std::shared_ptr<Pool>& shared_pool,
                     std::span<const NodeId> g) {
  Pool& pool = *shared_pool;
  const Reduced& reduced = system.reduced();
  DefinitionsInserted insert(pool, reduced);
  std::vector<NodeId> functions, rows, slopes;
  for (const NodeId function : g) functions.push_back(insert(function));
  collect_rows(reduced, pool, functions, rows);
  const auto take = [&](std::span<const NodeId> expressions) {
    for (const NodeId expression : expressions) {
      if (!contains_time(pool, expression)) continue;
      const NodeId slope = partial(pool, expression, pool.time());
      if (contains_time(pool, slope)) slopes.push_back(slope);
    }
  };
  take(functions);
  const std::size_t in_functions = slopes.size();
  take(rows);
  if (slopes.empty()) return;
  terms_ = slopes.size(), in_rows_ = terms_ - in_functions;
  const KernelSource source{"slopes by time", std::move(slopes)};
  kernel_ = compile(shared_pool, {&source, 1}, system.layout(), Backend::Interpreter).kernels.front();
  inputs_.assign(static_cast<std::size_t>(system.layout().inputs), 0.0);
  y_offset_ = system.y_offset(), yp_offset_ = system.yp_offset();
  work_.resize(kernel_->work_size());
  samples_.assign(Interpolant::highest_degree + 1, std::vector<double>(terms_));
  described_.resize(terms_);
}

// Collects the rows that determine unknowns of the functions, by a matching: the row of an unknown, and recursively
// those of the unknowns in it. All rows if an unknown has none, because it is a state at some times only.
void TimeTerms::collect_rows(const Reduced& reduced, const Pool& pool, std::span<const NodeId> functions,
                             std::vector<NodeId>& out) const {
  const ColumnsOfRows unknowns(reduced);
  const int rows = static_cast<int>(reduced.rows.size());
  std::vector<std::vector<int>> columns_of(reduced.rows.size());
  std::vector<linear::Coordinate> coordinates;
  for (int i = 0; i < rows; ++i)
    for (const NodeId leaf : variables_of(pool, reduced.rows[i].residual))
      if (const int column = unknowns.column(pool[leaf]); column >= 0) {
        columns_of[i].push_back(column);
        coordinates.push_back({i, column});
      }
  const structure::Matching matching = structure::maximum_matching(incidence_of(rows, unknowns.size(), coordinates));
  std::vector<bool> is_reached(static_cast<std::size_t>(unknowns.size()), false);
  std::vector<int> stack;
  const auto reach = [&](int column) {
    if (!is_reached[column]) is_reached[column] = true, stack.push_back(column);
  };
  for (const NodeId function : functions)
    for (const NodeId leaf : variables_of(pool, function))
      if (const int column = unknowns.column(pool[leaf]); column >= 0) reach(column);
  std::vector<bool> takes(reduced.rows.size(), false);
  while (!stack.empty()) {
    const int column = stack.back();
    stack.pop_back();
    const structure::Row row = matching.row_of_col[column];
    if (row == structure::no_row) {
      takes.assign(takes.size(), true);
      break;
    }
    takes[structure::index(row)] = true;
    for (const int next : columns_of[structure::index(row)]) reach(next);
  }
  for (int i = 0; i < rows; ++i)
    if (takes[i]) out.push_back(reduced.rows[i].residual);
}

void TimeTerms::take_parameters(std::span<const double> parameters) {
  if (kernel_) std::ranges::copy(parameters, inputs_.begin() + 1);
}

void TimeTerms::evaluate(double t, std::vector<double>& slopes) {
  inputs_[0] = t;
  (*kernel_)(inputs_.data(), slopes.data(), work_.data());
}

TimeTerms::Speed TimeTerms::look(const End& from, const End& to, bool high_order) {
  for (std::size_t s = 0; s < from.y.size(); ++s) inputs_[y_offset_ + s] = std::lerp(from.y[s], to.y[s], between_ends);
  for (std::size_t s = 0; s < from.yp.size(); ++s)
    inputs_[yp_offset_ + s] = std::lerp(from.yp[s], to.yp[s], between_ends);
  if (high_order) {
    const double middle = std::midpoint(from.t, to.t), half = 0.5 * (to.t - from.t);
    for (int j = 0; j <= Interpolant::highest_degree; ++j)
      evaluate(middle + half * Interpolant::point(j, Interpolant::highest_degree), samples_[j]);
    for (std::size_t k = 0; k < terms_; ++k) described_[k] = is_described_by_high_degree(k);
  } else {
    evaluate(from.t, samples_[0]);
    evaluate(to.t, samples_[1]);
    for (std::size_t j = 0; j < irrational_places.size(); ++j)
      evaluate(from.t + irrational_places[j] * (to.t - from.t), samples_[2 + j]);
    for (std::size_t k = 0; k < terms_; ++k) described_[k] = is_described(k);
  }
  return speed_of(described_);
}

// Judged by the parabola through the slopes at the ends and at one point between.
bool TimeTerms::is_described(std::size_t k) const {
  const double d0 = samples_[0][k], d1 = samples_[1][k], x = irrational_places[0], chord = d1 - d0;
  const double bend = (samples_[2][k] - d0 - x * chord) / (x * (x - 1.0));
  double largest = std::fmax(std::abs(d0), std::abs(d1)), difference = 0.0;
  for (std::size_t j = 1; j < irrational_places.size(); ++j) {
    const double at = irrational_places[j], slope = samples_[2 + j][k];
    difference = std::fmax(difference, std::abs(slope - (d0 + at * (chord + bend * (at - 1.0)))));
    largest = std::fmax(largest, std::abs(slope));
  }
  return difference <= follows_parabola * largest;
}

bool TimeTerms::is_described_by_high_degree(std::size_t k) {
  std::array<double, Interpolant::highest_degree + 1> values;
  for (std::size_t j = 0; j < values.size(); ++j) values[j] = samples_[j][k];
  interpolant_.take(values, Interpolant::highest_degree);
  return interpolant_.tail() <= follows_high_degree * interpolant_.size();
}

TimeTerms::Speed TimeTerms::speed_of(std::span<const char> described) const {
  const auto all = [](std::span<const char> of) { return std::ranges::all_of(of, [](char c) { return c != 0; }); };
  if (!all(described.last(in_rows_))) return Speed::InRows;
  return all(described) ? Speed::Calm : Speed::InFunctions;
}

}  // namespace driftless
