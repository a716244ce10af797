// The stages k > 0 of an expansion (expansion.hpp): linear systems with one matrix, whose right-hand sides are
// convolutions of earlier stages. For few unknowns one kernel computes a whole stage, with the inverse of the matrix.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "driftless/taylor/stage_numbers.hpp"

namespace driftless::taylor {

template <class Scalar>
class StagesAboveZero {
 public:
  explicit StagesAboveZero(StageNumbers<Scalar>& numbers) : s_(numbers) {
    make_transfers();
    strips_.reserve(s_.r->classes.size());
  }

  void expand(Series<Scalar>& series) {
    if (s_.r->whole_stages)
      for (int j = 0; j < s_.n; ++j)
        for (int i = 0; i < s_.n; ++i) s_.inputs[s_.r->first_inverse + j * s_.n + i] = s_.matrix->inverse(j, i);
    strips_.clear();
    for (const Class& c : s_.r->classes)
      if (c.convolutions > 0) strips_.push_back(s_.strip(c, 1));
    for (int k = 1; k <= s_.last_stage; ++k) {
      ++s_.counts.stages;
      convolve(std::span<const Strip<Scalar>>(strips_), s_.r->record_size);
      for (Strip<Scalar>& s : strips_) s.right += s_.r->record_size, ++s.terms;
      for (const Class& c : s_.r->classes)
        if (c.uses_order) s_.load_orders(c, k + c.c);
      load(known_, k, series);
      const Scalar* records_of_stage = s_.record(k);
      for (const Transfer& t : readings_) s_.inputs[t.input] = records_of_stage[t.from];
      if (s_.r->whole_stages)
        solve_whole_stage(k, series);
      else
        solve_stage_above_zero(k, series);
    }
  }

 private:
  // The sources of the numbers of a stage, for all classes together: positions are relative to the stage.
  struct Transfer {
    int input;
    int from;    // in the series, or in the records
    int factor;  // in the factors of the stage
  };

  void make_transfers() {
    for (const Class& c : s_.r->classes) {
      for (const auto& [input, unknown, m] : c.known)
        known_.push_back({input, (c.c + m) * s_.width + unknown, c.c * s_.factors.stride() + m});
      for (const auto& [input, unknown, m] : c.unknown)
        found_.push_back({input, (c.c + m) * s_.width + unknown, c.c * s_.factors.stride() + m});
      for (const auto& [input, position, delay] : c.readings)
        readings_.push_back({input, position - delay * s_.r->record_size, 0});
    }
  }

  void load(const std::vector<Transfer>& list, int k, const Series<Scalar>& series) {
    const Scalar* x = series.at(k);
    const Scalar* factor = s_.factors.to_derivative(k);
    Scalar* to = s_.inputs.data();
    for (const Transfer& t : list) to[t.input] = x[t.from] * factor[t.factor];
  }

  void solve_whole_stage(int k, Series<Scalar>& series) {
    s_.lines[s_.r->all_records](s_.inputs.data(), s_.record(k));
    const Scalar* y = s_.record(k);
    const Scalar* scale = s_.unknown_scale.data() + static_cast<std::ptrdiff_t>(k) * s_.width;
    Scalar* x = series.at(k);
    for (int j = 0; j < s_.n; ++j) x[s_.d_row[j]] = scale[j] * y[j];
  }

  void solve_stage_above_zero(int k, Series<Scalar>& series) {
    s_.lines[s_.r->remainders](s_.inputs.data(), s_.residuals.data());
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(k) * s_.width;
    s_.matrix->solve(s_.residuals.data(), {s_.row_scale.data() + row, s_.unknown_scale.data() + row},
                     s_.solution.data());
    Scalar* x = series.at(k);
    for (int j = 0; j < s_.n; ++j) x[s_.d_row[j]] = s_.solution[j];
    if (k == s_.last_stage) return;
    load(found_, k, series);
    s_.lines[s_.r->all_records](s_.inputs.data(), s_.record(k));
  }

  StageNumbers<Scalar>& s_;
  std::vector<Transfer> known_, found_, readings_;
  std::vector<Strip<Scalar>> strips_;
};

}  // namespace driftless::taylor
