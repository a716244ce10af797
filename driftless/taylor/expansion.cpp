#include "driftless/taylor/expansion.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "driftless/taylor/convolution.hpp"
#include "driftless/taylor/derivative_factors.hpp"
#include "driftless/taylor/smallest_correction.hpp"

namespace driftless::taylor {
namespace {

constexpr int most_iterations = 12;
constexpr double long_way = 1e-3;         // relative to the size of the unknowns
constexpr double slow_progress = 0.25;    // from one correction to the next
constexpr double point_precision = 1e-5;  // in units of the precision asked for
constexpr double stagnation = 1e-3;       // of the first correction: what does not become smaller any more is rounding

template <class Scalar>
using Line = std::conditional_t<std::is_same_v<Scalar, double>, CompiledLine, StraightLine<Scalar>>;

// The equations that take part in a stage below 0, with the unknowns in them.
template <class Scalar>
SmallestCorrection<Scalar> corrector_of_stage(const Recurrences& r, int stage) {
  const int rows =
      static_cast<int>(std::ranges::count_if(r.system.rows, [&](const Row& row) { return row.c + stage >= 0; }));
  std::vector<typename SmallestCorrection<Scalar>::Entry> entries;
  for (const auto& [row, unknown] : r.jacobian_entries) {
    if (row >= rows) break;  // rows descend by c, and have no other entries: d_j >= c_i
    entries.push_back({row, unknown, Scalar(r.system.unknowns[unknown].nominal)});
  }
  return {rows, static_cast<int>(r.system.unknowns.size()), std::move(entries)};
}

}  // namespace

template <class Scalar>
struct Expansion<Scalar>::Parts {
  Parts(std::shared_ptr<const Recurrences> recurrences, int last, const Code& code)
      : r(std::move(recurrences)), last_stage(last) {
    make_lines(code);
    prepare();
  }
  Parts(const Parts& other, int last) : r(other.r), last_stage(last), lines(other.lines) {
    prepare();
    const std::size_t parameters = r->system.model->parameters.size();
    std::copy_n(other.inputs.begin() + 1, parameters, inputs.begin() + 1);
  }

  void prepare() {
    const NaturalSystem& system = r->system;
    n = static_cast<int>(system.unknowns.size());
    width = whole_vectors(n);
    for (const Unknown& u : system.unknowns) d_max = std::max(d_max, u.d);
    for (const Row& row : system.rows) c_max = std::max(c_max, row.c);
    inputs.assign(r->layout.inputs, Scalar(0));
    for (std::size_t p = 0; p < system.model->parameters.size(); ++p)
      inputs[1 + p] = Scalar(system.model->parameters[p].value);
    records.assign(static_cast<std::size_t>(last_stage + c_max + 1) * r->record_size, Scalar(0));
    jacobian.resize(r->jacobian_entries.size());
    residuals.resize(n), solution.resize(width);
    for (const Class& c : r->classes) values.resize(std::max<std::size_t>(values.size(), c.factors));
    for (const FunctionValues& f : r->functions) values.resize(std::max<std::size_t>(values.size(), f.number));
    corrections.resize(static_cast<std::size_t>(d_max + 1) * width);
    std::vector<linear::Coordinate> coordinates;
    for (const auto& [row, unknown] : r->jacobian_entries) coordinates.push_back({row, unknown});
    matrix = std::make_unique<SquareSolver<Scalar>>(n, coordinates);
    for (int j = 0; j < n; ++j) {
      d_of.push_back(system.unknowns[j].d);
      d_row.push_back(d_of[j] * width + j);
    }
    make_factors();
    make_levels();
    make_stages();
    make_transfers();
    strips.reserve(r->classes.size());
  }

  void make_lines(const Code& code) {
    if constexpr (std::is_same_v<Scalar, double>) {
      for (const std::shared_ptr<const Kernel>& kernel : code) lines.emplace_back(kernel);
    } else {
      for (const KernelSource& source : r->sources)
        lines.emplace_back(*r->system.model->pool, source.outputs, r->layout);
    }
  }

  // Stages with the same equations share a matrix.
  void make_levels() {
    int rows = -1;
    for (int k = -d_max; k < 0; ++k) {
      const auto taking_part =
          static_cast<int>(std::ranges::count_if(r->system.rows, [&](const Row& row) { return row.c + k >= 0; }));
      if (std::exchange(rows, taking_part) != taking_part) levels.push_back(corrector_of_stage<Scalar>(*r, k));
      level_of_stage.push_back(static_cast<int>(levels.size()) - 1);
    }
  }

