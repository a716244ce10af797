// The numbers that all stages of an expansion share (expansion.hpp): the inputs of the kernels, the records of all
// stages so far, the factorized system Jacobian, and the factors between coefficients and derivatives; and the inputs
// that one class of equations loads before its unknown coefficients are known, at an order K = k + c >= 1.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "driftless/taylor/convolution.hpp"
#include "driftless/taylor/derivative_factors.hpp"
#include "driftless/taylor/expansion.hpp"
#include "driftless/taylor/recurrences.hpp"
#include "driftless/taylor/series.hpp"
#include "driftless/taylor/square_solver.hpp"
#include "driftless/taylor/straight_line.hpp"
#include "driftless/taylor/whole_vectors.hpp"

namespace driftless::taylor {

template <class Scalar>
struct StageNumbers {
  using Line = std::conditional_t<std::is_same_v<Scalar, double>, CompiledLine, StraightLine<Scalar>>;

  StageNumbers(std::shared_ptr<const Recurrences> recurrences, int last, const Code& code)
      : r(std::move(recurrences)), last_stage(last) {
    make_lines(code);
    prepare();
  }
  // The same formulas and parameters, with numbers of its own.
  StageNumbers(const StageNumbers& other, int last) : r(other.r), last_stage(last), lines(other.lines) {
    prepare();
    const std::size_t parameters = r->system.model->parameters.size();
    std::copy_n(other.inputs.begin() + 1, parameters, inputs.begin() + 1);
  }

  void set_unit(double unit) {
    if (!factors.set_unit(unit)) return;
    for (int k = 1; k <= last_stage; ++k) {
      for (int i = 0; i < n; ++i) row_scale[k * width + i] = -factors.to_derivative(k)[r->system.rows[i].c];
      for (int j = 0; j < n; ++j) unknown_scale[k * width + j] = factors.from_derivative(k)[d_of[j]];
    }
  }

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

  // Loads everything known before the unknown coefficients of the stage.
  void load_class(const Class& c, int k, const Series<Scalar>& series) {
    const int order = k + c.c;
    const Strip<Scalar> convolutions = strip(c, k);
    convolve(std::span(&convolutions, 1), r->record_size);
    load_orders(c, order);
    load_coefficients(c.known, order, series);
    for (const auto& [input, position, delay] : c.readings) inputs[input] = record(k - delay)[position];
  }

  // The convolutions of a class at stage k: orders 1 .. K-1 are in the records of stages 1 - c .. k - 1.
  Strip<Scalar> strip(const Class& c, int k) {
    return {.left = record(1 - c.c) + c.left,
            .right = record(k - 1) + c.right,
            .sums = inputs.data() + c.first_sum,
            .terms = k + c.c - 1,
            .width = c.convolutions};
  }

  std::shared_ptr<const Recurrences> r;
  int last_stage, n = 0, width = 0, d_max = 0, c_max = 0;
  std::vector<Line> lines;
  Numbers<Scalar> inputs, records, solution;
  std::vector<Scalar> residuals;
  std::unique_ptr<SquareSolver<Scalar>> matrix;  // of the system Jacobian
  DerivativeFactors<Scalar> factors;
  Numbers<Scalar> row_scale, unknown_scale;  // by stage, for the solution of its system
  std::vector<int> d_of, d_row;              // by unknown: d, and the place of the coefficient of order d in a series
  ExpansionCounts counts;

 private:
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
    residuals.resize(n), solution.resize(width);
    std::vector<linear::Coordinate> coordinates;
    for (const auto& [row, unknown] : r->jacobian_entries) coordinates.push_back({row, unknown});
    matrix = std::make_unique<SquareSolver<Scalar>>(n, coordinates);
    for (int j = 0; j < n; ++j) {
      d_of.push_back(system.unknowns[j].d);
      d_row.push_back(d_of[j] * width + j);
    }
    make_factors();
  }

  void make_lines(const Code& code) {
    if constexpr (std::is_same_v<Scalar, double>) {
      for (const std::shared_ptr<const Kernel>& kernel : code) lines.emplace_back(kernel);
    } else {
      for (const KernelSource& source : r->sources)
        lines.emplace_back(*r->system.model->pool, source.outputs, r->layout);
    }
  }

  void make_factors() {
    factors = DerivativeFactors<Scalar>(last_stage + c_max + 1, std::max(d_max, c_max) + 1);
    row_scale.resize(static_cast<std::size_t>(last_stage + 1) * width), unknown_scale.resize(row_scale.size());
  }
};

}  // namespace driftless::taylor
