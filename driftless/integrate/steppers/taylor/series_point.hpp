// Converts between a point (t, y, y') and the Taylor coefficients of order 0 to d_j of the unknowns there.
//
// A point from the series of a step satisfies the equations within the tolerance only. The solver moves it onto all
// levels of all constraints by the stages up to 0 of the expansion (taylor/expansion.hpp), with the smallest correction
// at every level. No states are chosen.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "driftless/integrate/steppers/stepper.hpp"
#include "driftless/taylor/expansion.hpp"

namespace driftless {

class SeriesPoint {
 public:
  // The source of a component of y: sign * der^order(unknown), of which the point has derivatives up to order d.
  struct Source {
    int slot;
    int unknown;
    int order;
    int d;
    double sign;
  };

  SeriesPoint(System& system, const taylor::NaturalSystem& natural);

  const std::vector<Source>& sources() const { return sources_; }
  int highest_order() const;  // of the derivatives that y and y' consist of

  // Takes all derivatives that y and y' contain, as values of the unknowns.
  void take(double t, std::span<const double> y, std::span<const double> yp);

  // Writes the values taken last as coefficients in the unit of the series.
  template <class Scalar>
  void write_to(taylor::Series<Scalar>& series) const {
    const std::size_t unknowns = natural_.unknowns.size();
    Scalar factor(1);
    for (int m = 0; m < orders_; ++m) {
      for (std::size_t j = 0; j < unknowns; ++j) series.at(m)[j] = Scalar(values_[m * unknowns + j]) * factor;
      factor *= Scalar(series.unit) / Scalar(m + 1);
    }
  }

  // Sets the components of y and y' that are derivatives up to order d; the others stay. An empty span is skipped.
  template <class Scalar>
  void read(const taylor::Series<Scalar>& series, std::span<double> y, std::span<double> yp) const {
    for (const Source& s : sources_) {
      if (s.order <= s.d && !y.empty()) y[s.slot] = value(series, s, s.order);
      if (s.order < s.d && !yp.empty()) yp[s.slot] = value(series, s, s.order + 1);
    }
  }

  // |x_j| + nominal of every unknown.
  template <class Scalar>
  void set_weights(const taylor::Series<Scalar>& series, std::span<double> weights) const {
    for (std::size_t j = 0; j < weights.size(); ++j)
      weights[j] = std::abs(static_cast<double>(series.at(0)[j])) + natural_.unknowns[j].nominal;
  }

  // A derivative of the unknown of a source at the beginning of the series.
  template <class Scalar>
  double value(const taylor::Series<Scalar>& series, const Source& s, int order) const {
    Scalar value = series.at(order)[s.unknown];
    for (int i = 1; i <= order; ++i) value *= Scalar(i) / Scalar(series.unit);
    return s.sign * static_cast<double>(value);
  }

 private:
  System& system_;
  const taylor::NaturalSystem& natural_;
  int orders_ = 1;
  std::vector<Source> sources_;
  std::vector<double> quantities_, values_;  // values by order and unknown
};

// Most runs read their points off series that are exact: the expansion is made with the first point.
template <class Scalar>
class SeriesPointSolver final : public PointSolver {
 public:
  SeriesPointSolver(System& system, std::shared_ptr<const taylor::Recurrences> recurrences, taylor::Code code)
      : system_(system),
        recurrences_(std::move(recurrences)),
        code_(std::move(code)),
        point_(system, recurrences_->system) {}

  bool operator()(double t, std::span<double> y, std::span<double> yp) override {
    exist();
    if (version_ != system_.parameters_version()) {  // behind an event
      version_ = system_.parameters_version();
      expansion_->set_parameters(system_.parameters());
    }
    point_.take(t, y, yp);
    series_->begin = t;
    point_.write_to(*series_);
    point_.set_weights(*series_, weights_);
    if (expansion_->project_to_rounding(*series_, weights_) != taylor::Expansion<Scalar>::Failure::None) return false;
    point_.read(*series_, y, yp);
    return true;
  }

  void archive(Archive& archive) override {
    bool exists = expansion_.has_value();
    archive(exists);
    if (!exists) return;
    exist();
    expansion_->archive_pivots(archive);
  }

 private:
  void exist() {
    if (expansion_) return;
    expansion_.emplace(recurrences_, 1, code_);
    series_.emplace(expansion_->make_series());
    weights_.resize(recurrences_->system.unknowns.size());
  }

  System& system_;
  long version_ = -1;  // of the parameters that the expansion has
  std::shared_ptr<const taylor::Recurrences> recurrences_;
  taylor::Code code_;
  SeriesPoint point_;
  std::optional<taylor::Expansion<Scalar>> expansion_;
  std::optional<taylor::Series<Scalar>> series_;
  std::vector<double> weights_;
};

}  // namespace driftless