  // What a stage up to 0 changes.
  struct EarlyStage {
    struct Coefficient {
      int unknown, order;
    };
    struct Value {
      int input, place;  // in the series
      int order;
    };
    std::vector<Coefficient> unknowns;
    std::vector<Value> values;
  };

  void make_stages() {
    for (int k = -d_max; k <= 0; ++k) {
      EarlyStage& stage = early_stages.emplace_back();
      for (int j = 0; j < n; ++j)
        if (k + d_of[j] >= 0) stage.unknowns.push_back({j, k + d_of[j]});
      for (std::size_t v = 0; v < r->leaves.size(); ++v)
        if (const auto [unknown, m] = r->leaves[v]; m == k + d_of[unknown])
          stage.values.push_back({r->first_value + static_cast<int>(v), m * width + unknown, m});
    }
  }

  void make_factors() {
    factors = DerivativeFactors<Scalar>(last_stage + c_max + 1, std::max(d_max, c_max) + 1);
    row_scale.resize(static_cast<std::size_t>(last_stage + 1) * width), unknown_scale.resize(row_scale.size());
  }

  void set_unit(double unit) {
    if (!factors.set_unit(unit)) return;
    for (int k = 1; k <= last_stage; ++k) {
      for (int i = 0; i < n; ++i) row_scale[k * width + i] = -factors.to_derivative(k)[r->system.rows[i].c];
      for (int j = 0; j < n; ++j) unknown_scale[k * width + j] = factors.from_derivative(k)[d_of[j]];
    }
  }

  // ---- values at order 0

  void load_values(const Series<Scalar>& series) {
    inputs[0] = Scalar(series.begin);
    for (const EarlyStage& stage : early_stages) load_values(stage, series);
    for (const FunctionValues& f : r->functions) evaluate(f);
  }

  void load_values(const EarlyStage& stage, const Series<Scalar>& series) {
    for (const auto& [input, place, order] : stage.values)
      inputs[input] = series.coefficients[place] * factors.to_derivative(0)[order];
  }

  void evaluate(const FunctionValues& f) {
    lines[f.source](inputs.data(), values.data());
    std::copy_n(values.begin(), f.number, inputs.begin() + f.first);
  }
  void evaluate_functions_of(int k) {
    for (const FunctionValues& f : r->functions)
      if (f.stage == k) evaluate(f);
  }

  bool factorize() {
    lines[r->jacobian](inputs.data(), jacobian.data());
    ++counts.jacobians;
    ++counts.factorizations;
    return matrix->factorize(jacobian);
  }
  bool factorize_all() {
    return factorize() &&
           std::ranges::all_of(levels, [&](auto& level) { return level.empty() || level.factorize(jacobian); });
  }

  // ---- one class at one stage, at an order K = k + c >= 1

  Scalar* record(int k) { return records.data() + static_cast<std::ptrdiff_t>(k + c_max) * r->record_size; }

  void load_orders(const Class& c, int order) {
    Scalar* at = inputs.data() + c.order;
    at[0] = Scalar(order);
    at[1] = factors.reciprocal(order);
    at[2] = order == 1 ? Scalar(factors.unit()) : Scalar(0);
    if (const int k = order - c.c; r->whole_stages && k > 0) {
      at[3] = factors.from_derivative(k)[c.c];
      at[4] = factors.to_derivative(k)[c.c];
    }
  }

  void load_coefficients(const std::vector<Class::Coefficient>& list, int order, const Series<Scalar>& series) {
    const Scalar* x = series.at(order);
    const Scalar* factor = factors.to_derivative(order);
    for (const auto& [input, unknown, m] : list) inputs[input] = x[m * width + unknown] * factor[m];
  }

  // All that is known before the unknown coefficients of the stage are.
  void load_class(const Class& c, int k, const Series<Scalar>& series) {
    const int order = k + c.c;
    const Strip<Scalar> convolutions = strip(c, k);
    convolve(std::span(&convolutions, 1), r->record_size);
    load_orders(c, order);
    load_coefficients(c.known, order, series);
    for (const auto& [input, position, delay] : c.readings) inputs[input] = record(k - delay)[position];
  }

  // ---- stages up to 0

