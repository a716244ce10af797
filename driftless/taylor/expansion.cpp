#include "driftless/taylor/expansion.hpp"

#include <algorithm>
#include <utility>

#include "driftless/taylor/stage_numbers.hpp"
#include "driftless/taylor/stages_above_zero.hpp"
#include "driftless/taylor/stages_up_to_zero.hpp"

namespace driftless::taylor {

template <class Scalar>
struct Expansion<Scalar>::Parts {
  Parts(std::shared_ptr<const Recurrences> recurrences, int last, const Code& code)
      : numbers(std::move(recurrences), last, code), early(numbers), late(numbers) {}
  Parts(const Parts& other, int last) : numbers(other.numbers, last), early(numbers), late(numbers) {}

  // Of the records those of the stages up to 0: the others are computed from them.
  void archive(Archive& archive) {
    StageNumbers<Scalar>& s = numbers;
    archive.section("expansion");
    archive.expect(s.last_stage, "order");
    archive.expect(s.inputs.size(), "number of formulas");
    double present_unit = s.factors.unit();
    archive(present_unit);
    s.set_unit(present_unit);
    Numbers<Scalar> records(s.records.begin(), s.records.begin() + (s.c_max + 1) * s.r->record_size);
    archive(s.inputs, records, *s.matrix);
    std::ranges::copy(records, s.records.begin());
    early.archive_pivots(archive);
    archive(s.counts.projections, s.counts.iterations, s.counts.jacobians, s.counts.factorizations, s.counts.stages);
  }

  void archive_pivots(Archive& archive) {
    numbers.matrix->archive_pivots(archive);
    early.archive_pivots(archive);
  }

  StageNumbers<Scalar> numbers;
  StagesUpToZero<Scalar> early;
  StagesAboveZero<Scalar> late;
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
  return parts_->numbers.n;
}
template <class Scalar>
void Expansion<Scalar>::set_parameters(std::span<const double> values) {
  for (std::size_t p = 0; p < values.size(); ++p) parts_->numbers.inputs[1 + p] = Scalar(values[p]);
}
template <class Scalar>
int Expansion<Scalar>::rows() const {
  return parts_->numbers.last_stage + parts_->numbers.d_max + 1;
}
template <class Scalar>
Series<Scalar> Expansion<Scalar>::make_series() const {
  return Series<Scalar>(parts_->numbers.n, rows());
}
template <class Scalar>
typename Expansion<Scalar>::Failure Expansion<Scalar>::project(Series<Scalar>& series, std::span<const double> weights,
                                                               double precision) {
  return parts_->early.project(series, weights, precision);
}
template <class Scalar>
typename Expansion<Scalar>::Failure Expansion<Scalar>::project_to_rounding(Series<Scalar>& series,
                                                                           std::span<const double> weights) {
  return parts_->early.project_to_rounding(series, weights);
}
template <class Scalar>
std::span<const Scalar> Expansion<Scalar>::corrections() const {
  return parts_->early.corrections();
}
template <class Scalar>
bool Expansion<Scalar>::begins_at_rounding() const {
  return parts_->early.remaining() <= Scalar(16) * epsilon<Scalar>();
}
template <class Scalar>
int Expansion<Scalar>::stages_up_to_zero() const {
  return parts_->numbers.d_max + 1;
}
template <class Scalar>
void Expansion<Scalar>::expand(Series<Scalar>& series) {
  parts_->late.expand(series);
}
template <class Scalar>
const ExpansionCounts& Expansion<Scalar>::counts() const {
  return parts_->numbers.counts;
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