  Failure project(Series<Scalar>& series, std::span<const double> weights, double precision) {
    ++counts.projections;
    set_unit(series.unit);
    load_values(series);
    is_expanded = true;
    if (!factorize_all()) return failure_of_matrix();
    if (const Failure failure = solve_stages(series, weights, point_precision * precision); failure != Failure::None)
      return failure;
    const bool is_far = moved > std::max(Scalar(precision), Scalar(16) * epsilon<Scalar>());
    if (is_far && !factorize()) return failure_of_matrix();
    if (!is_far) remaining = std::max(remaining, moved);  // the matrix of the series is that of the prediction
    return Failure::None;
  }

  Failure project_to_rounding(Series<Scalar>& series, std::span<const double> weights) {
    ++counts.projections;
    set_unit(series.unit);
    load_values(series);
    is_expanded = false;
    return factorize_all() ? solve_stages(series, weights, 0.0) : failure_of_matrix();
  }

  Failure solve_stages(Series<Scalar>& series, std::span<const double> weights, double precision) {
    moved = remaining = Scalar(0);
    enough = std::max(Scalar(precision), epsilon<Scalar>());
    for (int k = -d_max; k <= 0; ++k)
      if (const Failure failure = solve_stage(k, series, weights); failure != Failure::None) return failure;
    return Failure::None;
  }

  Failure failure_of_matrix() const {
    return std::ranges::all_of(jacobian, is_finite<Scalar>) ? Failure::Singular : Failure::NoValue;
  }

  Failure solve_stage(int k, Series<Scalar>& series, std::span<const double> weights) {
    const EarlyStage& stage = early_stages[k + d_max];
    Scalar* correction = corrections.data() + (k + d_max) * width;
    std::fill(correction, correction + width, Scalar(0));
    if (k < 0 && levels[level_of_stage[k + d_max]].empty()) return Failure::None;
    if (moved > Scalar(0)) evaluate_functions_of(k);  // what an earlier stage has found is among their arguments
    for (const Class& c : r->classes)
      if (k + c.c > 0) load_class(c, k, series);
    const Scalar rounding = Scalar(1e4) * epsilon<Scalar>();
    Scalar last(std::numeric_limits<double>::max()), first(0);
    for (int iteration = 0;; ++iteration) {
      stage_residuals(k, series);
      ++counts.iterations;
      solve(k);
      Scalar size(0);
      for (const auto& [j, order] : stage.unknowns) {
        Scalar& x = series.at(order)[j];
        const Scalar change = solution[j] * factors.from_derivative(0)[order];
        x += change;
        correction[j] += change;
        const Scalar relative = absolute(change) / (absolute(x) + Scalar(weights[j]));
        if (!(relative <= size)) size = relative;
      }
      load_values(stage, series);
      evaluate_functions_of(k);
      if (!is_finite(size)) return Failure::NoValue;
      moved = std::max(moved, size);
      // The next correction would be smaller by about `moved`, the distance from where the matrix was evaluated, if the
      // equations are bent on the scale of the unknowns. Where they are bent on a much smaller one, as sin(a) is for a
      // = 10⁶, the last two corrections show it.
      const Scalar rate = iteration == 0 ? moved : std::max(moved, size / last);
      if (const Scalar left = size * std::min(rate, Scalar(1)); left <= enough) {
        remaining = std::max(remaining, left);
        break;
      }
      if (iteration >= most_iterations || (iteration > 1 && size > last)) {
        remaining = Scalar(1);
        if (size < rounding) break;
        if (enough == epsilon<Scalar>() && size <= Scalar(stagnation) * first) break;
        return Failure::NoConvergence;
      }
      if (iteration == 0) first = size;
      const bool is_slow = iteration > 0 && size > Scalar(slow_progress) * last && size > rounding;
      last = size;
      // A matrix from so far away makes slow progress. The part that belongs to this stage depends on no later one.
      if (size > Scalar(long_way) || is_slow) {
        moved = Scalar(0);
        for (const FunctionValues& f : r->functions) evaluate(f);
        if (!factorize_all()) return failure_of_matrix();
      }
    }
    if (k < 0 || is_expanded) close_stage(k, series);  // later stages build on it
    return Failure::None;
  }

  // The residuals of all equations that take part, each at its order.
  void stage_residuals(int k, const Series<Scalar>& series) {
    for (std::size_t s = 0; s < r->classes.size(); ++s) {
      const Class& c = r->classes[s];
      const int order = k + c.c;
      if (order < 0) break;
      if (order == 0) {
        lines[r->value_residuals(s)](inputs.data(), residuals.data() + c.first_row);
      } else {
        load_coefficients(c.unknown, order, series);
        lines[r->residuals(s)](inputs.data(), residuals.data() + c.first_row);
      }
      const Scalar factor = -factors.to_derivative(0)[order];
      for (int i = 0; i < c.rows; ++i) residuals[c.first_row + i] *= factor;
    }
  }

  // The correction of the derivatives of order k + d_j, in natural units.
  void solve(int k) {
    if (k < 0)
      levels[level_of_stage[k + d_max]].solve(residuals.data(), {solution.data(), static_cast<std::size_t>(n)});
    else
      matrix->solve(residuals.data(), solution.data());
  }

  void close_stage(int k, const Series<Scalar>& series) {
    for (std::size_t s = 0; s < r->classes.size(); ++s) {
      const Class& c = r->classes[s];
      const int order = k + c.c;
      if (order < 0) break;
      if (order == 0) {
        lines[r->factors(s)](inputs.data(), values.data());
        std::copy_n(values.begin(), c.factors, inputs.begin() + c.first_factor);
      } else {
        load_coefficients(c.unknown, order, series);
        lines[r->records(s)](inputs.data(), record(k) + c.left);
      }
    }
  }

  // ---- stages above 0

  // Where the numbers of a stage come from, of all classes together: positions are relative to the stage.
  struct Transfer {
    int input;
    int from;    // in the series, or in the records
    int factor;  // in the factors of the stage
  };

  void make_transfers() {
    for (const Class& c : r->classes) {
      for (const auto& [input, unknown, m] : c.known)
        known.push_back({input, (c.c + m) * width + unknown, c.c * factors.stride() + m});
      for (const auto& [input, unknown, m] : c.unknown)
        found.push_back({input, (c.c + m) * width + unknown, c.c * factors.stride() + m});
      for (const auto& [input, position, delay] : c.readings)
        readings.push_back({input, position - delay * r->record_size, 0});
    }
  }

  void load(const std::vector<Transfer>& list, int k, const Series<Scalar>& series) {
    const Scalar* x = series.at(k);
    const Scalar* factor = factors.to_derivative(k);
    Scalar* to = inputs.data();
    for (const Transfer& t : list) to[t.input] = x[t.from] * factor[t.factor];
  }

  // The convolutions of a class at stage k: orders 1 .. K-1 stand in the records of stages 1 - c .. k - 1.
  Strip<Scalar> strip(const Class& c, int k) {
    return {.left = record(1 - c.c) + c.left,
            .right = record(k - 1) + c.right,
            .sums = inputs.data() + c.first_sum,
            .terms = k + c.c - 1,
            .width = c.convolutions};
  }

  void expand(Series<Scalar>& series) {
    if (r->whole_stages)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) inputs[r->first_inverse + j * n + i] = matrix->inverse(j, i);
    strips.clear();
    for (const Class& c : r->classes)
      if (c.convolutions > 0) strips.push_back(strip(c, 1));
    for (int k = 1; k <= last_stage; ++k) {
      ++counts.stages;
      convolve(std::span<const Strip<Scalar>>(strips), r->record_size);
      for (Strip<Scalar>& s : strips) s.right += r->record_size, ++s.terms;
      for (const Class& c : r->classes)
        if (c.uses_order) load_orders(c, k + c.c);
      load(known, k, series);
      const Scalar* records_of_stage = record(k);
      for (const Transfer& t : readings) inputs[t.input] = records_of_stage[t.from];
      if (r->whole_stages)
        solve_whole_stage(k, series);
      else
        solve_stage_above_zero(k, series);
    }
  }

  void solve_whole_stage(int k, Series<Scalar>& series) {
    lines[r->all_records](inputs.data(), record(k));
    const Scalar* y = record(k);
    const Scalar* scale = unknown_scale.data() + static_cast<std::ptrdiff_t>(k) * width;
    Scalar* x = series.at(k);
    for (int j = 0; j < n; ++j) x[d_row[j]] = scale[j] * y[j];
  }

  void solve_stage_above_zero(int k, Series<Scalar>& series) {
    lines[r->remainders](inputs.data(), residuals.data());
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(k) * width;
    matrix->solve(residuals.data(), {row_scale.data() + row, unknown_scale.data() + row}, solution.data());
    Scalar* x = series.at(k);
    for (int j = 0; j < n; ++j) x[d_row[j]] = solution[j];
    if (k == last_stage) return;
    load(found, k, series);
    lines[r->all_records](inputs.data(), record(k));
  }

  // Of the records those of the stages up to 0: the others are computed from them.
  void archive(Archive& archive) {
    archive.section("expansion");
    archive.expect(last_stage, "order");
    archive.expect(inputs.size(), "number of formulas");
    double present_unit = factors.unit();
    archive(present_unit);
    set_unit(present_unit);
    Numbers<Scalar> early(records.begin(), records.begin() + (c_max + 1) * r->record_size);
    archive(inputs, early, *matrix);
    std::ranges::copy(early, records.begin());
    for (auto& level : levels) level.archive_pivots(archive);
    archive(counts.projections, counts.iterations, counts.jacobians, counts.factorizations, counts.stages);
  }

  void archive_pivots(Archive& archive) {
    matrix->archive_pivots(archive);
    for (auto& level : levels) level.archive_pivots(archive);
  }

  std::shared_ptr<const Recurrences> r;
  int last_stage, n = 0, width = 0, d_max = 0, c_max = 0;
  std::vector<Line<Scalar>> lines;
  Numbers<Scalar> inputs, records, solution, corrections;
  std::vector<Scalar> values, jacobian, residuals;
  std::vector<Strip<Scalar>> strips;
  std::unique_ptr<SquareSolver<Scalar>> matrix;
  std::vector<SmallestCorrection<Scalar>> levels;
  std::vector<int> level_of_stage;       // from stage -d_max on
  std::vector<EarlyStage> early_stages;  // likewise
  DerivativeFactors<Scalar> factors;
  Numbers<Scalar> row_scale, unknown_scale;  // by stage, for the solution of its system
  std::vector<Transfer> known, found, readings;
  std::vector<int> d_of, d_row;  // by unknown: d, and where the coefficient of order d stands in a series
  Scalar moved{}, enough{};      // of the iterations up to stage 0
  Scalar remaining{};            // of the corrections, after them
  bool is_expanded = true;       // stages above 0 follow
  ExpansionCounts counts;
};

template <class Scalar>
Expansion<Scalar>::Expansion(std::shared_ptr<const Recurrences> recurrences, int last_stage, const Code& code)
    : parts_(std::make_unique<Parts>(std::move(recurrences), last_stage, code)) {}
template <class Scalar>
Expansion<Scalar>::~Expansion() = default;
template <class Scalar>
Expansion<Scalar>::Expansion(Expansion&&) noexcept = default;

template <class Scalar>
Expansion<Scalar>::Expansion(const Expansion& other, int last_stage)
    : parts_(std::make_unique<Parts>(*other.parts_, last_stage)) {}

template <class Scalar>
int Expansion<Scalar>::unknowns() const {
  return parts_->n;
}
template <class Scalar>
void Expansion<Scalar>::set_parameters(std::span<const double> values) {
  for (std::size_t p = 0; p < values.size(); ++p) parts_->inputs[1 + p] = Scalar(values[p]);
}
template <class Scalar>
int Expansion<Scalar>::rows() const {
  return parts_->last_stage + parts_->d_max + 1;
}
template <class Scalar>
Series<Scalar> Expansion<Scalar>::make_series() const {
  return Series<Scalar>(parts_->n, rows());
}
template <class Scalar>
typename Expansion<Scalar>::Failure Expansion<Scalar>::project(Series<Scalar>& series, std::span<const double> weights,
                                                               double precision) {
  return parts_->project(series, weights, precision);
}
template <class Scalar>
typename Expansion<Scalar>::Failure Expansion<Scalar>::project_to_rounding(Series<Scalar>& series,
                                                                           std::span<const double> weights) {
  return parts_->project_to_rounding(series, weights);
}
template <class Scalar>
std::span<const Scalar> Expansion<Scalar>::corrections() const {
  return parts_->corrections;
}
template <class Scalar>
bool Expansion<Scalar>::begins_at_rounding() const {
  return parts_->remaining <= Scalar(16) * epsilon<Scalar>();
}
template <class Scalar>
int Expansion<Scalar>::stages_up_to_zero() const {
  return parts_->d_max + 1;
}
template <class Scalar>
void Expansion<Scalar>::expand(Series<Scalar>& series) {
  parts_->expand(series);
}
template <class Scalar>
const ExpansionCounts& Expansion<Scalar>::counts() const {
  return parts_->counts;
}

template <class Scalar>
void Expansion<Scalar>::archive(Archive& archive) {
  parts_->archive(archive);
}
template <class Scalar>
void Expansion<Scalar>::archive_pivots(Archive& archive) {
  parts_->archive_pivots(archive);
}

template class Expansion<double>;
template class Expansion<long double>;
#ifdef DRIFTLESS_HAS_QUADMATH
template class Expansion<Quadruple>;
#endif

}  // namespace driftless::taylor
